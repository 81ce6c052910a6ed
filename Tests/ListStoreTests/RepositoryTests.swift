import Dispatch
import Foundation
import GRDB
import ListModel
import ListStore
import StoreFiles
import SuiteSupport
import TestSupport
import Testing

@Suite struct RepositoryTests {
  private let folder: TemporaryFolder
  private var file: URL { folder.file("store.sqlite") }

  init() throws { folder = try TemporaryFolder() }

  private func item(_ id: ItemID, _ content: JSON = "0") -> Item {
    Item(id: id, cell: "Cell", content: content)
  }

  // MARK: Values

  @Test func contentComesOutAsItWentIn() throws {
    let contents: [JSON] = [
      "9223372036854775807", "18446744073709551615", "1.0", "1e400", "-0", "\"\\u00e9\\ud800\"",
      "\"é\"", "\"e\u{301}\"", "{\"é\":1,\"e\u{301}\":2}", "[]", "null", "\"\\u0000\"",
      "{\"b\":1,\"a\":[true,false,null,\"\\\"\"]}",
      JSON(stringLiteral: String(repeating: "[", count: 32) + String(repeating: "]", count: 32)),
    ]
    let repository = try Repository(at: file)
    try repository.commit(
      [.insertSection("s", .init(header: Supplementary(view: "H", content: contents[8])))]
        + contents.enumerated().map { index, content in
          .insertItem(item(ItemID(stringLiteral: "\(index)"), content), in: "s")
        }, to: "list")
    let tree = try repository.tree(of: "list")
    #expect(tree.sections[0].items.map(\.state.content.text) == contents.map(\.text))
    #expect(tree.sections[0].attributes.header?.content.text == contents[8].text)
    try repository.commit([.deleteSection("s")], to: "list")
    #expect(try repository.tree(of: "list", at: 1) == tree)
    #expect(try ListTree(parsing: Array(tree.json().utf8)) == tree)
    try checkLogAgreesWithRows(of: "list", in: repository)
  }

  @Test func dataOfAnActionHasAsManyLevelsAsContent() throws {
    let deepest = String(repeating: "[", count: 32) + String(repeating: "]", count: 32)
    let action = Action(url: "u", attrs: JSON(stringLiteral: deepest))
    let repository = try Repository(at: file)
    try repository.commit(
      [
        .insertSection("s"),
        .insertItem(Item(id: "a", cell: "Cell", content: "0", action: action), in: "s"),
      ], to: "list")
    #expect(try repository.tree(of: "list").sections[0].items[0].state.action == action)
    #expect(try repository.checkInvariants() == [])
    try repository.commit([.deleteItem("a")], to: "list")
    #expect(try repository.tree(of: "list", at: 1).sections[0].items[0].state.action == action)
  }

  @Test func idsThatDifferOnlyInCompositionLiveSideBySide() throws {
    let repository = try Repository(at: file)
    try repository.commit(
      [
        .insertSection("é"), .insertSection("e\u{301}"),
        .insertItem(item("é", "1"), in: "é"), .insertItem(item("e\u{301}", "2"), in: "e\u{301}"),
      ], to: "é")
    try repository.commit([.insertSection("s")], to: "e\u{301}")
    #expect(try repository.lists().count == 2)
    #expect(try repository.tree(of: "é").itemCounts == [1, 1])
    #expect(try repository.tree(of: "e\u{301}").itemCounts == [0])
  }

  @Test func attributesOfEveryKindComeBack() throws {
    let attributes = SectionAttributes(
      layout: SectionLayout(
        kind: .waterfall, columns: 3, lineSpacing: 0.1, interitemSpacing: -2,
        insets: Insets(top: 1, left: 2.5, bottom: 3, right: 1e6)),
      header: Supplementary(view: "H", content: "{\"a\":1}"),
      footer: Supplementary(view: "F", content: "null"), meta: "[1]")
    let repository = try Repository(at: file)
    try repository.commit([.insertSection("s", attributes)], to: "list")
    #expect(try repository.tree(of: "list").sections[0].attributes == attributes)
    try repository.commit(
      [
        .updateSection(
          "s",
          SectionUpdate(layout: .set(nil), header: .set(nil), footer: .set(nil), meta: .set(nil)))
      ], to: "list")
    #expect(try repository.tree(of: "list").sections[0].attributes == SectionAttributes())
    #expect(try repository.tree(of: "list", at: 1).sections[0].attributes == attributes)
  }

  // MARK: Order

