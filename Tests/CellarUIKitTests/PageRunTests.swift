import CellarUIKit
import Foundation
import GRDB
import HeadlessUIKit
import ListItems
import ListModel
import ListStore
import ListSync
import Pages
import Providers
import ScreenSupport
import SuiteSupport
import TestSupport
import Testing

/// A list that loads as one scrolls, through everything that can happen to it at random moments, against a
/// model of a server: what is looked at never moves, no page is asked for twice, no item is there twice, and
/// the list is the server's in the end.
@MainActor @Suite(.timeLimit(.minutes(600))) struct PageRunTests {
  /// `CELLAR_PAGE_RUNS=10000` for the long soak.
  private nonisolated static var runCount: Int {
    ProcessInfo.processInfo.environment["CELLAR_PAGE_RUNS"].flatMap(Int.init)
      ?? (firstSeed == nil ? 12 : 1)
  }
  /// `CELLAR_PAGE_SEED=n` for one run alone; with a count, for the first of so many.
  private nonisolated static var firstSeed: UInt64? {
    ProcessInfo.processInfo.environment["CELLAR_PAGE_SEED"].flatMap(UInt64.init)
  }

  @Test(arguments: 0..<4 as Range<UInt64>)
  func nothingMovesAndNothingIsLost(_ part: UInt64) async throws {
    let first = Self.firstSeed ?? 0
    for seed in stride(from: first + part, to: first + UInt64(Self.runCount), by: 4) {
      try await PageRun(seed: seed).run()
    }
  }
}

/// One run: a device that shows a list, its user, its connection, and a server.
@MainActor private final class PageRun {
  private let seed: UInt64
  private var random: SeededGenerator
  private let folder: TemporaryFolder
  private let server: ModelServer
  private let kind: ScreenKind
  private let newest: LiveList.Paging.End
  private var repository: Repository
  private var list: LiveList
  private var screen: Screen
  private var refreshing: [Task<Void, Never>] = []
  private var madeItems = 0
  private var step = "start"
  private var steps: [String] = []

  init(seed: UInt64) throws {
    self.seed = seed
    var random = SeededGenerator(seed: seed)
    kind = random.element(of: ScreenKind.allCases) ?? .placed
    newest = random.percent(60) ? .start : .end
    var habits = ModelServer.Habits(isNewestLast: newest == .end)
    habits.pageSize = random.number(4..<30)
    habits.tellsPlaces = random.percent(50)
    habits.hasFeed = random.percent(60)
    server = ModelServer(habits)
    server.fill(random.number(0..<20) == 0 ? 0 : random.number(1..<300))
    self.random = random
    folder = try TemporaryFolder()
    repository = try Repository(at: folder.file("store.sqlite"))
    list = Self.list(of: repository, server, newest)
    screen = try Self.screen(kind, list, newest)
    screen.layOut()
  }

  private static func list(
    of repository: Repository, _ server: ModelServer, _ newest: LiveList.Paging.End
  ) -> LiveList {
    repository.liveList(
      "shelf", items: [Book.self], pages: server.connect(),
      paging: LiveList.Paging(newest: newest, section: "a", retrying: 0.005...0.02))
  }

  private static func screen(
    _ kind: ScreenKind, _ list: LiveList, _ newest: LiveList.Paging.End
  ) throws -> Screen {
    let screen = try Screen(kind, showing: list, named: "main")
    screen.adapter.sticksToEnd = newest == .end
    return screen
  }

  func run() async throws {
    let raised = try await HeadlessException.raised {
      try await takeSteps()
      try await end()
    }
    #expect(raised.map(\.description) == [], context)
    let commits = try latestCommits()
    #expect(server.problems == [], "\(commits); \(context)")
    screen.adapter.list.pages?.want([], by: ObjectIdentifier(self))
    server.hangUp()
  }

  private var context: Comment {
    "seed \(seed), \(kind), \(server.habits), \(steps.suffix(6)), \(step)"
  }

  private func takeSteps() async throws {
    try await settle()
    for _ in 0..<random.number(10..<50) {
      try await takeStep()
      steps.append(step)
      if !server.problems.isEmpty { return }
    }
  }

  // MARK: Steps

