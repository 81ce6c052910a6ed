import Foundation
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
