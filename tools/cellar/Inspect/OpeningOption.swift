import ArgumentParser
import Foundation
import ListInspection
import ListModel

/// How a command opens the stores that it looks at.
struct OpeningOption: ParsableArguments {
  @Flag(help: "Read the store itself and no copy of it; nobody may have it open.")
  var inPlace = false

  @OptionGroup var known: KnownMigrations

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
