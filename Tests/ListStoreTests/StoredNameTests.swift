import ListItems
import ListModel
import ListStore
import TestSupport
import Testing

private final class BookCell {}
private final class Header {}

private struct Book: ListItem {
  var id: String
  func configure(_ cell: BookCell) {}
}

private struct Renamed: ListItem {
  var id: String
  static var aliases: [TypeName] { ["Gone"] }
  static var contentVersion: Int { 2 }
  func configure(_ cell: BookCell) {}
}

/// The names in a store, compared with those that an app registers.
@Suite struct StoredNameTests {
  private let folder: TemporaryFolder
  private let repository: Repository

  init() throws {
    folder = try TemporaryFolder()
    repository = try Repository(at: folder.file("store.sqlite"))
    for list in ["a", "b"] as [ListID] {
      try repository.edit(list) { list throws in
        try list.insertSection(
          "s",
          SectionAttributes(
            header: Supplementary(view: "Header", content: "1"),
            supplementaries: ["badge": Supplementary(view: "Badge", content: "1")],
            decorations: [Decoration(view: "Card"), Decoration(view: "Card")]))
        try list.insert((0..<100).map { Book(id: "\($0)") }, in: "s")
        try list.insert(Item(id: "x", cell: "OldCell", content: "1", type: "Gone"), in: "s")
        try list.insert(Item(id: "y", cell: "PlainCell", content: "1"), in: "s")
      }
    }
    // Names that only the log has do not count.
    try repository.edit("a") { list throws in
      try list.insert(Item(id: "z", cell: "LogCell", content: "1", type: "Log"), in: "s")
      try list.delete("z")
    }
  }

  @Test func namesAreCountedInAllLists() throws {
    #expect(
      try repository.storedNames()
        == StoredNames(
          cells: ["BookCell": 200, "OldCell": 2, "PlainCell": 2],
          types: ["Book": 200, "Gone": 2],
          views: [
            .header: ["Header": 2], "badge": ["Badge": 2], ViewRegistry.decorationKind: ["Card": 2],
          ]))
    let empty = try Repository(at: folder.file("empty.sqlite")).storedNames()
    #expect(empty.isEmpty)
  }

  @Test func aRegistryTellsWhichItDoesNotKnowAndWhichAreNotUsed() throws {
    let names = try repository.storedNames()
    var views = ViewRegistry(fallback: .type(BookCell.self))
    views.register([Book.self])
    views.register("NewCell", .type(BookCell.self))
    views.register("Header", kind: .header, .type(Header.self))
    views.register("Footer", kind: .footer, .type(Header.self))
    #expect(
      views.unknownNames(in: names)
        == StoredNames(
          cells: ["OldCell": 2, "PlainCell": 2],
          views: ["badge": ["Badge": 2], ViewRegistry.decorationKind: ["Card": 2]]))
    #expect(
      views.unusedNames(in: names)
        == StoredNames(cells: ["NewCell": 0], views: [.footer: ["Footer": 0]]))
    // An alias makes a stored name known, and the name that it stands for used.
    try views.alias("OldCell", of: "NewCell")
    #expect(views.unknownNames(in: names).cells == ["PlainCell": 2])
    #expect(views.unusedNames(in: names).cells.isEmpty)
    #expect(ItemTypes([Book.self]).unknownNames(in: names) == StoredNames(types: ["Gone": 2]))
    #expect(ItemTypes([Book.self, Renamed.self]).unknownNames(in: names).isEmpty)
    // What a later version of the app wrote is unknown to this one.
    let versions = StoredNames(types: ["Renamed@2": 1, "Renamed@3": 1, "Gone@4": 1, "Book@2": 1])
    #expect(
      ItemTypes([Book.self, Renamed.self]).unknownNames(in: versions).types
        == ["Renamed@3": 1, "Gone@4": 1, "Book@2": 1])
  }
}
