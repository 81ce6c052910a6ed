import DerivedLists
import GRDB
import ListModel
import ListStore
import ListSync
import Providers
import StoreFiles
import TestSupport
import Testing

/// How many statements SQLite runs for an operation does not depend on how long the list is.
@Suite struct StatementCountTests {
  private let folder: TemporaryFolder
  private let repository: Repository
  private let log = StatementLog()

  /// What SQLite ran, on all connections.
  private final class StatementLog: Sendable {
    private let statements = Guarded<[String]>([])

    func attach(to db: Database) {
      db.trace { event in
        let sql = "\(event)"
        self.statements.withValue { $0.append(sql) }
      }
    }

    func statements(of body: () throws -> Void) rethrows -> [String] {
      statements.withValue { $0 = [] }
      try body()
      return statements.withValue { $0 }
    }
  }

  init() throws {
    folder = try TemporaryFolder()
    var options = Repository.Options()
    options.prepareConnection = { [log] db in log.attach(to: db) }
    repository = try Repository(at: folder.file("store.sqlite"), options: options)
  }

  private static func item(_ name: String) -> Item {
    Item(id: ItemID(stringLiteral: name), cell: "Cell", content: "1")
  }

  private static let length = 15_000

  /// A list whose order has three levels.
  private func fill() throws {
    try repository.commit(
      [.insertSection("s")]
        + (0..<Self.length).map { .insertItem(Self.item("i\($0)"), in: "s") }, to: "list")
  }

  /// What a commit of one change ran.
  private func statements(of change: Change) throws -> [String] {
    try log.statements { try repository.commit([change], to: "list") }
  }

  @Test func aChangeRunsAsManyStatementsAsItWritesRowsAndAFewMore() throws {
    try fill()
    let middle = Self.length / 2
    // A bulk insert leaves full blocks, which split.
    let split = try statements(of: .insertItem(Self.item("first"), in: "s", at: .index(middle)))
    // `BEGIN`, whether anybody else wrote, the item sought, 2 last ids; item, content, change,
    // commit, four blocks, section, store, list, sizes' keys, `COMMIT`; 32 items moved; blocks
    // read.
    #expect(split.count <= 54, "\(split)")
    #expect(split.filter { $0.hasPrefix("UPDATE item ") }.count == 32)
    let insertion = try statements(
      of: .insertItem(Self.item("second"), in: "s", at: .index(middle)))
    #expect(insertion.count <= 17, "\(insertion)")
    let move = try statements(of: .moveItem("second", to: .index(middle + 5)))
    #expect(move.count <= 14, "\(move)")
    let update = try statements(of: .updateItem("first", ItemUpdate(content: .set("2"))))
    #expect(update.count <= 14, "\(update)")
    let touch = try statements(of: .touchItem("first"))
    #expect(touch.count <= 9, "\(touch)")
    let deletion = try statements(of: .deleteItem("second"))
    #expect(deletion.count <= 16, "\(deletion)")
    let section = try statements(of: .insertSection("t", at: .start))
    #expect(section.count <= 14, "\(section)")
  }

