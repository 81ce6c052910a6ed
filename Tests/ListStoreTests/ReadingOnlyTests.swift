import BatchUpdates
import Foundation
import GRDB
import ListItems
import ListModel
import ListStore
import ListSync
import Providers
import SchemaSupport
import StoreFiles
import StoreSchema
import TestSupport
import Testing
import ListTables

/// A store that is opened for reading only, as a widget does.
@Suite struct ReadingOnlyTests {
  private let folder: TemporaryFolder
  private var file: URL { folder.file("store.sqlite") }

  init() throws {
    folder = try TemporaryFolder()
    let repository = try Repository(at: file)
    try repository.commit(
      [.insertSection("s"), .insertItem(Item(id: "1", cell: "C", content: "1"), in: "s")],
      to: "list")
  }

  /// The store's bytes, and those of its log.
  private func bytes() throws -> [String: Data] {
    try folder.contents().filter { !$0.key.hasSuffix("-shm") && !$0.value.isEmpty }
  }

  private func change(_ sql: String) throws {
    let queue = try DatabaseQueue(path: file.path)
    try queue.writeWithoutTransaction { try $0.execute(sql: sql) }
    try queue.close()
  }

  /// Migrates the store as a newer library does.
  private func migrate(minimumReader: Int?) throws {
    let version = Migration.latestVersion + 1
    let directive = minimumReader.map { "--! minimum-reader \($0)\n" } ?? ""
    let newer = Migration(
      version: version, name: "v000\(version)_test",
      sql: directive + "CREATE TABLE addition (id INTEGER) STRICT")
    let queue = try DatabaseQueue(path: file.path, configuration: .store())
    _ = try Migrator.migrate(queue, file: file.path, migrations: Migration.all + [newer])
    try queue.close()
  }

  // MARK: Reading

  @Test func aStoreThatNobodyHasOpenIsReadAndStaysAsItIs() throws {
    let before = try bytes()
    do {
      let repository = try Repository(readingOnly: file)
      #expect(repository.isReadOnly)
      let provider = try repository.provider(for: "list")
      #expect(provider.item(at: ItemPath(section: 0, item: 0))?.state.content == "1")
      #expect(try repository.tree(of: "list").sections.map(\.id) == ["s"])
      #expect(try repository.commits(of: "list").count == 1)
      repository.flushSizes()
      repository.suspend()
    }
    #expect(try bytes() == before)
    // And it is written to as before.
    #expect(try Repository(at: file).commit([], to: "list").revision == 2)
  }

  @Test func commitsOfOthersArriveAsUpdates() throws {
    let writer = try Repository(at: file)
    let reader = try Repository(readingOnly: file)
    let list = reader.liveList("list")
    var provider = try list.provider()
    for number in 2...40 {
      try writer.commit(
        [
          .insertItem(
            Item(id: ItemID(stringLiteral: "\(number)"), cell: "C", content: "1"), in: "s")
        ], to: "list")
      if number % 3 > 0 { continue }
      let batch = try list.advance(&provider)
      #expect(batch.to == number)
      guard case .batch = batch.mode else {
        Issue.record("\(batch.mode)")
        continue
      }
    }
    try list.advance(&provider)
    #expect(try provider.tree == writer.tree(of: "list"))
    #expect(reader.diagnostics.isEmpty)
  }

  @Test func anotherProcessWritesMeanwhile() throws {
    let writer = try StoreProcess(file, output: folder.file("output"))
    writer.waitForOutput()
    let reader = try Repository(readingOnly: file)
    let list: ListID = "list"
    var provider = try reader.provider(for: list)
    for _ in 0..<50 {
      try reader.advance(&provider)
      #expect(try reader.tree(of: list, at: provider.revision) == provider.tree)
    }
    _ = try writer.killAndRead()
    try reader.advance(&provider)
    #expect(try provider.tree == reader.tree(of: list))
  }

  @Test func theLogOfOthersCanBeginAnewWhileNothingIsRead() throws {
    let writer = try Repository(at: file)
    let reader = try Repository(readingOnly: file)
    var provider = try reader.provider(for: "list")
    let content = try JSON(parsing: "\"" + String(repeating: "x", count: 1 << 20) + "\"")
    for number in 0..<40 {
      try writer.commit(
        [
          .insertItem(
            Item(id: ItemID(stringLiteral: "x\(number)"), cell: "C", content: content), in: "s")
        ], to: "list")
      try reader.advance(&provider)
      reader.suspend()
    }
    let log = try FileManager.default.attributesOfItem(atPath: file.path + "-wal")[.size] as? Int
    #expect(try #require(log) < 20 << 20)
    #expect(provider.item(at: ItemPath(section: 0, item: 40))?.id == "x39")
  }

