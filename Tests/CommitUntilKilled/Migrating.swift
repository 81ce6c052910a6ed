import Foundation
import ListInspection
import ListModel
import ListStore
import SchemaSupport
import StoreSchema

// By the tests' migrations, which are more than the library has.

/// Migrates a store and does not end: "migrating" once it has begun, "migrated" afterwards.
func migrate(_ file: URL) throws -> Never {
  var hasBegun = false
  _ = try Migrator.up(file, migrations: TestMigrations.all) { _, _ in
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
  for name in try Migrator.up(file, migrations: TestMigrations.all, busyTimeout: 30).names {
    say(name)
  }
}

/// Undoes the last migration and applies it again, for ever: "begun" before the first time.
func migrateDownAndUp(_ file: URL) throws -> Never {
  say("begun")
  while true {
    let all = TestMigrations.all
    _ = try Migrator.down(file, to: all.latestVersion - 1, migrations: all)
    _ = try Migrator.up(file, migrations: all, backsUp: true)
  }
}

/// Restores two backups by turns, for ever: "begun" before the first time.
func restoreByTurns(_ file: URL, _ backups: [URL]) throws -> Never {
  say("begun")
  while true {
    for backup in backups {
      try StoreBackup.restore(backup, to: file, migrations: TestMigrations.all)
    }
  }
}

/// Repairs a store and does not end: "repairing" before it begins, "repaired" afterwards.
func repair(_ file: URL) throws -> Never {
  say("repairing")
  _ = try RepairPlan(of: file, accepting: [], migrations: TestMigrations.all).apply(to: file)
  say("repaired")
  while true { sleep(60) }
}
