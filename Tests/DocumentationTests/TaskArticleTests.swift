import Cellar
import CellarUIKit
import Foundation
import HeadlessUIKit
import TestSupport
import Testing

/// The examples of Getting Started and of the pages on tasks do what the pages say.
@Suite @MainActor struct TaskArticleTests {
  private let folder: TemporaryFolder
  private let repository: Repository
  private let window = UIWindow(frame: CGRect(x: 0, y: 0, width: 320, height: 480))

  init() throws {
    folder = try TemporaryFolder()
    repository = try Repository(at: folder.file("store.sqlite"))
  }

  private func ids(_ list: ListID = "shelf") throws -> [[String]] {
    try repository.tree(of: list).sections.map { $0.items.map(\.id.rawValue) }
  }

  private func collectionView() -> UICollectionView {
    let view = UICollectionView(
      frame: window.bounds, collectionViewLayout: ListCollectionLayout())
    window.addSubview(view)
    return view
  }

  private func stream(_ lines: [String]) -> AsyncStream<String> {
    AsyncStream { continuation in
      for line in lines { continuation.yield(line + "\n") }
      continuation.finish()
    }
  }

  /// The blocks of a language in a page of Cellar's.
  private func blocks(_ language: String, in page: String) throws -> [[String]] {
    let url = PackageFiles.root.appendingPathComponent("Sources/Cellar/Cellar.docc/\(page).md")
    let lines = try String(contentsOf: url, encoding: .utf8).components(separatedBy: "\n")
    return lines.indices.filter { lines[$0] == "```" + language }
      .map { Array(lines[($0 + 1)...].prefix { $0 != "```" }) }
  }

  @Test func deletingForGood() async throws {
    let people = repository.liveList("people")
    try await people.edit { list in
      try list.insertSection("friends")
      try list.insert(Item(id: "ann", cell: "Card", content: "1"), in: "friends")
    }
    try await forget("ann", in: repository)
    #expect(try ids("people") == [[]])
    #expect(try people.commits().count == 2)
    #expect(try people.tree(at: 1).sections[0].items.map(\.id.isErased) == [true])
    #expect(try finish(repository))
  }

  @Test func gettingStarted() throws {
    let shelf = try CellarExample.open(in: folder.url)
    try CellarExample.fill(shelf)
    let controller = try CellarExample.ShelfController(shelf)
    controller.view.frame = window.bounds
    window.addSubview(controller.view)
    controller.view.layoutIfNeeded()
    let cells = controller.list.visibleCells.compactMap { $0 as? CellarExample.LabelCell }
    let texts = ["Dune", "Emma", "It is a truth"]
    #expect(cells.compactMap(\.label.text).sorted() == texts)
    #expect(cells.allSatisfy { $0.label.frame.width == window.bounds.width })
    let headers = controller.list.visibleSupplementaryViews(
      ofKind: UICollectionView.elementKindSectionHeader)
    #expect(headers.compactMap { ($0 as? CellarExample.ShelfHeaderView)?.label.text } == ["Books"])
    controller.list.headless.tap(itemAt: IndexPath(item: 0, section: 0))
    controller.adapter.update()
    controller.list.headless.finishAnimations()
    #expect(cells.compactMap(\.label.text).sorted() == ["Emma", "It is a truth", "♥ Dune"])
    try CellarExample.deleteAndUndo(shelf)
    let atFirst = try CellarExample.history(shelf)
    for tree in [atFirst, try shelf.provider().tree] {
      #expect(tree.sections.map { $0.items.map(\.id) } == [["dune", "emma", "q1"]])
    }
    #expect(try shelf.repository.commits(of: "shelf").count == 4)
    controller.adapter.update()

    let relaunched = try CellarExample.ShelfController(CellarExample.open(in: folder.url))
    relaunched.view.frame = window.bounds
    window.addSubview(relaunched.view)
    relaunched.view.layoutIfNeeded()
    #expect(relaunched.list.visibleCells.count == 3)
  }

