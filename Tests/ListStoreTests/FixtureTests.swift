import DerivedLists
import Foundation
import GRDB
import ListModel
import ListStore
import ListSync
import SchemaSupport
import ListTables
import StoreFiles
import StoreSchema
import TestSupport
import Testing

/// A store of every released schema version becomes one of the newest that exports the same.
@Suite struct FixtureTests {
  /// What each fixture holds.
  private static let feeds = [
    1: PackageFiles.fixture("v0001.ndjson"), 2: PackageFiles.fixture("v0001.ndjson"),
    3: PackageFiles.fixture("v0003.ndjson"), 4: PackageFiles.fixture("v0003.ndjson"),
    5: PackageFiles.fixture("v0003.ndjson"), 6: PackageFiles.fixture("v0003.ndjson"),
  ]
  /// The lists that were defined before the first line.
  private static let definitions = [
    2: PackageFiles.fixture("v0002-lists.ndjson"), 3: PackageFiles.fixture("v0002-lists.ndjson"),
    4: PackageFiles.fixture("v0002-lists.ndjson"), 5: PackageFiles.fixture("v0002-lists.ndjson"),
    6: PackageFiles.fixture("v0002-lists.ndjson"),
  ]

  /// The entries of a commit, but for those that ask to redraw an item which comes or goes in it: earlier
  /// libraries did not log that of derived lists.
  private static func steadyEntries(of commit: Commit) -> [LogEntry] {
    var passing: Set<ItemID> = []
    for entry in commit.entries {
      switch entry {
      case .insertItem(let item, _), .deleteItem(let item, _): passing.insert(item.id)
      default: break
      }
    }
    return commit.entries.filter { entry in
      if case .touchItem(let item, _) = entry { !passing.contains(item) } else { true }
    }
  }

  @Test func everyVersionHasAFixture() {
    #expect(Self.feeds.keys.sorted() == Array(1...Migration.latestVersion))
  }

  @Test(arguments: 1...Migration.latestVersion, [true, false])
  func aFixtureExportsWhatItsFeedMakesToday(_ version: Int, _ isAtOnce: Bool) throws {
    let folder = try TemporaryFolder()
    let file = folder.file("old.sqlite")
    try FileManager.default.copyItem(
      at: PackageFiles.fixture("v000\(version).sqlite"), to: file)
    #expect(try StoreHeader(of: file).schemaVersion == version)
    // Also by migrations that the library does not have yet.
    let all = TestMigrations.all
    for step in isAtOnce ? [] : Array(version..<all.latestVersion) {
      #expect(try Migrator.up(file, to: step + 1, migrations: all).names == [all[step].name])
    }
    var options = Repository.Options()
    options.migration.migrations = all
    let migrated = try Repository(existing: file, options: options)
    #expect(try StoreHeader(of: file).schemaVersion == all.latestVersion)
    let today = try Repository(at: folder.file("today.sqlite"))
    if let definitions = Self.definitions[version] {
      let lines = try String(contentsOf: definitions, encoding: .utf8).split(separator: "\n")
      try today.define(
        lines.enumerated().map { (try DerivedDefinition(parsing: Array($1.utf8)), $0 + 1) })
    }
    _ = try today.apply(FeedReader(file: #require(Self.feeds[version])))
    #expect(try migrated.lists() == today.lists())
    for list in try today.lists() {
      for revision in 0...(try today.revision(of: list)) {
        #expect(
          try migrated.tree(of: list, at: revision).json()
            == today.tree(of: list, at: revision).json(), "\(list) @\(revision)")
      }
      let (old, new) = (try migrated.commits(of: list), try today.commits(of: list))
      if try today.derivedLists().contains(where: { $0.list == list }) {
        #expect(old.map(Self.steadyEntries) == new.map(Self.steadyEntries))
        #expect(old.map(\.proof?.digest) == new.map(\.proof?.digest))
      } else {
        #expect(old.map(\.entries) == new.map(\.entries))
        #expect(old.map(\.proof) == new.map(\.proof))
      }
    }
    #expect(try migrated.checkInvariants().isEmpty)
    // A reader from before the migration goes on.
    let reach = try migrated.logReach(of: "shelf", forReaderAt: 40, in: migrated.pin())
    #expect(
      try reach.chain == today.logReach(of: "shelf", forReaderAt: 40, in: today.pin()).chain)
    try migrated.commit([.updateList(meta: "1")], to: "shelf")
    try migrated.undoCommit(51, of: "shelf")
    #expect(try migrated.checkInvariants().isEmpty)
    for repository in [today, migrated] {
      for list in try today.lists() {
        try repository.truncateLog(of: list, keeping: LogRetention(changes: 7))
      }
    }
    #expect(try migrated.checkInvariants().isEmpty)
    #expect(try migrated.tree(of: "inbox") == today.tree(of: "inbox"))
  }

