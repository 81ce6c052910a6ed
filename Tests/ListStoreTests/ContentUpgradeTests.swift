import Foundation
import GRDB
import ListItems
import ListModel
import ListStore
import ListSync
import SuiteSupport
import TestSupport
import Testing

private final class BookCell {}

/// The third shape of a book.
private struct Book: ListItem, Equatable {
  var id: String, title: String, isLong: Bool, liked: Bool

  static var aliases: [TypeName] { ["Novel"] }
  static var contentVersion: Int { 3 }
  static var contentDefaults: JSON.Members { ["liked": false] }

  static func upgrade(_ content: inout JSON, from version: Int) throws {
    switch version {
    case 1: try content.rename("name", to: "title")
    default: try content.set("isLong", to: content.value(of: "pages", as: Int.self) ?? 0 > 500)
    }
  }

  func configure(_ cell: BookCell) {}
}

private struct Quote: ListItem {
  var id: String, text: String
  func configure(_ cell: AnyObject) {}
  static var cells: [CellName: ViewSource] { [:] }
  var cellName: CellName { "QuoteCell" }
}

/// Contents of earlier versions are written back in the current one.
@Suite struct ContentUpgradeTests {
  private let folder: TemporaryFolder
  private let repository: Repository
  private let types: ItemTypes = [Book.self, Quote.self]

  init() throws {
    folder = try TemporaryFolder()
    repository = try Repository(at: folder.file("store.sqlite"))
  }

