import BatchUpdates
import Foundation
import GRDB
import ListModel
import ListStore
import ListSync
import Providers
import TestSupport
import Testing
import ListTables

/// What something else than Cellar wrote is noticed at the next opening.
@Suite struct BypassTests {
  private let folder: TemporaryFolder
  private var file: URL { folder.file("store.sqlite") }

  /// A store with two lists.
  init() throws {
    folder = try TemporaryFolder()
    let repository = try Repository(at: file)
    for list in ["list", "other list"] as [ListID] {
      try repository.commit(
        [
          .insertSection("s", SectionAttributes(footer: Supplementary(view: "F", content: "1"))),
          .insertItem(Item(id: "a", cell: "C", content: "1"), in: "s"),
          .insertItem(Item(id: "b", cell: "D", content: "1"), in: "s"),
          .insertItem(Item(id: "c", cell: "C", content: "1"), in: "s"),
        ], to: list)
      try repository.commit([.moveItem("c", to: .start)], to: list)
      try repository.commit([.updateItem("a", ItemUpdate(content: .set("2")))], to: list)
    }
  }

  /// Runs SQL as a program would that knows nothing of Cellar.
  private func bypass(_ sql: String) throws {
    let queue = try DatabaseQueue(path: file.path)
    try queue.write { db in
      for part in sql.split(separator: ";") { try db.execute(sql: String(part)) }
      #expect(db.totalChangesCount > 0, "\(sql) changes nothing")
    }
    try queue.close()
  }

  private func isBypassed() throws -> Bool? {
    let queue = try DatabaseQueue(path: file.path)
    defer { try? queue.close() }
    return try queue.read { try Bool.fetchOne($0, sql: "SELECT isBypassed FROM store") }
  }

