import Foundation
import GRDB
import ListModel
import ListStore
import ListSync
import Providers
import StoreSchema
import TestSupport
import Testing
import ListTables

/// What earlier versions wrote comes up the same, with the same tokens.
@Suite struct PackedLogMigrationTests {
  private let folder: TemporaryFolder
  private var file: URL { folder.file("old.sqlite") }

  init() throws { folder = try TemporaryFolder() }

  private func rows(_ sql: String) throws -> [[DatabaseValue]] {
    let queue = try DatabaseQueue(path: file.path)
    defer { try? queue.close() }
    return try queue.read { db in try Row.fetchAll(db, sql: sql).map { Array($0.databaseValues) } }
  }

  /// What the feed of a fixture makes of a store of today.
  private func today(_ feed: String) throws -> Repository {
    let repository = try Repository(at: folder.file("today.sqlite"))
    _ = try repository.apply(FeedReader(file: PackageFiles.fixture(feed)))
    return repository
  }

  @Test(arguments: [
    ("v0004.sqlite", "v0004.ndjson"), ("v0005.sqlite", "v0005.ndjson"),
    ("v0006.sqlite", "v0006.ndjson"),
  ])
  func everyRevisionIsWhatItWas(_ fixture: String, _ feed: String) throws {
    try FileManager.default.copyItem(at: PackageFiles.fixture(fixture), to: file)
    let kept = [
      "SELECT name, revision, digest, chain, logFloor, floorChain, feedSequence FROM list",
      """
      SELECT list, revision, author, time, feedSequence, feedDigest, digest, chain, changeTotal
      FROM listCommit
      """,
      "SELECT storeID, createdAt FROM store", "SELECT * FROM block ORDER BY id",
      "SELECT * FROM measuredSize", "SELECT * FROM section",
      "SELECT list, name, id, block FROM item ORDER BY list, name",
    ]
    let before = try kept.map(rows)
    let contents = try rows("SELECT * FROM itemContent ORDER BY id")
    let changes = try rows("SELECT count(*) FROM change")
    let migrated = try Repository(existing: file)
    #expect(try kept.map(rows) == before)
    #expect(
      try rows("SELECT * FROM content WHERE id IN (SELECT id FROM item) ORDER BY id") == contents)
    #expect(try rows("SELECT sum(json_array_length(entries)) FROM change") == changes)
    let today = try today(feed)
    for list in try today.lists() {
      for revision in 0...(try today.revision(of: list)) {
        #expect(
          try migrated.tree(of: list, at: revision).json()
            == today.tree(of: list, at: revision).json(), "\(fixture) \(list) @\(revision)")
      }
      #expect(
        try migrated.commits(of: list).map(\.entries) == today.commits(of: list).map(\.entries))
      #expect(
        try migrated.commits(of: list).map(\.proof?.seams)
          == today.commits(of: list).map(\.proof?.seams))
    }
    // The chain of each commit is computed anew from what its entries mean.
    try checkInvariants(of: file, fixture)
    for repository in [today, migrated] {
      for list in try today.lists() {
        try repository.truncateLog(of: list, keeping: LogRetention(changes: 7))
      }
    }
    try checkInvariants(of: file, "\(fixture), truncated")
    for list in try today.lists() {
      #expect(try migrated.tree(of: list) == today.tree(of: list))
    }
  }

  /// Cellar wrote states in one layout, which is read faster than others.
  @Test(arguments: [
    ("\"contentRevision\":", " \"contentRevision\" : "), ("{\"cell\":", "{\"other\":[1],\"cell\":"),
    ("\"cell\":\"Book", "\"cell\":\"\\u0042ook"), ("\"content\":", "\"\\u0063ontent\":"),
    (",\"contentRevision\":", ",\"type\":null,\"action\":null,\"contentRevision\":"),
  ])
  func aStateInAnotherLayoutMeansTheSame(_ text: String, _ other: String) throws {
    try FileManager.default.copyItem(at: PackageFiles.fixture("v0006.sqlite"), to: file)
    let queue = try DatabaseQueue(path: file.path)
    try queue.write { db in
      try db.execute(
        sql: """
          UPDATE change SET before = replace(before, ?1, ?2), after = replace(after, ?1, ?2)
          WHERE operation LIKE '%Item' AND coalesce(before, '') || coalesce(after, '') NOT LIKE '%"type"%'
            AND coalesce(before, '') || coalesce(after, '') NOT LIKE '%"action"%'
          """, arguments: [text, other])
      #expect(db.changesCount > 50)
    }
    try queue.close()
    let migrated = try Repository(existing: file)
    let today = try today("v0006.ndjson")
    for list in try today.lists() {
      #expect(
        try migrated.commits(of: list).map(\.entries) == today.commits(of: list).map(\.entries))
    }
  }

  @Test func aReaderFromBeforeTheMigrationGoesOn() throws {
    try FileManager.default.copyItem(at: PackageFiles.fixture("v0006.sqlite"), to: file)
    let old = try rows("SELECT storeID FROM store")[0][0]
    let chain = try rows(
      """
      SELECT listCommit.chain FROM listCommit JOIN list ON list.id = list
      WHERE list.name = 'shelf' AND listCommit.revision = 40
      """)
    let migrated = try Repository(existing: file)
    let reach = try migrated.logReach(of: "shelf", forReaderAt: 40, in: migrated.pin())
    #expect(reach.chain.map { Int64(bitPattern: $0) } == Int64.fromDatabaseValue(chain[0][0]))
    #expect(Data.fromDatabaseValue(old) == Data(reach.storeID))
    try migrated.commit([.updateList(meta: "1")], to: "shelf")
    try migrated.undoCommit(51, of: "shelf")
    try checkInvariants(of: file)
  }

  @Test func theProgressGoesUp() throws {
    try FileManager.default.copyItem(at: PackageFiles.fixture("v0006.sqlite"), to: file)
    var seen: [Double] = []
    #expect(
      try Migrator.up(file) { done, _ in seen.append(done) }.names
        == Migration.all.dropFirst(6).map(\.name))
    #expect(seen.count > 5, "every 128 of 761 changes, and before and after them")
    #expect(seen == seen.sorted())
    #expect(seen.first == 0)
    #expect(seen.last == 1)
  }

  /// The chain tells an entry that was changed, whichever version has hashed it.
  @Test(arguments: [2, 52]) func anEntryThatWasChangedIsFound(_ revision: Int) throws {
    try FileManager.default.copyItem(at: PackageFiles.fixture("v0006.sqlite"), to: file)
    let migrated = try Repository(existing: file)
    try migrated.commit(
      [
        .insertSection("new"), .insertItem(Item(id: "new", cell: "C", content: "1"), in: "new"),
        .touchItem("new"),
      ], to: "shelf")
    #expect(try migrated.checkInvariants().isEmpty)
    let queue = try DatabaseQueue(path: file.path)
    try queue.write { db in
      try db.execute(
        sql: """
          UPDATE change SET entries = json_set(entries, '$[#-1][1]', 'other')
          WHERE revision = ? AND list = (SELECT id FROM list WHERE name = 'shelf')
            AND id = (SELECT max(id) FROM change AS last WHERE last.list = change.list
              AND last.revision = change.revision)
          """, arguments: [revision])
      #expect(db.changesCount == 1)
    }
    try queue.close()
    #expect(
      try migrated.checkInvariants().contains {
        $0.message == "the commit of revision \(revision) is another one than its chain says"
      })
  }

  @Test func aRowOfTheLogThatCannotBeReadIsDamageAndTheRestComesUp() throws {
    try FileManager.default.copyItem(at: PackageFiles.fixture("v0006.sqlite"), to: file)
    let queue = try DatabaseQueue(path: file.path)
    try queue.write { db in
      try db.execute(
        sql: """
          UPDATE change SET after = '{' WHERE operation = 'insertItem' AND revision = 9
            AND list = (SELECT id FROM list WHERE name = 'shelf')
          """)
      #expect(db.changesCount > 0)
    }
    try queue.close()
    let migrated = try Repository(existing: file)
    let head = try migrated.tree(of: "shelf")
    #expect(try migrated.tree(of: "shelf", at: 9).revision == 9)
    let failure = #expect(throws: StoreError.self) { try migrated.tree(of: "shelf", at: 8) }
    #expect(failure?.code == .damagedStore)
    #expect(try migrated.tree(of: "inbox", at: 0) == ListTree(list: "inbox"))
    try migrated.truncateLog(of: "shelf", keeping: LogRetention(changes: 3))
    #expect(try migrated.tree(of: "shelf") == head)
    try checkInvariants(of: file)
  }
}
