import Foundation
import GRDB
import ListModel
import StoreFiles
import StoreSchema
import StoreSupport
import TestSupport
import Testing

/// Looking at a store goes to a copy: the original and what lies beside it stay as they are.
@Suite struct PrivateCopyTests {
  private let bench: SchemaBench
  private var file: URL { bench.file }

  init() throws {
    bench = try SchemaBench()
    try bench.makeStore()
  }

  private func pool() throws -> DatabasePool {
    try DatabasePool(path: file.path, configuration: .store())
  }

  private func insert(_ name: String) -> String {
    "INSERT INTO list (name, revision, digest, chain, root) VALUES ('\(name)', 0, 0, 0, 0)"
  }

  /// The names of the lists in a copy, read as SQLite reads them.
  private func lists(of copy: PrivateCopy) throws -> [String] {
    let queue = try DatabaseQueue(path: copy.file.path)
    defer { try? queue.close() }
    return try queue.read { db in
      try String.fetchAll(db, sql: "SELECT name FROM list ORDER BY name")
    }
  }

  /// Copies and reads twice; checks that nothing in the folder changed.
  private func listsOfCopy(
    of original: URL? = nil, sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> [String] {
    let before = try FolderSnapshot(of: bench.folder.url)
    var found: [[String]] = []
    for _ in 0..<2 { found.append(try lists(of: PrivateCopy(of: original ?? file))) }
    _ = try SchemaStatus(of: original ?? file)
    let after = try FolderSnapshot(of: bench.folder.url)
    #expect(before.changes(to: after) == [], sourceLocation: sourceLocation)
    #expect(found[0] == found[1], sourceLocation: sourceLocation)
    return found[0]
  }

  @Test func aStoreAtRestIsCopied() throws {
    try bench.change(insert("a"))
    #expect(try listsOfCopy() == ["a"])
  }

  @Test func rowsThatAreOnlyInTheLogOfALiveWriterAreSeen() throws {
    let pool = try pool()
    try pool.write { db in try db.execute(sql: insert("a")) }
    let snapshot = try FolderSnapshot(of: bench.folder.url)
    #expect(snapshot.names == ["store.sqlite", "store.sqlite-shm", "store.sqlite-wal"])
    #expect(try listsOfCopy() == ["a"])
    try pool.write { db in try db.execute(sql: insert("b")) }
    #expect(try listsOfCopy() == ["a", "b"], "the writer goes on")
    try pool.close()
    #expect(try listsOfCopy() == ["a", "b"])
  }

  @Test func aLogWithoutItsIndexIsRead() throws {
    let pool = try pool()
    try pool.write { db in try db.execute(sql: insert("a")) }
    let other = try TemporaryFolder()
    for suffix in ["", "-wal"] {
      try FileManager.default.copyItem(
        atPath: file.path + suffix, toPath: other.file("store.sqlite").path + suffix)
    }
    try pool.close()
    let before = try FolderSnapshot(of: other.url)
    #expect(try lists(of: PrivateCopy(of: other.file("store.sqlite"))) == ["a"])
    #expect(before.changes(to: try FolderSnapshot(of: other.url)) == [])
    #expect(before.names == ["store.sqlite", "store.sqlite-wal"])
  }

  @Test func aWriteThatWasCutOffIsTakenBackInTheCopyOnly() throws {
    try bench.change(insert("a"))
    // A hot journal: the state of a process that died between writing and committing.
    let queue = try DatabaseQueue(path: file.path)
    let other = try TemporaryFolder()
    try queue.writeWithoutTransaction { db in
      try db.execute(sql: "PRAGMA cache_size = 1; PRAGMA cache_spill = 1; BEGIN")
      for number in 0..<2_000 { try db.execute(sql: insert("lost\(number)")) }
      for suffix in ["", "-journal"] {
        try FileManager.default.copyItem(
          atPath: file.path + suffix, toPath: other.file("store.sqlite").path + suffix)
      }
      try db.execute(sql: "ROLLBACK")
    }
    try queue.close()
    let before = try FolderSnapshot(of: other.url)
    #expect(try lists(of: PrivateCopy(of: other.file("store.sqlite"))) == ["a"])
    #expect(before.changes(to: try FolderSnapshot(of: other.url)) == [])
    #expect(before.names == ["store.sqlite", "store.sqlite-journal"])
  }

  @Test func aStoreBehindALinkIsCopiedWithItsLog() throws {
    let elsewhere = try TemporaryFolder()
    let link = elsewhere.file("link.sqlite")
    try FileManager.default.createSymbolicLink(at: link, withDestinationURL: file)
    let pool = try pool()
    try pool.write { db in try db.execute(sql: insert("a")) }
    #expect(try listsOfCopy(of: link) == ["a"])
    #expect(try FolderSnapshot(of: elsewhere.url).names == ["link.sqlite"])
    try pool.close()
  }

  @Test func theCopyIsPrivateAndGoesAway() throws {
    let pool = try pool()
    try pool.write { db in try db.execute(sql: insert("a")) }
    #expect(chmod(file.path, 0o644) == 0)
    var copy: PrivateCopy? = try PrivateCopy(of: file)
    let folder = try #require(copy?.file.deletingLastPathComponent())
    #expect(folder.path != bench.folder.url.path)
    func permissions(_ path: String) throws -> Int? {
      try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    }
    #expect(try permissions(folder.path) == 0o700)
    let names = try FolderSnapshot(of: folder).names
    #expect(names == ["store.sqlite", "store.sqlite-wal"])
    for name in names {
      #expect(try permissions(folder.appendingPathComponent(name).path) == 0o600, "\(name)")
    }
    if let copy { #expect(try lists(of: copy) == ["a"]) }
    copy = nil
    #expect(!FileManager.default.fileExists(atPath: folder.path))
    try pool.close()
  }

  @Test func aCopyOfAStoreThatIsBeingWrittenIsOfOneMoment() throws {
    let pool = try pool()
    try pool.write { db in try db.execute(sql: insert("a") + ";" + insert("b")) }
    let isDone = Guarded(false)
    let writer = Thread {
      var number = 0
      while !isDone.withValue({ $0 }) {
        number += 1
        try? pool.write { db in
          try db.execute(sql: "UPDATE list SET revision = \(number)")
          try db.execute(sql: insert("\(number)"))
        }
        if number % 20 == 0 {
          _ = try? pool.writeWithoutTransaction { db in try db.checkpoint(.truncate) }
        }
        // At rest now and then, as apps are.
        usleep(number % 10 == 0 ? 20_000 : 500)
      }
    }
    writer.start()
    defer { isDone.withValue { $0 = true } }
    var copies = 0
    for _ in 0..<25 {
      do {
        let copy = try PrivateCopy(of: file)
        let queue = try DatabaseQueue(path: copy.file.path)
        try queue.read { db in
          #expect(try String.fetchAll(db, sql: "PRAGMA integrity_check") == ["ok"])
          let revisions = try Int.fetchAll(
            db, sql: "SELECT DISTINCT revision FROM list WHERE name IN ('a', 'b')")
          #expect(revisions.count == 1)
          #expect(try Int.fetchOne(db, sql: "SELECT count(*) - 2 FROM list") == revisions.first)
        }
        try queue.close()
        copies += 1
      } catch let error as StoreError {
        #expect(error.code == .busy)
      }
    }
    #expect(copies > 0)
  }
}