  @Test func dataProtection() throws {
    let store = try DataProtectionExample.makeFolder(in: folder.url)
      .appendingPathComponent("store.sqlite")
    let repository = try Repository(at: store)
    for (file, permissions) in [(store, 0o600), (store.deletingLastPathComponent(), 0o700)] {
      let attributes = try FileManager.default.attributesOfItem(atPath: file.path)
      #expect(attributes[.posixPermissions] as? Int == permissions)
    }
    #expect(try repository.lists().isEmpty)
  }

  @Test func launchingOffline() throws {
    var told: [String] = []
    let file = folder.file("other.sqlite")
    let opened = try #require(OfflineLaunchExample.open(file) { told.append($0) })
    let shelf = opened.liveList("shelf")
    try shelf.replace { ListSection("a") { FieldItem(id: "emma", cell: "Cell", title: "Emma") } }
    #expect(try OfflineLaunchExample.read(shelf) == (1, "emma"))
    try shelf.replace {
      ListSection("a") { OfflineLaunchExample.Book(id: "emma", title: "Emma") }
    }
    #expect(try OfflineLaunchExample.titlesInWidget(of: file) == ["Emma"])
    OfflineLaunchExample.suspend(opened)
    #expect(try OfflineLaunchExample.read(shelf) == (1, "emma"))
    #expect(told.isEmpty)
    let text = try folder.write("no store, and longer than a header of SQLite's", to: "text.sqlite")
    #expect(OfflineLaunchExample.open(text) { told.append($0) } == nil)
    #expect(told.count == 1)
  }

