import Foundation
import ListItems
import ListModel
import ListStore
import Providers
import TestSupport
import Testing

/// Every operation on a list, by value, by id and by index path, returns what it truly changed.
@Suite struct ListEditorTests {
  final class BookCell {}

  struct Book: ListItem, Equatable {
    var id: String, title: String, liked = false
    func configure(_ cell: BookCell) {}
  }

  struct Quote: ListItem {
    var id: String
    func configure(_ cell: BookCell) {}
  }

  private let folder: TemporaryFolder
  let repository: Repository

  init() throws {
    folder = try TemporaryFolder()
    repository = try Repository(at: folder.file("store.sqlite"))
    try repository.edit("list") { list throws in
      try list.insertSection("a")
      try list.insert(["a0", "a1", "a2"].map(Self.item), in: "a")
      try list.insertSection("b")
      try list.insert(["b0", "b1"].map(Self.item), in: "b")
      try list.insertSection("empty")
    }
  }

  static func item(_ id: String) -> Item {
    Item(id: ItemID(stringLiteral: id), cell: "Cell", content: "1")
  }

  static func path(_ section: Int, _ item: Int) -> ItemPath {
    ItemPath(section: section, item: item)
  }

  /// An index path as a view gives it.
  private static func index(_ section: Int, _ item: Int) -> IndexPath { [section, item] }

  func edit<Value>(_ body: (ListEditor) throws -> Value) throws -> Value {
    try repository.edit("list", body).value
  }

  /// The list as `a: a0 a1 a2 | b: b0 b1 | empty:`.
  func text() throws -> String {
    try repository.tree(of: "list").sections.map { section in
      ([section.id.rawValue + ":"] + section.items.map(\.id.rawValue)).joined(separator: " ")
    }.joined(separator: " | ")
  }

