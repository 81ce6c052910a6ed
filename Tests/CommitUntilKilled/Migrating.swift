import Foundation
import ListInspection
import ListModel
import ListStore
import StoreSchema

/// Migrates a store and does not end: "migrating" once it has begun, "migrated" afterwards.
func migrate(_ file: URL) throws -> Never {
  var hasBegun = false
  _ = try Migrator.up(file) { _, _ in
    if !hasBegun { say("migrating") }
    hasBegun = true
  }
  say("migrated")
  while true { sleep(60) }
}

/// Renames a cell and does not end: "renaming" before it begins, "renamed" afterwards.
func rename(_ old: CellName, to new: CellName, in file: URL) throws -> Never {
  let repository = try Repository(existing: file)
  say("renaming")
  try repository.renameCell(old, to: new)
  say("renamed")
  while true { sleep(60) }
}

/// Migrates a store beside others, and ends by itself: a line for each migration that it applied.
func migrateOnce(_ file: URL) throws {
  for name in try Migrator.up(file, busyTimeout: 30).names { say(name) }
}

/// Undoes the last migration and applies it again, for ever: "begun" before the first time.
func migrateDownAndUp(_ file: URL) throws -> Never {
  say("begun")
  while true {
    _ = try Migrator.down(file, to: Migration.latestVersion - 1)
    _ = try Migrator.up(file, backsUp: true)
  }
}

/// Restores two backups by turns, for ever: "begun" before the first time.
func restoreByTurns(_ file: URL, _ backups: [URL]) throws -> Never {
  say("begun")
  while true {
    for backup in backups { try StoreBackup.restore(backup, to: file) }
  }
}

/// Repairs a store and does not end: "repairing" before it begins, "repaired" afterwards.
func repair(_ file: URL) throws -> Never {
  say("repairing")
  _ = try RepairPlan(of: file, accepting: []).apply(to: file)
  say("repaired")
  while true { sleep(60) }
}
