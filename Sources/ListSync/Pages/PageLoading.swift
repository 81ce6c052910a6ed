import BatchUpdates
import Foundation
package import ListModel
import ListStore
import ListTables
package import Pages
package import Providers
import StoreFiles

/// Loads the pages of a list: each once, whoever asks for it.
///
/// All screens of a process that show the list share one. It knows what is under way, what has failed and
/// when it is asked for again. None of that is in the log.
package final class PageLoading: Sendable {
  private let list: LiveList
  private let loader: any PageLoader
  private let policy: LiveList.Paging
  private let claims: PageClaims
  private let state = Guarded(State())

  private struct State {
    var pages: [Key: Loading] = [:]
    /// What each screen needs.
    var wanted: [ObjectIdentifier: Set<Key>] = [:]
    /// What each screen shows: the first item in sight, and the last one.
    var inSight: [ObjectIdentifier: [ItemID]] = [:]
    var isOffline = false
    /// Whether this process has had a newest page.
    var hasNewest = false
    /// Whether the store's list has had a page, as it was for a screen's revision.
    var known: (revision: Int, hasPage: Bool)?
    /// The list's revision after the last page.
    var revision = 0
    var observers: [UUID: AsyncStream<Void>.Continuation] = [:]
    var lastNumber = 0

    func isWanted(_ key: Key) -> Bool { wanted.values.contains { $0.contains(key) } }
  }

  private struct Loading {
    /// What tells two loads of one page apart.
    var number: Int
    var task: Task<PageMerge.Outcome, any Error>?
    /// What the server is being asked, if that has a cursor.
    var asked: Asked?
    /// Whether somebody waits for it who is no screen.
    var isByHand = false
    var failure: (error: any Error, count: Int)?
    /// What asks again after a pause.
    var retry: Task<Void, Never>?

    /// Whether it has failed because there is no connection.
    var isOffline: Bool { failure?.error as? Page.Failure == .offline }
  }

  /// A question with a cursor: from whichever gap it comes, the server's answer is the same.
  private struct Asked: Equatable {
    var part: PageRequest.Part
    var cursor: String

    init?(_ request: PageRequest) {
      guard let cursor = request.cursor else { return nil }
      (part, self.cursor) = (request.part, cursor)
    }
  }

  init(_ list: LiveList, _ loader: any PageLoader, _ policy: LiveList.Paging) {
    self.list = list
    self.loader = loader
    self.policy = policy
    claims = PageClaims(of: list.id, in: list.repository, lasting: policy.lease)
  }

  /// Whether the newest items stand at the end of the list.
  package var isNewestAtEnd: Bool { policy.newest == .end }

  /// The list's revision after the last page: what a screen needs is known when it shows it.
  package var revision: Int { state.withValue { $0.revision } }

  /// Whether a screen needs the newest page: the list has never had one, or is empty and this process has not
  /// asked.
  ///
  /// Items alone don't tell: a feed and the user bring some, too.
  ///
  /// `shown`: What the screen shows.
  package func needsNewest(_ shown: Provider) -> Bool {
    let (known, hasNewest) = state.withValue { ($0.known, $0.hasNewest) }
    if shown.numberOfItems == 0, !hasNewest { return true }
    if let known, known.revision == shown.revision { return !known.hasPage }
    // A store that can't be read says so to whoever shows it.
    guard let hasPage = try? list.repository.hasPage(list.id) else { return false }
    state.withValue { $0.known = (shown.revision, hasPage) }
    return !hasPage
  }

  // MARK: Screens

  /// Notes what a screen needs now, and loads it; what no screen needs any more is cancelled.
  package func want(_ keys: Set<Key>, by screen: ObjectIdentifier) {
    typealias Page = Task<PageMerge.Outcome, any Error>
    let (begin, cancelled) = state.withValue { state -> ([Key], [Page]) in
      let before = state.wanted[screen] ?? []
      state.wanted[screen] = keys.isEmpty ? nil : keys
      var cancelled: [Page] = []
      for key in before.subtracting(keys) where !state.isWanted(key) {
        guard let page = state.pages[key], !page.isByHand else { continue }
        if let task = page.task { cancelled.append(task) }
      }
      return (keys.filter { needs($0, state) }.sorted(), cancelled)
    }
    for task in cancelled { task.cancel() }
    for key in begin { _ = start(key, isByHand: false) }
  }

  /// Whether a page that a screen needs has to be begun: it is neither under way nor asked for again by itself,
  /// and does not wait for the user.
  private func needs(_ key: Key, _ state: State) -> Bool {
    guard let page = state.pages[key] else { return true }
    guard page.task == nil, page.retry == nil, let failure = page.failure else { return false }
    return pause(after: failure.error, failure.count) != nil
  }

  /// Ends what was wanted by a screen that does not show the list any more.
  package func leave(_ screen: ObjectIdentifier) {
    want([], by: screen)
    show([], by: screen)
  }

  /// Notes the first item that a screen shows, and the last one: what is near them stays in the list.
  package func show(_ items: [ItemID], by screen: ObjectIdentifier) {
    state.withValue { $0.inSight[screen] = items.isEmpty ? nil : items }
  }

  /// Whether the device has no connection: nothing is asked for then.
  package var isOffline: Bool {
    get { state.withValue { $0.isOffline } }
    set {
      let retried = state.withValue { state -> [Key] in
        if state.isOffline == newValue { return [] }
        state.isOffline = newValue
        if newValue { return [] }
        return state.pages.filter { $1.isOffline && $1.task == nil }.map(\.key)
      }
      for key in retried { retry(key) }
      signal()
    }
  }

  // MARK: States

  /// What is known of the pages of a gap, or of the newest one: of that under way, else of one that has failed.
  package func state(of gap: ItemID?) -> LiveList.PageState {
    state.withValue { state in
      let pages = state.pages.filter { gap == nil ? $0.key == .newest : $0.key.gap == gap }.values
      if pages.contains(where: { $0.task != nil }) { return .loading }
      guard let page = pages.first(where: { $0.failure != nil }), let error = page.failure?.error
      else { return .idle }
      return page.isOffline ? .offline : .failed(error)
    }
  }

  /// How many pages are under way, and how many that have failed are asked for again by themselves.
  package var counts: (loading: Int, retrying: Int) {
    state.withValue { state in
      let pages = state.pages.values
      return (pages.count { $0.task != nil }, pages.count { $0.retry != nil && $0.task == nil })
    }
  }

  /// Signals that a state may be another one.
  package func changes() -> AsyncStream<Void> {
    AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
      let id = UUID()
      state.withValue { $0.observers[id] = continuation }
      continuation.onTermination = { [weak self] _ in
        self?.state.withValue { $0.observers[id] = nil }
      }
    }
  }

  private func signal() {
    let observers = state.withValue { Array($0.observers.values) }
    for observer in observers { observer.yield() }
  }

  // MARK: Loading

  /// Loads a page now, also one that has failed, and waits for it.
  ///
  /// - Throws: What the loader throws, or ``/ListModel/StoreError``.
  package func load(_ key: Key) async throws -> PageMerge.Outcome {
    try await start(key, isByHand: true).value
  }

  /// Loads again what has failed.
  package func retry() {
    let keys = state.withValue { state in
      state.pages.filter { $1.failure != nil && $1.task == nil }.map(\.key)
    }
    for key in keys { retry(key) }
  }

  private func retry(_ key: Key) {
    guard state.withValue({ $0.isWanted(key) }) else {
      state.withValue { $0.pages[key] = nil }
      return signal()
    }
    _ = start(key, isByHand: false)
  }

  /// Begins to load a page, unless it is under way.
  private func start(_ key: Key, isByHand: Bool) -> Task<PageMerge.Outcome, any Error> {
    let task = state.withValue { state -> Task<PageMerge.Outcome, any Error> in
      var page = state.pages[key] ?? Loading(number: 0)
      page.isByHand = page.isByHand || isByHand
      defer { state.pages[key] = page }
      if let task = page.task, !task.isCancelled { return task }
      page.retry?.cancel()
      page.retry = nil
      state.lastNumber += 1
      page.number = state.lastNumber
      let number = page.number
      let before = page.task
      let task = Task { [self] in
        // One that was cancelled may be about to end with a page.
        if let before { _ = await before.result }
        let result: Result<PageMerge.Outcome, any Error>
        do { result = .success(try await run(key)) } catch { result = .failure(error) }
        // What a loader throws then is its own matter, such as a `URLError`.
        ended(key, number, result, wasCancelled: Task.isCancelled)
        return try result.get()
      }
      page.task = task
      return task
    }
    signal()
    return task
  }

  private func ended(
    _ key: Key, _ number: Int, _ result: Result<PageMerge.Outcome, any Error>, wasCancelled: Bool
  ) {
    let isWantedAgain = state.withValue { state -> Bool in
      guard var page = state.pages[key], page.number == number else { return false }
      page.task = nil
      page.asked = nil
      page.isByHand = false
      switch result {
      case .success:
        state.pages[key] = nil
        if key == .newest { state.hasNewest = true }
        state.known = nil
      case .failure where wasCancelled:
        state.pages[key] = nil
        return state.isWanted(key)
      case .failure(let error):
        let count = (page.failure?.count ?? 0) + 1
        page.failure = (error, count)
        // It may be online again by now.
        let isStillOffline = state.isOffline || !page.isOffline || count > 1
        if let pause = isStillOffline ? pause(after: error, count) : .zero, state.isWanted(key) {
          page.retry = Task { [weak self] in
            do { try await Task.sleep(for: pause) } catch { return }
            self?.retry(key)
          }
        }
        // Nobody shows what has become of a page for no gap.
        state.pages[key] = key.gap == nil && key != .newest ? nil : page
      }
      return false
    }
    if isWantedAgain { _ = start(key, isByHand: false) }
    signal()
  }

  /// How long to wait before a page is asked for again; `nil`: until somebody says so.
  private func pause(after error: any Error, _ count: Int) -> Duration? {
    switch error as? Page.Failure {
    case .offline, .needsUser: return nil
    case .outdatedCursor, .otherEdge, .unsupported, .nothingNew, .outdatedPage, .unknownPlace, nil:
      break
    }
    let range = policy.retrying
    let seconds = min(range.lowerBound * pow(2, Double(min(count, 64) - 1)), range.upperBound)
    return .seconds(seconds * .random(in: 1...1.5))
  }

  private func run(_ key: Key) async throws -> PageMerge.Outcome {
    let (repository, id) = (list.repository, list.id)
    var claimed: Key?
    defer { if let claimed { claims.giveUp(claimed) } }
    var isWithoutCursor = false
    var newestCount = 0
    var asked = key
    // The item that the server is asked by without a cursor: it need not know the nearest one.
    var distance = 1
    for attempt in 1... {
      if isOffline { throw Page.Failure.offline }
      if asked != claimed {
        // Whoever waits has claimed nothing, or two would wait for each other.
        if let claimed { claims.giveUp(claimed) }
        claimed = nil
        if try await claims.take(asked) { return .tooLate }
        claimed = asked
      }
      let question = try repository.pageQuestion(
        for: key.gap, of: id, newestAt: newestEnd(key))
      guard let question else { return .tooLate }
      var gap = question.gap
      if isWithoutCursor {
        gap?.after = nil
        gap?.before = nil
      }
      var (above, below) = (question.above, question.below)
      if distance > 1, let gap = key.gap {
        let isUpper = asked.part == .after
        let item = try repository.item(
          near: gap, of: id, atDistance: isUpper ? distance : -distance)
        guard let item else { throw Page.Failure.outdatedCursor }
        if isUpper { above = item } else { below = item }
      }
      let request = PageRequest(
        list: id, part: asked.part, gap: gap, above: above, below: below)
      if try await isAsked(request, for: key) { return .tooLate }
      do {
        let page = try await loader.page(request)
        guard let outcome = try take(page, asked, question, isCurrent: newestCount > 0) else {
          if attempt >= Self.mostAttempts { throw Page.Failure.outdatedPage }
          try await Task.sleep(for: .milliseconds(50 << min(attempt, 6)))
          continue
        }
        if !outcome.hasProgress, !outcome.isTooLate, let gap = key.gap {
          // What it brings may have come by another process meanwhile.
          let now = try repository.pageQuestion(for: gap, of: id)
          if now?.gap == question.gap { throw Page.Failure.nothingNew }
        }
        return outcome
      } catch Page.Failure.outdatedCursor where !isWithoutCursor && key.gap != nil {
        isWithoutCursor = true
      } catch Page.Failure.outdatedCursor
        where asked == key && distance == 1 && key.otherEdge != nil
      {
        // The server may not know what stands at this edge.
        (asked, isWithoutCursor) = (key.otherEdge ?? key, false)
      } catch Page.Failure.outdatedCursor
        where key.otherEdge != nil && distance < Self.farthestNeighbour
      {
        // Nor at the other one: items of the app's may stand there.
        asked = key
        distance += 1
      } catch Page.Failure.unknownPlace where newestCount < 2 {
        // It may be newer than all that the list has; and than a newest page that was under way.
        _ = try await load(.newest)
        newestCount += 1
      } catch Page.Failure.otherEdge where asked == key {
        guard let other = key.otherEdge else { throw Page.Failure.unsupported }
        asked = other
      }
    }
    return .tooLate
  }

  /// Where the newest items stand, if they are what is asked for.
  private func newestEnd(_ key: Key) -> Repository.PageEnd? {
    guard key == .newest else { return nil }
    return Repository.PageEnd(of: policy.section, isAtStart: policy.newest == .start)
  }

  /// Notes what is asked.
  ///
  /// If the same is being asked for another gap, waits for what comes of that: the gap was parted meanwhile,
  /// and this edge was the other one's.
  ///
  /// - Returns: Whether that has loaded it.
  private func isAsked(_ request: PageRequest, for key: Key) async throws -> Bool {
    let other = state.withValue { state -> Task<PageMerge.Outcome, any Error>? in
      let asked = Asked(request)
      let other =
        asked == nil ? nil : state.pages.first { $0.key != key && $0.value.asked == asked }
      state.pages[key]?.asked = other == nil ? asked : nil
      return other?.value.task
    }
    guard let other else { return false }
    if case .success = await other.result { return true }
    try Task.checkCancellation()
    return try await isAsked(request, for: key)
  }

  /// Puts a page into the list.
  ///
  /// - Returns: `nil` if the page knows less than the store.
  private func take(
    _ page: Page, _ key: Key, _ question: Repository.PageQuestion, isCurrent: Bool
  ) throws -> PageMerge.Outcome? {
    let inSight = state.withValue { Set($0.inSight.values.joined()) }
    let asked = AskedPage(
      page, for: key.gap, key.part, saying: question.gap, beside: (question.above, question.below),
      in: question.section ?? policy.section, isNewestAtEnd: policy.newest == .end,
      isCurrent: isCurrent)
    let answer = try list.repository.take(
      asked, into: list.id, ownedBy: list.owner, askedWith: question,
      keeping: policy.limit, inSight: inSight)
    switch answer {
    case .taken(let outcome, let commit):
      if let commit { state.withValue { $0.revision = max($0.revision, commit.revision) } }
      return outcome
    case .refused(.outdated): return nil
    case .refused(.unknownPlace): throw Page.Failure.unknownPlace
    }
  }

  private static let mostAttempts = 6
  /// The server is asked by at most so many items of an edge that it does not know.
  private static let farthestNeighbour = 8
}
