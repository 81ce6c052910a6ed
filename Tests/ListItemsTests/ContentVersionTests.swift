import ListItems
import ListModel
import Providers
import TestSupport
import Testing

private final class BookCell {}

/// The third shape of a book: version 1 had a name, version 2 a title, version 3 has its length.
private struct Book: ListItem, Equatable {
  var id: String, title: String, isLong: Bool, liked: Bool, tags: [String]

  static var aliases: [TypeName] { ["Novel"] }
  static var contentVersion: Int { 3 }
  static var contentDefaults: JSON.Members { ["liked": true, "tags": [String]()] }

  static func upgrade(_ content: inout JSON, from version: Int) throws {
    switch version {
    case 1: try content.rename("name", to: "title")
    default: try content.set("isLong", to: content.value(of: "pages", as: Int.self) ?? 0 > 500)
    }
  }

  func configure(_ cell: BookCell) {}
}

/// What a store has of an earlier version is read as the current one.
@Suite struct ContentVersionTests {
  private let types: ItemTypes = [Book.self]
  private let current = Book(id: "emma", title: "Emma", isLong: false, liked: true, tags: [])

  private func item(_ type: TypeName?, _ content: JSON) -> Item {
    Item(id: "emma", cell: "BookCell", content: content, type: type)
  }

  @Test func theVersionIsStoredWithTheName() throws {
    let item = try Item(current)
    #expect(item.state.type == "Book@3")
    #expect(try types.value(of: item) as? Book == current)
    #expect(try ItemUpdate(to: current).type == .set("Book@3"))
  }

  @Test(arguments: ["Book", "Book@1", "Novel", "Novel@1"] as [TypeName])
  func eachStepIsTakenOnce(_ type: TypeName) throws {
    let old = item(type, #"{"id":"emma","name":"Emma","pages":600}"#)
    var book = current
    book.isLong = true
    #expect(try types.value(of: old) as? Book == book)
    #expect(try old.value(as: Book.self) == book)
  }

  @Test(arguments: ["Book@2", "Novel@2"] as [TypeName])
  func onlyTheStepsThatAreLeftAreTaken(_ type: TypeName) throws {
    let old = item(type, #"{"id":"emma","title":"Emma","name":"other","liked":false}"#)
    #expect((try types.value(of: old) as? Book)?.title == "Emma")
    #expect((try types.value(of: old) as? Book)?.liked == false)
  }

  @Test func itemsOfNoTypeAndWithoutIDsAreOfTheFirstVersion() throws {
    #expect(try types.value(of: item(nil, #"{"name":"Emma"}"#)) as? Book == current)
    #expect(throws: ItemTypeError.self) { try types.value(of: item(nil, "{}")) }
  }

  @Test func defaultsAreForAllVersions() throws {
    let lacking = item("Book@3", #"{"id":"emma","title":"Emma","isLong":false}"#)
    #expect(try types.value(of: lacking) as? Book == current)
    let without = item("Book@3", #"{"title":"Emma","isLong":false,"tags":["x"]}"#)
    #expect((try types.value(of: without) as? Book)?.tags == ["x"])
    // Not for what is there and wrong.
    let wrong = item("Book@3", #"{"id":"emma","title":"Emma","isLong":false,"liked":null}"#)
    #expect(throws: ItemTypeError.self) { try types.value(of: wrong) }
  }

  @Test func aLaterVersionIsAnErrorThatSaysBoth() throws {
    let error = ItemTypeError.newerContent("Book", version: 4, item: "emma", known: 3)
    #expect(throws: error) { try types.value(of: item("Book@4", "{}")) }
    #expect(throws: error) { try types.value(of: item("Novel@4", "{}")) }
    for part in ["emma", "Book", "version 4", "version 3"] {
      #expect(error.description.contains(part))
    }
  }

  @Test func anUpgradeThatThrowsIsAnErrorThatSaysWhere() throws {
    let odd = item("Book@2", #"{"id":"emma","title":"Emma","pages":"many"}"#)
    let error = #expect(throws: ItemTypeError.self) { try types.value(of: odd) }
    guard case .upgradeFailed("Book", from: 2, item: "emma", let why) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(!why.isEmpty)
  }

  /// Named as a second version is stored.
  private struct Odd: ListItem {
    var id: String
    static var typeName: TypeName { "Book@2" }
    static var contentVersion: Int { 2 }
    func configure(_ cell: BookCell) {}
  }

  @Test func aTypesOwnNameComesFirst() throws {
    let types: ItemTypes = [Book.self, Odd.self]
    #expect(try types.value(of: item("Book@2", #"{"id":"emma"}"#)) is Odd)
    #expect(try Item(Odd(id: "x")).state.type == "Book@2@2")
    #expect(try types.value(of: Item(Odd(id: "x"))) is Odd)
    #expect(try types.value(of: Item(current)) is Book)
  }

  @Test(arguments: ["Book@", "Book@0", "Book@02", "Book@x", "@2", "Book@99999999999999999999"])
  func otherNamesAreNoVersions(_ name: String) throws {
    #expect(throws: ItemTypeError.unknownType(try TypeName(name), cell: "BookCell", item: "emma")) {
      try types.value(of: item(TypeName(name), "{}"))
    }
  }

  @Test func cellsOfTypesAreFoundInAllVersions() {
    var views = ViewRegistry(fallback: .type(BookCell.self))
    views.register([Book.self])
    for type in ["Book", "Book@2", "Novel", "Novel@7"] as [TypeName] {
      #expect(views.cell("gone", type: type).unresolvedName == nil, "\(type)")
    }
    #expect(views.cell("gone", type: "Film@2").unresolvedName == "gone")
  }

  @Test @MainActor func handlersAreToldThatTheyAreNotCalled() throws {
    let handlers = ItemHandlers(types)
    handlers.on(.select, of: Book.self) { _, _ in Issue.record("there is no value") }
    let tree = ListTree(
      list: "l", sections: [.init(id: "s", items: [item("Book@4", "{}")])])
    #expect(throws: ItemTypeError.self) {
      try handlers.handle(.select, of: "emma", in: Provider(tree))
    }
  }

  /// Sizes of upgraded contents hold if the type says so.
  @Test func otherSizesAreAnotherMeasurer() {
    struct Same: ListItem {
      var id: String
      static var contentVersion: Int { 3 }
      static var sizesHoldSince: Int { 1 }
      func configure(_ cell: BookCell) {}
    }
    #expect(ItemTypes([Same.self]).measurerVersion(of: "BookCell") == 1)
    #expect(types.measurerVersion(of: "BookCell") == 3)
  }
}