  private func expectReload(
    of provider: Provider, _ repository: Repository,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    for target in [nil, 5] as [Int?] {
      var provider = provider
      let update = try repository.advance(&provider, to: target)
      if case .reload = update.mode {
      } else {
        Issue.record("\(update.mode)", sourceLocation: sourceLocation)
      }
      #expect(update.to == provider.revision, sourceLocation: sourceLocation)
      #expect(
        try provider.tree == repository.tree(of: provider.list), sourceLocation: sourceLocation)
    }
  }

  // MARK: Another list

  /// What was written past the Repository, and what it made of the list.
  struct Bypass: Sendable, CustomTestStringConvertible {
    var sql: String
    var effect: @Sendable (inout ListTree) -> Void
    var testDescription: String { sql }
  }

  /// Rows of the list alone.
  private static let section =
    "(SELECT section.id FROM section JOIN list ON list.id = list WHERE "
    + "list.name = 'list')"
  private static let item =
    "(SELECT item.id FROM item JOIN list ON list.id = list WHERE "
    + "list.name = 'list' AND item.name = 'b')"

  static let bypasses = [
    Bypass(sql: "UPDATE content SET content = '7' WHERE id = \(item)") {
      $0.sections[0].items[2].state.content = "7"
    },
    Bypass(sql: "UPDATE content SET type = 'Book' WHERE id = \(item)") {
      $0.sections[0].items[2].state.type = "Book"
    },
    Bypass(
      sql: """
        DELETE FROM content WHERE id = \(item);
        INSERT INTO content (id, content) VALUES (\(item), '[]')
        """
    ) { $0.sections[0].items[2].state.content = "[]" },
    Bypass(
      sql: """
        UPDATE block SET members = (SELECT json_group_array(json(value)) FROM
          (SELECT value FROM json_each(members) ORDER BY key DESC)) WHERE section = \(section)
        """
    ) { $0.sections[0].items.reverse() },
    Bypass(
      sql: """
        UPDATE block
        SET members = json_set(members, '$[0][2]', json_extract(members, '$[2][2]'))
        WHERE section = \(section)
        """
    ) { $0.sections[0].items[0].state.cell = "D" },
    Bypass(
      sql: "UPDATE block SET members = json_set(members, '$[1][3]', 9) WHERE section = \(section)"
    ) { $0.sections[0].items[1].state.contentRevision = 9 },
    Bypass(sql: "UPDATE list SET meta = '[7]' WHERE name = 'list'") { $0.meta = "[7]" },
    Bypass(sql: "INSERT INTO supplementary VALUES (\(section), 'header', 0, 'H', '{}')") {
      $0.sections[0].attributes.header = Supplementary(view: "H", content: "{}")
    },
    Bypass(sql: "UPDATE supplementary SET content = '3' WHERE section = \(section)") {
      $0.sections[0].attributes.footer?.content = "3"
    },
    Bypass(sql: "DELETE FROM supplementary WHERE section = \(section)") {
      $0.sections[0].attributes.footer = nil
    },
    Bypass(sql: "UPDATE section SET columns = 3 WHERE id = \(section)") {
      $0.sections[0].attributes.layout = SectionLayout(columns: 3)
    },
    Bypass(sql: "UPDATE section SET visibility = 'hidden' WHERE id = \(section)") {
      $0.sections[0].attributes.visibility = .hidden
    },
    Bypass(
      sql: "INSERT INTO decoration (section, ordinal, view, element, zIndex) "
        + "VALUES (\(section), 0, 'V', 'items', 3)"
    ) {
      $0.sections[0].attributes.decorations = [
        Decoration(view: "V", element: .items, zIndex: 3)
      ]
    },
  ]

  @Test(arguments: bypasses) func aListThatSomethingElseChangedHasALogThatBeginsAnew(
    _ bypass: Bypass
  ) throws {
    var expected: ListTree
    let provider: Provider
    let others: [Commit]
    do {
      let repository = try Repository(at: file)
      expected = try repository.tree(of: "list")
      provider = try repository.provider(for: "list")
      others = try repository.commits(of: "other list")
    }
    try self.bypass(bypass.sql)
    #expect(try isBypassed() == true)
    bypass.effect(&expected)
    expected.revision += 1

    let repository = try Repository(at: file)
    #expect(try isBypassed() == false)
    #expect(try repository.tree(of: "list") == expected)
    for revision in 0..<expected.revision {
      let failure = #expect(throws: StoreError.self) {
        try repository.tree(of: "list", at: revision)
      }
      #expect(failure?.code == .revisionNotFound)
      #expect(failure?.message.contains("after revision 4") == true)
    }
    #expect(try repository.commits(of: "list").isEmpty)
    try expectReload(of: provider, repository)
    try checkInvariants(of: file)
    // The other list is as it was.
    #expect(try repository.commits(of: "other list") == others)
    #expect(try repository.tree(of: "other list", at: 1).itemCounts == [3])

    // Found once.
    let once = try dump(file)
    #expect(try Repository(at: file).tree(of: "list") == expected)
    #expect(try dump(file) == once)

    // From here on the log leads again, and a reader from before still can't follow it.
    var reader = try repository.provider(for: "list")
    try repository.commit([.deleteItem("c")], to: "list")
    guard case .batch = try repository.advance(&reader).mode else {
      Issue.record("not a batch")
      return
    }
    #expect(try reader.tree == repository.tree(of: "list"))
    #expect(try repository.tree(of: "list", at: 4) == expected)
    try expectReload(of: provider, repository)
    try checkInvariants(of: file)
  }

  // MARK: The same list

  @Test(arguments: [
    "UPDATE content SET content = content", "UPDATE section SET meta = meta, columns = columns",
    "UPDATE list SET meta = meta", "UPDATE item SET name = name",
    "UPDATE block SET members = json(members)",
    "UPDATE supplementary SET view = 'F', content = '1'",
    """
    CREATE TABLE kept AS SELECT * FROM content; DELETE FROM content;
    INSERT INTO content SELECT * FROM kept; DROP TABLE kept
    """,
    "INSERT INTO supplementary VALUES (1, 'header', 0, 'H', '1'); DELETE FROM supplementary "
      + "WHERE kind = 'header'",
  ])
  func whatLeavesTheListAsItWasChangesNothing(_ sql: String) throws {
    let before = try dump(file)
    var provider = try Repository(at: file).provider(for: "list")
    try bypass(sql)
    #expect(try isBypassed() == true)
    let repository = try Repository(at: file)
    #expect(try isBypassed() == false)
    #expect(try dump(file) == before)
    #expect(try repository.advance(&provider).mode == .none)
    #expect(try repository.tree(of: "list", at: 0) == ListTree(list: "list"))
    try checkInvariants(of: file)
  }

  @Test func whatTheRepositoryWritesIsNoBypass() throws {
    var generator = SeededGenerator(seed: 1)
    let source = RandomChanges(hasSectionParts: true)
    let key = SizeKey(fittingPixels: 320, environment: LayoutEnvironment())
    let repository = try Repository(at: file)
    var tree = ListTree(list: "random")
    for _ in 0..<60 {
      let change = source.change(for: tree, using: &generator)
      try tree.apply(change)
      try repository.commit([change], to: "random")
      if let item = tree.sections.lazy.flatMap(\.items).first {
        try repository.save(
          [
            MeasuredSize(
              item: item.id, size: Size(width: 320, height: 7), cell: item.state.cell,
              contentRevision: item.state.contentRevision)
          ], for: key, in: "random")
      }
    }
    try repository.commit([.deleteSection("s")], to: "list")
    #expect(try isBypassed() == false)
    try checkInvariants(of: file)
    #expect(try isBypassed() == false)
    #expect(try repository.commits(of: "random").count == 60)
  }

  @Test func anOpenRepositoryGoesOnAndTheNextOneNotices() throws {
    let repository = try Repository(at: file)
    var provider = try repository.provider(for: "list")
    try bypass("UPDATE content SET content = '7' WHERE id = \(Self.item)")
    try repository.commit([.touchItem("a")], to: "list")
    #expect(try isBypassed() == true)
    try repository.advance(&provider)
    #expect(provider.revision == 4)
    let next = try Repository(at: file)
    #expect(try next.revision(of: "list") == 5)
    try expectReload(of: provider, next)
    #expect(try next.tree(of: "list").sections[0].items[2].state.content == "7")
    try checkInvariants(of: file)
  }

  // MARK: A list that can't be read

  @Test(arguments: [
    "DELETE FROM content WHERE id = \(item)",
    "UPDATE content SET content = '{' WHERE id = \(item)",
    "UPDATE block SET members = '[]' WHERE section = \(section)",
    "UPDATE block SET memberCount = 99 WHERE section = \(section)",
    "DELETE FROM block WHERE section = \(section)",
  ])
  func aListThatCannotBeReadIsDamagedAndTheOthersWork(_ sql: String) throws {
    let before = try dump(file)
    let tree = try Repository(at: file).tree(of: "list")
    var provider = try Repository(at: file).provider(for: "list")
    try bypass(
      """
      CREATE TABLE keptBlock AS SELECT * FROM block;
      CREATE TABLE savedContent AS SELECT * FROM content; \(sql)
      """)
    for round in 0..<2 {
      let repository = try Repository(at: file)
      #expect(try isBypassed() == true, "it is looked at again")
      let failures = [
        #expect(throws: StoreError.self) { try repository.tree(of: "list") },
        #expect(throws: StoreError.self) { try repository.tree(of: "list", at: 1) },
        #expect(throws: StoreError.self) { try repository.commit([.deleteItem("b")], to: "list") },
      ]
      #expect(failures.map(\.?.code) == Array(repeating: .damagedStore, count: 3))
      // Opened by counts alone: what can't be read is missing, and that is counted.
      if let lazy = try? repository.provider(for: "list") {
        let found = lazy.tree
        #expect(lazy.failedReadCount > 0 || found.sections == tree.sections)
      }
      #expect(try repository.revision(of: "list") == 3)
      #expect(try repository.checkInvariants().contains { $0.list == "list" })
      #expect(try repository.checkInvariants().allSatisfy { $0.list != "other list" })
      #expect(try repository.lists() == ["list", "other list"])
      #expect(try repository.commit([], to: "other list").revision == 4 + round)
      #expect(try repository.tree(of: "other list", at: 2).itemCounts == [3])
    }
    // Repaired by what wrecked it: nothing is lost.
    try bypass(
      """
      DELETE FROM block; INSERT INTO block SELECT * FROM keptBlock; DROP TABLE keptBlock;
      DELETE FROM content; INSERT INTO content SELECT * FROM savedContent;
      DROP TABLE savedContent
      """)
    let repository = try Repository(at: file)
    #expect(try isBypassed() == false)
    #expect(try repository.tree(of: "list") == tree)
    #expect(try repository.advance(&provider).mode == .none)
    for table in ["item", "content", "block", "section", "supplementary", "change"] {
      #expect(try dump(file)[table] == before[table])
    }
    try checkInvariants(of: file)
  }
}
