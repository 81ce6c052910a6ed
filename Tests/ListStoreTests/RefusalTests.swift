import Foundation
import GRDB
import ListModel
import ListStore
import StoreFiles
import StoreSchema
import TestSupport
import Testing

/// A store that is not ours to write is refused, and not one byte beside or in it changes.
@Suite struct RefusalTests {
  private let folder: TemporaryFolder
  private var file: URL { folder.file("store.sqlite") }

  init() throws {
    folder = try TemporaryFolder()
    let repository = try Repository(at: file)
    try repository.commit([.insertSection("s")], to: "list")
  }

  private func change(_ sql: String) throws {
    let queue = try DatabaseQueue(path: file.path)
    try queue.write { db in try db.execute(sql: sql) }
    try queue.close()
  }

  private func expectRefusal(
    _ code: StoreError.Code, in folder: TemporaryFolder, _ words: String...,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let before = try folder.contents()
    let failure = #expect(throws: StoreError.self, sourceLocation: sourceLocation) {
      _ = try Repository(at: folder.file("store.sqlite"))
    }
    #expect(failure?.code == code, sourceLocation: sourceLocation)
    for word in words {
      #expect(failure?.message.contains(word) == true, sourceLocation: sourceLocation)
    }
    #expect(try folder.contents() == before, sourceLocation: sourceLocation)
  }

  @Test func aNewerStoreIsRefused() throws {
    try change("PRAGMA user_version = 99")
    try expectRefusal(.newerStore, in: folder, "99", "version \(Migration.latestVersion)")
  }

  @Test func aStoreThatIsNewerOnlyInItsLogIsRefused() throws {
    let queue = try DatabaseQueue(path: file.path)
    try queue.writeWithoutTransaction { db in
      try db.execute(sql: "PRAGMA wal_autocheckpoint = 0")
      try db.execute(sql: "INSERT INTO author (name) VALUES ('before')")
      try db.execute(sql: "PRAGMA user_version = 99")
      try db.execute(sql: "INSERT INTO author (name) VALUES ('after')")
    }
    // As a crash leaves it: the file and its log, nobody at work.
    let crashed = try TemporaryFolder()
    for suffix in ["", "-wal"] {
      try FileManager.default.copyItem(
        at: folder.file("store.sqlite\(suffix)"), to: crashed.file("store.sqlite\(suffix)"))
    }
    try expectRefusal(.newerStore, in: crashed, "99")
    try queue.close()
    try expectRefusal(.newerStore, in: folder, "99")
  }

  @Test func aStoreThatIsCurrentOnlyInItsLogIsOpened() throws {
    let crashed = try TemporaryFolder()
    do {
      let repository = try Repository(at: file)
      for _ in 0..<30 {
        try repository.commit([.insertSection("t"), .deleteSection("t")], to: "list")
      }
      for suffix in ["", "-wal"] {
        try FileManager.default.copyItem(
          at: folder.file("store.sqlite\(suffix)"), to: crashed.file("store.sqlite\(suffix)"))
      }
    }
    #expect(try Repository(at: crashed.file("store.sqlite")).revision(of: "list") == 31)
  }

  @Test func anUnknownMigrationIsRefused() throws {
    try change(
      """
      INSERT INTO schemaMigration (version, name, checksum, appliedAt, duration, libraryVersion,
        fingerprint, minimumReader)
      VALUES (98, 'v0098_later', '1:aa', 0, 0, '9', '1:bb', 98)
      """)
    try expectRefusal(.newerStore, in: folder, "98")
  }

  @Test func aModifiedMigrationIsRefused() throws {
    try change("UPDATE schemaMigration SET checksum = '1:0011'")
    try expectRefusal(.modifiedMigration, in: folder, "1:0011")
  }

  @Test func whatIsNoStoreIsRefused() throws {
    let wrong: [(bytes: Data, code: StoreError.Code)] = [
      (Data("Dear diary".utf8), .notAStore),
      (try Data(contentsOf: file).prefix(5_000), .damagedStore),
    ]
    for (bytes, code) in wrong {
      let other = try TemporaryFolder()
      try bytes.write(to: other.file("store.sqlite"))
      try expectRefusal(code, in: other)
    }
    let other = try TemporaryFolder()
    let queue = try DatabaseQueue(path: other.file("store.sqlite").path)
    try queue.write { db in try db.execute(sql: "CREATE TABLE theirs (a)") }
    try queue.close()
    try expectRefusal(.notAStore, in: other)
  }
}
