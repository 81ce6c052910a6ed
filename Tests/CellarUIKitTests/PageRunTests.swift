import CellarUIKit
import Foundation
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
///
/// Some runs have a limit, some a second screen, and some with a feed an outbox.
@MainActor @Suite(.timeLimit(.minutes(600))) struct PageRunTests {
  /// `CELLAR_PAGE_RUNS=10000` for the long soak.
  private nonisolated static var runCount: Int {
    ProcessInfo.processInfo.environment["CELLAR_PAGE_RUNS"].flatMap(Int.init)
      ?? (firstSeed == nil ? 8 : 1)
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
@MainActor final class PageRun {
  /// What only some runs have.
  struct Habits {
    /// How much the list keeps.
    var limit: Page.Limit?
    /// What the second screen is; `nil` if there is none.
    var secondKind: ScreenKind?
    /// Whether the user does something that the server has to answer.
    var hasOutbox = false

    init(_ random: inout SeededGenerator, hasFeed: Bool) {
      if random.percent(25) {
        limit =
          random.percent(70)
          ? .items(random.number(60..<400)) : .bytes(random.number(2_000..<14_000))
      }
      if random.percent(25) { secondKind = random.element(of: ScreenKind.allCases) }
      if random.percent(25) { hasOutbox = hasFeed }
    }
  }

  let seed: UInt64
  var random: SeededGenerator
  /// Draws what only some runs have, so that the others go on as they did without.
  var more: SeededGenerator
  let folder: TemporaryFolder
  let server: ModelServer
  let kind: ScreenKind
  let newest: LiveList.Paging.End
  let habits: Habits
  /// How much the list keeps: what ``habits`` say, until the rest is loaded.
  var limit: Page.Limit?
  var repository: Repository
  var list: LiveList
  var main: PageRunScreen
  var second: PageRunScreen?
  /// What was looked at on the second screen when that was closed.
  var closed: Look?
  /// The items that the user has deleted, unless the server has refused that.
  var deleted: Set<String> = []
  var madeItems = 0
  /// The items that the list had when it settled last.
  var known: Set<ItemID> = []
  var step = "start"
  private var refreshing: [Task<Void, Never>] = []
  private var steps: [String] = []

  init(seed: UInt64) throws {
    self.seed = seed
    var random = SeededGenerator(seed: seed)
    var more = SeededGenerator(seed: seed ^ 0x2C1B_3C6D_297A_2D39)
    kind = random.element(of: ScreenKind.allCases) ?? .placed
    newest = random.percent(60) ? .start : .end
    var answering = ModelServer.Habits(isNewestLast: newest == .end)
    answering.pageSize = random.number(4..<30)
    answering.tellsPlaces = random.percent(50)
    answering.hasFeed = random.percent(60)
    var count = random.number(0..<20) == 0 ? 0 : random.number(1..<300)
    habits = Habits(&more, hasFeed: answering.hasFeed)
    limit = habits.limit
    if habits.limit != nil {
      // What is near a screen stays: only long lists get to their limits.
      (answering.pageSize, count) = (more.number(20..<50), more.number(300..<800))
    }
    server = ModelServer(answering)
    server.fill(count)
    folder = try TemporaryFolder()
    repository = try Repository(at: folder.file("store.sqlite"))
    list = Self.list(of: repository, server, newest, habits.limit)
    main = try PageRunScreen(kind, showing: list, named: "main", newest: newest)
    if let kind = habits.secondKind, more.percent(50) {
      second = try PageRunScreen(kind, showing: list, named: "second", newest: newest)
    }
    self.random = random
    self.more = more
    if habits.limit != nil {
      server.hasDropped = { [weak self] items in self?.lacks(items) ?? true }
    }
    for shown in screens { shown.screen.layOut() }
  }

  static func list(
    of repository: Repository, _ server: ModelServer, _ newest: LiveList.Paging.End,
    _ limit: Page.Limit?
  ) -> LiveList {
    repository.liveList(
      "shelf", items: [Book.self], pages: server.connect(),
      paging: LiveList.Paging(
        newest: newest, section: "a", retrying: 0.005...0.02, limit: limit))
  }

  func run() async throws {
    let raised = try await HeadlessException.raised {
      try await takeSteps()
      try await end()
    }
    #expect(raised.map(\.description) == [], context)
    let commits = try latestCommits()
    #expect(server.problems == [], "\(commits); \(context)")
    list.pages?.want([], by: ObjectIdentifier(self))
    server.hangUp()
  }

  var context: Comment {
    "seed \(seed), \(kind), \(server.habits), \(habits), \(steps.suffix(6)), \(step)"
  }

  private func takeSteps() async throws {
    try await settle()
    for _ in 0..<random.number(10..<50) {
      try await takeStep()
      steps.append(step)
      try await takeStepOfHabits()
      if !server.problems.isEmpty { return }
    }
  }

  /// What only some runs do.
  private func takeStepOfHabits() async throws {
    if limit != nil, more.percent(15) {
      try await readOn()
      steps.append(step)
    }
    if habits.secondKind != nil, more.percent(35) {
      try await useSecondScreen()
      steps.append(step)
    }
    if habits.hasOutbox, more.percent(50) {
      try await useOutbox()
      steps.append(step)
    }
  }

  // MARK: Steps

  private func takeStep() async throws {
    switch random.number(0..<100) {
    case 0..<14: try await staying("late answer") { answer(isLate: true, &random) }
    case 14..<34: try await staying("answer") { answer(isLate: false, &random) }
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
    case 68..<71: try await staying("rotation") { main.rotate() }
    case 71..<73: try await staying("text size") { main.changeTexts() }
    case 73..<75: try await staying("retry") { list.retryPages() }
    case 75..<78: try await staying("offline") { list.isOffline.toggle() }
    case 78..<80: try await staying("link") { link() }
    case 80..<83: try await relaunch()
    case 83..<85: try await kill()
    case 85..<93: try await scroll(main, far: false)
    default: try await scroll(main, far: true)
    }
  }

  /// `random`: Says which question is answered.
  private func answer(isLate: Bool, _ random: inout SeededGenerator) {
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

  /// The user scrolls a screen; the second one draws numbers of its own.
  func scroll(_ shown: PageRunScreen, far isFar: Bool) async throws {
    let isMain = shown === main
    step = (isFar ? "fling" : "scroll") + (isMain ? "" : " of the second screen")
    var numbers = isMain ? random : more
    defer { if isMain { random = numbers } else { more = numbers } }
    var others = try looks(at: screens.filter { $0 !== shown })
    let view = shown.view
    shown.left = []
    view.headlessBeginDragging()
    let room = max(0, view.contentSize.height - view.bounds.height)
    let start = view.contentOffset.y
    let ends: [CGFloat] = [0, room, CGFloat.random(in: 0...room, using: &numbers)]
    let end =
      isFar
      ? ends[numbers.number(0..<3)]
      : min(max(0, start + CGFloat.random(in: -400...400, using: &numbers)), room)
    for part in 1...5 {
      if isFar, part == 2 { view.headlessEndDragging(decelerating: true) }
      view.headlessDrag(to: CGPoint(x: 0, y: start + (end - start) * CGFloat(part) / 5))
      if numbers.percent(30) { await Task.yield() }
      // A page comes while the finger is down, or the view goes on by itself.
      if numbers.percent(25), !server.questions.isEmpty {
        let seen = try looks(at: [shown])
        let isLate = numbers.percent(30)
        answer(isLate: isLate, &numbers)
        try await settle()
        for look in seen + others { try expect(look) }
        // Content that is short, or whose lines are filled otherwise, may show another item first now.
        others = try looks(at: screens.filter { $0 !== shown })
      }
    }
    if isFar { view.headlessEndDecelerating() } else { view.headlessEndDragging() }
    shown.bounceBack()
    try await settle()
    for look in others { try expect(look) }
  }

  // MARK: The end

  private func end() async throws {
    step = "end"
    list.isOffline = false
    while try answerEdit() {}
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
    try expectAnswers()
    if limit != nil { try await liftLimit() }
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
