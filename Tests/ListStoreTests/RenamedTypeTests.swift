import ListModel
import ListStore
import Providers
import TestSupport
import Testing
import ListTables

/// Types and views get other names, and stores go on.
@Suite struct RenamedTypeTests {
  private let folder: TemporaryFolder
  private let repository: Repository
  private let key = SizeKey(fittingPixels: 750, environment: LayoutEnvironment())
  private let size = Size(width: 375, height: 44)

  init() throws {
    folder = try TemporaryFolder()
    repository = try Repository(at: folder.file("store.sqlite"))
  }

  private func item(_ id: ItemID, _ type: TypeName?, _ content: JSON = "1") -> Change {
    .insertItem(Item(id: id, cell: "Cell", content: content, type: type), in: "s")
  }

  private func types(of list: ListID, at revision: Int? = nil) throws -> [TypeName?] {
    try repository.tree(of: list, at: revision).sections.flatMap(\.items).map(\.state.type)
  }

  @Test func everyVersionOfATypeGetsTheNewName() throws {
    try repository.commit(
      [
        .insertSection("s"), item("a", "Book"), item("b", "Book@2"), item("c", "Bookshelf"),
        item("d", "Book@"), item("e", nil), item("f", "Book@12"),
      ], to: "list")
    try repository.commit([.insertSection("s"), item("a", "Book")], to: "other")
    #expect(
      try repository.renameType("Book", to: "Novel", by: "migrate")
        == ["list": 3, "other": 1])
    #expect(
      try types(of: "list") == ["Novel", "Novel@2", "Bookshelf", "Book@", nil, "Novel@12"])
    // Earlier revisions have the earlier names.
    #expect(
      try types(of: "list", at: 1) == ["Book", "Book@2", "Bookshelf", "Book@", nil, "Book@12"])
    #expect(try repository.commits(of: "list", after: 1).map(\.author.name) == ["migrate"])
    #expect(try repository.renameType("Book", to: "Novel").isEmpty)
    #expect(try repository.renameType("Novel@2", to: "Tale") == ["list": 1])
    #expect(try types(of: "list")[1] == "Tale")
    #expect(try repository.checkInvariants().isEmpty)
    try repository.undoCommit(2, of: "list")
    #expect(try types(of: "list")[0] == "Book")
  }

  @Test func sizesOfRenamedTypesHoldOn() throws {
    try repository.commit([.insertSection("s"), item("a", "Book"), item("b", "Book")], to: "list")
    try repository.save(
      ["a", "b"].map { MeasuredSize(item: $0, size: size, cell: "Cell", contentRevision: 0) },
      for: key, in: "list")
    try repository.commit([.updateItem("b", ItemUpdate(content: .set("2")))], to: "list")
    try repository.renameType("Book", to: "Novel")
    let sizes = try repository.sizes(of: "list", for: key)
    #expect(sizes["a"] == .exact(size))
    #expect(sizes["b"] == .estimate(size, why: .otherContent))
  }

  @Test func aNameThatBecomesTooLongIsRefused() throws {
    try repository.commit([.insertSection("s"), item("a", "Book@2")], to: "list")
    let long = TypeName(stringLiteral: String(repeating: "n", count: 256))
    let error = #expect(throws: StoreError.self) { try repository.renameType("Book", to: long) }
    #expect(error?.code == .invalidValue)
    #expect(error?.message.contains("can't have version 2") == true)
    #expect(try types(of: "list") == ["Book@2"])
  }

  @Test func viewsOfEveryKindGetTheNewName() throws {
    let old = Supplementary(view: "Old", content: "1")
    let other = Supplementary(view: "Other", content: "1")
    try repository.commit(
      [
        .insertSection("a", .init(header: old, footer: other)),
        .insertSection(
          "b",
          .init(
            supplementaries: ["badge": old],
            decorations: [Decoration(view: "Other"), Decoration(view: "Old", zIndex: 2)])),
        .insertSection("c", .init(header: other)),
      ], to: "list")
    let shown = try repository.provider(for: "list")
    #expect(shown.keep(size, of: .header, inSection: 0, for: key))
    #expect(shown.keep(size, of: .footer, inSection: 0, for: key))
    // They wait to be written.
    #expect(try repository.renameView("Old", to: "New") == ["list": 2])
    let sections = try repository.tree(of: "list").sections.map(\.attributes)
    #expect(sections[0] == .init(header: .init(view: "New", content: "1"), footer: other))
    #expect(sections[1].supplementaries["badge"]?.view == "New")
    #expect(sections[1].decorations == [.init(view: "Other"), .init(view: "New", zIndex: 2)])
    #expect(sections[2].header == other)
    let fresh = try repository.provider(for: "list")
    #expect(fresh.size(of: .header, inSection: 0, for: key) == .exact(size))
    #expect(fresh.size(of: .footer, inSection: 0, for: key) == .exact(size))
    #expect(try repository.tree(of: "list", at: 1).sections[0].attributes.header == old)
    #expect(try repository.renameView("Old", to: "New").isEmpty)
    #expect(try repository.revision(of: "list") == 2)
    #expect(try repository.checkInvariants().isEmpty)
  }

  @Test func manySectionsAreRenamedInSlices() throws {
    let header = Supplementary(view: "Old", content: "1")
    try repository.commit(
      (0..<1_100).map { .insertSection(SectionID(stringLiteral: "\($0)"), .init(header: header)) },
      to: "list")
    #expect(try repository.renameView("Old", to: "New") == ["list": 1_100])
    #expect(try repository.commits(of: "list", after: 1).map(\.entries.count) == [500, 500, 100])
  }

  @Test func namesThatNothingHasAreKnownByTheLog() throws {
    let header = Supplementary(view: "Old\"", content: "1")
    try repository.commit(
      [.insertSection("s", .init(header: header)), item("a", "Book@2")], to: "list")
    #expect(try repository.otherNames(ifUnknown: .type("Boko")) == ["Book@2"])
    #expect(try repository.otherNames(ifUnknown: .storedType("Book")) == ["Book@2"])
    #expect(try repository.otherNames(ifUnknown: .type("Book")) == nil)
    #expect(try repository.otherNames(ifUnknown: .cell("Cel")) == ["Cell"])
    #expect(try repository.otherNames(ifUnknown: .view("Older")) == ["Old\""])
    try repository.renameType("Book", to: "Novel")
    try repository.renameCell("Cell", to: "NovelCell")
    try repository.renameView("Old\"", to: "New")
    for name in [
      .type("Book"), .storedType("Book@2"), .cell("Cell"), .view("Old\""),
    ] as [Repository.StoredName] {
      #expect(try repository.otherNames(ifUnknown: name) == nil, "\(name)")
    }
    try repository.truncateLog(of: "list", keeping: LogRetention(changes: 0))
    #expect(try repository.otherNames(ifUnknown: .type("Book")) == ["Novel@2"])
    #expect(try repository.otherNames(ifUnknown: .view("Old\"")) == ["New"])
  }
}
