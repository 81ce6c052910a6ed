import Cellar
import CellarUIKit
import Foundation
import HeadlessUIKit
import TestSupport
import Testing

/// The programs that readers of the five articles would write with Cellar: each does all that its
/// article's program does, and is kept and shown again.
@Suite @MainActor struct ReaderProgramTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// The lines of each program that do what its article's program does, and how many lines the
  /// article takes for that.
  @Test(arguments: [
    ("Posts", 90), ("Contacts", 75), ("Photos", 55), ("Notes", 12), ("Covers", 20),
  ])
  nonisolated func programsAreShorterThanTheirArticles(_ name: String, _ article: Int) throws {
    let file = PackageFiles.root.appendingPathComponent(
      "Tests/DocumentationTests/Readers/\(name).swift")
    var count = 0
    var isCounted = false
    for line in try String(contentsOf: file, encoding: .utf8).split(separator: "\n") {
      if line.hasSuffix("// Program: begin") {
        isCounted = true
      } else if line.hasSuffix("// Program: end") {
        isCounted = false
      } else if isCounted, !line.allSatisfy(\.isWhitespace) {
        count += 1
      }
    }
    #expect(count > 0)
    #expect(count < article)
  }

  @Test func posts() throws {
    func open() throws -> ProgramScreen<PostsController> {
      let app = try PostsController(folder.file("posts.sqlite"))
      return ProgramScreen(app, app.list) { $0.adapter }
    }
    let screen = try open()
    #expect(screen.texts == ["Today", "Post 1", "Post 2", "Post 3", "Post 4", "Advert"])
    screen.app.list.headless.tap(itemAt: IndexPath(item: 0, section: 0))
    #expect(screen.app.opened == ["post1"])
    try #require(screen.app.adapter.cell(of: "post4") as? PostCell).onLike?()
    try screen.app.change()
    #expect(screen.texts == ["Today", "Post 5", "Second", "Advert", "Post 1"])
    try expectTheSame(screen, open())
  }

  @Test func contacts() throws {
    func open() throws -> ProgramScreen<ContactsController> {
      let app = try ContactsController(folder.file("contacts.sqlite"))
      return ProgramScreen(app, app.table) { $0.adapter }
    }
    let screen = try open()
    #expect(screen.texts == ["Friends", "Ada", "Grace", "Joan", "Mary", "Four friends"])
    screen.app.table.headless.tap(rowAt: IndexPath(row: 1, section: 0))
    #expect(screen.app.opened == ["Grace"])
    try #require(screen.app.adapter.cell(of: "Mary") as? PersonCell).onCall?()
    #expect(screen.texts == ["Friends", "Ada", "Grace", "Joan", "Mary (1)", "Four friends"])
    try screen.app.change()
    #expect(screen.texts == ["Friends", "Emmy", "Grace H.", "Four friends", "Ada"])
    try expectTheSame(screen, open())
  }

  @Test func photos() throws {
    func open() throws -> ProgramScreen<PhotosController> {
      let app = try PhotosController(folder.file("photos.sqlite"))
      return ProgramScreen(app, app.list) { $0.adapter }
    }
    let screen = try open()
    #expect(screen.texts == ["Album", "sea", "sun", "sand", "sky", "Summer"])
    screen.app.list.headless.tap(itemAt: IndexPath(item: 2, section: 0))
    #expect(screen.app.opened == ["sand"])
    try #require(screen.app.adapter.cell(of: "sky") as? PhotoCell).onStar?()
    #expect(screen.texts == ["Album", "sea", "sun", "sand", "★ sky", "Summer"])
    try screen.app.change()
    #expect(screen.texts == ["Album", "snow", "sun", "All year", "sea"])
    try expectTheSame(screen, open())
  }

  @Test func notes() throws {
    func open() throws -> ProgramScreen<NotesController> {
      let app = try NotesController(folder.file("notes.sqlite"))
      return ProgramScreen(app, app.list) { $0.adapter }
    }
    let screen = try open()
    try screen.app.show(
      [("a", "First"), ("b", "Next"), ("c", "Third")],
      [Poster(id: "wide", ratio: 2), Poster(id: "high", ratio: 0.5)])
    #expect(screen.texts == ["Notes", "First", "Next", "Third", "wide", "high"])
    screen.app.list.headless.tap(itemAt: IndexPath(item: 1, section: 0))
    #expect(screen.app.opened == ["app://note/b"])
    try #require(screen.app.adapter.cell(of: "b") as? InfoCell).onPin?()
    #expect(screen.texts == ["Notes", "First", "• Next", "Third", "wide", "high"])
    try screen.app.change()
    #expect(screen.texts == ["Notes", "New", "• Second", "First", "high"])
    try expectTheSame(screen, open())
  }

  @Test func covers() throws {
    func open() throws -> ProgramScreen<CoversController> {
      let app = try CoversController(folder.file("covers.sqlite"))
      return ProgramScreen(app, app.list) { $0.adapter }
    }
    let screen = try open()
    try screen.app.setBooks(["Emma", "Dune", "Ivanhoe", "Kim"].map { ($0, "\($0).jpg") })
    #expect(screen.texts == ["Top", "Emma", "Dune", "Ivanhoe", "Kim", "All books"])
    screen.app.list.headless.tap(itemAt: IndexPath(item: 0, section: 0))
    #expect(screen.app.opened == ["Emma"])
    (screen.app.adapter.cell(of: "Kim") as? CoverCell)?.onControlEvent?("read")
    #expect(screen.texts == ["Top", "Emma", "Dune", "Ivanhoe", "Kim, read", "All books"])
    try screen.app.change()
    #expect(screen.texts == ["Top", "Ulysses", "Dune II", "All books", "Emma"])
    try expectTheSame(screen, open())
  }

  /// A relaunch shows the same, and measures nothing.
  private func expectTheSame<App>(
    _ screen: ProgramScreen<App>, _ relaunched: @autoclosure () throws -> ProgramScreen<App>
  ) throws {
    let texts = screen.texts
    screen.adapter?.list.repository.flushSizes()
    let again = try relaunched()
    #expect(again.texts == texts)
    #expect(again.adapter?.measurementCount == 0)
  }
}

