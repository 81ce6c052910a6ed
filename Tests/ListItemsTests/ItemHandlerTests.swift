import ListModel
import Providers
import ListItems
import TestSupport
import Testing

private final class Cell {}

private struct Book: ListItem {
  var id: String, title: String
  var link: String?
  var action: Action? { link.map { Action(url: $0, event: "open") } }
  func configure(_ cell: Cell) {}
}

private struct Note: ListItem {
  var id: String
  static var cells: [CellName: ViewSource] { ["NoteCell": .type(Cell.self)] }
  var cellName: CellName { "NoteCell" }
  func configure(_ cell: Cell) {}
}

/// What users do to items reaches the app, also in a list that was rebuilt.
@Suite @MainActor struct ItemHandlerTests {
  private let handlers = ItemHandlers(ItemTypes([Book.self, Note.self]))
  private final class Log { var lines: [String] = [] }
  private let log = Log()

  init() {
    handlers.report = { [log] event, context in log.lines.append("report \(event) \(context.id)") }
    handlers.route = { [log] url, context in log.lines.append("route \(url) \(context.id)") }
  }

  private func provider(_ items: [Item]) -> Provider {
    Provider(ListTree(list: "shelf", sections: [ListTree.Section(id: "a", items: items)]))
  }

  @Test func aTapIsReportedThenRoutedThenHandled() throws {
    handlers.on(.select, of: Book.self) { [log] book, context in
      log.lines.append("\(book.title) at \(context.path.map { "\($0)" } ?? "nowhere")")
    }
    handlers.on(.select, of: Book.self) { [log] book, _ in log.lines.append("again \(book.id)") }
    let shelf = try provider([
      Item(Note(id: "n")), Item(Book(id: "emma", title: "Emma", link: "app://emma")),
    ])
    #expect(try handlers.handle(.select, of: "emma", in: shelf))
    #expect(
      log.lines == [
        "report open emma", "route app://emma emma",
        "Emma at \(ItemPath(section: 0, item: 1))", "again emma",
      ])
  }

  @Test func aControlBringsItsValue() throws {
    handlers.on(.control("rate"), of: Book.self) { [log] book, context in
      log.lines.append("\(book.id) \(context.value as? Int ?? 0)")
    }
    let shelf = try provider([Item(Book(id: "emma", title: "Emma"))])
    let event = ControlEvent("rate", value: 4)
    #expect(try handlers.handle(.control(event.name), of: "emma", in: shelf, value: event.value))
    #expect(try handlers.handle(.control("rate"), of: "emma", in: shelf))
    #expect(log.lines == ["emma 4", "emma 0"])
  }

  @Test func oneItemHasAHandlerOfItsOwn() throws {
    handlers.on(.select, of: Book.self) { [log] book, _ in log.lines.append("any \(book.id)") }
    handlers.on(.select, item: "emma") { [log] context in log.lines.append("this \(context.id)") }
    let shelf = try provider([
      Item(Book(id: "emma", title: "Emma")), Item(Book(id: "dune", title: "Dune")),
      Item(id: "gone", cell: "C", content: "{}", type: "Unknown"),
    ])
    for id in ["emma", "dune"] as [ItemID] {
      #expect(try handlers.handle(.select, of: id, in: shelf))
    }
    #expect(log.lines == ["any emma", "this emma", "any dune"])
    // It needs no value: also an item of an unknown type has it.
    handlers.on(.deselect, item: "gone") { [log] context in log.lines.append("\(context.id)") }
    #expect(try handlers.handle(.deselect, of: "gone", in: shelf))
    #expect(try !handlers.handle(.select, of: "gone", in: shelf))
    #expect(log.lines.last == "gone")
  }

  /// A screen sets the handlers of its items at each refresh.
  @Test func aHandlerIsReplacedAndRemoved() throws {
    let shelf = try provider([Item(Book(id: "emma", title: "Emma"))])
    for number in 1...3 {
      handlers.on(.select, item: "emma") { [log] _ in log.lines.append("\(number)") }
    }
    try handlers.handle(.select, of: "emma", in: shelf)
    #expect(log.lines == ["3"])
    handlers.on(.select, item: "emma", perform: nil)
    #expect(try !handlers.handle(.select, of: "emma", in: shelf))
    #expect(!handlers.hasHandlers(of: .select))
    handlers.on(.select, of: Book.self) { [log] _, _ in log.lines.append("book") }
    handlers.on(.deselect, of: Book.self) { [log] _, _ in log.lines.append("book") }
    handlers.removeHandlers(of: .select, for: Book.self)
    #expect(try !handlers.handle(.select, of: "emma", in: shelf))
    #expect(!handlers.hasHandlers(of: .select) && handlers.hasHandlers(of: .deselect))
    #expect(log.lines == ["3"])
  }

  @Test func aTapWhoseActionIsDataNeedsNoHandlerAndNoType() throws {
    let item = Item(
      id: "x", cell: "Gone", content: "{}", type: "Unknown", action: Action(url: "app://x"))
    #expect(try handlers.handle(.select, of: "x", in: provider([item])))
    #expect(log.lines == ["route app://x x"])
  }

  @Test func eventsInsideACellGoToTheirOwnHandlers() throws {
    handlers.on(.control("like"), of: Book.self) { [log] book, _ in
      log.lines.append("like \(book.id)")
    }
    handlers.on(.deselect, of: Book.self) { [log] book, _ in log.lines.append("off \(book.id)") }
    let shelf = try provider([
      Item(Book(id: "emma", title: "Emma", link: "app://emma")), Item(Note(id: "n")),
    ])
    #expect(try handlers.handle(.control("like"), of: "emma", in: shelf))
    #expect(try handlers.handle(.deselect, of: "emma", in: shelf))
    #expect(try !handlers.handle(.control("share"), of: "emma", in: shelf))
    #expect(try !handlers.handle(.control("like"), of: "n", in: shelf))
    // The action is what a tap does, not what a button does.
    #expect(log.lines == ["like emma", "off emma"])
  }

  @Test func anItemThatHasGoneIsNotHandled() throws {
    handlers.on(.select, of: Book.self) { [log] _, _ in log.lines.append("called") }
    #expect(try !handlers.handle(.select, of: "emma", in: provider([])))
    #expect(log.lines.isEmpty)
  }

  @Test func aValueThatCannotBeMadeIsAnErrorAfterWhatIsData() {
    handlers.on(.select, of: Book.self) { [log] _, _ in log.lines.append("called") }
    let item = Item(
      id: "x", cell: "Cell", content: "{}", type: "Book", action: Action(event: "open"))
    #expect(throws: ItemTypeError.self) {
      try handlers.handle(.select, of: "x", in: provider([item]))
    }
    #expect(log.lines == ["report open x"])
  }

  // MARK: Actions of any event

  /// An item whose actions are in its content.
  private struct Post: ListItem {
    var id: String
    var likes: Action?, seen: Action?
    var action: Action? { Action(url: "app://post/\(id)") }
    func action(for event: ItemEvent) -> Action? {
      switch event {
      case .select: action
      case .control("like"): likes
      case .willDisplay: seen
      default: nil
      }
    }
    func configure(_ cell: Cell) {}
  }

  @Test func eachEventHasAnActionOfItsOwnAsData() throws {
    let handlers = ItemHandlers(ItemTypes([Post.self]))
    handlers.report = { [log] event, context in
      log.lines.append("\(event) \(context.id) \(context.action?.attrs?.text ?? "-")")
    }
    handlers.route = { [log] url, _ in log.lines.append(url) }
    let shelf = try provider([
      Item(Post(id: "p", likes: Action(event: "liked", attrs: #"{"place":[1,2.5,"é",null,true]}"#)))
    ])
    let item = try #require(shelf.item(at: ItemPath(section: 0, item: 0)))
    #expect(
      item.state.content
        == #"{"id":"p","likes":{"attrs":{"place":[1,2.5,"é",null,true]},"event":"liked"}}"#)
    #expect(item.state.action == Action(url: "app://post/p"))
    #expect(try handlers.handle(.control("like"), of: "p", in: shelf))
    #expect(try handlers.handle(.select, of: "p", in: shelf))
    #expect(try !handlers.handle(.control("share"), of: "p", in: shelf))
    #expect(log.lines == [#"liked p {"place":[1,2.5,"é",null,true]}"#, "app://post/p"])
  }

  @Test func aStoredActionServesATapWhereTheValueHasNone() throws {
    var item = try Item(Book(id: "emma", title: "Emma"))
    item.state.action = Action(url: "app://of-the-feed")
    #expect(try handlers.handle(.select, of: "emma", in: provider([item])))
    #expect(try !handlers.handle(.deselect, of: "emma", in: provider([item])))
    #expect(log.lines == ["route app://of-the-feed emma"])
  }

  // MARK: Events of nested lists

  @Test func anEventGoesOnToTheHandlersOfTheOuterLists() throws {
    let (outer, outermost) = (ItemHandlers([]), ItemHandlers([]))
    (handlers.outer, outer.outer) = (outer, outermost)
    handlers.on(.select, of: Book.self) { [log] _, _ in log.lines.append("own") }
    outer.route = { [log] url, context in
      log.lines.append("outer \(url) \(context.owner?.item ?? "")")
    }
    outermost.on(.select, of: Book.self) { [log] book, _ in log.lines.append("outermost \(book.id)")
    }
    // Its list may have an item with this id, too.
    outer.on(.select, item: "emma") { [log] _ in log.lines.append("another item") }
    outermost.menu(of: Book.self) { book, _ in ItemMenu(title: book.title, []) }
    let shelf = try provider([Item(Book(id: "emma", title: "Emma", link: "x"))])
    let owner = ListOwner(list: "shelves", item: "novels", name: "books")
    #expect(try handlers.handle(.select, of: "emma", in: shelf, owner: owner))
    #expect(
      log.lines == [
        "report open emma", "route x emma", "own", "outer x novels", "outermost emma",
      ])
    #expect(try handlers.menu(of: "emma", in: shelf)?.title == "Emma")
    #expect(handlers.hasHandlers(of: .select))
    #expect(!handlers.hasHandlers(of: .willDisplay))
  }
}

/// Which view shows what: by identity.
@Suite @MainActor struct BoundViewTests {
  private let bound = BoundViews<Cell, ItemID, Int>()

  /// LWZ looks up by the current path what it is to unbind: after a change that is another item.
  @Test func aCellIsUnboundFromTheItemThatItWasBoundTo() {
    let (first, second) = (Cell(), Cell())
    bound.bind(first, to: "a", 1)
    bound.bind(second, to: "b", 2)
    #expect(bound.view(of: "a") === first)
    let ended = bound.unbind(first)
    #expect(ended?.id == "a")
    #expect(ended?.value == 1)
    #expect(bound.unbind(first) == nil)
    #expect(bound.view(of: "a") == nil)
    #expect(bound.binding(of: second)?.id == "b")
    #expect(bound.ids == ["b"])
    #expect(bound.bindCount == 2)
    #expect(bound.unbindCount == 1)
  }

  @Test func aCellThatIsBoundAgainIsUnboundFirst() {
    let cell = Cell()
    #expect(bound.bind(cell, to: "a", 1) == nil)
    #expect(bound.bind(cell, to: "b", 2)?.id == "a")
    #expect(bound.view(of: "a") == nil)
    #expect(bound.count == 1)
    #expect(bound.all.map(\.value) == [2])
    #expect(bound.bindCount - bound.unbindCount == bound.count)
  }

  @Test func aReloadedItemIsInItsNewCellUntilTheOldOneLeaves() {
    let (old, new) = (Cell(), Cell())
    bound.bind(old, to: "a", 1)
    bound.bind(new, to: "a", 1)
    #expect(bound.view(of: "a") === new)
    bound.unbind(old)
    #expect(bound.view(of: "a") === new)
    bound.unbind(new)
    #expect(bound.count == 0)
  }
}

/// What is selected stays so, wherever it goes.
@Suite struct ItemSelectionTests {
  @Test func oneTakesTheOthersPlaceWhereOneIsAllowed() {
    var selection = ItemSelection(.single)
    let dropped = (selection.select("a"), selection.select("b"), selection.select("b"))
    #expect(dropped == ([], ["a"], []))
    #expect(selection.items == ["b"])
    let wasSelected = (selection.deselect("b"), selection.deselect("b"))
    #expect(wasSelected == (true, false))
  }

  @Test func manyAreKeptInTheirOrderAndTheLatestWhereFewerAreAllowed() {
    var selection = ItemSelection(.multiple)
    for id in ["a", "b", "c"] as [ItemID] { selection.select(id) }
    #expect(selection.items == ["a", "b", "c"])
    selection.mode = .single
    #expect(selection.items == ["c"])
    selection.mode = .none
    #expect(selection.items.isEmpty)
    selection.select("a")
    #expect(selection.items.isEmpty)
  }

  @Test func itFollowsItemsAndForgetsThoseThatHaveGone() throws {
    var tree = ListTree(
      list: "shelf",
      sections: [
        ListTree.Section(id: "a", items: [Item(id: "x", cell: "C", content: "1")]),
        ListTree.Section(id: "b"),
      ])
    var selection = ItemSelection(.multiple)
    selection.select("x")
    selection.select("gone")
    try tree.apply(.moveItem("x", in: "b", to: .end))
    let gone = selection.keep(in: Provider(tree))
    #expect(gone == ["gone"])
    #expect(selection.contains("x"))
  }
}
