import BatchUpdates
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

/// Stores of version 1 come up with everything that was in them, and with a log that proves itself.
@Suite struct BlockMigrationTests {
  let folder: TemporaryFolder
  var file: URL { folder.file("old.sqlite") }
  /// Written by this version from the start.
  let today: Repository
  /// What sizes are kept for.
  let keys = [
    SizeKey(fittingPixels: 1_125, environment: LayoutEnvironment(displayScale: 3)),
    SizeKey(
      axis: .horizontal, fittingPixels: 640, variant: "expanded",
      environment: LayoutEnvironment(locale: "he")),
  ]

  init() throws {
    folder = try TemporaryFolder()
    today = try Repository(at: folder.file("today.sqlite"))
  }

  private func replay(_ feed: URL, into repository: Repository) throws {
    let reader = try FeedReader(file: feed)
    let report = try repository.apply(reader)
    #expect(report.applied > 0)
    #expect(report.applied == report.lines)
  }

  /// Makes a store of version 1 that has what `today` has.
  @discardableResult
  func makeOldStore(
    seed: UInt64 = 1, _ change: (VersionOneStore) throws -> Void = { _ in }
  ) throws -> URL {
    let old = try VersionOneStore(file, like: today, seed: seed)
    try change(old)
    try old.close()
    #expect(try SchemaStatus(of: file).version == 1)
    return file
  }

