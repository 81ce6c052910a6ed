import Foundation
import GRDB
import TestSupport
import Testing

/// What all else stands on: if this fails, the SQLite of this machine is not one to store lists in.
@Suite struct DatabasePoolTests {
  @Test func aPoolInWALModeWritesAndReadsHere() throws {
    let folder = try TemporaryFolder()
    let pool = try DatabasePool(path: folder.file("pool.sqlite").path)
    try pool.write { db in
      try db.execute(sql: "CREATE TABLE word (text TEXT NOT NULL) STRICT")
      try db.execute(sql: "INSERT INTO word VALUES ('first'), ('second')")
    }
    let words = try pool.read { db in
      try String.fetchAll(db, sql: "SELECT text FROM word ORDER BY rowid")
    }
    #expect(words == ["first", "second"])
    let mode = try pool.read { db in try String.fetchOne(db, sql: "PRAGMA journal_mode") }
    #expect(mode == "wal")
    // A reader sees its own moment while a writer goes on.
    try pool.read { db in
      _ = try Int.fetchOne(db, sql: "SELECT count(*) FROM word")
      try pool.write { db in try db.execute(sql: "DELETE FROM word") }
      #expect(try Int.fetchOne(db, sql: "SELECT count(*) FROM word") == 2)
    }
    #expect(try pool.read { db in try Int.fetchOne(db, sql: "SELECT count(*) FROM word") } == 0)
    try pool.close()
  }
}
