import ArgumentParser
import Foundation
import ListModel
import SchemaLint
import StoreSchema

/// The migrations that a command knows: for tests, others than the library's own.
struct KnownMigrations: ParsableArguments {
  @Option(
    name: .customLong("migrations"),
    help: ArgumentHelp(
      "A folder with all migration files, instead of the library's.", valueName: "folder",
      visibility: .hidden))
  var folder: String?

  func all() throws(StoreError) -> [Migration] {
    guard let folder else { return Migration.all }
    return try MigrationFolder(URL(fileURLWithPath: folder)).migrations()
  }

  /// Refuses a version that is none of theirs; `option` is named.
  func require(_ versions: [Int], _ option: String) throws {
    let latest = try all().latestVersion
    guard versions.allSatisfy((1...latest).contains) else {
      throw ValidationError("\(option): there are versions 1 to \(latest)")
    }
  }
}