  private func takeStep() async throws {
    switch random.number(0..<100) {
    case 0..<14: try await staying("late answer") { answer(isLate: true) }
    case 14..<34: try await staying("answer") { answer(isLate: false) }
    case 34..<40: try await staying("failure") { fail() }
    case 40..<46: try await staying("refresh") { refresh() }
    case 46..<58:
      try await staying("the server changes") {
        server.change(&random)
        if random.percent(60) { try deliver(server.lines.count) }
      }
    case 58..<62:
      try await staying("feed") { try deliver(random.number(0..<server.lines.count + 1)) }
    case 62..<68: try await staying("edit") { try edit() }
    case 68..<71: try await staying("rotation") { rotate() }
    case 71..<73: try await staying("text size") { changeTexts() }
    case 73..<75: try await staying("retry") { list.retryPages() }
    case 75..<78: try await staying("offline") { list.isOffline.toggle() }
    case 78..<80: try await staying("link") { link() }
    case 80..<83: try await relaunch()
    case 83..<85: try await kill()
    case 85..<93: try await scroll(far: false)
    default: try await scroll(far: true)
    }
  }

  private func answer(isLate: Bool) {
    guard !server.questions.isEmpty else { return }
    server.answer(random.number(0..<server.questions.count), isLate: isLate)
  }

  private func fail() {
    guard !server.questions.isEmpty else { return }
    let errors: [any Error] = [
      URLError(.timedOut), Page.Failure.outdatedCursor, Page.Failure.needsUser("Log in."),
    ]
    server.fail(
      random.number(0..<server.questions.count), with: errors[random.number(0..<errors.count)])
  }

  private func refresh() {
    let list = list
    refreshing.append(
      Task {
        // It fails now and then.
        _ = try? await list.refresh()
      })
  }

  private func link() {
    guard let entry = random.element(of: server.entries) else { return }
    let (list, id) = (list, ItemID(stringLiteral: entry.id))
    refreshing.append(Task { _ = try? await list.loadPage(around: id) })
  }

  private func deliver(_ count: Int) throws {
    // There is no list to follow before the first page.
    guard server.habits.hasFeed, try list.provider().numberOfSections > 0 else { return }
    let lines = server.deliver(count)
    if lines.isEmpty { return }
    let file = folder.file("feed")
    try Data((lines.joined(separator: "\n") + "\n").utf8).write(to: file)
    try repository.apply(FeedReader(file: file))
  }

  private func edit() throws {
    let items = try items()
    guard let near = random.element(of: items.filter { !$0.state.isGap }) else { return }
    madeItems += 1
    let (own, number) = (items.filter { $0.id.rawValue.hasPrefix("own") }, madeItems)
    let choice = random.number(0..<4)
    let chosen = random.element(of: own)
    try list.edit { (editor: ListEditor) throws -> Void in
      if let chosen, choice == 0 {
        _ = try editor.delete(chosen.id)
      } else if let chosen, choice == 1 {
        _ = try editor.update(Book(id: chosen.id.rawValue, likes: number % 7))
      } else {
        let book = Book(id: "own\(number)", likes: number % 7)
        _ = try editor.insert(book, in: "a", at: .after(near.id))
      }
    }
  }

  private func rotate() {
    let isWide = screen.window.frame.width > 400
    screen.window.frame.size =
      isWide ? CGSize(width: 320, height: 480) : CGSize(width: 480, height: 320)
    screen.view.frame = screen.window.bounds
  }

  private func changeTexts() {
    let isLarge =
      screen.window.traitCollection.preferredContentSizeCategory == .extraLarge
    screen.window.headlessChangeTraits(
      UITraitCollection(preferredContentSizeCategory: isLarge ? .large : .extraLarge))
  }

  private func scroll(far isFar: Bool) async throws {
    step = isFar ? "fling" : "scroll"
    let view = screen.view
    left = []
    view.headlessBeginDragging()
    let room = max(0, view.contentSize.height - view.bounds.height)
    let start = view.contentOffset.y
    let ends: [CGFloat] = [0, room, CGFloat.random(in: 0...room, using: &random)]
    let end =
      isFar
      ? ends[random.number(0..<3)]
      : min(max(0, start + CGFloat.random(in: -400...400, using: &random)), room)
    for part in 1...5 {
      if isFar, part == 2 { view.headlessEndDragging(decelerating: true) }
      view.headlessDrag(to: CGPoint(x: 0, y: start + (end - start) * CGFloat(part) / 5))
      if random.percent(30) { await Task.yield() }
      // A page comes while the finger is down, or the view goes on by itself.
      if random.percent(25), !server.questions.isEmpty {
        let (seen, isAtEnd) = (eye(), self.isAtEnd)
        answer(isLate: random.percent(30))
        try await settle()
        if let seen, !isAtEnd { expect(seen) }
      }
    }
    if isFar { view.headlessEndDecelerating() } else { view.headlessEndDragging() }
    // A view that was left beyond its content bounces back.
    view.headlessDrag(to: view.contentOffset)
    view.headlessDrag(to: view.contentOffset)
    try await settle()
  }