  @Test func anEditIsOneCommitOfAllItsChanges() throws {
    #expect(try text() == "a: a0 a1 a2 | b: b0 b1 | empty:")
    #expect(try repository.revision(of: "list") == 1)
    let commit = try #require(
      try repository.edit("list", by: "widget") { list throws in
        let path = try list.insert(Self.item("new"), in: "a", at: .start)
        // What comes later sees what came before.
        #expect(try list.itemID(at: path) == "new")
        #expect(try list.path(of: "a0") == Self.path(0, 1))
        #expect(try list.numberOfItems(in: "a") == 4)
        try list.delete("a0")
      }.commit)
    #expect(commit.revision == 2)
    #expect(commit.author.name == "widget")
    #expect(
      commit.entries.count == 2
        && commit.entries.first
          == .insertItem(Self.item("new"), at: Self.path(0, 0))
    )
    #expect(try text() == "a: new a1 a2 | b: b0 b1 | empty:")
    #expect(try repository.checkInvariants().isEmpty)
    #expect(try repository.commits(of: "list", after: 1).first?.entries == commit.entries)
  }

  @Test func anEditThatChangesNothingIsNoCommit() throws {
    let result = try repository.edit("list") { try $0.numberOfSections() }
    #expect(result.value == 3)
    #expect(result.commit == nil)
    #expect(try repository.revision(of: "list") == 1)
    #expect(try repository.edit("other") { try $0.numberOfSections() }.commit == nil)
    #expect(try repository.lists() == ["list"])
  }

  @Test func whatTheClosureThrowsLeavesTheListAsItWas() throws {
    struct Failure: Error {}
    #expect(throws: Failure.self) {
      try repository.edit("list") { list throws in
        try list.deleteAllSections()
        throw Failure()
      }
    }
    #expect(try text() == "a: a0 a1 a2 | b: b0 b1 | empty:")
    // Nothing of it is left where the next one begins.
    _ = try edit { try $0.delete("a0") }
    #expect(try text() == "a: a1 a2 | b: b0 b1 | empty:")
    #expect(try repository.checkInvariants().isEmpty)
  }

  @Test func anOperationThatDoesNotFitChangesNothingAndTheEditGoesOn() throws {
    try edit { list throws in
      let error = #expect(throws: StoreError.self) { try list.insert(Self.item("b0"), in: "a") }
      #expect(error?.code == .duplicateID)
      #expect(throws: StoreError.self) { try list.delete("gone") }
      #expect(throws: StoreError.self) { try list.insert(Book(id: "x", title: ""), at: [0, 9]) }
      #expect(throws: StoreError.self) { try list.insert(Self.item("x"), at: .start) }
      #expect(throws: StoreError.self) { try list.insert(Self.item("x"), at: .after("gone")) }
      #expect(throws: StoreError.self) { try list.delete(at: Self.index(7, 0)) }
      #expect(throws: StoreError.self) { try list.delete(at: [0] as IndexPath) }
      #expect(throws: StoreError.self) { try list.delete(["a0", "gone"]) }
      try list.insert(Self.item("x"), in: "empty")
    }
    #expect(try text() == "a: a0 a1 a2 | b: b0 b1 | empty: x")
    #expect(try repository.commits(of: "list", after: 1).first?.entries.count == 1)
  }

  @Test func anEditorIsOfNoUseLater() throws {
    var kept: ListEditor?
    try edit { kept = $0 }
    let error = #expect(throws: StoreError.self) { try kept?.delete("a0") }
    #expect(error?.code == .invalidValue)
  }

  // MARK: The seeds' bugs

  /// LWZ, L1 and L2: deletes every item of the section, and returns nothing.
  @Test func deletingSomeItemsDeletesThoseAndSaysWhereTheyWere() throws {
    let paths = try edit { try $0.delete(["a2", "a0", "b1"]) }
    #expect(paths == [Self.path(0, 2), Self.path(0, 0), Self.path(1, 1)])
    #expect(try text() == "a: a1 | b: b0 | empty:")
  }

  /// L3: an insert into a fresh section is lost and said to be done.
  @Test func anInsertAtTheStartOfAnEmptySectionIsThere() throws {
    #expect(
      try edit { try $0.insert(Self.item("x"), in: "empty", at: .index(0)) } == Self.path(2, 0))
    #expect(try text() == "a: a0 a1 a2 | b: b0 b1 | empty: x")
  }

  /// L4: a move to its own index loses the item; one down lands an index too early.
  @Test func aMoveToItsOwnPlaceMovesNothingAndOneDownLandsWhereItWasAsked() throws {
    #expect(
      try edit { try $0.move(at: [0, 1], to: [0, 1]) }
        == Move(from: Self.path(0, 1), to: Self.path(0, 1)))
    #expect(try text() == "a: a0 a1 a2 | b: b0 b1 | empty:")
    #expect(
      try edit { try $0.move(at: [0, 0], to: [0, 2]) }
        == Move(from: Self.path(0, 0), to: Self.path(0, 2)))
    #expect(try text() == "a: a1 a2 a0 | b: b0 b1 | empty:")
  }

  /// L5: inserting several behind another returns one index.
  @Test(arguments: [Place<ItemID>.start, .end, .after("a0"), .before("a2"), .index(1)])
  func insertingSeveralSaysWhereEachIs(_ place: Place<ItemID>) throws {
    let paths = try edit { list throws in
      try list.insert(["x", "y", "z"].map(Self.item), in: "a", at: place)
    }
    let items = try repository.tree(of: "list").sections[0].items.map(\.id)
    #expect(paths.map { items[$0.item] } == ["x", "y", "z"])
    #expect(paths.map(\.item) == Array(paths[0].item..<(paths[0].item + 3)))
    let others = items.filter { !["x", "y", "z"].contains($0) }
    #expect(others == ["a0", "a1", "a2"])
  }

  /// L6: a move to a later section lands one past the path; none to a section's end or into an
  /// empty one.
  @Test func aMoveGoesToAnyPlaceOfAnySection() throws {
    for (from, to) in [
      (Self.path(0, 0), Self.path(1, 1)), (Self.path(0, 0), Self.path(1, 3)),
      (Self.path(1, 0), Self.path(2, 0)), (Self.path(2, 0), Self.path(0, 0)),
    ] {
      let (id, move) = try edit { list throws in
        (
          try #require(try list.itemID(at: from)),
          try list.move(
            at: Self.index(from.section, from.item), to: Self.index(to.section, to.item))
        )
      }
      #expect(move == Move(from: from, to: to))
      #expect(try repository.provider(for: "list").path(of: id) == to)
    }
  }

  /// L7: an insert by path needs an item there.
  @Test func anInsertByPathAppendsAndFillsAnEmptySection() throws {
    for path in [Self.path(0, 3), Self.path(2, 0), Self.path(1, 0)] {
      let id = "new \(path)"
      let book = Book(id: id, title: "")
      #expect(try edit { try $0.insert(book, at: Self.index(path.section, path.item)) } == path)
      #expect(try repository.provider(for: "list").itemID(at: path)?.rawValue == id)
    }
  }

  /// The seed's Provider has no operation for it.
  @Test func sectionsMoveAndAreReplaced() throws {
    #expect(try edit { try $0.moveSection("a", to: .index(2)) } == Move(from: 0, to: 2))
    #expect(try text() == "b: b0 b1 | empty: | a: a0 a1 a2")
    #expect(try edit { try $0.moveSection("a", to: .before("empty")) } == Move(from: 2, to: 1))
    #expect(try edit { try $0.moveSection("b", to: .start) } == Move(from: 0, to: 0))
    let index = try edit { list throws in
      let index = try list.deleteSection("a")
      let books = [Book(id: "a0", title: ""), Book(id: "c1", title: "")]
      return try list.insertSection(
        ListSection("c") { for book in books { book } }, at: .index(index))
    }
    #expect(index == 1)
    #expect(try text() == "b: b0 b1 | c: a0 c1 | empty:")
    #expect(try edit { try $0.deleteSections(["empty", "b"]) } == [2, 0])
    #expect(try edit { try $0.deleteAllSections() } == 1)
    #expect(try text() == "")
    #expect(try repository.checkInvariants().isEmpty)
  }

  /// CDZ's first section is another one after the list was emptied, and edits to it vanish.
  @Test func theFirstSectionIsTheSameAfterTheListWasEmptied() throws {
    func add(_ id: String) throws {
      try repository.edit("plain") { list throws in
        try list.insertSectionIfMissing("main")
        try list.insert(Self.item(id), in: "main")
      }
    }
    try add("x")
    try repository.edit("plain") { list throws in
      #expect(try list.deleteItems(in: "main") == 1)
      #expect(try !list.insertSectionIfMissing("main"))
    }
    try add("y")
    #expect(try repository.tree(of: "plain").sections.map(\.id) == ["main"])
    #expect(try repository.tree(of: "plain").sections[0].items.map(\.id) == ["y"])
  }

  // MARK: More of the seeds' operations

  @Test func itemsGoNextToOthers() throws {
    try edit { list throws in
      #expect(try list.insert(Self.item("x"), at: .after("b0")) == Self.path(1, 1))
      #expect(try list.insert(Self.item("y"), at: .before("a0")) == Self.path(0, 0))
      #expect(
        try list.move("a2", to: .after("x")) == Move(from: Self.path(0, 3), to: Self.path(1, 2)))
      #expect(
        try list.move("b1", to: .before("a1")) == Move(from: Self.path(1, 3), to: Self.path(0, 2)))
    }
    #expect(try text() == "a: y a0 b1 a1 | b: b0 x a2 | empty:")
    // In its own section an item leaves its place first.
    try edit { list throws in
      #expect(
        try list.move("y", to: .after("b1")) == Move(from: Self.path(0, 0), to: Self.path(0, 2)))
      #expect(
        try list.move("b0", to: .before("a2")) == Move(from: Self.path(1, 0), to: Self.path(1, 1)))
    }
    #expect(try text() == "a: a0 b1 y a1 | b: x b0 a2 | empty:")
  }

  @Test func manyMoveToOnePlaceInTheirOrder() throws {
    let moves = try edit { try $0.move(["b1", "a0", "a2"], in: "empty", to: .start) }
    #expect(
      moves == [
        Move(from: Self.path(1, 1), to: Self.path(2, 0)),
        Move(from: Self.path(0, 0), to: Self.path(2, 1)),
        Move(from: Self.path(0, 2), to: Self.path(2, 2)),
      ])
    #expect(try text() == "a: a1 | b: b0 | empty: b1 a0 a2")
  }

  @Test func pathsOfManyCountBeforeTheFirstGoes() throws {
    let deleted = try edit { list throws in
      try list.delete(at: [Self.index(0, 0), Self.index(0, 2), Self.index(1, 0)])
    }
    #expect(deleted == ["a0", "a2", "b0"])
    #expect(try text() == "a: a1 | b: b1 | empty:")
  }

  @Test func valuesAreInsertedAndChangedAsTheyAre() throws {
    try edit { list throws in
      let books = [Book(id: "emma", title: "Emma"), Book(id: "dune", title: "Dune")]
      #expect(try list.insert(books, in: "empty") == [Self.path(2, 0), Self.path(2, 1)])
      #expect(try list.update("dune", as: Book.self) { $0.liked = true } == Self.path(2, 1))
      #expect(
        try list.update(at: [2, 0], as: Book.self) { $0.title = "Emma II" } == Self.path(2, 0))
      #expect(try list.update(Book(id: "dune", title: "Dune II", liked: true)) == Self.path(2, 1))
      #expect(throws: StoreError.self) {
        try list.update("dune", as: Book.self) { $0.id = "other" }
      }
      #expect(throws: StoreError.self) { try list.update("a0", as: Book.self) { _ in } }
    }
    let types = ItemTypes([Book.self])
    let books = try repository.tree(of: "list").sections[2].items.map { try types.value(of: $0) }
    #expect(
      books as? [Book] == [
        Book(id: "emma", title: "Emma II"), Book(id: "dune", title: "Dune II", liked: true),
      ])
  }

  // MARK: Whether or not an item is there

  private struct Photo: ListItem {
    var id: UUID, caption: String
    func configure(_ cell: BookCell) {}
  }

  @Test func upsertInsertsWhatIsMissingAndLeavesTheRestWhereItIs() throws {
    try edit { list throws in
      #expect(try list.upsert(Book(id: "emma", title: "Emma"), in: "empty") == Self.path(2, 0))
      #expect(try list.upsert(Book(id: "emma", title: "II"), in: "a") == Self.path(2, 0))
      let books = ["x", "emma", "y", "x"].map { Book(id: $0, title: "III") }
      #expect(
        try list.upsert(books, in: "empty", at: .start)
          == [Self.path(2, 0), Self.path(2, 2), Self.path(2, 1), Self.path(2, 0)])
      #expect(throws: StoreError.self) { try list.upsert(Book(id: "z", title: ""), in: "gone") }
    }
    #expect(try text().hasSuffix("empty: x y emma"))
    let emma = try repository.tree(of: "list").sections[2].items[2]
    #expect(try emma.value(as: Book.self).title == "III")
  }

  @Test func onePropertyIsSet() throws {
    try edit { list throws in
      try list.insert(Book(id: "emma", title: "Emma"), in: "empty")
      #expect(try list.update("emma", \Book.liked, to: true) == Self.path(2, 0))
      #expect(throws: StoreError.self) { try list.update("emma", \Book.id, to: "other") }
      #expect(throws: StoreError.self) { try list.update("gone", \Book.liked, to: true) }
    }
    let emma = try repository.tree(of: "list").sections[2].items[0]
    #expect(try emma.value(as: Book.self) == Book(id: "emma", title: "Emma", liked: true))
  }

  @Test func deletingWhatMayBeGone() throws {
    try edit { list throws in
      #expect(try list.deleteIfPresent("a1") == Self.path(0, 1))
      #expect(try list.deleteIfPresent("a1") == nil)
      #expect(try list.deleteIfPresent(["b1", "a1", "b1", "a0"]) == ["b1", "a0"])
    }
    #expect(try text() == "a: a2 | b: b0 | empty:")
    let before = try repository.revision(of: "list")
    #expect(try repository.edit("list") { try $0.deleteIfPresent("a1") }.commit == nil)
    #expect(try repository.revision(of: "list") == before)
  }

  @Test func aUUIDInLowerCaseIsTheSameItem() throws {
    let uuid = UUID()
    let item = try ItemID(uuid.uuidString.lowercased())
    try edit { list throws in
      try list.insert(
        Item(id: item, cell: "BookCell", content: #"{"caption":"Sea"}"#, type: "Photo"), in: "empty"
      )
      try list.update(item, \Photo.caption, to: "Lake")
      #expect(throws: StoreError.self) { try list.update(item, \Photo.id, to: UUID()) }
    }
    let photo = try repository.tree(of: "list").sections[2].items[0]
    #expect(try photo.id == item && photo.value(as: Photo.self).caption == "Lake")
  }

  // MARK: Index paths

  /// A view does not count the sections that it does not show, an item path does.
  @Test func anIndexPathCountsShownSectionsAlone() throws {
    try edit { list throws in
      try list.updateSection("a") { $0.visibility = .hidden }
      try list.updateSection("empty") { $0.visibility = .hiddenWhenEmpty }
      #expect(try list.itemID(at: Self.index(0, 1)) == "b1")
      #expect(try list.itemID(at: Self.path(0, 1)) == "a1")
      #expect(try list.sectionID(at: [0] as IndexPath) == "b")
      #expect(try list.sectionID(at: [1] as IndexPath) == nil)
      #expect(try list.move(at: [0, 1], to: [0, 0]).to == Self.path(1, 0))
      #expect(try list.insert(Book(id: "x", title: ""), at: [0, 2]) == Self.path(1, 2))
      // It has an item now, and is shown.
      try list.insert(Self.item("y"), in: "empty")
      #expect(try list.delete(at: Self.index(1, 0)) == "y")
      #expect(throws: StoreError.self) { try list.delete(at: Self.index(1, 0)) }
      try list.updateSection("a") { $0.visibility = .shown }
      #expect(try list.itemID(at: Self.index(0, 1)) == "a1")
    }
    #expect(try text() == "a: a0 a1 a2 | b: b1 b0 x | empty:")
  }

  /// The section that a drag leaves empty is hidden then; the target was counted before.
  @Test func theLastItemIsDraggedOutOfASectionThatHidesItself() throws {
    try edit { list throws in
      try list.updateSection("a") { $0.visibility = .hiddenWhenEmpty }
      try list.delete(["a0", "a1"])
      #expect(
        try list.move(at: [0, 0], to: [1, 1]) == Move(from: Self.path(0, 0), to: Self.path(1, 1)))
      #expect(try list.itemID(at: Self.index(0, 1)) == "a2")
    }
    #expect(try text() == "a: | b: b0 a2 b1 | empty:")
  }

  @Test func aTouchIsDrawnAgainWithItsContent() throws {
    let commit = try #require(try repository.edit("list") { try $0.touch("a1") }.commit)
    #expect(commit.entries == [.touchItem("a1", at: Self.path(0, 1))])
  }

  /// Random operations against the same on an array of arrays.
  @Test(arguments: 1...10 as ClosedRange<UInt64>)
  func randomOperationsDoWhatTheyDoToArrays(_ seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var model = [["a0", "a1", "a2"], ["b0", "b1"], []]
    var made = 0
    for _ in 0..<20 {
      try repository.edit("list") { list throws in
        for _ in 0..<Int.random(in: 1...8, using: &random) {
          let section = Int.random(in: 0..<3, using: &random)
          let items = model[section].count
          switch Int.random(in: 0..<3, using: &random) {
          case 0:
            made += 1
            let index = Int.random(in: 0...items, using: &random)
            model[section].insert("n\(made)", at: index)
            try list.insert(Book(id: "n\(made)", title: ""), at: Self.index(section, index))
          case 1 where items > 0:
            let index = Int.random(in: 0..<items, using: &random)
            let id = try list.delete(at: Self.index(section, index))
            #expect(model[section].remove(at: index) == id.rawValue)
          case 2 where items > 0:
            let index = Int.random(in: 0..<items, using: &random)
            let id = model[section].remove(at: index)
            let target = Int.random(in: 0..<3, using: &random)
            let place = Int.random(in: 0...model[target].count, using: &random)
            model[target].insert(id, at: place)
            let move = try list.move(
              at: Self.index(section, index), to: Self.index(target, place))
            #expect(move.to == Self.path(target, place))
          default: continue
          }
        }
      }
      #expect(
        try repository.tree(of: "list").sections.map { $0.items.map(\.id.rawValue) } == model)
    }
    #expect(try repository.checkInvariants().isEmpty)
  }
}
