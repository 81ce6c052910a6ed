import ArgumentParser
import Foundation
import ListInspection
import ListModel

struct Inspect: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Look into a store without changing a byte of it or beside it.",
    discussion: """
      A private copy is read, so a store that an app has open can be looked at, and one that is \
      damaged. --in-place reads a store that is too large to be copied. What can be read is \
      printed although something else can't. Exits with 2 if something is wrong with the store, \
      with 4 or 5 if this version of Cellar would not open it, and with 70 if it changed meanwhile.
      """,
    subcommands: [
      Info.self, Check.self, List.self, Show.self, Log.self, Diff.self, WriteAheadLog.self,
      Space.self, Sizes.self, Cells.self, Query.self, Report.self, Export.self,
      Recover.self, Redact.self,
    ])
}

/// How a command opens the stores that it looks at.
struct OpeningOption: ParsableArguments {
  @Flag(help: "Read the store itself and no copy of it; nobody may have it open.")
  var inPlace = false

  @OptionGroup var known: Migrate.KnownMigrations

  func inspection(of path: String) throws(StoreError) -> Inspection {
    try Inspection(
      of: URL(fileURLWithPath: path), inPlace: inPlace, migrations: known.all())
  }
}

extension Finding {
  /// The lines that tell of a finding.
  var lines: [String] {
    [description, "  " + meaning, "  " + advice]
  }
}
