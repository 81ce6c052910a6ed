import Cellar
import CellarUIKit
import Foundation
import HeadlessUIKit
import TestSupport
import Testing

/// An article whose examples are compiled: they are those of a file in `Articles`, line by line, or
/// parts of programs in `Readers`.
struct Article: CustomTestStringConvertible, Sendable {
  let path: String
  let exampleCount: Int
  /// The programs that the article goes through.
  let programs: [String]

  var testDescription: String { name }
  private var name: String {
    URL(fileURLWithPath: path).deletingPathExtension().lastPathComponent
  }

  static let all = [
    Article("Sources/ListSync/ListSync.docc/LiveLists.md", 5),
    Article("Sources/ListSync/ListSync.docc/PendingEdits.md", 3),
    Article("Sources/ListStore/ListStore.docc/EditFolder.md", 2),
    Article("Sources/FeedClient/FeedClient.docc/FollowingAServer.md", 6),
    Article("Sources/RelayClient/RelayClient.docc/RelayClient.md", 5),
    Article("Sources/Cellar/Cellar.docc/Cellar.md", 8),
    Article("Sources/Cellar/Cellar.docc/OfflineLaunch.md", 4),
    Article("Sources/Cellar/Cellar.docc/Edits.md", 8),
    Article("Sources/Cellar/Cellar.docc/Feeds.md", 2),
    Article("Sources/Cellar/Cellar.docc/Undo.md", 5),
    Article("Sources/Cellar/Cellar.docc/Sizes.md", 4),
    Article("Sources/Cellar/Cellar.docc/FilterSortGroupSearch.md", 11),
    Article("Sources/Cellar/Cellar.docc/LoadingAsOneScrolls.md", 8),
    Article("Sources/Cellar/Cellar.docc/Loaders.md", 7),
    Article("Sources/Cellar/Cellar.docc/ComingFromAndroidPaging.md", 4),
    Article("Sources/Cellar/Cellar.docc/ComingFromApolloConnections.md", 4),
    Article("Sources/Cellar/Cellar.docc/Headers.md", 6),
    Article("Sources/Cellar/Cellar.docc/ContentMigration.md", 6),
    Article("Sources/Cellar/Cellar.docc/LookingIntoAStore.md", 1),
    Article("Sources/Cellar/Cellar.docc/SendingAStore.md", 1),
    Article("Sources/Cellar/Cellar.docc/BackupAndClose.md", 4),
    Article("Sources/Cellar/Cellar.docc/DataProtection.md", 1),
    Article("Sources/Cellar/Cellar.docc/DeletingForGood.md", 2),
    Article("Sources/Cellar/Cellar.docc/Inbox.md", 13, partsOf: ["Inbox", "InboxWidget"]),
    Article("Sources/Cellar/Cellar.docc/Chat.md", 7, partsOf: ["Chat"]),
    Article("Sources/Cellar/Cellar.docc/Timeline.md", 7, partsOf: ["Timeline"]),
    Article("Sources/BatchUpdates/BatchUpdates.docc/UsingTheParts.md", 6),
    Article("Sources/HeadlessUIKit/HeadlessUIKit.docc/HeadlessUIKit.md", 2),
    Article("Sources/CellarUIKit/CellarUIKit.docc/CellarUIKit.md", 2),
    Article("Sources/CellarSwiftUI/CellarSwiftUI.docc/CellarSwiftUI.md", 3),
    Article("Sources/CellarUIKit/CellarUIKit.docc/SwipesAndRowActions.md", 6),
    Article("Sources/CellarUIKit/CellarUIKit.docc/TestingAScreen.md", 6),
    Article("Sources/CellarUIKit/CellarUIKit.docc/ComingFromItemsAndSections.md", 4),
    Article("Sources/CellarUIKit/CellarUIKit.docc/ComingFromAGenericDataSource.md", 2),
    Article("Sources/CellarUIKit/CellarUIKit.docc/ComingFromTheCollectionViewGuide.md", 2),
    Article("Sources/CellarUIKit/CellarUIKit.docc/ComingFromBoundModels.md", 3),
    Article("Sources/CellarUIKit/CellarUIKit.docc/ComingFromABaseController.md", 4),
    Article("Sources/CellarUIKit/CellarUIKit.docc/ComingFromIGListKit.md", 2),
    Article("Sources/CellarUIKit/CellarUIKit.docc/ComingFromDiffableDataSources.md", 3),
    Article("Sources/CellarUIKit/CellarUIKit.docc/ObjectiveC.md", 1),
  ]