  /// The app is ended, and opened again.
  private func relaunch() async throws {
    step = "relaunch"
    try await settle()
    let (seen, isAtEnd) = (eye(), self.isAtEnd)
    try screen.adapter.saveViewState()
    server.hangUp()
    try await endLoading()
    try repository.close()
    try reopen()
    screen.layOut()
    try await settle()
    left = [seen, eye(), savedEye].compactMap(\.self)
    if !isAtEnd, let seen { expect(seen) }
  }

  /// The process is killed, perhaps as it stores a page.
  private func kill() async throws {
    step = "kill"
    let seen = eye()
    var takeBack: (() -> Void)?
    if !server.questions.isEmpty, random.percent(70) {
      takeBack = server.answer(random.number(0..<server.questions.count))
      for _ in 0..<random.number(0..<20) { await Task.yield() }
    }
    server.hangUp()
    try reopen()
    // It may have been stored, or not.
    takeBack?()
    try await settle()
    left = [seen, eye(), savedEye].compactMap(\.self)
  }

  private func reopen() throws {
    repository = try Repository(existing: folder.file("store.sqlite"))
    list = Self.list(of: repository, server, newest)
    screen = try Self.screen(kind, list, newest)
    // What a killed process was loading is not waited for: as if that were seconds ago.
    var configuration = Configuration()
    configuration.busyMode = .timeout(10)
    let queue = try DatabaseQueue(
      path: folder.file("store.sqlite").path, configuration: configuration)
    try queue.write { try $0.execute(sql: "DELETE FROM pageRequest") }
    try queue.close()
  }

  private func endLoading() async throws {
    let pages = list.pages
    screen.view.removeFromSuperview()
    screen.adapter.checkPagesNow()
    for _ in 0..<5_000 where (pages?.counts.loading ?? 0) > 0 {
      server.hangUp()
      try await Task.sleep(for: .milliseconds(1))
    }
  }

  // MARK: What must hold

  private func items() throws -> [Item] {
    try list.provider().tree.sections.flatMap(\.items)
  }

  private var isAtEnd: Bool {
    let view = screen.view
    return newest == .end
      && view.contentOffset.y >= view.contentSize.height - view.bounds.height - 1
  }

  /// What was looked at when the app ended, and when it was opened again; nothing once somebody scrolls.
  private var left: [Eye] = []

  /// What the store said of it, which may be older than what was looked at when the app was killed.
  private var savedEye: Eye? {
    (try? list.viewState(view: "main"))?.anchor.map {
      Eye(item: $0.item, place: CGFloat($0.offset))
    }
  }

  private struct Eye {
    var item: ItemID
    var place: CGFloat
    var before = ""
  }

  /// The first item in sight.
  private func eye() -> Eye? {
    let view = screen.view
    for path in screen.visiblePaths.sorted() {
      guard let item = screen.adapter.item(at: path), !item.state.isGap,
        let frame = screen.frame(of: item.id), frame.maxY > view.contentOffset.y
      else { continue }
      return Eye(
        item: item.id, place: frame.minY - view.contentOffset.y,
        before:
          "\(screen.adapter.standsAtEnd) \(view.contentOffset.y) of \(view.contentSize.height)")
    }
    return nil
  }

  /// Does something that is no scroll of the user: what is looked at stays where it is.
  private func staying(_ name: String, _ body: () throws -> Void) async throws {
    step = name
    screen.layOut()
    let (seen, isAtEnd) = (eye(), self.isAtEnd)
    try body()
    try await settle()
    if let seen, !isAtEnd { expect(seen) }
  }

