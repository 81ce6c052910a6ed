import Foundation
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