/// A program in a window, and the texts that it shows.
@MainActor private struct ProgramScreen<App: UIViewController> {
  let app: App
  private let view: UIScrollView
  private let adapterOfApp: (App) -> ListAdapter?
  private let window = UIWindow(frame: CGRect(x: 0, y: 0, width: 320, height: 640))

  init(_ app: App, _ view: UIScrollView, adapter: @escaping (App) -> ListAdapter?) {
    self.app = app
    self.view = view
    adapterOfApp = adapter
    app.view.frame = window.bounds
    window.addSubview(app.view)
  }

  var adapter: ListAdapter? { adapterOfApp(app) }

  /// The texts on screen, from top to bottom and from left to right.
  var texts: [String] {
    adapter?.update()
    view.layoutIfNeeded()
    (view as? UICollectionView)?.headless.finishAnimations()
    (view as? UITableView)?.headless.finishAnimations()
    view.layoutIfNeeded()
    return view.subviews.filter { !$0.isHidden }
      .compactMap { view in text(of: view).map { (view.frame, $0) } }
      .sorted { ($0.0.minY, $0.0.minX) < ($1.0.minY, $1.0.minX) }
      .map(\.1)
  }

  private func text(of view: UIView) -> String? {
    switch view {
    case let cell as PostCell: cell.state.text
    case let cell as AdCell: cell.label.text
    case let view as DayView: view.label.text
    case let cell as PersonCell: cell.name.text
    case let cell as NoteCell: cell.label.text
    case let view as GroupView: view.label.text
    case let cell as PhotoCell: cell.caption.text
    case let cell as TextCell: cell.label.text
    case let cell as InfoCell: cell.info.text
    case let cell as PosterCell: cell.title.text
    case let view as HeadingView: view.label.text
    case let cell as CoverCell: cell.title.text
    case let view as ShelfView: view.label.text
    default: nil
    }
  }
}