  /// The item has the same place on the screen, unless it is gone or the content is too short for that.
  ///
  /// After a launch, what was looked at then may have it instead, until somebody scrolls: other sizes show
  /// other items beside it.
  private func expect(_ eye: Eye) {
    guard let distance = distance(of: eye) else { return }
    if left.contains(where: { self.distance(of: $0).map { abs($0) < 0.01 } == true }) { return }
    #expect(
      abs(distance) < 0.01,
      "\(eye.item) moved, at the end: \(screen.adapter.standsAtEnd), \(screen.view.contentOffset.y), was at \(eye.place), \(eye.before); \(context)"
    )
  }

  /// How far an item is from where it was, or from where the content is long enough for it; `nil` if it is gone.
  private func distance(of eye: Eye) -> CGFloat? {
    guard let frame = screen.frame(of: eye.item) else { return nil }
    let view = screen.view
    let end = max(0, view.contentSize.height - view.bounds.height)
    // The place in a gap is counted in items that are missing, of whatever height, with the space after each.
    let item = screen.adapter.indexPath(of: eye.item).flatMap { screen.adapter.item(at: $0) }
    let gap = item.flatMap { $0.state.isGap ? try? Gap($0.state.content) : nil }
    let layout = screen.collection?.collectionViewLayout as? UICollectionViewFlowLayout
    let space = layout?.minimumLineSpacing ?? 0
    let unit = gap.map { (frame.height + space) / CGFloat($0.count ?? 1) } ?? 1
    return view.contentOffset.y - min(max(0, frame.minY - eye.place * unit), end)
  }

  /// Waits until all that can happen without the server has happened.
  private func settle() async throws {
    var calm = 0
    for _ in 0..<20_000 {
      screen.adapter.update()
      screen.layOut()
      screen.finishAnimations()
      screen.adapter.checkPagesNow()
      let counts = list.pages?.counts ?? (loading: 0, retrying: 0)
      let isShown = screen.adapter.provider.revision == (try list.provider().revision)
      // A page by an item may wait for the newest page first, and one at an edge for the same edge of a gap
      // that was split.
      let isWaiting = counts.loading > server.questions.count && !server.questions.isEmpty
      let isQuiet = counts.loading == server.questions.count || isWaiting
      calm = isShown && isQuiet ? calm + 1 : 0
      if calm > (isWaiting ? 20 : 2) { break }
      try await Task.sleep(for: .milliseconds(1))
    }
    if calm <= 2 {
      Issue.record(
        "it does not settle: \(list.pages?.counts ?? (0, 0)), \(server.questions.map(\.request)); \(context)"
      )
    }
    let ids = try items().map(\.id)
    #expect(Set(ids).count == ids.count, context)
    screen.expectBalance()
  }

  /// What the last commits have done, for whoever looks for the reason.
  private func latestCommits() throws -> [String] {
    try repository.commits(of: "shelf").suffix(40).map { commit in
      let entries = commit.entries.map { entry in
        switch entry {
        case .insertItem(let item, let path): "+\(item.id)@\(path.item)"
        case .deleteItem(let item, let path): "-\(item.id)@\(path.item)"
        case .moveItem(let id, let from, let to): "\(id) \(from.item)>\(to.item)"
        case .updateItem(let id, _, _, let after): "=\(id) \(after.content.text.prefix(60))"
        default: "…"
        }
      }
      return "\(commit.revision) \(commit.author.name): \(entries.joined(separator: " "))"
    }
  }

  private func end() async throws {
    step = "end"
    list.isOffline = false
    try deliver(server.lines.count)
    for _ in 0..<5_000 {
      while !server.questions.isEmpty { server.answer(0) }
      try await settle()
      if server.questions.isEmpty, list.pages?.counts.retrying == 0 { break }
      list.retryPages()
    }
    refresh()
    try await settle()
    while !server.questions.isEmpty {
      server.answer(0)
      try await settle()
    }
    for task in refreshing { await task.value }
    let problem = server.problem(of: try items())
    let commits = try latestCommits()
    #expect(problem == nil, "\(commits); \(context)")
    #expect(try repository.checkInvariants() == [], context)
    try await loadTheRest()
  }

  /// Loads what is missing: then the list is the server's.
  private func loadTheRest() async throws {
    step = "the rest"
    for _ in 0..<1_000 {
      guard let gap = try items().first(where: \.state.isGap) else { break }
      let (list, isFirst) = (list, try items().first?.id == gap.id)
      let loading = Task { _ = try? await list.loadPage(of: gap.id, fromAbove: !isFirst) }
      try await settle()
      while !server.questions.isEmpty {
        server.answer(0)
        try await settle()
      }
      await loading.value
    }
    let own = try items().map(\.id.rawValue).filter { !$0.hasPrefix("own") }
    let commits = try latestCommits()
    #expect(own == server.entries.map(\.id), "\(commits); \(context)")
  }
}
