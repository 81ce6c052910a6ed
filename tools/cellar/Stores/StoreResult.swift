import ArgumentParser
import Foundation
import ListInspection
import ListModel
import StoreSchema

/// What is said of one file.
struct StoreResult: Encodable {
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
  /// Tables and indexes that no migration makes, with SQL that runs by itself.
  var foreignSQL: [ForeignSQL]?
  var findings: [Finding]?
  /// Whether a check has found neither errors nor warnings.
  var isSound: Bool?
  var plan: MigrationPlan?
  /// The backup that was made before.
  var backup: String?
  /// The older backups that were deleted for it.
  var removedBackups: [String]?
  /// What an app has added to the store and was made anew after a migration.
  var appObjects: [String]?
  /// The backups of the store, the newest first.
  var backups: [Migrate.BackupFacts]?
  /// What was repaired, a sentence each.
  var repairs: [String]?
  /// What is lost by a repair, a sentence each.
  var losses: [String]?
  /// What `repair` did not do, a sentence each.
  var remaining: [String]?
  /// How many items of each list have another cell name or type now.
  var renamedItems: [String: Int]?
  /// How many sections of each list have a view with another name now.
  var renamedSections: [String: Int]?
  /// Derived lists whose definitions have the view still that was renamed.
  var definitionsWithView: [String]?
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

  /// Names what an app has added and was made anew.
  mutating func note(appObjects objects: [String]) {
    if !objects.isEmpty { appObjects = objects }
  }

  /// Takes an error for the result, with the exit code that it has unless another one is given.
  mutating func fail(_ error: any Error, exitCode code: Int32? = nil) {
    self.error = String(describing: error)
    exitCode = code ?? ExitCode(for: error).rawValue
  }
}