  /// Keys of neighbours are read; values of sections are counted, and not looked at while they stay.
  @Test func aDerivedListReadsWhatItMovesAndSectionsWhereValuesComeOrGo() throws {
    func content(_ title: Int) throws -> JSON {
      try JSON(parsing: "{\"title\":\(title),\"day\":\(title % 10 / 5)}")
    }
    let items = try (0..<100).map {
      Item(id: ItemID(stringLiteral: "i\($0)"), cell: "Cell", content: try content($0))
    }
    try repository.commit(
      [.insertSection("s")] + items.map { .insertItem($0, in: "s") }, to: "list")
    let definition =
      #"{"derived":"d","of":"list","sort":[{"path":"/title"}],"section":{"path":"/day"}}"#
    try repository.define([(try DerivedDefinition(parsing: Array(definition.utf8)), 1)])
    func run(_ title: Int) throws -> (all: [String], values: [String]) {
      let all = try statements(of: .updateItem("i41", ItemUpdate(content: .set(content(title)))))
      return (all, all.filter { $0.contains("derivedValue") })
    }
    _ = try run(51)
    let within = try run(61)
    #expect(within.all.count <= 22, "\(within.all)")
    #expect(within.values.isEmpty)
    let across = try run(17)
    #expect(across.all.count <= 31, "\(across.all)")
    #expect(across.values.count == 2 && across.values.allSatisfy { $0.hasPrefix("UPDATE") })
    // The first of another day makes a section.
    let change = Change.updateItem(
      "i41", ItemUpdate(content: .set(#"{"title":1,"day":7}"#)))
    #expect(try statements(of: change).contains { $0.hasPrefix("INSERT INTO derivedValue") })
    #expect(try repository.checkInvariants().isEmpty)
  }

  @Test func whatANewRepositoryMustReadFirstIsAHandful() throws {
    try fill()
    let other = try Repository(at: folder.file("store.sqlite"))
    try other.commit([.insertItem(Self.item("other"), in: "s", at: .index(7_000))], to: "list")
    // Somebody else wrote: the list, its outbox, sections, three blocks, what is derived from
    // which list, and which lists have full-text indexes, are read again.
    let insertion = try statements(
      of: .insertItem(Self.item("new"), in: "s", at: .index(7_000)))
    #expect(insertion.filter { $0.hasPrefix("SELECT") }.count <= 14, "\(insertion)")
    #expect(insertion.count <= 28, "\(insertion)")
    #expect(try repository.checkInvariants().isEmpty)
  }

  @Test func aScreenAnywhereReadsOneOrTwoBlocksAndAPageOfContents() throws {
    try fill()
    var opened: Provider?
    let opening = try log.statements { opened = try repository.provider(for: "list") }
    #expect(opening.count <= 10, "\(opening)")
    let provider = try #require(opened)
    func screen(from start: Int) -> [String] {
      log.statements {
        for item in start..<(start + 20) {
          #expect(provider.item(at: ItemPath(section: 0, item: item))?.id.rawValue == "i\(item)")
        }
      }
    }
    for start in [0, 1_000, Self.length - 20] {
      let statements = screen(from: start)
      let contents = statements.filter { $0.contains("FROM content") }
      #expect(contents.count <= 64, "two pages of 32")
      #expect(statements.count - contents.count <= 7, "\(statements)")
      #expect(screen(from: start).isEmpty)
    }
  }

  @Test func aGapIsFoundOnceAndReadWithoutThoseAroundIt() throws {
    try fill()
    let gap = Item(id: "#gap 1", cell: Gap.cell, content: Gap(after: "a", before: "b").content)
    try repository.commit(
      [.insertItem(gap, in: "s", at: .index(Self.length / 2))], to: "list")
    let provider = try repository.provider(for: "list")
    let run = log.statements {
      #expect(provider.gaps == [gap.id])
      let path = provider.path(of: gap.id)
      #expect(path == ItemPath(section: 0, item: Self.length / 2))
      #expect(path.flatMap { provider.item(at: $0) } == gap)
    }
    #expect(run.filter { $0.contains(" FROM item ") }.count == 2, "its id, and its place; \(run)")
    #expect(run.filter { $0.contains(" FROM content ") }.count == 1, "\(run)")
    // Those around it are read when they are asked for.
    let beside = log.statements {
      #expect(provider.item(at: ItemPath(section: 0, item: Self.length / 2 + 1)) != nil)
    }
    #expect(beside.filter { $0.contains(" FROM content ") }.count > 16, "\(beside)")
  }

  @Test func aSectionsSizesAreDroppedByOneWriteHoweverLongItIs() throws {
    try fill()
    let header = Supplementary(view: "Header", content: "1")
    try repository.commit(
      [.insertSection("s", .init(header: header)), .insertSection("t")]
        + (0..<3).flatMap { index -> [Change] in
          [
            .insertItem(Self.item("i\(index)"), in: "s"),
            .insertItem(Self.item("j\(index)"), in: "t"),
          ]
        }, to: "short")
    try repository.commit([.updateSection("s", SectionUpdate(header: .set(header)))], to: "list")
    let key = SizeKey(fittingPixels: 320, environment: LayoutEnvironment())
    let size = Size(width: 320, height: 44)
    var counts: [Int] = []
    for (list, length) in [("list", Self.length), ("short", 3)] as [(ListID, Int)] {
      let provider = try repository.provider(for: list)
      for item in 0..<length {
        provider.keep(size, at: ItemPath(section: 0, item: item), for: key)
      }
      provider.keep(size, at: ItemPath(section: 1, item: 0), for: key)
      provider.keep(size, of: .header, inSection: 0, for: key)
      repository.flushSizes()
      // One that has read no size yet, and one that has.
      let unread = try repository.provider(for: list)
      let ran = log.statements {
        for provider in [unread, provider] { provider.setNeedsLayout(ofSection: 0) }
        repository.flushSizes()
      }
      #expect(ran.count { $0.hasPrefix("UPDATE measuredSize") } == 2)
      counts.append(ran.count)
      let stale = SizeAnswer.estimate(size, why: .otherContent)
      for provider in [provider, unread, try repository.provider(for: list)] {
        for item in [0, length / 2, length - 1] {
          #expect(provider.size(at: ItemPath(section: 0, item: item), for: key) == stale)
        }
        #expect(provider.size(of: .header, inSection: 0, for: key) == stale)
      }
      let extent = try repository.provider(for: list).extent(ofSection: 0, for: key)
      #expect(extent?.measuredCount == length)
      // What is measured again holds again.
      unread.keep(size, at: ItemPath(section: 0, item: 0), for: key)
      repository.flushSizes()
      let again = try repository.provider(for: list)
      #expect(again.size(at: ItemPath(section: 0, item: 0), for: key) == .exact(size))
    }
    // On a slow machine they are written before the flush, in a transaction each.
    #expect(counts.allSatisfy { $0 < 30 }, "\(counts)")
    let other = try repository.provider(for: "short")
    #expect(other.size(at: ItemPath(section: 1, item: 0), for: key) == .exact(size))
  }

  /// Blocks and changes have no index of their lists: a pass over all of them would keep others out for as long
  /// as the store is large.
  @Test func aListIsDeletedWithoutALookAtOthers() throws {
    try fill()
    let length = 300
    try repository.commit(
      [.insertSection("s")]
        + (0..<length).map { .insertItem(Self.item("j\($0)"), in: "s") }, to: "short")
    let key = SizeKey(fittingPixels: 320, environment: LayoutEnvironment())
    let provider = try repository.provider(for: "short")
    for item in 0..<length {
      provider.keep(
        Size(width: 320, height: 44), at: ItemPath(section: 0, item: item), for: key)
    }
    repository.flushSizes()
    // What is derived from it goes with it, and has a log of its own.
    let definition = #"{"derived":"d","of":"short","sort":[{"path":"/title"}]}"#
    try repository.define([(try DerivedDefinition(parsing: Array(definition.utf8)), 1)])
    try repository.commit([.deleteItem("j7")], to: "short")
    let statements = try log.statements { try repository.deleteList("short") }
    #expect(!statements.contains { $0.hasPrefix("DELETE FROM block WHERE list NOT IN") })
    #expect(!statements.contains { $0.hasPrefix("DELETE FROM change WHERE list") })
    #expect(statements.count { $0.hasPrefix("DELETE FROM block WHERE id") } > length / 50)
    #expect(statements.contains { $0.hasPrefix("DELETE FROM blockExtent") })
    #expect(try repository.checkInvariants().isEmpty)
    try repository.deleteList("list")
    #expect(try repository.checkInvariants().isEmpty)
  }

  /// A Provider knows their rows, and the order says which blocks hold them.
  @Test func noItemIsLookedForWhoseSizeAProviderKeeps() throws {
    try fill()
    let key = SizeKey(fittingPixels: 320, environment: LayoutEnvironment())
    let provider = try repository.provider(for: "list")
    for height in [1.0, 2] {
      let ran = log.statements {
        for item in stride(from: 0, to: Self.length, by: 500) {
          let path = ItemPath(section: 0, item: item)
          #expect(provider.keep(Size(width: 320, height: height), at: path, for: key))
        }
        repository.flushSizes()
      }
      #expect(
        ran.count { $0.contains("INTO measuredSize") || $0.hasPrefix("UPDATE measured") } == 30)
      #expect(!ran.contains { $0.contains("FROM item") }, "\(ran)")
    }
    #expect(try repository.checkInvariants().isEmpty)
  }

  @Test func aLineBelowAnEditRunsStatementsForWhatChangesAlone() throws {
    try fill()
    let shelf = repository.liveList("list")
    try shelf.editPending { list in
      try list.apply(.updateItem("i7000", ItemUpdate(content: .set("2"))))
      try list.move("i9000", to: .index(100))
      try list.delete("i12000")
    }
    let lines = (1...2).map { sequence in
      let place = "\"after\":\"i\(5_000 * sequence)\""
      let insert = """
        {"op":"insertItem","item":"n\(sequence)","section":"s",\(place),"cell":"C","content":1}
        """
      return "{\"t\":\"commit\",\"list\":\"list\",\"seq\":\"\(sequence)\",\"ops\":[\(insert)]}\n"
    }
    // Full blocks split at the first one.
    try repository.apply(FeedReader(file: folder.write(lines[0], to: "first.ndjson")))
    let feed = try FeedReader(file: folder.write(lines[1], to: "second.ndjson"))
    let statements = try log.statements { try repository.apply(feed) }
    #expect(statements.count <= 100, "\(statements.count): \(statements)")
  }

  /// Also where each commit of the step touches what the others did.
  @Test func undoingTwiceAsManyCommitsRunsTwiceAsManyStatements() throws {
    let counts = try [100, 200].map { count in
      let list = ListID(stringLiteral: "of \(count)")
      try repository.commit(
        [.insertSection("s")]
          + (0..<3 * count).map { .insertItem(Self.item("\(count) \($0)"), in: "s") },
        to: list, by: .feed)
      let before = try repository.tree(of: list)
      func id(_ index: Int) -> ItemID { ItemID(stringLiteral: "\(count) \(index)") }
      try repository.undoGroup(in: list) {
        for index in 0..<count {
          try repository.commit(
            [
              .deleteItem(id(2 * count + index)),
              .moveItem(id(index), to: .after(id(count + index))),
              .updateItem(id(count), ItemUpdate(content: .set(JSON(stringLiteral: "\(index)")))),
              .insertItem(Self.item("new \(count) \(index)"), in: "s", at: .start),
            ], to: list)
        }
      }
      let ran = try log.statements { try repository.undo(in: list) }
      #expect(try repository.tree(of: list).withoutRevisions == before.withoutRevisions)
      return ran.count
    }
    #expect(counts[1] <= counts[0] * 9 / 4, "\(counts)")
  }
}