  @Test func manyInsertsAtOneSpotKeepTheirOrder() throws {
    let repository = try Repository(at: file)
    try repository.commit(
      [
        .insertSection("s"), .insertItem(item("first"), in: "s"),
        .insertItem(item("last"), in: "s"),
      ],
      to: "list")
    var expected: [String] = ["first", "last"]
    for number in 0..<200 {
      // Always right after the first: each takes half of what is left of one gap.
      try repository.commit(
        [.insertItem(item(ItemID("\(number)")), in: "s", at: .after("first"))], to: "list")
      expected.insert("\(number)", at: 1)
    }
    let ids = try repository.tree(of: "list").sections[0].items.map(\.id.rawValue)
    #expect(ids == expected)
    for number in 200..<280 {
      try repository.commit([.moveItem("last", to: .index(number % 7 + 1))], to: "list")
      expected.removeAll { $0 == "last" }
      expected.insert("last", at: number % 7 + 1)
    }
    #expect(try repository.tree(of: "list").sections[0].items.map(\.id.rawValue) == expected)
    try checkInvariants(of: file)
  }

  @Test func manySectionsAtOneSpotKeepTheirOrder() throws {
    let repository = try Repository(at: file)
    try repository.commit([.insertSection("first"), .insertSection("last")], to: "list")
    var expected = ["first", "last"]
    for number in 0..<120 {
      try repository.commit(
        [.insertSection(SectionID("\(number)"), at: .before("last"))], to: "list")
      expected.insert("\(number)", at: expected.count - 1)
      try repository.commit([.moveSection("first", to: .index(number % 3))], to: "list")
      expected.removeAll { $0 == "first" }
      expected.insert("first", at: number % 3)
    }
    #expect(try repository.tree(of: "list").sections.map(\.id.rawValue) == expected)
    try checkInvariants(of: file)
  }

  // MARK: Reading

  @Test func unknownListsAndRevisionsAreNamed() throws {
    let repository = try Repository(at: file)
    try repository.commit([], to: "home")
    let noList = #expect(throws: StoreError.self) { try repository.tree(of: "inbox") }
    #expect(noList?.code == .listNotFound)
    #expect(noList?.message.contains("\"home\"") == true)
    let noRevision = #expect(throws: StoreError.self) { try repository.tree(of: "home", at: 2) }
    #expect(noRevision?.code == .revisionNotFound)
    #expect(noRevision?.message.contains("0...1") == true)
    #expect(throws: StoreError.self) { try repository.tree(of: "home", at: -1) }
  }

  @Test func theLogIsReadFromARevisionAndInParts() throws {
    let repository = try Repository(at: file)
    for _ in 0..<5 { try repository.commit([], to: "list") }
    #expect(try repository.commits(of: "list").map(\.revision) == [1, 2, 3, 4, 5])
    #expect(try repository.commits(of: "list", after: 3).map(\.revision) == [4, 5])
    #expect(try repository.commits(of: "list", after: 1, limit: 2).map(\.revision) == [2, 3])
    #expect(try repository.commits(of: "list", after: 5).isEmpty)
    #expect(try repository.commits(of: "list", after: .max).isEmpty)
    #expect(try repository.commits(of: "list", after: -7, limit: 1).map(\.revision) == [1])
  }

