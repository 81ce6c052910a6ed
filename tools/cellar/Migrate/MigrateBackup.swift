import ArgumentParser
import Foundation
import ListInspection
import ListModel
import StoreFiles
import StoreSchema

extension Migrate {
  struct Down: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Undo migrations of stores, after a backup.",
      discussion: """
        Only migrations whose way down loses nothing are undone; where one has none, nothing is \
        changed. `restore` goes back further.

        Example: cellar down store.sqlite --to 1
        """)

    @OptionGroup var files: StoreArguments

    @Option(help: ArgumentHelp("The schema version to go back to.", valueName: "version"))
    var to: Int

    func validate() throws { try files.known.require([to], "--to") }

    func run() throws {
      let (version, migrations) = (to, try files.known.all())
      try files.change { file, _ in
        let undone = try Migrator.down(file, to: version, migrations: migrations)
        let schema = try SchemaInspection.read(file, migrations: migrations).schema
        var result = StoreResult(schema, undoneNow: undone.names)
        if !undone.names.isEmpty { result.outcome = "undone" }
        result.backup = undone.backup?.path
        result.note(removed: undone.removedBackups)
        result.note(appObjects: undone.appObjects)
        return result
      }
    }
  }

  struct Backup: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Copy stores, also ones that are in use.",
      discussion: """
        To the folder .backups beside them. The newest \(StoreBackup.keptCount) backups of a store \
        are kept there, and of each version that has no way back the newest one. A damaged store \
        is backed up, too; it is said, and the exit code is 2.

        Example: cellar backup store.sqlite
        """)

    @OptionGroup var files: StoreArguments

    @Flag(help: "Print the backups in .backups beside the stores, the newest first; make none.")
    var list = false

    @Option(help: ArgumentHelp("A new file for the backup, of one store.", valueName: "file"))
    var out: String?

    func validate() throws {
      if out != nil, files.files.count > 1 {
        throw ValidationError("--out: for one store")
      }
      if list, out != nil { throw ValidationError("--list makes no backup; leave --out away") }
    }

    func run() throws {
      if list { return try printBackups() }
      let target = out.map { URL(fileURLWithPath: $0) }
      let migrations = try files.known.all()
      try files.each { file in
        let backup = try StoreBackup.make(of: file, at: target, migrations: migrations)
        var result = StoreResult(
          outcome: "backed up", schemaVersion: backup.version, backup: backup.file.path)
        result.note(removed: backup.removed)
        let verification = try Verification(of: backup.file, migrations: migrations)
        if verification.verdict == .damaged {
          result.outcome = "backed up, damaged"
          result.findings = verification.findings
          result.exitCode = 2
        }
        return result
      }
    }

    private func printBackups() throws {
      try files.each { file in
        let backups = StoreBackup.all(of: file)
        // Backups of a store that is lost are found by its name.
        let version = try? StoreHeader(of: file).schemaVersion
        guard version != nil || !backups.isEmpty else { throw StoreError.fileNotFound(file.path) }
        return StoreResult(
          outcome: "listed", schemaVersion: version, backups: backups.map(BackupFacts.init))
      }
    }
  }

  /// What is said of a backup.
  struct BackupFacts: Encodable {
    let file: String
    let schemaVersion: Int
    /// In milliseconds since 1970.
    let time: Int
    let byteCount: Int

    init(_ backup: StoreBackup) {
      file = backup.file.path
      schemaVersion = backup.version
      time = Int(backup.madeAt.timeIntervalSince1970 * 1_000)
      byteCount = backup.byteCount
    }
  }

  struct Restore: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Put a backup in the place of a store.",
      discussion: """
        The backup is checked first, as `check` does, and stays; a damaged one is refused. No app \
        may have the store open. Apps that follow its lists load them anew. The store that is \
        replaced is backed up first, to .backups beside it; of one that SQLite can't read, the \
        files are copied there.

        Example: cellar restore .backups/store.v1.sqlite store.sqlite
        """)

    @Argument(help: ArgumentHelp("The backup.", valueName: "backup"))
    var backup: String

    @Argument(help: ArgumentHelp("The store.", valueName: "file"))
    var file: String

    @Flag(help: "Restore without asking.")
    var yes = false

    @Flag(help: "Keep no backup of the store that is replaced, if SQLite can read it.")
    var noBackup = false

    @Flag(help: "Print JSON.")
    var json = false

    @OptionGroup var known: KnownMigrations

    func run() throws {
      let migrations = try known.all()
      guard yes || !FileManager.default.fileExists(atPath: file) || asks() else {
        throw StoreError(
          .notWritable, "it would be replaced by \(backup); nothing was done without --yes",
          file: file)
      }
      let verification = try Verification(
        of: URL(fileURLWithPath: backup), migrations: migrations)
      if let finding = verification.findings.first {
        let others = verification.findings.count - 1
        Output.note(
          "Error: \(backup): the backup is damaged: \(finding.description)"
            + (others > 0 ? ", and \(others) more" : "")
            + "; nothing was changed. Make a sound store of it with `cellar repair "
            + "\(ShownText.argument(backup)) --to NEW`, and restore that")
        throw ExitCode(2)
      }
      var removed: [URL] = []
      let store = URL(fileURLWithPath: file)
      let former = try FolderTurn.during(changesOf: store) {
        try StoreBackup.restore(
          URL(fileURLWithPath: backup), to: store, migrations: migrations,
          keepsFormer: !noBackup, didRemove: { removed = $0 })
      }
      let version = try StoreHeader(of: store).schemaVersion
      let answer = Answer(
        file: file, backup: backup, schemaVersion: version, formerStore: former?.path,
        removedBackups: removed.isEmpty ? nil : removed.map(\.path))
      if json {
        try Output.json(try Output.jsonLine(of: answer))
      } else {
        try Output.lines(
          ["\(file): schema version \(version) of \(migrations.latestVersion), restored"]
            + (former.map { ["  backup      \($0.path), of the store before"] } ?? [])
            + removed.map { "  removed     \($0.path), an older backup" })
      }
    }

    private func asks() -> Bool {
      guard isatty(0) == 1, isatty(2) == 1 else { return false }
      Output.note("\(file): replace it by \(backup)? (y/n)")
      return ["y", "yes"].contains(readLine()?.lowercased())
    }

    private struct Answer: Encodable {
      var formatVersion = 1
      var file: String
      var backup: String
      var schemaVersion: Int
      var formerStore: String?
      var removedBackups: [String]?
    }
  }
}
