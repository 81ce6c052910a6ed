import ArgumentParser
import Foundation
import ListInspection
import ListModel
import SchemaLint
import StoreSchema

struct Migrate: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "See and change the schema version of stores, and names and contents in them.",
    discussion: """
      Each file is a store, or a folder: all stores in it and in folders below it, but not what \
      begins with a dot. A store that fails does not stop the others.
      """,
    subcommands: [
      Status.self, Plan.self, Up.self, Down.self, Verify.self, Repair.self, Backup.self,
      Backups.self, Restore.self, RenameCell.self, RenameType.self, RenameView.self,
      SetContent.self, Dump.self, Lint.self, New.self,
    ])

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

  /// What the subcommands share: several stores, and one result each.
  struct Files: ParsableArguments {
    @Argument(help: ArgumentHelp("Stores, and folders with stores.", valueName: "file"))
    var files: [String]

    @Option(
      help: ArgumentHelp(
        "How many stores are handled at once; one less than there are cores, if not given.",
        valueName: "n"))
    var jobs: Int?

    @Flag(help: "Print one JSON object a file.")
    var json = false

    @OptionGroup var known: KnownMigrations

    func validate() throws {
      guard !files.isEmpty else { throw ValidationError("name at least one store file") }
      if let jobs, jobs < 1 { throw ValidationError("--jobs: at least 1") }
    }

    /// Handles each store; one that fails does not stop the rest.
    func each(_ body: @escaping @Sendable (URL) throws -> Result) throws {
      try eachWithProgress { file, _ in try body(file) }
    }

    /// Changes each store, while no other command changes those beside it.
    ///
    /// `body` says how far it is, from 0 to 1.
    func change(
      _ body: @escaping @Sendable (URL, (Double) -> Void) throws -> Result
    ) throws {
      try eachWithProgress { file, progress in
        try FolderTurn.during(changesOf: file) { try body(file, progress) }
      }
    }

    /// Handles each store; `body` says how far it is, from 0 to 1.
    func eachWithProgress(
      _ body: @escaping @Sendable (URL, (Double) -> Void) throws -> Result
    ) throws {
      let cores = ProcessInfo.processInfo.activeProcessorCount
      let run = StoreRun(
        StoreSearch.stores(in: files), json: json, latestVersion: try known.all().latestVersion,
        body)
      try run.run(jobs: jobs ?? max(1, cores - 1))
    }
  }

  /// What is said of one file.
  struct Result: Encodable {
    var formatVersion = 1
    var file = ""
    /// What became of it, in a word; the closing line counts them.
    var outcome = "done"
    /// The exit code of a call for this file alone.
    var exitCode: Int32 = 0
    var schemaVersion: Int?
    var latestVersion = 0
    /// What each migration is: see `SchemaInspection.State`; or "applied now".
    var migrations: [Step]?
    var schemaDifferences: [SchemaDifference]?
    var findings: [Finding]?
    var plan: MigrationPlan?
    /// The backup that was made before.
    var backup: String?
    /// The older backups that were deleted for it.
    var removedBackups: [String]?
    /// The backups of the store, the newest first.
    var backups: [BackupFacts]?
    /// What was repaired, a sentence each.
    var repairs: [String]?
    /// What `repair` did not do, a sentence each.
    var remaining: [String]?
    /// How many items of each list have another cell name or type now.
    var renamedItems: [String: Int]?
    /// How many sections of each list have a view with another name now.
    var renamedSections: [String: Int]?
    /// How many items of each list have another content now.
    var changedItems: [String: Int]?
    /// Whether all this was done on a copy alone.
    var dryRun: Bool?
    /// Names that may have been meant where nothing had the one that was named.
    var nearCells: [String]?
    var nearTypes: [String]?
    var nearViews: [String]?
    var error: String?

    struct Step: Encodable {
      var name: String
      var state: String
    }

    /// Names the backups that were deleted.
    mutating func note(removed backups: [URL]) {
      if !backups.isEmpty { removedBackups = backups.map(\.path) }
    }

    /// Takes an error for the result, with the exit code that it has unless another one is given.
    mutating func fail(_ error: any Error, exitCode code: Int32? = nil) {
      self.error = String(describing: error)
      exitCode = code ?? ExitCode(for: error).rawValue
    }
  }
}

extension String {
  /// The text with spaces after it, up to a width.
  func padded(to width: Int) -> String {
    self + String(repeating: " ", count: max(1, width - count))
  }
}