  private init(_ path: String, _ exampleCount: Int, partsOf programs: [String] = []) {
    self.path = path
    self.programs = programs
    self.exampleCount = exampleCount
  }

  /// The blocks of code in the article, without what Linux does not compile.
  func examples() throws -> [[String]] {
    blocks(in: try lines(of: path), from: "```swift", to: "```").map { lines in
      lines.map { $0.replacingOccurrences(of: "@objcMembers ", with: "") }
    }
  }

  /// The blocks of code that are compiled, without the indentation that they all have.
  func compiledExamples() throws -> [[String]] {
    let file = "Tests/DocumentationTests/Articles/\(name)Example.swift"
    return blocks(in: try lines(of: file), from: "Article: begin", to: "Article: end")
      .map(withoutIndentation)
  }

  /// The examples that stand in none of the article's programs, line by line.
  func examplesOfNoProgram() throws -> [[String]] {
    let programs = try programs.map {
      try lines(of: "Tests/DocumentationTests/Readers/\($0).swift")
    }
    return try examples().filter { example in
      !programs.contains { program in
        program.indices.contains { start in
          withoutIndentation(Array(program[start...].prefix(example.count))) == example
        }
      }
    }
  }

  private func withoutIndentation(_ lines: [String]) -> [String] {
    let indents = lines.filter { !$0.isEmpty }.map { $0.prefix { $0 == " " }.count }
    return lines.map { String($0.dropFirst(indents.min() ?? 0)) }
  }

  private func lines(of path: String) throws -> [String] {
    try String(contentsOf: PackageFiles.root.appendingPathComponent(path), encoding: .utf8)
      .components(separatedBy: "\n")
  }

  private func blocks(in lines: [String], from begin: String, to end: String) -> [[String]] {
    let begins = lines.indices.filter { lines[$0].hasSuffix(begin) }
    return begins.map { Array(lines[($0 + 1)...].prefix { !$0.hasSuffix(end) }) }
  }
}

/// What articles show is what is compiled, and does what they say.
@Suite @MainActor struct ArticleTests {
  private let folder: TemporaryFolder
  private let repository: Repository
  private let window = UIWindow(frame: CGRect(x: 0, y: 0, width: 320, height: 480))

  init() throws {
    folder = try TemporaryFolder()
    repository = try Repository(at: folder.file("store.sqlite"))
  }

  @Test(arguments: Article.all)
  nonisolated func theExamplesAreThoseThatAreCompiled(_ article: Article) throws {
    let examples = try article.examples()
    if article.programs.isEmpty {
      #expect(examples == (try article.compiledExamples()))
    } else {
      #expect(try article.examplesOfNoProgram() == [])
    }
    #expect(examples.count == article.exampleCount)
  }

  /// What an article shows and nobody compiles is wrong one day.
  @Test nonisolated func everyArticleWithAnExampleIsCompared() throws {
    let sources = PackageFiles.root.appendingPathComponent("Sources")
    let files = FileManager.default.enumerator(atPath: sources.path)
    let pages = (files?.compactMap { $0 as? String } ?? []).filter { $0.hasSuffix(".md") }
    let withExamples = try pages.filter { page in
      try String(contentsOf: sources.appendingPathComponent(page), encoding: .utf8)
        .contains("```swift\n")
    }
    #expect(withExamples.map { "Sources/" + $0 }.sorted() == Article.all.map(\.path).sorted())
  }

  private func collectionView() -> UICollectionView {
    let view = UICollectionView(
      frame: window.bounds, collectionViewLayout: ListCollectionLayout())
    window.addSubview(view)
    return view
  }

  private func ids(_ list: ListID) throws -> [[String]] {
    try repository.tree(of: list).sections.map { $0.items.map(\.id.rawValue) }
  }

