import Foundation
import GRDB

/// Begins to write and does not end: what it wrote must never be seen.
func lock(_ file: URL) throws {
  let database = try DatabaseQueue(path: file.path)
  try database.inDatabase { db in
    try db.execute(
      sql: "BEGIN IMMEDIATE; UPDATE list SET revision = revision + 7; DELETE FROM item")
    say("locked")
    while true { sleep(60) }
  }
}