  @Test func sizesAreKeptInMemoryOnly() throws {
    let key = SizeKey(fittingPixels: 750, environment: LayoutEnvironment())
    let size = Size(width: 375, height: 44)
    let reader = try Repository(readingOnly: file)
    let provider = try reader.provider(for: "list")
    let path = ItemPath(section: 0, item: 0)
    provider.keep(size, at: path, for: key)
    #expect(provider.size(at: path, for: key) == .exact(size))
    reader.flushSizes()
    #expect(try Repository(at: file).sizes(of: "list", for: key).isEmpty)
    #expect(provider.size(at: path, for: key) == .exact(size))
  }

  // MARK: Writing

  @Test func everyCallThatWritesIsRefused() throws {
    let before = try bytes()
    let repository = try Repository(readingOnly: file)
    let feed = try FeedReader(
      file: folder.write(
        #"{"t":"commit","list":"list","seq":"1","at":1,"by":"server","ops":[]}"# + "\n",
        to: "feed.ndjson"))
    let key = SizeKey(fittingPixels: 750, environment: LayoutEnvironment())
    let calls: [(String, () throws -> Void)] = [
      ("commit", { try repository.commit([], to: "list") }),
      ("edit", { try repository.edit("list") { _ in } }),
      ("edit of a list", { try repository.liveList("list").edit { _ in } }),
      ("replace", { try repository.liveList("list").replace(with: []) }),
      ("undo", { try repository.undoCommit(1, of: "list") }),
      ("delete", { try repository.deleteList("list") }),
      ("truncate", { try repository.truncateLog(of: "list", keeping: .standard) }),
      ("feed", { try repository.apply(feed) }),
      ("sizes", { try repository.save([MeasuredSize](), for: key, in: "list") }),
      ("view state", { try repository.save(ListViewState(), of: "list") }),
      ("eviction", { try repository.evictSizes(keeping: SizeRetention()) }),
      ("rename cell", { try repository.renameCell("none", to: "other") }),
      ("rename type", { try repository.renameType("none", to: "other") }),
      ("rename view", { try repository.renameView("none", to: "other") }),
      ("contents", { try repository.setContents(ofType: "none") { $0.state.content } }),
      ("upgrade", { try repository.upgradeContents(of: []) }),
    ]
    for (name, call) in calls {
      let error = #expect(throws: StoreError.self, "\(name)") { try call() }
      #expect(error?.code == .readOnly, "\(name): \(error as Any)")
      #expect(error?.message.contains("Repository(at:)") == true, "\(name)")
    }
    var now = try bytes()
    now["feed.ndjson"] = nil
    #expect(now == before)
  }

  // MARK: Versions

