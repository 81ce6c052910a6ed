import ArgumentParser
import Foundation
import ListInspection
import ListModel

/// How a command opens the stores that it looks at.
struct OpeningOption: ParsableArguments {
  @Flag(help: "Make no copy in any case; nobody may have the store open.")
  var inPlace = false

  @OptionGroup var known: KnownMigrations

  func inspection(of path: String) throws(StoreError) -> Inspection {
    let file = URL(fileURLWithPath: path)
    return inPlace
      ? try Inspection(of: file, inPlace: true, migrations: known.all())
      : try Inspection(preferringPlaceOf: file, migrations: known.all())
  }
}

extension Finding {
  /// The lines that tell of a finding.
  var lines: [String] {
    [description, "  " + meaning, "  " + advice]
  }
}