  /// Opens the store and compares it, to the last byte of its log, with today's.
  @discardableResult
  func expectSame(_ hint: String = "") throws -> Repository {
    let migrated = try Repository(existing: file)
    #expect(try migrated.lists() == today.lists(), "\(hint)")
    for list in try today.lists() {
      let expected = try today.tree(of: list)
      #expect(try migrated.tree(of: list) == expected, "\(hint)")
      #expect(try migrated.feedSequence(of: list) == today.feedSequence(of: list), "\(hint)")
      let commits = try migrated.commits(of: list)
      #expect(try commits == today.commits(of: list), "\(hint)")
      #expect(commits.allSatisfy { $0.proof != nil }, "\(hint)")
      for revision in Set(stride(from: 0, to: expected.revision, by: expected.revision / 8 + 1)) {
        #expect(
          try migrated.tree(of: list, at: revision) == today.tree(of: list, at: revision),
          "\(hint) @\(revision)")
      }
    }
    #expect(try provenLog(file) == provenLog(today.file), "\(hint)")
    try checkInvariants(of: file, hint)
    return migrated
  }

  // MARK: Real histories

  @Test func aRealHistoryComesUpAsIfWrittenToday() throws {
    try expectAsIfWrittenToday(PackageFiles.releases)
  }

  @Test(.enabled(if: SeededGenerator.asksForMore, "takes minutes, CELLAR_SEEDS=2 asks for it"))
  func theLongHistoryComesUpAsIfWrittenToday() throws {
    let folder = try TemporaryFolder()
    try expectAsIfWrittenToday(RepositoryHistory.write(to: folder))
  }

  private func expectAsIfWrittenToday(_ history: URL) throws {
    try replay(history, into: today)
    try makeOldStore()
    let migrated = try expectSame()
    // Both go on, and stay the same.
    for list in try today.lists() {
      let item = try #require(today.tree(of: list).sections.lazy.flatMap(\.items).first?.id)
      for repository in [today, migrated] {
        try repository.write([.touchItem(item), .moveItem(item, to: .end)], to: list)
      }
    }
    try expectSame("after a commit")
    try expectNothing(from: history, in: migrated)
    try expectSame("after the feed again")
  }

  private func expectNothing(from feed: URL, in repository: Repository) throws {
    let reader = try FeedReader(file: feed)
    let report = try repository.apply(reader)
    #expect(report.applied == 0)
  }

  @Test func theStoreThatVersionOneWroteComesUpAsIfWrittenToday() throws {
    try FileManager.default.copyItem(at: PackageFiles.fixture("v0001.sqlite"), to: file)
    #expect(try SchemaStatus(of: file).version == 1)
    try replay(PackageFiles.releases, into: today)
    try expectSame()
  }

  @Test func theStoresOfTheseTestsAreWhatVersionOneWrote() throws {
    try replay(PackageFiles.releases, into: today)
    try makeOldStore()
    let fixture = folder.file("fixture.sqlite")
    try FileManager.default.copyItem(at: PackageFiles.fixture("v0001.sqlite"), to: fixture)
    // Ids and positions are any; everything else is the same.
    let queries = [
      "SELECT name, sql FROM sqlite_schema ORDER BY name", "PRAGMA application_id",
      "PRAGMA user_version", "SELECT version, name, checksum FROM schemaMigration",
      "SELECT name, revision, feedSequence, sectionCount FROM list ORDER BY name",
      """
      SELECT list.name, section.name, itemCount, layoutKind, columns, lineSpacing,
        interitemSpacing, insetTop, insetLeft, insetBottom, insetRight, meta
      FROM section JOIN list ON list.id = list ORDER BY list.name, position
      """,
      """
      SELECT list.name, section.name, kind, view, content
      FROM supplementary JOIN section ON section.id = section JOIN list ON list.id = list
      ORDER BY list.name, section.name, kind
      """,
      """
      SELECT list.name, section.name, item.name, cell.name, type, action, contentRevision, content
      FROM item JOIN section ON section.id = section JOIN list ON list.id = item.list
        JOIN cell ON cell.id = cell
      ORDER BY list.name, section.name, item.position
      """,
      """
      SELECT list.name, listCommit.revision, author.name, time, listCommit.feedSequence, feedDigest
      FROM listCommit JOIN list ON list.id = list JOIN author ON author.id = author
      ORDER BY list.name, listCommit.revision
      """,
      """
      SELECT list.name, change.revision, ordinal, operation, section, item, fromSection, fromItem,
        toSection, toItem, before, after
      FROM change JOIN list ON list.id = list ORDER BY list.name, change.revision, ordinal
      """,
    ]
    for query in queries {
      let found = try [file, fixture].map { file in
        let database = try DatabaseQueue(path: file.path)
        return try database.read { db in
          try Row.fetchAll(db, sql: query).map { Array($0.databaseValues) }
        }
      }
      #expect(!found[0].isEmpty)
      #expect(found[0] == found[1], "\(query)")
    }
  }

  // MARK: Random lists

  @Test(arguments: 0..<SeededGenerator.count(4)) func aRandomHistoryComesUpAsIfWrittenToday(
    _ seed: Int
  ) throws {
    var generator = SeededGenerator(seed: UInt64(seed))
    let source = RandomChanges()
    for list in ["first", "second"] as [ListID] {
      var tree = ListTree(list: list)
      for _ in 0..<generator.number(0..<60) {
        var changes: [Change] = []
        for _ in 0..<generator.number(0..<6) {
          let change = source.change(for: tree, using: &generator)
          try tree.apply(change)
          changes.append(change)
        }
        try today.commit(changes, to: list, by: Author("writer \(seed % 3)"))
      }
    }
    try makeOldStore(seed: UInt64(seed))
    try expectSame("seed \(seed)")
  }

  /// Names that JSON, SQL or Unicode treat in a way of their own.
  private static let names = [
    "'", "\"", "\\", "\\\"", "\\u0041", "]", ",", "[1,\"a\",2,3]", "{}", "null", "1", " ", "%",
    "?1",
    "\u{1}", "\u{8}\t\n\u{b}\u{c}\r\u{1b}\u{1f}", "\u{7f}\u{80}\u{9f}", "é", "e\u{301}", "😀",
    "👩‍👩‍👧", "\u{2028}\u{2029}", "\u{feff}", "\u{fffd}", "\u{10ffff}", "/", "</script>",
    String(repeating: "\u{1}", count: 256), String(repeating: "😀", count: 64),
  ]

  @Test func namesAndContentsOfEveryKindComeUpAsTheyWere() throws {
    let contents: [JSON] = [
      "9223372036854775807", "1.0", "1e400", "-0", "\"\\u00e9\\ud800\"", "\"e\u{301}\"",
      "{\"b\":1,\"a\":[true,false,null,\"\\\"\"]}", "\"\\u0000\"",
      JSON(stringLiteral: String(repeating: "[", count: 32) + String(repeating: "]", count: 32)),
    ]
    for list in Self.names.prefix(6) {
      var changes: [Change] = []
      for (number, name) in Self.names.enumerated() {
        let content = contents[number % contents.count]
        changes.append(
          .insertSection(
            try SectionID(name),
            SectionAttributes(
              layout: SectionLayout(
                kind: .waterfall, columns: 3, lineSpacing: 0.1, interitemSpacing: -2,
                insets: number % 2 == 0 ? Insets(top: 1, left: 2.5, bottom: 3, right: 1e6) : nil),
              header: Supplementary(view: try ViewName(name), content: content),
              footer: number % 3 == 0 ? Supplementary(view: "F", content: "null") : nil,
              meta: content), at: .start))
        changes.append(
          .insertItem(
            Item(
              id: try ItemID(name),
              state: ItemState(
                cell: try CellName(name), content: content, type: try TypeName(name),
                action: Action(url: name, event: name))), in: try SectionID(name)))
      }
      let last = try SectionID(Self.names[0])
      changes += try Self.names.map { .moveItem(try ItemID($0), in: last, to: .start) }
      changes.append(.updateItem("é", ItemUpdate(content: .set("2"))))
      try today.commit(changes, to: ListID(list))
    }
    try makeOldStore()
    try expectSame()
  }

  @Test func listsWithoutSectionsOrCommitsComeUp() throws {
    try today.commit([], to: "one commit")
    try today.commit([.insertSection("s"), .deleteSection("s")], to: "emptied")
    try today.commit([.insertSection("a"), .insertSection("b")], to: "empty sections")
    try makeOldStore { old in
      try old.change("INSERT INTO list (name, revision) VALUES ('none', 0)")
    }
    let migrated = try Repository(existing: file)
    #expect(try migrated.tree(of: "none") == ListTree(list: "none"))
    #expect(try migrated.commits(of: "none").isEmpty)
    try checkInvariants(of: file)
    for repository in [today, migrated] {
      try repository.write([.insertSection("s")], to: "none")
      try repository.write(
        [.insertItem(Item(id: "1", cell: "C", content: "1"), in: "b")], to: "empty sections")
    }
    try expectSame()
  }

  // MARK: Logs that lead elsewhere

  /// `$list` is the list's.
  static let partings = [
    "UPDATE item SET content = '7' WHERE name = 'b'",
    "UPDATE item SET contentRevision = 9 WHERE name = 'b'",
    "UPDATE item SET position = -position", "DELETE FROM item WHERE name = 'b'",
    "UPDATE section SET columns = 5 WHERE name = 's'",
    "UPDATE supplementary SET content = '\"other\"'", "DELETE FROM supplementary",
    // The log itself.
    "UPDATE change SET after = 'null' WHERE operation = 'updateItem'",
    "UPDATE change SET toItem = 99 WHERE operation = 'moveItem'",
    "UPDATE change SET item = 'x' WHERE operation = 'insertItem' AND revision = 1",
    "DELETE FROM change WHERE $list AND revision = 2", "DELETE FROM change WHERE $list",
    """
    DELETE FROM change WHERE $list AND revision = 2;
    DELETE FROM listCommit WHERE $list AND revision = 2
    """,
    "DELETE FROM change WHERE $list; DELETE FROM listCommit WHERE $list",
    "UPDATE list SET revision = revision - 1 WHERE name = 'list'",
    "UPDATE list SET revision = revision + 1 WHERE name = 'list'",
  ]

  @Test(arguments: partings) func aLogThatDoesNotLeadToTheRowsBeginsAnew(_ sql: String) throws {
    func item(_ id: ItemID) -> Item { Item(id: id, cell: "C", content: "1") }
    try today.commit(
      [
        .insertSection("s", SectionAttributes(header: Supplementary(view: "H", content: "1"))),
        .insertItem(item("a"), in: "s"), .insertItem(item("b"), in: "s"),
        .insertItem(item("c"), in: "s"),
      ], to: "list")
    try today.commit([.moveItem("c", to: .start)], to: "list")
    try today.commit([.updateItem("a", ItemUpdate(content: .set("2")))], to: "list")
    try today.commit([.insertSection("t")], to: "list")
    try today.commit([.insertSection("other")], to: "other list")
    var before = try today.provider(for: "list")
    var expected: [ListTree.Section] = []
    try makeOldStore { old in
      try old.change(
        sql.replacingOccurrences(
          of: "$list", with: "list = (SELECT id FROM list WHERE name = 'list')"))
      expected = try old.sections(of: "list")
    }
    let migrated = try Repository(existing: file)
    let tree = try migrated.tree(of: "list")
    #expect(tree.sections == expected)
    #expect(tree.revision > 4)
    for revision in 0..<tree.revision {
      let failure = #expect(throws: StoreError.self) {
        try migrated.tree(of: "list", at: revision)
      }
      #expect(failure?.code == .revisionNotFound)
    }
    #expect(try migrated.tree(of: "list", at: tree.revision) == tree)
    #expect(try migrated.commits(of: "list").isEmpty)
    let update = try migrated.advance(&before)
    guard case .reload = update.mode else {
      Issue.record("\(update.mode)")
      return
    }
    #expect(before.tree == tree)
    try checkInvariants(of: file)
    // From here on the log leads.
    try migrated.commit([.moveSection("s", to: .end), .deleteItem("a")], to: "list")
    #expect(try migrated.tree(of: "list", at: tree.revision) == tree)
    #expect(try migrated.advance(&before).mode != .none)
    #expect(try migrated.tree(of: "list") == before.tree)
    #expect(try migrated.commits(of: "other list") == today.commits(of: "other list"))
    try checkInvariants(of: file)
  }

  @Test(arguments: [
    "UPDATE item SET content = '{' WHERE name = 'b'", "UPDATE item SET type = '' WHERE name = 'b'",
    "UPDATE section SET layoutKind = NULL, insetTop = 1 WHERE name = 's'",
  ])
  func aListThatCannotBeReadIsDamagedAndTheOthersComeUp(_ sql: String) throws {
    try today.commit(
      [.insertSection("s"), .insertItem(Item(id: "b", cell: "C", content: "1"), in: "s")],
      to: "list")
    try today.commit([.insertSection("other")], to: "other list")
    try makeOldStore { old in
      try old.change("PRAGMA ignore_check_constraints = ON; \(sql)")
    }
    for _ in 0..<2 {
      let migrated = try Repository(existing: file)
      let failures = [
        #expect(throws: StoreError.self) { try migrated.tree(of: "list") },
        #expect(throws: StoreError.self) { try migrated.commit([], to: "list") },
      ]
      #expect(failures.map(\.?.code) == Array(repeating: .damagedStore, count: 2))
      #expect(try migrated.commits(of: "other list") == today.commits(of: "other list"))
      #expect(try !migrated.checkInvariants().isEmpty)
    }
  }

  @Test(arguments: [
    "UPDATE item SET name = ''", "UPDATE section SET columns = -1",
    "UPDATE measuredSize SET height = -1",
    "PRAGMA foreign_keys = OFF; UPDATE supplementary SET section = 77",
  ])
  func rowsThatBreakARuleOfTheSchemaAreDamageAndStayAsTheyAre(_ sql: String) throws {
    try today.commit(
      [
        .insertSection("s", SectionAttributes(header: Supplementary(view: "H", content: "1"))),
        .insertItem(Item(id: "b", cell: "C", content: "1"), in: "s"),
      ], to: "list")
    try makeOldStore { old in
      try old.save(
        [MeasuredSize(item: "b", size: Size(width: 1, height: 1), cell: "C", contentRevision: 0)],
        for: keys[0], in: "list")
    }
    let queue = try DatabaseQueue(path: file.path)
    try queue.writeWithoutTransaction { db in
      try db.execute(sql: "PRAGMA ignore_check_constraints = ON; \(sql)")
    }
    try queue.close()
    let before = try dump(file)
    let failure = #expect(throws: StoreError.self) { try Repository(existing: file) }
    #expect(failure?.code == .damagedStore)
    #expect(try dump(file) == before)
    #expect(try SchemaStatus(of: file).version == 1)
  }

  // MARK: Interruptions

  @Test func aStoreThatWasMigratedAndNotYetSealedIsSealed() throws {
    try replay(PackageFiles.releases, into: today)
    try makeOldStore()
    #expect(try Migrator.up(file).names == Migration.all.dropFirst().map(\.name))
    let unsealed = try dump(file)
    #expect(unsealed["listCommit"]?.count == 126)
    #expect(unsealed["change"]?.allSatisfy { $0.last == .null } == true)
    #expect(unsealed["list"] != nil)
    try expectSame()
    #expect(try dump(file) != unsealed)
  }

  @Test func openingTwiceChangesNothing() throws {
    try replay(PackageFiles.releases, into: today)
    try makeOldStore { old in
      try old.change("UPDATE item SET content = '7' WHERE name = 'debian-buzz'")
    }
    _ = try Repository(existing: file)
    let once = try dump(file)
    for _ in 0..<2 { _ = try Repository(existing: file) }
    #expect(try dump(file) == once)
  }

  @Test func manyThatOpenAtOnceSealOnce() async throws {
    try replay(PackageFiles.releases, into: today)
    try makeOldStore()
    let file = file
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<6 { group.addTask { _ = try Repository(existing: file) } }
      try await group.waitForAll()
    }
    try expectSame()
  }
}

extension Repository {
  /// Commits at a fixed time, so that two stores can have the same log.
  func write(_ changes: [Change], to list: ListID) throws {
    let line = FeedLine(
      list: list, sequence: try feedSequence(of: list) + 1, author: .app, time: 7, digest: [1])
    var position = FeedPosition()
    _ = try apply(line, at: &position) { _ in changes }
  }
}