  @Test func edits() async throws {
    let shelf = repository.liveList(
      "shelf", items: [EditsExample.Book.self, EditsExample.Quote.self])
    try EditsExample.edit(shelf)
    #expect(try ids() == [["emma", "dune"]])
    #expect(try repository.revision(of: "shelf") == 1)
    try EditsExample.update(shelf)
    let emma = try #require(try shelf.provider().item(at: ItemPath(section: 0, item: 0)))
    #expect(try emma.value(as: EditsExample.Book.self).isLiked)
    let faust = EditsExample.Book(id: "faust", title: "Faust")
    let walden = EditsExample.Book(id: "walden", title: "Walden")
    try EditsExample.setUp(shelf, [walden])
    #expect(try ids() == [["ulysses"], ["emma", "dune", "walden", "q1", "faust"]])
    #expect(try EditsExample.delete(shelf).count == 2)
    let page = EditsExample.Page(books: [EditsExample.Book(id: "iliad", title: "")], next: "c81")
    #expect(try EditsExample.append(page, to: shelf)?.next == "c81")
    try EditsExample.replace(shelf, [faust])
    try EditsExample.replace(shelf, [faust])
    try await EditsExample.like(shelf, "faust")
    #expect(
      try shelf.provider().item(at: ItemPath(section: 0, item: 0))?.value(
        as: EditsExample.Book.self
      )
      .isLiked == true)
    try EditsExample.replace(shelf, [faust])
    #expect(try repository.revision(of: "shelf") == 8)
    let shown = try shelf.provider()
    try EditsExample.replace(shelf, [])
    try await EditsExample.follow(shelf, from: shown) { batch, provider in
      #expect(provider.revision == 9 && batch.from == 8)
      return provider.numberOfItems > 0
    }
  }

  @Test func feeds() async throws {
    let shelf = repository.liveList("shelf")
    let lines = try #require(try blocks("json", in: "Feeds").first)
    #expect(try await FeedsExample.follow(shelf, lines: stream(lines)).applied == 2)
    #expect(try ids() == [["emma"]])
    #expect(try await FeedsExample.follow(shelf, lines: stream(lines)).applied == 0)
    let gap = #"{"t":"commit","list":"shelf","seq":"9","ops":[{"op":"deleteItem","item":"emma"}]}"#
    let snapshot = #"{"t":"snapshot","list":"shelf","seq":"9","sections":[{"id":"s","items":[]}]}"#
    try await FeedsExample.catchUp(shelf, lines: stream([gap]), snapshot: stream([snapshot]))
    #expect(try ids() == [[]])
  }

  @Test func undo() throws {
    try repository.liveList("shelf").replace {
      ListSection("a") { FieldItem(id: "emma", cell: "Cell", title: "Emma") }
    }
    let shelf = repository.liveList("shelf")
    #expect(try UndoExample.deleteAndUndo(shelf)?.revision == 3)
    #expect(try ids() == [["emma"]])
    let (before, since) = try UndoExample.history(shelf)
    #expect(before.sections.map(\.items.count) == [1])
    #expect(since.map(\.revision) == [2, 3])
    let (undone, redone) = try UndoExample.undoAndRedo(shelf)
    #expect(undone?.revisions == [4, 5] && redone?.commit.undoes == 6)
    #expect(try ids() == [[]])
    try UndoExample.pages(shelf)
    #expect(try UndoExample.open(folder.file("bounded.sqlite")).lists().isEmpty)
  }

  @Test func sizes() throws {
    let photos = repository.liveList("photos", items: [SizesExample.Photo.self])
    try photos.replace {
      ListSection("a") { SizesExample.Photo(id: "sunset", width: 4, height: 3) }
    }
    let view = collectionView()
    let adapter = try CollectionAdapter(photos, in: view)
    view.layoutIfNeeded()
    #expect(adapter.cell(of: "sunset")?.frame.size == CGSize(width: 320, height: 240))
    let count = adapter.measurementCount
    SizesExample.pictureHasCome(adapter)
    view.layoutIfNeeded()
    #expect(adapter.measurementCount == count + 1)
    #expect(try SizesExample.evict(repository) == 0)
  }

  @Test func viewsWithoutAScreen() throws {
    let photos = repository.liveList("photos", items: [SizesExample.Photo.self])
    try photos.replace {
      ListSection("a") {
        for id in ["a", "b", "c"] { SizesExample.Photo(id: id, width: 4, height: 1) }
      }
    }
    let view = UICollectionView(
      frame: window.bounds, collectionViewLayout: ListCollectionLayout())
    let adapter = try CollectionAdapter(photos, in: view)
    HeadlessUIKitExample.tap(view)
    #expect(adapter.selection.items == ["c"])
  }

  @Test func headers() throws {
    let shelf = try HeadersExample.setHeader(repository)
    try shelf.edit { list in
      try list.insert(FieldItem(id: "emma", cell: "Cell", title: "Emma"), in: "today")
    }
    let view = collectionView()
    let adapter = try CollectionAdapter(shelf, in: view)
    view.layoutIfNeeded()
    let headers = view.visibleSupplementaryViews(
      ofKind: UICollectionView.elementKindSectionHeader)
    #expect(headers.compactMap { ($0 as? HeadersExample.ShelfHeaderView)?.label.text } == ["Today"])
    #expect(adapter.provider.numberOfItems == 1)
    try HeadersExample.setBadges(shelf)
    let kinds = try repository.tree(of: "shelf").sections[0].attributes.supplementaryKinds
    #expect(kinds.map(\.rawValue) == ["header", "badge", "badge[1]"])
  }

  @Test func itemsAsHeaders() throws {
    let shelf = try HeadersExample.setItemAsHeader(repository)
    let view = collectionView()
    let adapter = try CollectionAdapter(shelf, in: view)
    view.layoutIfNeeded()
    let headers = view.visibleSupplementaryViews(
      ofKind: UICollectionView.elementKindSectionHeader)
    #expect(headers.compactMap { ($0 as? HeadersExample.BookCell)?.label.text } == ["Emma"])
    #expect(adapter.provider.numberOfItems == 0)
  }

  @Test func changedContents() async throws {
    typealias Example = ContentMigrationExample
    @Sendable nonisolated func item(
      _ id: ItemID, _ cell: CellName, _ type: TypeName, _ content: [String: String]
    ) throws -> Item {
      Item(id: id, cell: cell, content: try JSON(encoding: content), type: type)
    }
    let header = Supplementary(
      view: "BookHeaderView", content: try JSON(encoding: ["title": "Today"]))
    try await repository.edit("shelf") { list in
      try list.insertSection("a", SectionAttributes(header: header))
      try list.insert(
        [
          item("emma", "BookCell", "Book", ["title": "Emma"]),
          item("alien", "FilmCell", "Film", ["title": "Alien"]),
          item("soup", "RecipeCell", "Recipe", ["name": "Soup"]),
          item("next", "RecipeCell", "Recipe@4", ["title": "Next"]),
        ], in: "a")
    }
    let shelf = repository.liveList(
      "shelf", items: [Example.Film.self, Example.Recipe.self, Example.Novel.self],
      supplementaries: [Example.NovelHeader.self])
    let view = collectionView()
    let adapter = try CollectionAdapter(shelf, in: view)
    view.layoutIfNeeded()
    let cells = ["emma", "alien", "soup", "next"].map { adapter.cell(of: $0) as? Example.Cell }
    #expect(cells.map(\.?.shown) == ["Emma", "Alien", "Soup 0", nil])
    let headers = view.visibleSupplementaryViews(
      ofKind: UICollectionView.elementKindSectionHeader)
    #expect(headers.map { ($0 as? Example.NovelHeaderView)?.shown } == ["Today 0"])
    #expect(try Example.rename(repository) == ["shelf": 1])
    try Example.tag(repository)
    let film = try repository.tree(of: "shelf").sections[0].items[1]
    #expect(try film.value(as: Example.Film.self).tags == ["old"])
    #expect(try await Example.writeBack(repository) == ["shelf": 1])
    let types = try repository.tree(of: "shelf").sections[0].items.map(\.state.type)
    #expect(types == ["Novel", "Film", "Recipe@3", "Recipe@4"])
  }

  @Test func looking() throws {
    let shelf = repository.liveList("shelf")
    try shelf.replace { ListSection("a") { FieldItem(id: "emma", cell: "Cell", title: "Emma") } }
    #expect(try LookingIntoAStoreExample.check(repository) == 0)
  }

  @Test func sending() throws {
    try repository.liveList("shelf").replace {
      ListSection("a") { FieldItem(id: "emma", cell: "Cell", title: "Emma") }
    }
    let other = try TemporaryFolder()
    let files = try SendingAStoreExample.files(of: repository.file, in: other.url)
    for file in files {
      let bytes = try Data(contentsOf: file)
      #expect(!bytes.isEmpty && bytes.range(of: Data("Emma".utf8)) == nil)
    }
  }

  /// In the order in which the pages have them, at a store with the cell that they rename.
  @Test func theCommandsRunAsWritten() throws {
    try Repository(at: folder.file("books.sqlite")).liveList("shelf").replace {
      ListSection("a") { FieldItem(id: "emma", cell: "BookCell", title: "Emma") }
    }
    let pages = ["LookingIntoAStore", "ContentMigration"]
    let lines = try pages.flatMap { try blocks("sh", in: $0).joined() }
    #expect(lines.count == 13)
    for line in lines {
      let process = Process()
      process.executableURL = URL(fileURLWithPath: "/bin/sh")
      let program = "'\(BuiltProducts.program("cellar").path)'"
      #expect(line.hasPrefix("cellar "))
      process.arguments = ["-c", program + line.dropFirst("cellar".count)]
      process.currentDirectoryURL = folder.url
      process.standardOutput = FileHandle.nullDevice
      try process.run()
      process.waitUntilExit()
      #expect(process.terminationStatus == 0, "\(line)")
    }
  }
}
