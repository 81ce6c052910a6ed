import Foundation
import ListItems
import ListModel
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
    let books = [Book(id: "emma", title: "Emma"), Book(id: "dune", title: "Dune", liked: true)]
    let magazines = [Magazine(id: "m", issue: 7), Magazine(id: "n", issue: 8)]
    func shown(_ cell: BookCell) -> [AnyHashable] { [cell.title, cell.liked] }
    let ofBooks = try Book.reuseProblems(
      of: books, after: magazines, in: { BookCell() }, reading: shown)
    #expect(ofBooks.isEmpty)
    let ofMagazines = try Magazine.reuseProblems(
      of: magazines, after: books, in: { BookCell() }, reading: shown)
    #expect(ofMagazines.isEmpty)
  }

  /// Forgets to show that it is not liked.
  private struct Draft: ListItem {
    var id: String, liked = false
    func configure(_ cell: BookCell) {
      cell.title = id
      if liked { cell.liked = true }
    }
  }

  /// Adds to what is there.
  private struct Note: ListItem {
    var id: String
    func configure(_ cell: BookCell) { cell.title += id }
  }

  @Test @MainActor func aTypeThatForgetsAPartOfAReusedCellIsFound() throws {
    let drafts = [Draft(id: "a", liked: true), Draft(id: "b")]
    let found = try Draft.reuseProblems(
      of: drafts, after: [Book(id: "c", title: "C", liked: true), Magazine(id: "m", issue: 7)],
      in: { BookCell() }
    ) { [$0.title, $0.liked] }
    #expect(found.map { "\($0.item.id) after \($0.previous.id)" } == ["b after a", "b after c"])
    #expect(found.first?.newCell == ["b", false])
    #expect(found.first?.usedCell == ["b", true])
    #expect(
      found.first?.description.hasPrefix(#"Draft "b" in a cell that showed Draft "a" before"#)
        == true)
    // An item that is shown again in its own cell.
    #expect(
      try Note.reuseProblems(of: [Note(id: "n")], in: { BookCell() }) { [$0.title] }.count == 1)
    // A value of a type that such cells can't show is no answer.
    #expect(throws: ItemTypeError.self) {
      try Draft.reuseProblems(
        of: drafts, after: [OfAnotherCell(id: "x")], in: { BookCell() }
      ) { [$0.title] }
    }
  }

  private struct OfAnotherCell: ListItem {
    var id: String
    func configure(_ cell: WideCell) {}
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

  // MARK: Ids and defaults

  private struct Photo: ListItem {
    var id: UUID, caption: String, isPrivate = false, tags = ["new"]
    static let contentDefaults = JSON.Members(of: Photo(id: UUID(), caption: ""))
    func configure(_ cell: BookCell) {}
  }
  private struct Line: ListItem {
    var id: Int, text: String
    func configure(_ cell: BookCell) {}
  }
  private struct ISBN: LosslessStringConvertible, ItemIDConvertible {
    let description: String
    init?(_ description: String) { self.description = description }
  }
  private struct Edition: ListItem {
    var id: ISBN
    func configure(_ cell: BookCell) {}
  }

  @Test func anIDIsATextANumberAUUIDOrATypeOfTheApp() throws {
    let types: ItemTypes = [Photo.self, Line.self, Edition.self]
    let uuid = try #require(UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F"))
    let isbn = try #require(ISBN("978-0"))
    let items = [
      try Item(Photo(id: uuid, caption: "Sea")), try Item(Line(id: -7, text: "a")),
      try Item(Edition(id: isbn)),
    ]
    #expect(items.map(\.id) == ["E621E1F8-C36C-495A-93FC-0C247A3E6E5F", "-7", "978-0"])
    #expect(try Line(id: -7, text: "").itemID == "-7")
    #expect((try types.value(of: items[0]) as? Photo)?.id == uuid)
    #expect((try types.value(of: items[1]) as? Line)?.id == -7)
    #expect((try types.value(of: items[2]) as? Edition)?.id == isbn)
    // As a server may write them: the id stands beside the content.
    let line = Item(id: "12", cell: "BookCell", content: #"{"text":"b"}"#, type: "Line")
    #expect(try line.value(as: Line.self).id == 12)
    let photo = Item(
      id: "e621e1f8-c36c-495a-93fc-0c247a3e6e5f", cell: "BookCell",
      content: #"{"caption":"Sea"}"#, type: "Photo")
    #expect(try photo.value(as: Photo.self).id == uuid)
    #expect(Line.upgradedContents(of: [line]).allSatisfy { (try? $0.get()) != nil })
    #expect(Photo.upgradedContents(of: [photo]).allSatisfy { (try? $0.get()) != nil })
    let text = Item(id: "x", cell: "BookCell", content: #"{"text":"b"}"#, type: "Line")
    #expect(throws: (any Error).self) { try text.value(as: Line.self) }
  }

  @Test func whatAContentLacksIsAsInANewValue() throws {
    let id = UUID()
    let item = try Item(
      id: ItemID(id.uuidString), cell: "BookCell", content: #"{"caption":"Sea","tags":[]}"#,
      type: "Photo")
    let photo = try item.value(as: Photo.self)
    #expect(photo.id == id && photo.caption == "Sea" && !photo.isPrivate && photo.tags == [])
    let old = try Item(id: ItemID(id.uuidString), cell: "BookCell", content: "{}", type: "Photo")
    #expect(try old.value(as: Photo.self).tags == ["new"])
  }

  // MARK: Types of one name

  private enum Library {
    struct Book: ListItem {
      var id: String
      func configure(_ cell: BookCell) {}
    }
    struct Header: ListSupplementary {
      func configure(_ view: WideCell) {}
    }
  }
  private struct Title: ListSupplementary {
    func configure(_ view: WideCell) {}
  }

  @Test func twoTypesOfOneNameAreAnError() throws {
    let types = ItemTypes([Book.self, Library.Book.self])
    let error = try #require(types.ambiguity)
    for text in ["ListItemsTests.(", "Book", "Library.Book", "\"Book\"", "typeName"] {
      #expect("\(error)".contains(text), "\(error)")
    }
    #expect(ItemTypes([Book.self, Book.self, Magazine.self]).ambiguity == nil)
    let views: SupplementaryTypes = [Title.self, Library.Header.self]
    #expect("\(try #require(views.ambiguity))".contains("viewName"))
    #expect(([Title.self, Title.self] as SupplementaryTypes).ambiguity == nil)
  }

  @Test func aTypeThatAListWasNotToldOfIsRefused() throws {
    let types: ItemTypes = [Book.self, Magazine.self]
    try types.requireKnown(Book(id: "a", title: ""), item: "a")
    #expect(throws: ItemTypeError.unknownType("Banner", cell: "Banner", item: "a")) {
      try types.requireKnown(Banner(id: "a", isWide: false), item: "a")
    }
    #expect(throws: ItemTypeError.self) {
      try types.requireKnown(Library.Book(id: "a"), item: "a")
    }
    // Told of none, a list is one for edits alone.
    try ItemTypes().requireKnown(Library.Book(id: "a"), item: "a")
  }

  /// A book, which was a novel in the last release.
  private struct Work: ListItem {
    var id: String, title: String, liked: Bool
    static var aliases: [TypeName] { ["Novel", "Book"] }
    func configure(_ cell: BookCell) {}
  }

  @Test func aTypeOfAnEarlierReleaseGoesOn() throws {
    let types = ItemTypes([Book.self, Work.self])
    let old = Item(
      id: "emma", cell: "BookCell", content: #"{"id":"emma","liked":true,"title":"Emma"}"#,
      type: "Novel")
    #expect((try types.value(of: old) as? Work)?.liked == true)
    // A name that a type has now is no alias.
    #expect(try types.value(of: Item(Book(id: "emma", title: "Emma"))) is Book)
    var views = ViewRegistry(fallback: .type(WideCell.self))
    views.register([Work.self])
    #expect(views.cell("gone", type: "Novel").unresolvedName == nil)
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
      url: "app://settings/language", event: "language",
      actions: ["edit": Action(url: "app://edit", attrs: #"{"n":1}"#)])
    let item = try Item(field)
    #expect(item.state.cell == "SettingCell")
    #expect(item.state.action == Action(url: "app://settings/language", event: "language"))
    let again = try #require(ItemTypes([FieldItem.self]).value(of: item) as? FieldItem)
    #expect(again == field)
    #expect([again.title, again.subtitle] == ["Language", "English"])
    #expect([again.imageName, again.imageURL] == ["flag", "https://example.org/flag.png"])
    #expect(again.others == ["badge": "2"])
    #expect(again.isReadOnly)
    #expect(again.height == 60)
    #expect(again.model == .init(type: "Setting", key: "language"))
    #expect(item.state.content.text.contains(#""actions":{"edit":{"attrs":{"n":1},"url":"app:"#))
    #expect(again.action(for: .control("edit"))?.url == "app://edit")
    #expect(again.action(for: .select)?.event == "language")
    #expect(again.action(for: .control("language")) == nil)
    let cell = Cell()
    try again.configure(anyCell: cell)
    #expect(cell.shown == field)
  }

  @Test func theFieldBagOfAnEarlierReleaseHasNoActions() throws {
    let old = Item(
      id: "a", cell: "C", content: #"{"cellName":"C","id":"a","isReadOnly":false,"others":{}}"#,
      type: "FieldItem")
    var field = try #require(ItemTypes([FieldItem.self]).value(of: old) as? FieldItem)
    #expect(field.actions.isEmpty)
    #expect(try Item(field).state.content == old.state.content)
    field.actions["share"] = Action(event: "share")
    field.actions["share"] = nil
    #expect(try Item(field).state.content == old.state.content)
  }

  @Test func headersOfAnEarlierReleaseAreDecoded() throws {
    struct Title: ListSupplementary {
      var text: String, isBold: Bool
      static var aliases: [ViewName] { ["OldTitle"] }
      static var contentDefaults: JSON.Members { ["isBold": true] }
      func configure(_ view: BookCell) {}
    }
    struct Other: ListSupplementary {
      var text: String
      static var viewName: ViewName { "Other" }
      static var aliases: [ViewName] { [Title.viewName] }
      func configure(_ view: BookCell) {}
    }
    let types: SupplementaryTypes = [Title.self, Other.self]
    let old = Supplementary(view: "OldTitle", content: #"{"text":"x"}"#)
    #expect(throws: SupplementaryTypeError.unknownView("OldTitle")) {
      try SupplementaryTypes([Other.self]).value(of: old)
    }
    let title = try types.value(of: old) as? Title
    #expect(title?.text == "x")
    #expect(title?.isBold == true)
    #expect(types["OldTitle"] == Title.self)
    // A name that a type has now is no alias.
    #expect(types[Title.viewName] == Title.self)
    var views = ViewRegistry(fallback: .type(WideCell.self))
    views.register([Title.self])
    let names = StoredNames(views: [.header: ["OldTitle": 1, "Gone": 1]])
    #expect(views.unknownNames(in: names).views == [.header: ["Gone": 1]])
  }
}