  /// Their items get rows of their own on the way down, and lose them on the way up.
  @Test func derivedListsGoDownAndUpAgain() throws {
    let folder = try TemporaryFolder()
    let file = folder.file("store.sqlite")
    try FileManager.default.copyItem(at: PackageFiles.fixture("v0004.sqlite"), to: file)
    func counts(_ sql: String) throws -> [Int] {
      let queue = try DatabaseQueue(path: file.path)
      defer { try? queue.close() }
      return try queue.read { try Int.fetchAll($0, sql: sql) }
    }
    let before = try counts("SELECT count(*) FROM item UNION ALL SELECT count(*) FROM borrowedItem")
    try #require(before.count == 2 && before[1] > 0)
    #expect(try Migrator.down(file, to: 3).names.last == "v0004_borrowed_items")
    #expect(
      try counts(
        """
        SELECT count(*) FROM item JOIN itemMember
        ON item.list = itemMember.list AND item.name = itemMember.name
          AND item.id = itemMember.item AND item.block = itemMember.block
        """) == [before[0] + before[1]])
    let migrated = try Repository(existing: file)
    #expect(
      try counts("SELECT count(*) FROM item UNION ALL SELECT count(*) FROM borrowedItem") == before)
    #expect(try migrated.checkInvariants().isEmpty)
  }

  /// The same chain tells an entry that was changed, before a migration and after it.
  @Test(arguments: [2, 51]) func anEntryThatWasChangedIsFound(_ revision: Int) throws {
    let folder = try TemporaryFolder()
    let file = folder.file("old.sqlite")
    try TestMigrations.makeStore(at: file)
    let repository = try Repository(existing: file)
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
      try repository.checkInvariants().contains {
        $0.message == "revision \(revision) in its log was changed, or one before it"
      })
  }

  /// How long a log may be is counted by them, and what of a hurt one is whole.
  @Test(arguments: [
    ("listCommit", "revision = 2", "revision 2 has 1 changes, and is said to have 2"),
    ("list", "1", "it is said to have had 51 changes, and its last commit says 50"),
  ])
  func aWrongCountOfChangesIsFound(_ table: String, _ row: String, _ message: String) throws {
    let folder = try TemporaryFolder()
    let file = folder.file("store.sqlite")
    let repository = try Repository(at: file)
    for number in 1...25 {
      try repository.commit([.updateList(meta: JSON(parsing: "\(number)"))], to: "shelf")
      try repository.commit([.updateList(meta: nil)], to: "shelf")
    }
    #expect(try repository.checkInvariants().isEmpty)
    let queue = try DatabaseQueue(path: file.path)
    try queue.write { db in
      try db.execute(sql: "UPDATE \(table) SET changeTotal = changeTotal + 1 WHERE \(row)")
    }
    try queue.close()
    let messages = try repository.checkInvariants().map(\.message)
    #expect(messages.contains(message), "\(messages)")
  }

  /// What the library refuses, also as a widget, or where it would move another store aside.
  @Test func aStoreOfAnUnreleasedSchemaIsRefusedUntouched() throws {
    let folder = try TemporaryFolder()
    let file = folder.file("store.sqlite")
    try FileManager.default.copyItem(at: PackageFiles.fixture("unreleased.sqlite"), to: file)
    let before = try FolderSnapshot(of: folder.url)
    let bytes = try Data(contentsOf: file)
    for open in [
      { try Repository(at: file) }, { try Repository(existing: file) },
      { try Repository(readingOnly: file) },
    ] {
      let failure = #expect(throws: StoreError.self) { _ = try open() }
      #expect(failure?.code == .modifiedMigration)
      #expect(failure?.message.contains("a store of an unreleased schema") == true)
      #expect(try Data(contentsOf: file) == bytes)
    }
    let names = try FolderSnapshot(of: folder.url).names
    let kept = names.filter { !$0.hasSuffix("-shm") && !$0.hasSuffix("-wal") }
    #expect(kept == before.names)
    var options = Repository.Options()
    options.migration.onUnopenable = .moveAside
    let repository = try Repository(at: file, options: options)
    let moved = try #require(repository.movedAside)
    #expect(moved.reason.code == .modifiedMigration)
    #expect(try Data(contentsOf: moved.file) == bytes)
    #expect(try repository.lists() == [])
  }
}
