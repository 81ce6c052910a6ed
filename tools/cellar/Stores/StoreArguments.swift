import ArgumentParser
import Foundation
import ListModel
import StoreFiles
import StoreSchema

/// The stores that a command handles: several at once, with one result each.
struct StoreArguments: ParsableArguments {
  @Argument(help: ArgumentHelp("Stores, and folders with stores.", valueName: "file"))
  var files: [String]

  @Option(
    help: ArgumentHelp(
      "How many stores are handled at once; one less than there are cores, if not given.",
      valueName: "n"))
  var jobs: Int?

  @Flag(help: "Print all that is known of each of several stores, and not a line.")
  var details = false

  @Flag(help: "Print one JSON object a file.")
  var json = false

  @OptionGroup var known: KnownMigrations

  func validate() throws {
    guard !files.isEmpty else { throw ValidationError("name at least one store file") }
    if let jobs, jobs < 1 { throw ValidationError("--jobs: at least 1") }
  }

  /// Handles each store; one that fails does not stop the rest.
  func each(_ body: @escaping @Sendable (URL) throws -> StoreResult) throws {
    try eachWithProgress { file, _ in try body(file) }
  }

  /// Changes each store, while no other command changes those beside it.
  ///
  /// `body` says how far it is, from 0 to 1.
  func change(
    _ body: @escaping @Sendable (URL, (Double) -> Void) throws -> StoreResult
  ) throws {
    try eachWithProgress { file, progress in
      try FolderTurn.during(changesOf: file) { try body(file, progress) }
    }
  }

  /// Handles each store; `body` says how far it is, from 0 to 1.
  func eachWithProgress(
    _ body: @escaping @Sendable (URL, (Double) -> Void) throws -> StoreResult
  ) throws {
    let cores = ProcessInfo.processInfo.activeProcessorCount
    let run = StoreRun(
      StoreSearch.stores(in: files), json: json, hasDetails: details,
      latestVersion: try known.all().latestVersion, body)
    try run.run(jobs: jobs ?? max(1, cores - 1))
  }
}
