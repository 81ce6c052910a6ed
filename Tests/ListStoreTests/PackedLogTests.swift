import Foundation
import GRDB
import ListModel
import ListStore
import ListSync
import Providers
import StoreFiles
import TestSupport
import Testing
import ListTables

/// Each content is stored once, for as long as an item or the log names it.
@Suite struct PackedLogTests {
  private let folder: TemporaryFolder
  private var file: URL { folder.file("store.sqlite") }

  init() throws { folder = try TemporaryFolder() }

  private func read<Value: DatabaseValueConvertible>(_ sql: String) throws -> [Value] {
    let queue = try DatabaseQueue(path: file.path)
    defer { try? queue.close() }
    return try queue.read { db in try Value.fetchAll(db, sql: sql) }
  }

  private func contents() throws -> [String] {
    try read("SELECT content FROM content ORDER BY id")
  }

  private static func item(_ name: String, _ content: JSON = "1") -> Item {
    Item(id: ItemID(stringLiteral: name), cell: "Cell", content: content)
  }

  // MARK: Ids

  @Test func writersThatTakeTurnsGiveNoIdTwice() throws {
    var statements: [Guarded<[String]>] = []
    let repositories = try (0..<2).map { _ in
      let seen = Guarded<[String]>([])
      statements.append(seen)
      var options = Repository.Options()
      options.prepareConnection = { db in
        db.trace { event in seen.withValue { $0.append("\(event)") } }
      }
      return try Repository(at: file, options: options)
    }
    try repositories[0].commit([.insertSection("s")], to: "list")
    var number = 0
    // Alone, together, after a commit that failed, and beyond what a writer reserves at once.
    for (writer, count) in [(0, 3), (1, 2), (0, 1), (1, 1), (0, 200), (1, 70), (0, 65)] {
      for _ in 0..<count {
        number += 1
        try repositories[writer].commit(
          [.insertItem(Self.item("\(number)"), in: "s")], to: "list")
      }
      #expect(throws: StoreError.self) {
        try repositories[writer].commit(
          [.insertItem(Self.item("new"), in: "s"), .deleteItem("none")], to: "list")
      }
    }
    let ids: [Int] = try read("SELECT id FROM item")
    #expect(ids.count == number && Set(ids).count == number)
    #expect(try read("SELECT count(*) FROM item WHERE id > (SELECT lastItem FROM store)") == [0])
    try checkInvariants(of: file)
    let writes = statements.map { seen in
      seen.withValue { $0.count { $0.contains("UPDATE store SET lastItem") } }
    }
    let count = writes.reduce(0, +)
    #expect(count < 40, "each writer reserves many ids at once")
  }

  // MARK: Contents

  @Test func anUpdateAddsAContentAndTruncationDeletesWhatItReplaced() throws {
    let repository = try Repository(at: file)
    try repository.commit(
      [.insertSection("s"), .insertItem(Self.item("a", "\"first\""), in: "s")], to: "list")
    #expect(try contents() == ["\"first\""])
    try repository.commit([.updateItem("a", ItemUpdate(content: .set("\"second\"")))], to: "list")
    try repository.commit([.updateItem("a", ItemUpdate(cell: .set("Other")))], to: "list")
    #expect(try contents() == ["\"first\"", "\"second\""], "another cell is no other content")
    try repository.commit([.deleteItem("a")], to: "list")
    #expect(try contents().count == 2, "the log can bring both back")
    try repository.truncateLog(of: "list", keeping: LogRetention(changes: 2))
    #expect(try contents() == ["\"second\""])
    #expect(
      try repository.tree(of: "list", at: 2).sections[0].items[0].state.content == "\"second\"")
    try repository.truncateLog(of: "list", keeping: LogRetention(changes: 0))
    #expect(try contents().isEmpty)
    try checkInvariants(of: file)
  }

  @Test func aDeletedSectionKeepsTheContentsOfItsItemsAsLongAsTheLogHasIt() throws {
    let repository = try Repository(at: file)
    try repository.commit(
      [.insertSection("s")] + (0..<300).map { .insertItem(Self.item("i\($0)"), in: "s") },
      to: "list")
    try repository.commit([.deleteSection("s")], to: "list")
    #expect(try contents().count == 300)
    try repository.undoCommit(2, of: "list")
    #expect(try contents().count == 600, "what comes back has a content of its own")
    try checkInvariants(of: file)
    try repository.truncateLog(of: "list", keeping: LogRetention(changes: 0))
    #expect(try contents().count == 300)
    try checkInvariants(of: file)
  }

  @Test func aLogThatBeginsAnewLeavesTheContentsOfItemsAlone() throws {
    do {
      let repository = try Repository(at: file)
      try repository.commit(
        [.insertSection("s"), .insertItem(Self.item("a"), in: "s")], to: "list")
      try repository.commit([.updateItem("a", ItemUpdate(content: .set("2")))], to: "list")
      try repository.commit([.insertItem(Self.item("b"), in: "s"), .deleteItem("b")], to: "list")
    }
    #expect(try contents() == ["1", "2", "1"])
    let queue = try DatabaseQueue(path: file.path)
    try queue.write { try $0.execute(sql: "UPDATE section SET columns = 3") }
    try queue.close()
    _ = try Repository(existing: file)
    #expect(try contents() == ["2"])
    #expect(try read("SELECT count(*) FROM change") == [0])
    try checkInvariants(of: file)
  }

  @Test func deletingAListDeletesItsContentsAndNoOthers() throws {
    let repository = try Repository(at: file)
    for list in ["one", "two"] as [ListID] {
      try repository.commit(
        [.insertSection("s"), .insertItem(Self.item("a", JSON(parsing: "\"\(list)\"")), in: "s")],
        to: list)
      try repository.commit([.updateItem("a", ItemUpdate(content: .set("7")))], to: list)
    }
    try repository.deleteList("one")
    #expect(try contents() == ["\"two\"", "7"])
    #expect(try read("SELECT count(*) FROM change") == [2])
    try checkInvariants(of: file)
  }

  @Test(arguments: 0..<SeededGenerator.count(6))
  func noContentIsLeftOverOrMissingAfterARandomHistory(_ seed: Int) throws {
    var generator = SeededGenerator(seed: UInt64(seed))
    let source = RandomChanges(hasSectionParts: true)
    let repository = try Repository(at: file)
    var tree = ListTree(list: "list")
    var revisions: [ListTree] = [tree]
    for round in 0..<60 {
      if round % 9 == 8 {
        let revision = generator.number(max(1, round - 4)..<(round + 1))
        if (try? repository.undoCommit(revision, of: "list")) != nil {
          tree = try repository.tree(of: "list")
          revisions.append(tree)
          continue
        }
      }
      var changes: [Change] = []
      for _ in 0..<generator.number(0..<8) {
        let change = source.change(for: tree, using: &generator)
        try tree.apply(change)
        changes.append(change)
      }
      tree.revision = try repository.commit(changes, to: "list").revision
      revisions.append(tree)
      if round % 13 == 12 {
        let floor = try repository.truncateLog(
          of: "list", keeping: LogRetention(changes: generator.number(0..<40)))
        for revision in floor...tree.revision {
          #expect(
            try repository.tree(of: "list", at: revision) == revisions[revision], "seed \(seed)")
        }
      }
      let problems = try repository.checkInvariants()
      #expect(problems.isEmpty, "seed \(seed), round \(round)")
    }
    let named: [Int] = try read(
      """
      SELECT DISTINCT coalesce(json_extract(value, '$[4]'), json_extract(value, '$[0]'))
      FROM block, json_each(members) WHERE level = 0 AND section IS NOT NULL
      """)
    try repository.truncateLog(of: "list", keeping: LogRetention(changes: 0))
    #expect(try Set(read("SELECT id FROM content")) == Set(named))
    #expect(try repository.tree(of: "list") == tree)
  }

  @Test func theCheckFindsContentsThatAreLeftOverOrMissing() throws {
    let repository = try Repository(at: file)
    try repository.commit(
      [.insertSection("s"), .insertItem(Self.item("a"), in: "s")], to: "list")
    try repository.commit([.updateItem("a", ItemUpdate(content: .set("2")))], to: "list")
    for (sql, problem) in [
      (
        "INSERT INTO content (id, content) VALUES (1000, '1'); UPDATE store SET lastItem = 1000",
        "contents that nothing names: 1"
      ),
      (
        "DELETE FROM content WHERE content = '1'",
        "contents that logs name and that are missing: 1"
      ),
    ] {
      let queue = try DatabaseQueue(path: file.path)
      try queue.write { try $0.execute(sql: "\(sql); UPDATE store SET isBypassed = 0") }
      try queue.close()
      #expect(try repository.checkInvariants().contains { $0.message == problem }, "\(sql)")
    }
  }

  // MARK: Rows of the log

  @Test func aBulkInsertFillsPagesAndOneChangeIsOneRow() throws {
    let repository = try Repository(at: file)
    func name(_ number: Int) -> String { String(format: "episode%013d", number) }
    try repository.commit(
      [.insertSection("s")] + (0..<2_000).map { .insertItem(Self.item(name($0)), in: "s") },
      to: "list")
    let lengths: [Int] = try read(
      "SELECT length(entries) + length(neighbours) FROM change ORDER BY id")
    #expect(lengths.allSatisfy { $0 <= 4_000 })
    #expect(lengths.dropLast().allSatisfy { $0 > 3_900 })
    let neighbours: [Int] = try read("SELECT sum(length(neighbours)) FROM change")
    #expect(neighbours[0] < 2_000 + lengths.count * 50, "a byte an item, and a few a row")
    let before = lengths.count
    try repository.commit([.moveItem(ItemID(stringLiteral: name(7)), to: .end)], to: "list")
    #expect(try read("SELECT count(*) FROM change") == [before + 1])
    #expect(
      try repository.tree(of: "list", at: 1).sections[0].items.map(\.id.rawValue)
        == (0..<2_000).map(name))
    try checkInvariants(of: file)
  }

  @Test func blocksFillPagesInPairs() throws {
    let repository = try Repository(at: file)
    for length in [1, 20, 120, 256] {
      let list = try ListID("list \(length)")
      try repository.commit(
        [.insertSection("s")]
          + (0..<1_000).map { number in
            let name = "\(number)" + String(repeating: "x", count: max(0, length - 4))
            return .insertItem(Self.item(name), in: "s")
          }, to: list)
    }
    let lengths: [Int] = try read(
      "SELECT length(members) FROM block WHERE level = 0 AND section IS NOT NULL")
    #expect(lengths.allSatisfy { $0 <= 2_000 })
    try checkInvariants(of: file)
  }
}