  @Test(arguments: Migration.latestVersion..<TestMigrations.all.latestVersion)
  func anEarlierVersionHasToBeMigratedFirst(_ version: Int) throws {
    let old = folder.file("old.sqlite")
    try TestMigrations.makeStore(at: old, version: version)
    let before = try Data(contentsOf: old)
    var options = Repository.Options()
    options.migration.migrations = TestMigrations.all
    let error = #expect(throws: StoreError.self) {
      try Repository(readingOnly: old, options: options)
    }
    #expect(error?.code == .readOnly)
    for word in ["schema version \(version)", "cellar up", "Repository(at:)"] {
      #expect(error?.message.contains(word) == true, "\(word): \(error as Any)")
    }
    #expect(try Data(contentsOf: old) == before)
    _ = try Repository(existing: old, options: options)
    #expect(try Repository(readingOnly: old, options: options).lists().count == 2)
  }

  @Test func aNewerStoreIsReadIfItSaysSo() throws {
    let version = Migration.latestVersion
    let tree = try Repository(readingOnly: file).tree(of: "list")
    try migrate(minimumReader: version)
    let before = try FolderSnapshot(of: folder.url)
    let refused = #expect(throws: StoreError.self) { try Repository(at: file) }
    #expect(refused?.code == .newerStore)
    for word in ["version \(version + 1)", "version \(version)", "Repository(readingOnly:)"] {
      #expect(refused?.message.contains(word) == true, "\(word): \(refused as Any)")
    }
    #expect(before.changes(to: try FolderSnapshot(of: folder.url)) == [])
    let repository = try Repository(readingOnly: file)
    #expect(try repository.tree(of: "list") == tree)
    #expect(try repository.provider(for: "list").tree == tree)
    let error = #expect(throws: StoreError.self) { try repository.commit([], to: "list") }
    #expect(error?.code == .readOnly)
  }

  @Test func aNewerStoreIsRefusedIfItDoesNotSaySo() throws {
    let version = Migration.latestVersion
    try migrate(minimumReader: nil)
    for isReadOnly in [true, false] {
      let error = #expect(throws: StoreError.self) {
        _ = try isReadOnly ? Repository(readingOnly: file) : Repository(at: file)
      }
      #expect(error?.code == .newerStore)
      #expect(error?.message.contains("only versions from \(version + 1) on") == true)
      #expect(error?.message.contains("readingOnly") == false)
    }
  }

  @Test func allLaterMigrationsCount() throws {
    let version = Migration.latestVersion
    try migrate(minimumReader: version)
    try change(
      """
      INSERT INTO schemaMigration (version, name, checksum, appliedAt, duration, libraryVersion,
          fingerprint, minimumReader)
        VALUES (\(version + 2), 'x', '1:0', 0, 0, '9', '1:0', \(version));
      PRAGMA user_version = \(version + 2)
      """)
    #expect(try Repository(readingOnly: file).lists() == ["list"])
    try change(
      "UPDATE schemaMigration SET minimumReader = version WHERE version = \(version + 1)")
    let error = #expect(throws: StoreError.self) { try Repository(readingOnly: file) }
    #expect(error?.code == .newerStore)
    try change("DELETE FROM schemaMigration WHERE version = \(version + 1)")
    let unlisted = #expect(throws: StoreError.self) { try Repository(readingOnly: file) }
    #expect(unlisted?.code == .newerStore)
  }

  @Test func aNewerStoreWithoutATableIsDamaged() throws {
    try migrate(minimumReader: Migration.latestVersion)
    try change("ALTER TABLE cell RENAME TO celling")
    let error = #expect(throws: StoreError.self) { try Repository(readingOnly: file) }
    #expect(error?.code == .damagedStore)
    #expect(error?.message.contains("\"cell\"") == true)
  }

  @Test(arguments: [true, false]) func aMigrationMeanwhileIsNoticed(_ isReadable: Bool) throws {
    let repository = try Repository(readingOnly: file)
    var provider = try repository.provider(for: "list")
    try migrate(minimumReader: isReadable ? Migration.latestVersion : nil)
    if isReadable {
      try repository.advance(&provider)
      #expect(try repository.tree(of: "list") == provider.tree)
    } else {
      let read = #expect(throws: StoreError.self) { try repository.lists() }
      #expect(read?.code == .newerStore)
      let advance = #expect(throws: StoreError.self) { try repository.advance(&provider) }
      #expect(advance?.code == .newerStore)
    }
  }

  // MARK: What is in the way

  @Test func whatIsNoStoreIsRefused() throws {
    let missing = #expect(throws: StoreError.self) {
      try Repository(readingOnly: folder.file("none.sqlite"))
    }
    #expect(missing?.code == .fileNotFound)
    let text = try folder.write("no store", to: "text.sqlite")
    let other = #expect(throws: StoreError.self) { try Repository(readingOnly: text) }
    #expect(other?.code == .notAStore)
    try change("DROP TABLE cell")
    let damaged = #expect(throws: StoreError.self) { try Repository(readingOnly: file) }
    #expect(damaged?.code == .damagedStore)
    #expect(try folder.contents()["none.sqlite"] == nil)
  }

  @Test(.enabled(if: MountedFolder.canBeMade))
  func aFolderThatCantBeWrittenNeedsSomebodyWhoHasTheStoreOpen() throws {
    let place = try TemporaryFolder()
    let mounted = try MountedFolder(readOnly: folder.url, at: place.url)
    defer { withExtendedLifetime(mounted) {} }
    let unwritable = place.file("store.sqlite")
    let error = #expect(throws: StoreError.self) { try Repository(readingOnly: unwritable) }
    #expect(error?.code == .notWritable)
    #expect(error?.message.contains("store.sqlite-shm, which is not there") == true)
    let writer = try Repository(at: file)
    try writer.commit([.insertSection("t")], to: "list")
    let reader = try Repository(readingOnly: unwritable)
    #expect(try reader.tree(of: "list").sections.count == 2)
  }
}