  @Test nonisolated func aScreenIsTwentyLines() throws {
    let screen = try #require(
      try Article.all.first { $0.path.hasSuffix("/CellarUIKit.md") }?.examples().last)
    let lines = screen.filter { !$0.allSatisfy(\.isWhitespace) }
    #expect(lines.first == "final class ShelfController: UIViewController {")
    #expect(lines.count <= 20)
  }

  @Test func theScreenShowsTheShelf() throws {
    let controller = try CellarUIKitExample.ShelfController(repository)
    try controller.adapter.list.edit { list in
      try list.insertSectionIfMissing("books")
      try list.insert(CellarUIKitExample.Book(id: "emma", title: "Emma"), in: "books")
    }
    controller.adapter.update()
    controller.view.frame = window.bounds
    window.addSubview(controller.view)
    controller.view.layoutIfNeeded()
    let cell = try #require(controller.list.visibleCells.first as? CellarUIKitExample.BookCell)
    #expect(cell.label.text == "Emma")
    #expect(controller.adapter.measurementCount == 1)
  }

  @Test func itemsAndSections() throws {
    typealias Example = ComingFromItemsAndSectionsExample
    let list = repository.liveList("videos", items: [Example.Video.self])
    try list.edit { list in
      try list.insertSection("today")
      try list.insert((1...4).map { Example.Video(id: "v\($0)", title: "\($0)") }, in: "today")
    }
    let (path, move, gone) = try Example.edit(list)
    #expect(path == ItemPath(section: 0, item: 0))
    #expect(move.from == ItemPath(section: 0, item: 1))
    #expect(move.to == ItemPath(section: 0, item: 2))
    #expect(gone == [ItemPath(section: 0, item: 3), ItemPath(section: 0, item: 4)])
    let view = collectionView()
    let adapter = try CollectionAdapter(list, in: view)
    Example.handlers(list, adapter)
    view.layoutIfNeeded()
    let cell = try #require(adapter.cell(of: "v2") as? Example.VideoCell)
    cell.onControlEvent?("like")
    adapter.update()
    #expect(cell.shown == "2 ♥")
    let videos = [
      Example.Video(id: "a", title: "A", isLiked: true), Example.Video(id: "b", title: "B"),
    ]
    let problems = try Example.Video.reuseProblems(
      of: videos, in: { Example.VideoCell(frame: .zero) }
    ) { [$0.shown] }
    #expect(problems.isEmpty)
    let plain = Example.PlainCell(frame: .zero)
    var sent: [String] = []
    Example.Clip(id: "c").bind(plain) { sent.append($0.name) }
    plain.onLike?()
    Example.Clip(id: "c").unbind(plain)
    plain.onLike?()
    #expect(sent == ["like"])
  }

  @Test func genericDataSource() throws {
    typealias Example = ComingFromAGenericDataSourceExample
    let table = UITableView(frame: window.bounds, style: .plain)
    window.addSubview(table)
    let adapter = try Example.show(repository, in: table)
    adapter.update()
    table.layoutIfNeeded()
    #expect(table.visibleCells.map { ($0 as? Example.TitleCell)?.title } == ["Ada", "Grace"])
    let views = try Example.views()
    #expect(views.cell("NameCell").registration.reuseIdentifier == "TitleCell")
    #expect(views.cell("Unknown", type: "Person").registration.reuseIdentifier == "TitleCell")
    #expect(views.cell("Unknown").unresolvedName == "Unknown")
    #expect(
      views.cell("Unknown", section: "ads", type: "Person").registration.reuseIdentifier == "AdCell"
    )
  }

  @Test func objectiveC() throws {
    let view = collectionView()
    let file = folder.file("objective-c.sqlite")
    let books = try ObjectiveCExample.Bookshelf(file: file, collectionView: view)
    var selected: [String] = []
    books.onSelect { selected.append($0) }
    try books.add("emma", title: "Emma")
    try books.add("dune", title: "Dune")
    try books.like("dune")
    try books.delete(at: IndexPath(item: 1, section: 0))
    let again = collectionView()
    let relaunched = try ObjectiveCExample.Bookshelf(file: file, collectionView: again)
    relaunched.onSelect { selected.append($0) }
    again.layoutIfNeeded()
    let cells = again.visibleCells.compactMap { $0 as? ObjectiveCExample.BookCell }
    #expect(cells.map(\.label.text) == ["♥ Dune"])
    again.headless.tap(itemAt: IndexPath(item: 0, section: 0))
    #expect(selected == ["dune"])
  }

  @Test func collectionViewGuide() throws {
    typealias Example = ComingFromTheCollectionViewGuideExample
    try repository.liveList("photos").edit { list in
      try list.insertSection("all")
      try list.insert(["a", "b", "c"].map { Example.Photo(id: $0) }, in: "all")
    }
    let view = UICollectionView(
      frame: window.bounds, collectionViewLayout: UICollectionViewFlowLayout())
    window.addSubview(view)
    let adapter = try Example.show(repository, in: view)
    view.layoutIfNeeded()
    #expect(
      view.headless.dragItem(
        at: IndexPath(item: 0, section: 0), to: IndexPath(item: 2, section: 0)))
    view.headless.finishAnimations()
    #expect(try ids("photos") == [["b", "c", "a"]])
    let menu = try #require(view.headless.press(itemsAt: [IndexPath(item: 1, section: 0)]))
    #expect((menu.children.first as? UIAction)?.headlessChoose() == true)
    #expect(try ids("photos") == [["b", "a"]])
    adapter.update()
    let count = adapter.measurementCount
    Example.switchLayout(view)
    #expect(adapter.measurementCount <= count + 2)
  }

  @Test func boundModels() throws {
    typealias Example = ComingFromBoundModelsExample
    let posters = repository.liveList("posters", items: [Example.Poster.self])
    let found = [
      Example.Poster(id: "a", picture: "a.jpg", ratio: 2, url: "app://a"),
      Example.Poster(id: "b", picture: "b.jpg", ratio: 0.5, url: nil),
    ]
    try Example.fill(posters, found)
    let view = collectionView()
    let adapter = try CollectionAdapter(posters, in: view)
    var told: [String] = []
    Example.route(adapter, { told.append($0) }, { told.append($0) })
    view.layoutIfNeeded()
    // (320 - 3 × 8) / 2 = 148 points.
    #expect(adapter.cell(of: "a")?.frame.size == CGSize(width: 148, height: 74))
    #expect(adapter.cell(of: "b")?.frame.size == CGSize(width: 148, height: 296))
    view.headless.tap(itemAt: IndexPath(item: 0, section: 0))
    #expect(told == ["poster.tap", "app://a"])
  }

  @Test func baseController() throws {
    typealias Example = ComingFromABaseControllerExample
    let settings = try Example.fill(repository, name: "Ada")
    #expect(try ids("settings") == [["name", "photo"]])
    let view = collectionView()
    let adapter = try CollectionAdapter(settings, in: view)
    var told: [String] = []
    Example.listen(adapter) { told.append($0) }
    view.layoutIfNeeded()
    view.headless.tap(itemAt: IndexPath(item: 0, section: 0))
    adapter.handle(.control("edit"), of: "photo")
    #expect(told == ["name", "edit photo"])
    let photos = try Example.nest(settings)
    #expect(try ids(photos.id) == [["sea", "sun"]])
    Example.show(adapter) { told.append($0) }
    #expect(adapter.nestedAdapter(of: "photo", "recent") == nil)
  }

  @Test func igListKit() throws {
    typealias Example = ComingFromIGListKitExample
    let feed = try Example.feed(repository)
    let view = collectionView()
    let adapter = try CollectionAdapter(feed, in: view)
    view.layoutIfNeeded()
    #expect((adapter.cell(of: "p1") as? Example.PostCell)?.label.text == "Good morning")
    let headers = view.visibleSupplementaryViews(
      ofKind: UICollectionView.elementKindSectionHeader)
    #expect(headers.compactMap { ($0 as? Example.DayHeaderView)?.day } == ["Monday"])
  }

  @Test func diffableDataSources() throws {
    typealias Example = ComingFromDiffableDataSourcesExample
    let inbox = repository.liveList("inbox", items: [Example.Mail.self])
    let mails = ["m1", "m2"].map { Example.Mail(id: $0, subject: $0) }
    try Example.apply(inbox, unread: mails, read: [])
    let view = collectionView()
    view.register(Example.MailCell.self, forCellWithReuseIdentifier: "mail")
    let source = UICollectionViewDiffableDataSource<SectionID, ItemID>(collectionView: view) {
      view, path, _ in view.dequeueReusableCell(withReuseIdentifier: "mail", for: path)
    }
    let follower = try Example.keep(inbox, source)
    #expect(source.snapshot().itemIdentifiers(inSection: "unread") == ["m1", "m2"])
    try Example.change(inbox)
    follower.update()
    #expect(source.snapshot().itemIdentifiers(inSection: "read") == ["m1"])
    try Example.apply(inbox, unread: [], read: mails)
    #expect(try ids("inbox") == [[], ["m1", "m2"]])
  }
}
