import ListModel
import ListItems
import TestSupport
import Testing

private final class BookCell { var title = "", liked = false }
private final class WideCell {}

/// What a simple cell needs.
private struct Book: ListItem, Equatable {
  var id: String, title: String, liked = false
  func configure(_ cell: BookCell) { (cell.title, cell.liked) = (title, liked) }
  func size(fitting room: Item.Room) -> Size? {
    Size(width: room.length, height: liked ? 60 : 44)
  }
}

/// Another type that the same class shows.
private struct Magazine: ListItem {
  var id: String, issue: Int
  static var typeName: TypeName { "Periodical" }
  var action: Action? { Action(url: "app://magazine/\(issue)") }
  func configure(_ cell: BookCell) { (cell.title, cell.liked) = ("No. \(issue)", false) }
}

/// One that chooses among cells.
private struct Banner: ListItem {
  var id: String, isWide: Bool
  static var cells: [CellName: ViewSource] {
    ["Banner": .type(BookCell.self), "WideBanner": .type(WideCell.self)]
  }
  var cellName: CellName { isWide ? "WideBanner" : "Banner" }
  func configure(_ cell: AnyObject) { (cell as? BookCell)?.title = "banner" }
}

@Suite struct ListItemTests {
  private let types = ItemTypes([Book.self, Magazine.self, Banner.self])

  @Test func whatIsStoredIsTheValueAndTheNames() throws {
    let item = try Item(Book(id: "emma", title: "Emma"))
    #expect(item.id == "emma")
    #expect(item.state.cell == "BookCell")
    #expect(item.state.type == "Book")
    #expect(item.state.action == nil)
    #expect(item.state.content == #"{"id":"emma","liked":false,"title":"Emma"}"#)
    let magazine = try Item(Magazine(id: "m", issue: 7))
    #expect(magazine.state.type == "Periodical")
    #expect(magazine.state.cell == "BookCell")
    #expect(magazine.state.action == Action(url: "app://magazine/7"))
  }

  @Test func aStoredItemIsItsValueAgain() throws {
    let book = Book(id: "emma", title: "Emma \u{e9}\u{1F4D6}", liked: true)
    #expect(try types.value(of: Item(book)) as? Book == book)
    let magazine = try types.value(of: Item(Magazine(id: "m", issue: 7))) as? Magazine
    #expect(magazine?.issue == 7)
  }

  @Test func anIDThatIsNoneIsAnError() {
    #expect(throws: FormatError.self) { try Item(Book(id: "", title: "")) }
  }

  @Test @MainActor func severalTypesFillOneCellAndEachSetsAllOfIt() throws {
    let cell = BookCell()
    try Book(id: "emma", title: "Emma", liked: true).configure(anyCell: cell)
    #expect(cell.title == "Emma")
    #expect(cell.liked)
    try Magazine(id: "m", issue: 7).configure(anyCell: cell)
    #expect(cell.title == "No. 7")
    #expect(!cell.liked)
  }

  /// Seed 003 casts without a word: the cell keeps what it showed before.
  @Test @MainActor func aCellOfAnotherClassIsAnErrorAndNotSilence() {
    #expect(throws: ItemTypeError.wrongCell("Book", item: "emma", cell: "WideCell")) {
      try Book(id: "emma", title: "Emma").configure(anyCell: WideCell())
    }
  }

  @Test func aTypeThatChoosesAmongCellsNamesTheOne() throws {
    #expect(try Item(Banner(id: "a", isWide: true)).state.cell == "WideBanner")
    let update = try ItemUpdate(to: Banner(id: "a", isWide: false))
    #expect(update.cell == .set("Banner"))
    #expect(update.type == .set("Banner"))
  }

  @Test func whatTheAppDoesNotKnowIsAnErrorThatSaysWhich() throws {
    let unknown = Item(id: "x", cell: "BookCell", content: "{}", type: "Film")
    #expect(throws: ItemTypeError.unknownType("Film", cell: "BookCell", item: "x")) {
      try types.value(of: unknown)
    }
    let unreadable = Item(id: "x", cell: "BookCell", content: "{}", type: "Book")
    let error = #expect(throws: ItemTypeError.self) { try types.value(of: unreadable) }
    #expect("\(try #require(error))".contains("\"x\""))
  }

  @Test func anItemWithoutATypeIsWhatItsCellAloneShows() throws {
    var types = ItemTypes([Banner.self])
    let item = Item(id: "x", cell: "WideBanner", content: #"{"id":"x","isWide":true}"#)
    #expect(try types.value(of: item) is Banner)
    // Two types are shown by it now: none is guessed.
    let shared = Item(id: "x", cell: "BookCell", content: #"{"id":"x","issue":1}"#)
    types = ItemTypes([Book.self, Magazine.self])
    #expect(throws: ItemTypeError.unknownType(nil, cell: "BookCell", item: "x")) {
      try types.value(of: shared)
    }
  }

  @Test func aTypeOfAnEarlierReleaseGoesOn() throws {
    var types = types
    types.alias("Novel", of: "Book")
    let old = Item(
      id: "emma", cell: "BookCell", content: #"{"id":"emma","liked":true,"title":"Emma"}"#,
      type: "Novel")
    #expect((try types.value(of: old) as? Book)?.liked == true)
  }

  @Test func theirCellsAreRegisteredWithTheTypes() {
    var views = ViewRegistry(fallback: .type(WideCell.self))
    views.register([Book.self, Magazine.self, Banner.self])
    #expect(views.cell("BookCell").unresolvedName == nil)
    #expect(views.cell("WideBanner").unresolvedName == nil)
    // An item of the type that names a cell of another release.
    #expect(
      views.cell("gone", type: "Periodical").registration == views.cell("BookCell").registration)
    #expect(views.cell("gone", type: "Banner").unresolvedName == "gone")
    #expect(views.requiredRegistrations().count == 4)
  }

  @Test @MainActor func theFieldBagKeepsEveryField() throws {
    final class Cell: FieldCell {
      var shown: FieldItem?
      func show(_ item: FieldItem) { shown = item }
    }
    let field = FieldItem(
      id: "language", cell: "SettingCell", title: "Language", subtitle: "English",
      imageName: "flag", imageURL: "https://example.org/flag.png", others: ["badge": "2"],
      isReadOnly: true, height: 60, model: .init(type: "Setting", key: "language"),
      url: "app://settings/language", event: "language")
    let item = try Item(field)
    #expect(item.state.cell == "SettingCell")
    #expect(item.state.action == Action(url: "app://settings/language", event: "language"))
    let again = try #require(ItemTypes([FieldItem.self]).value(of: item) as? FieldItem)
    #expect(again == field)
    let cell = Cell()
    try again.configure(anyCell: cell)
    #expect(cell.shown == field)
  }
}
