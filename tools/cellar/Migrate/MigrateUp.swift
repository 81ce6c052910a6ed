import ArgumentParser
import Foundation
import ListInspection
import ListModel
import StoreFiles
import StoreSchema

extension Migrate {
  struct Up: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Apply the migrations that stores need.",
      discussion: """
        A damaged store is refused before it is touched. Each migration is one transaction; one \
        that fails leaves the version before. A store that has the version or a later one stays as \
        it is.

        --dry-run migrates private copies and says what happened: time, rows, bytes and free disk, \
        and what `check` says of the result. It exits with 2 if that is not sound.

        Example: cellar up stores --dry-run
        """)

    @OptionGroup var files: StoreArguments

    @Option(
      help: ArgumentHelp(
        "The schema version to stop at; the newest, if not given.", valueName: "version"))
    var to: Int?

    @Flag(help: "Try it on private copies; the stores stay as they are.")
    var dryRun = false

    @Option(
      help: ArgumentHelp(
        """
        Whether a copy is made in .backups beside the store first: auto, always or never. auto is \
        before more than one migration, and before one that writes tables anew.
        """, valueName: "when"))
    var backup = BackupChoice.auto

    enum BackupChoice: String, ExpressibleByArgument {
      case auto, always, never
    }

    func validate() throws { try files.known.require([to ?? 1], "--to") }

    func run() throws {
      let migrations = try files.known.all()
      let version = to ?? migrations.latestVersion
      if dryRun { return try plan(to: version, migrations) }
      let backsUp: Bool? = backup == .auto ? nil : backup == .always
      try files.change { file, progress in
        var applied = MigrationResult()
        if try StoreHeader(of: file).schemaVersion < version {
          let (verification, copy) = try Verification.beforeMigration(
            of: file, migrations: migrations)
          if let refused = StoreResult(refusing: verification, file, to: version) { return refused }
          applied = try Migrator.up(
            file, to: version, migrations: migrations, backsUp: backsUp, from: copy
          ) { done, _ in progress(done) }
        }
        let (schema, refusal) = try SchemaInspection.read(file, migrations: migrations)
        var result = StoreResult(schema, appliedNow: applied.names)
        result.backup = applied.backup?.path
        result.note(removed: applied.removedBackups)
        result.note(appObjects: applied.appObjects)
        if !applied.names.isEmpty { result.outcome = "migrated" }
        if let refusal { result.fail(refusal, exitCode: schema.differences.isEmpty ? nil : 4) }
        return result
      }
    }

    private func plan(to version: Int, _ migrations: [Migration]) throws {
      try files.eachWithProgress { file, progress in
        let (verification, plan) = try withoutActuallyEscaping(progress) { progress in
          try MigrationPlan.make(
            for: file, to: version, migrations: migrations, progress: progress)
        }
        guard let plan else {
          return StoreResult(refusing: verification, file, to: version) ?? StoreResult()
        }
        var result = StoreResult()
        result.schemaVersion = plan.fromVersion
        result.plan = plan
        result.outcome = plan.steps.isEmpty ? "current" : "planned"
        if !plan.findings.isEmpty {
          result.outcome = "damaged"
          result.exitCode = 2
        }
        return result
      }
    }
  }
}

extension StoreResult {
  /// The result for a store that must not be migrated to a version; `nil` if it may be.
  init?(refusing verification: Verification, _ file: URL, to version: Int) {
    guard let refusal = verification.refusal(toMigrate: file, to: version) else { return nil }
    self.init(verification)
    fail(refusal, exitCode: verification.differences.isEmpty ? nil : 4)
  }
}