  @Test func twoRepositoriesOnOneFileLoseNoCommit() async throws {
    let file = file
    _ = try Repository(at: file)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for writer in 0..<4 {
        group.addTask {
          let repository = try Repository(at: file)
          for number in 0..<25 {
            let section = try SectionID("\(writer) \(number)")
            try repository.commit([.insertSection(section)], to: "list", by: Author("\(writer)"))
          }
        }
      }
      try await group.waitForAll()
    }
    let repository = try Repository(at: file)
    #expect(try repository.tree(of: "list").sections.count == 100)
    #expect(try repository.commits(of: "list").map(\.revision) == Array(1...100))
    try checkLogAgreesWithRows(of: "list", in: repository)
    try checkInvariants(of: file)
  }

  /// Each opens a connection, and a process may have only so many files open.
  @Test(.timeLimit) func fiveReadAtATime() throws {
    let repository = try Repository(at: file)
    try repository.commit([.insertSection("s")], to: "list")
    let counts = Guarded((now: 0, most: 0, done: 0))
    let group = DispatchGroup()
    for _ in 0..<12 {
      group.enter()
      Thread.detachNewThread {
        defer { group.leave() }
        _ = try? repository.read(list: "list", "read slowly") { _ in
          counts.withValue {
            $0.now += 1
            $0.most = max($0.most, $0.now)
          }
          Thread.sleep(forTimeInterval: 0.02)
          counts.withValue {
            $0.now -= 1
            $0.done += 1
          }
        }
      }
    }
    group.wait()
    #expect(counts.withValue { $0.done } == 12)
    #expect(1...5 ~= counts.withValue { $0.most })
  }

  // MARK: What can go wrong below

  @Test func aFullStoreIsATypedErrorAndLosesNothing() throws {
    var options = Repository.Options()
    options.maximumByteCount = 300_000
    let repository = try Repository(at: file, options: options)
    let content = JSON(stringLiteral: "\"" + String(repeating: "x", count: 10_000) + "\"")
    try repository.commit([.insertSection("s")], to: "list")
    var failure: StoreError?
    var number = 0
    while failure == nil, number < 100 {
      number += 1
      do throws(StoreError) {
        try repository.commit(
          [.insertItem(item(ItemID(stringLiteral: "\(number)"), content), in: "s")], to: "list")
      } catch { failure = error }
    }
    #expect(failure?.code == .storeFull)
    #expect(failure?.file == file.path)
    let tree = try repository.tree(of: "list")
    #expect(tree.sections[0].items.count == number - 1)
    try checkLogAgreesWithRows(of: "list", in: repository)
    try checkInvariants(of: file)
    // With room again, the same commit goes through.
    let roomy = try Repository(at: file)
    try roomy.commit([.insertItem(item("more", content), in: "s")], to: "list")
    #expect(try roomy.tree(of: "list").sections[0].items.count == number)
  }

  @Test func aStoreThatIsHeldByAnotherIsBusy() throws {
    var options = Repository.Options()
    options.busyTimeout = 0.05
    let repository = try Repository(at: file, options: options)
    try repository.commit([], to: "list")
    let holder = try DatabaseQueue(path: file.path)
    try holder.writeWithoutTransaction { db in
      try db.execute(sql: "BEGIN IMMEDIATE")
      let failure = #expect(throws: StoreError.self) { try repository.commit([], to: "list") }
      #expect(failure?.code == .busy)
      #expect(try repository.revision(of: "list") == 1, "readers go on")
      try db.execute(sql: "ROLLBACK")
    }
    try repository.commit([], to: "list")
    #expect(try repository.revision(of: "list") == 2)
  }

  private let sizeKey = SizeKey(fittingPixels: 320, environment: LayoutEnvironment())
  private let measured = MeasuredSize(
    item: "1", size: Size(width: 320, height: 40), cell: "Cell", contentRevision: 1)

  /// In one block, and in several with one above them.
  @Test(arguments: [1, 150]) func rowsThatHoldSomethingElseAreDamageNotACrash(
    _ count: Int
  ) throws {
    let original = folder.file("original.sqlite")
    do {
      let repository = try Repository(at: original)
      try repository.commit(
        [.insertSection("s"), .insertItem(item("1"), in: "s")], to: "list")
      try repository.commit(
        (1..<count).map { .insertItem(item(ItemID(stringLiteral: "more \($0)")), in: "s") },
        to: "list")
      try repository.commit([.updateItem("1", ItemUpdate(content: .set("1")))], to: "list")
      try repository.save([measured], for: sizeKey, in: "list")
    }
    for (number, damage) in RowDamage.all.enumerated() {
      let file = folder.file("\(number).sqlite")
      try FileManager.default.copyItem(at: original, to: file)
      let queue = try DatabaseQueue(path: file.path)
      try queue.write { db in
        try db.execute(sql: "PRAGMA ignore_check_constraints = ON")
        try db.execute(sql: damage)
      }
      try queue.close()
      let repository = try Repository(at: file)
      var refusals = 0
      for revision in [0, 1, 2, 3] {
        do throws(StoreError) { _ = try repository.tree(of: "list", at: revision) } catch {
          refusals += 1
          // The log of a list that can be read, but is another one, begins anew.
          let floor =
            (try? repository.logReach(
              of: "list", forReaderAt: 0, in: repository.pin()))?.floor ?? 0
          #expect(
            error.code == (revision < floor ? .revisionNotFound : .damagedStore),
            "\(damage): \(error)")
        }
      }
      do throws(StoreError) { refusals += try repository.checkInvariants().count } catch {
        refusals += 1
        #expect(error.code == .damagedStore, "\(damage): \(error)")
      }
      do throws(StoreError) { _ = try repository.sizes(of: "list", for: sizeKey) } catch {
        refusals += 1
        #expect(error.code == .damagedStore, "\(damage): \(error)")
      }
      // The last id is looked at only when an item comes.
      #expect(
        refusals > 0 || damage.hasPrefix("UPDATE store SET lastItem"), "\(damage): nobody notices")
      // Whatever is wrong, a change is made or refused, and nothing traps.
      let changes: [Change] = [
        .moveSection("s", to: .end), .moveItem("1", to: .end), .moveItem("1", to: .index(0)),
        .insertItem(item("2"), in: "s", at: .index(0)), .insertItem(item("3"), in: "s", at: .end),
        .insertItem(item("4"), in: "s", at: .after("1")), .insertSection("t"),
        .updateItem("1", ItemUpdate(content: .set("9"))), .deleteItem("1"), .deleteSection("s"),
      ]
      for change in changes {
        do throws(StoreError) { try repository.commit([change], to: "list") } catch {
          refusals += 1
          #expect(!error.message.isEmpty)
        }
        do throws(StoreError) { try repository.save([measured], for: sizeKey, in: "list") } catch {
          #expect(!error.message.isEmpty)
        }
      }
      do throws(StoreError) { _ = try repository.commits(of: "list") } catch {
        #expect(error.code == .damagedStore, "\(damage): \(error)")
      }
      #expect(refusals > 0, "\(damage): nobody notices")
    }
  }
}