  /// An item of a version of ``Book``, under one of its names, or none.
  private func old(_ number: Int) throws -> Item {
    let id = "b\(number)"
    let contents: [(TypeName?, String)] = [
      ("Book", #"{"id":"\#(id)","name":"n\#(number)","pages":\#(number)}"#),
      ("Book@2", #"{"id":"\#(id)","title":"n\#(number)","pages":\#(number),"more":[1.50]}"#),
      ("Novel", #"{"name":"n\#(number)","pages":\#(number)}"#),
      (nil, #"{"name":"n\#(number)","pages":\#(number),"liked":true}"#),
      ("Novel@3", #"{"id":"\#(id)","title":"n\#(number)","isLong":false}"#),
    ]
    let (type, content) = contents[number % contents.count]
    return Item(
      id: try ItemID(id), cell: "BookCell", content: try JSON(parsing: content), type: type)
  }

  private func fill(_ list: ListID, _ count: Int) throws {
    try repository.edit(list) { list throws in
      for section in 0..<3 {
        let id = SectionID(stringLiteral: "s\(section)")
        try list.insertSection(id)
        let numbers = stride(from: section, to: count, by: 3)
        for number in numbers { try list.insert(old(number), in: id) }
      }
      try list.insert(Quote(id: "q", text: "x"), in: "s1", at: .start)
    }
  }

  @Test(.timeLimit) func aCountThatIsTooGreatIsAnError() throws {
    try fill("shelf", 9)
    let queue = try DatabaseQueue(path: folder.file("store.sqlite").path)
    try queue.write { db in
      try db.execute(sql: "UPDATE section SET itemCount = itemCount + 1")
      try db.execute(sql: "UPDATE store SET isBypassed = 0")
    }
    try queue.close()
    let error = #expect(throws: StoreError.self) { try repository.upgradeContents(of: types) }
    #expect(error?.code == .damagedStore)
  }

  private func digest(_ list: ListID) throws -> String {
    String(describing: try repository.tree(of: list).sections)
  }

  @Test func everyItemIsOfTheCurrentVersionAndStaysWhereItIs() throws {
    try fill("a", 20)
    try fill("b", 5)
    try repository.edit("c") { try $0.insertSection("empty") }
    let before = try repository.tree(of: "a")
    let upgrade = try repository.upgradeContents(of: types, by: "upgrade")
    #expect(upgrade.upgraded == ["a": 20, "b": 5])
    #expect(upgrade.failureCount == 0 && upgrade.failures.isEmpty)
    #expect(upgrade.checkedCount == 27 && upgrade.itemCount == 27)
    let after = try repository.tree(of: "a")
    #expect(after.sections.map { $0.items.map(\.id) } == before.sections.map { $0.items.map(\.id) })
    for (old, new) in zip(before.sections.flatMap(\.items), after.sections.flatMap(\.items)) {
      if old.id == "q" {
        #expect(new == old)
        continue
      }
      #expect(new.state.type == "Book@3")
      #expect(new.state.cell == old.state.cell)
      #expect(new.state.contentRevision == old.state.contentRevision + 1)
      #expect(try new.value(as: Book.self) == old.value(as: Book.self))
    }
    // What the type does not know is still there, digit by digit.
    let kept = try #require(after.sections[1].items.first { $0.id == "b1" })
    #expect(try kept.state.content.member("more")?.text == "[1.50]")
    #expect(try repository.commits(of: "a", after: 1).map(\.author.name) == ["upgrade"])
    #expect(try repository.revision(of: "c") == 1)
    #expect(try repository.checkInvariants().isEmpty)
    // Again it changes nothing.
    #expect(try repository.upgradeContents(of: types).upgraded.isEmpty)
    #expect(try repository.revision(of: "a") == 2)
    // And it can be taken back.
    try repository.undoCommit(2, of: "a")
    #expect(try repository.tree(of: "a").sections[0].items[0].state.type == "Book")
  }

  @Test func itemsOfOtherTypesAndOfLaterVersionsStay() throws {
    try repository.edit("a") { list throws in
      try list.insertSection("s")
      for (id, type) in [("x", "Film"), ("y", "Book@4"), ("z", "Book@9")] {
        try list.insert(
          Item(id: ItemID(id), cell: "BookCell", content: "{}", type: TypeName(type)), in: "s")
      }
    }
    let before = try digest("a")
    let upgrade = try repository.upgradeContents(of: types)
    #expect(upgrade.upgraded.isEmpty && upgrade.failureCount == 0)
    #expect(try digest("a") == before)
  }

  @Test func whatCanNotBeUpgradedIsCountedAndTheRestGoesOn() throws {
    try fill("a", 10)
    try repository.edit("a") { list throws in
      for number in 0..<150 {
        let content = [
          #"{"id":"f\#(number)","name":"n","pages":"many"}"#, #"{"id":"other","name":"n"}"#,
          #"{"id":"f\#(number)"}"#,
        ][number % 3]
        try list.insert(
          Item(
            id: ItemID("f\(number)"), cell: "BookCell", content: JSON(parsing: content),
            type: "Book"), in: "s0", at: .start)
      }
    }
    let upgrade = try repository.upgradeContents(of: types)
    #expect(upgrade.upgraded == ["a": 10])
    #expect(upgrade.failureCount == 150)
    #expect(upgrade.failures.count == 100)
    let first = try #require(upgrade.failures.first)
    #expect(first.list == "a")
    #expect("\(first.error)".contains("\"f149\""))
    let items = try repository.tree(of: "a").sections[0].items
    #expect(items.filter { $0.state.type == "Book" }.count == 150)
    #expect(items.filter { $0.state.type == "Book@3" }.count == 4)
  }

  @Test func aLongListIsUpgradedInSmallCommits() throws {
    try fill("a", 2_500)
    var seen: [Int] = []
    try repository.upgradeContents(of: types) { seen.append($0.upgraded["a"] ?? 0) }
    #expect(seen == [1_000, 2_000, 2_500])
    let commits = try repository.commits(of: "a", after: 1)
    #expect(commits.map(\.entries.count) == [1_000, 1_000, 500])
    #expect(try repository.checkInvariants().isEmpty)
  }

  /// Ten items have about 1.2 MB; an item alone may have more than a commit otherwise has.
  @Test func aCommitHasAMegabyteOfContentsAtMost() throws {
    try repository.edit("a") { list throws in
      try list.insertSection("s")
      for number in 0..<11 {
        let text = String(repeating: "x", count: number == 10 ? 2_000_000 : 120_000)
        let content = #"{"name":"\#(text)","pages":1}"#
        try list.insert(
          Item(
            id: ItemID("b\(number)"), cell: "BookCell", content: JSON(parsing: content),
            type: "Book"), in: "s")
      }
    }
    #expect(try repository.upgradeContents(of: types).upgraded == ["a": 11])
    #expect(try repository.commits(of: "a", after: 1).map(\.entries.count) == [9, 2])
  }

  @Test func aCallThatEndsEarlyGoesOnWhereItEnded() throws {
    struct Enough: Error {}
    try fill("a", 2_500)
    #expect(throws: Enough.self) {
      try repository.upgradeContents(of: types) { _ in throw Enough() }
    }
    #expect(try repository.commits(of: "a", after: 1).map(\.entries.count) == [1_000])
    #expect(try repository.upgradeContents(of: types).upgraded == ["a": 1_500])
  }

  @Test func aCancelledTaskEndsAfterTheCommitThatItWrites() async throws {
    try fill("a", 2_500)
    let isCancelled = DispatchSemaphore(value: 0)
    let task = Task { [repository, types] in
      try await repository.upgradeContents(of: types) { _ in
        isCancelled.wait()
        isCancelled.signal()
      }
    }
    task.cancel()
    isCancelled.signal()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(try repository.commits(of: "a", after: 1).map(\.entries.count) == [1_000])
    #expect(try await repository.upgradeContents(of: types).upgraded == ["a": 1_500])
  }

  /// What somebody else commits between two slices stays, and nothing is left behind.
  @Test func othersMayEditMeanwhile() throws {
    try fill("a", 2_500)
    var generator = SeededGenerator(seed: 7)
    var calls = 0
    var deleted: Set<ItemID> = []
    try repository.upgradeContents(of: types) { _ in
      calls += 1
      if calls > 3 { return }
      try repository.edit("a") { list throws in
        for _ in 0..<40 {
          let moved = ItemID(stringLiteral: "b\(generator.number(0..<2_500))")
          if try list.item(moved) != nil { try list.move(moved, in: "s0", to: .start) }
          let gone = ItemID(stringLiteral: "b\(generator.number(0..<2_500))")
          if try list.item(gone) != nil {
            try list.delete(gone)
            deleted.insert(gone)
          }
          let liked = ItemID(stringLiteral: "b\(generator.number(0..<2_500))")
          if try list.item(liked) != nil {
            try list.update(liked, as: Book.self) { $0.title = "edited" }
          }
        }
      }
    }
    let items = try repository.tree(of: "a").sections.flatMap(\.items)
    #expect(items.count == 2_501 - deleted.count)
    let types = Set(items.map(\.state.type))
    #expect(types == ["Book@3", "Quote"])
    let edited = try items.filter { try $0.state.content.member("title") == "\"edited\"" }
    #expect(edited.count > 60)
    #expect(try repository.checkInvariants().isEmpty)
  }

  @Test func nestedListsAreUpgradedToo() throws {
    try fill("a", 3)
    let nested = repository.liveList(
      ownedBy: "b0", in: "a", NestedName("editions"), items: types)
    try nested.edit { list throws in
      try list.insertSection("s")
      try list.insert(old(5), in: "s")
    }
    let key = SizeKey(fittingPixels: 750, environment: LayoutEnvironment())
    let size = Size(width: 375, height: 44)
    try repository.save(
      [MeasuredSize(item: "b5", size: size, cell: "BookCell", contentRevision: 0)], for: key,
      in: nested.id)
    #expect(try repository.upgradeContents(of: types).upgraded == ["a": 3, nested.id: 1])
    #expect(try repository.tree(of: nested.id).sections[0].items[0].state.type == "Book@3")
    #expect(try repository.sizes(of: nested.id, for: key) == ["b5": .exact(size)])
  }

  @Test func sizesThatHeldHoldOnAndThoseThatDidNotDoNot() throws {
    try fill("a", 20)
    let key = SizeKey(fittingPixels: 750, environment: LayoutEnvironment())
    let size = Size(width: 375, height: 44)
    try repository.save(
      ["b0", "b1", "q"].map {
        MeasuredSize(
          item: $0, size: size, cell: $0 == "q" ? "QuoteCell" : "BookCell", contentRevision: 0)
      }, for: key, in: "a")
    try repository.commit([.updateItem("b1", ItemUpdate(action: .set(Action(url: "x"))))], to: "a")
    try repository.upgradeContents(of: types)
    let sizes = try repository.sizes(of: "a", for: key)
    #expect(sizes["b0"] == .exact(size))
    #expect(sizes["q"] == .exact(size))
    #expect(sizes["b1"] == .estimate(size, why: .otherContent))
    #expect(try repository.checkInvariants().isEmpty)
  }

  @Test func anEditOfAnOldContentWritesTheNewVersion() throws {
    try fill("a", 3)
    try repository.edit("a") { list throws in
      try list.update("b0", as: Book.self) { $0.liked = true }
    }
    let item = try repository.tree(of: "a").sections[0].items[0]
    #expect(item.state.type == "Book@3")
    #expect(try item.state.content == JSON(encoding: item.value(as: Book.self)))
    #expect(try item.value(as: Book.self).title == "n0")
  }

  /// A feed may write both versions, in one line.
  @Test func feedsWriteOldAndNewVersions() throws {
    let lines = [
      #"{"t":"commit","list":"a","seq":"1","ops":[{"op":"insertSection","section":"s","index":0},"#
        + #"{"op":"insertItem","item":"x","section":"s","index":0,"cell":"BookCell","type":"Book","#
        + #""content":{"name":"X"}},{"op":"insertItem","item":"y","section":"s","index":1,"#
        + #""cell":"BookCell","type":"Book@3","content":{"title":"Y","isLong":true}}]}"#
    ]
    let feed = folder.file("feed.jsonl")
    try Data((lines.joined(separator: "\n") + "\n").utf8).write(to: feed)
    try repository.apply(FeedReader(file: feed))
    let items = try repository.tree(of: "a").sections[0].items
    #expect(
      try items.map { try $0.value(as: Book.self) } == [
        Book(id: "x", title: "X", isLong: false, liked: false),
        Book(id: "y", title: "Y", isLong: true, liked: false),
      ])
    #expect(try repository.upgradeContents(of: types).upgraded == ["a": 1])
  }
}
