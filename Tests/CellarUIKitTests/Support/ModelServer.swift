import Foundation
import ListItems
import ListModel
import ListSync
import Pages
import ScreenSupport
import TestSupport

/// A server of a list, for tests: an array of its own, that answers when a test says so.
///
/// It shares nothing with what loads and merges pages but their values. Cursors are ranks, as with keyset
/// pagination: they hold whatever comes and goes.
@MainActor final class ModelServer {
  /// How a server answers.
  struct Habits {
    var isNewestLast = false
    var pageSize = 10
    /// Whether pages say where they are, and how many items there are.
    var tellsPlaces = false
    /// Whether it tells its changes by a feed, and pages say of which line they know.
    var hasFeed = false
  }

  struct Entry: Equatable {
    var id: String
    var likes: Int
    /// Where it stands: the list is in the order of ranks.
    var rank: Double
    /// The line of the feed that has put it there; 0 for none.
    var line: Int
  }

  /// A line of its feed.
  struct Line {
    let text: String
    /// Whether it has a number; what refuses an edit has none.
    var isNumbered = true
  }

  /// What a user has done on a device, for the server to answer.
  struct UserEdit {
    /// What a user does to an item.
    enum Change: Equatable {
      /// A new item, after another one; `nil`: at the newest end.
      case insert(likes: Int, after: String?)
      case delete
      case update(likes: Int)
    }

    /// Its id in the outbox.
    let id: String
    let item: String
    let change: Change
  }

  /// A request that waits for its answer.
  struct Question {
    let number: Int
    let request: PageRequest
    /// The answer as it was when it was asked.
    let early: Result<Page, any Error>
    fileprivate let answer: CheckedContinuation<Page, any Error>
  }

  /// What is asked of a page, whoever asks.
  private struct Wish: Hashable {
    var part: PageRequest.Part
    var cursor: String?
    var gap: Gap?
  }

  let habits: Habits
  private(set) var entries: [Entry] = []
  /// The number of the last line of its feed.
  private(set) var sequence = 0
  /// The lines that nobody has had yet.
  private(set) var lines: [Line] = []
  /// The number of the last line that was handed out.
  private(set) var deliveredSequence = 0
  private(set) var questions: [Question] = []
  /// What was asked although it should not have been.
  private(set) var problems: [String] = []
  private(set) var requestCount = 0
  /// The number of the process that may ask: others are dead.
  private var process = 0
  private(set) var positionCount = 0
  /// The items with which it has answered.
  private var answered: [Wish: [ItemID]] = [:]
  private var made = 0
  private var cancelled: Set<Int> = []
  /// The edits that it has had and not answered, the oldest first.
  private(set) var edits: [UserEdit] = []
  /// The items of the pages with which it has answered since ``forgetAnswers()``.
  private(set) var recentItems: Set<ItemID> = []
  /// Whether a device with a limit lacks one of these items by now: it may ask for them again.
  var hasDropped: (@MainActor ([ItemID]) -> Bool)?

  nonisolated init(_ habits: Habits) { self.habits = habits }

  // MARK: Its list

  func fill(_ count: Int) {
    for place in 0..<count { entries.append(newEntry(rank: Double(place))) }
  }

  private func newEntry(rank: Double) -> Entry {
    made += 1
    return Entry(id: "b\(made)", likes: made * made % 7, rank: rank, line: sequence)
  }

  private var newestPlace: Int { habits.isNewestLast ? entries.count : 0 }

  private func rank(at place: Int) -> Double {
    let before = place > 0 ? entries[place - 1].rank : (entries.first?.rank ?? 0) - 2
    let after = place < entries.count ? entries[place].rank : (entries.last?.rank ?? 0) + 2
    return (before + after) / 2
  }

  /// Changes something.
  ///
  /// Without a feed nothing goes, and what is new is at the newest end: a device learns of
  /// it by a refresh.
  func change(_ random: inout SeededGenerator) {
    let newest = newestPlace
    guard habits.hasFeed else {
      for _ in 0..<random.number(1..<habits.pageSize * 2) {
        let place = newestPlace
        entries.insert(newEntry(rank: rank(at: place)), at: place)
      }
      return
    }
    sequence += 1
    switch random.number(0..<10) {
    case 0..<4:
      let place = random.percent(50) ? newest : random.number(0..<entries.count + 1)
      let entry = newEntry(rank: rank(at: place))
      entries.insert(entry, at: place)
      tell([insertion(at: place)])
    case 4..<6 where entries.count > 1:
      let entry = entries.remove(at: random.number(0..<entries.count))
      tell([deletion(of: entry.id)])
    case 6..<8 where entries.count > 1:
      var entry = entries.remove(at: random.number(0..<entries.count))
      let place =
        random.percent(30) ? min(newest, entries.count) : random.number(0..<entries.count + 1)
      (entry.rank, entry.line) = (rank(at: place), sequence)
      entries.insert(entry, at: place)
      tell([deletion(of: entry.id), insertion(at: place)])
    default:
      guard !entries.isEmpty else { return tell([]) }
      let place = random.number(0..<entries.count)
      entries[place].likes = random.number(0..<7)
      tell([update(at: place)])
    }
  }

  private func place(of id: String) -> Int? { entries.firstIndex { $0.id == id } }

  private func deletion(of id: String) -> String { #"{"op":"deleteItem","item":"\#(id)"}"# }

  private func update(at place: Int) -> String {
    #"{"op":"updateItem","item":"\#(entries[place].id)","content":\#(content(entries[place]))}"#
  }

  private func content(_ entry: Entry) -> String {
    #"{"id":"\#(entry.id)","isWide":false,"likes":\#(entry.likes)}"#
  }

  private func insertion(at place: Int) -> String {
    let entry = entries[place]
    let neighbour =
      place > 0
      ? #""after":"\#(entries[place - 1].id)""#
      : entries.count > 1
        ? #""before":"\#(entries[1].id)""# : #""index":0"#
    return
      #"{"op":"insertItem","item":"\#(entry.id)","section":"a",\#(neighbour),"cell":"BookCell","#
      + #""type":"Book","content":\#(content(entry))}"#
  }

  /// `edit`: The edit that the line answers.
  private func tell(_ operations: [String], answering edit: String? = nil) {
    let answer = edit.map { #""edit":"\#($0)","# } ?? ""
    lines.append(
      Line(
        text: #"{"t":"commit","list":"shelf","seq":"\#(sequence)","at":0,"by":"server","#
          + answer + #""ops":["# + operations.joined(separator: ",") + "]}"))
  }

  /// Hands lines of the feed out.
  func deliver(_ count: Int) -> [String] {
    let handed = Array(lines.prefix(count))
    deliveredSequence += handed.count { $0.isNumbered }
    lines.removeFirst(handed.count)
    return handed.map(\.text)
  }

  /// Whether an item stands where it stood when a device had the feed up to a line.
  func hasStayed(_ item: ItemID, since line: Int) -> Bool {
    entries.contains { $0.id == item.rawValue && $0.line <= line }
  }

  // MARK: What users do

  /// Takes an edit of a device; it is answered later.
  func receive(_ edit: UserEdit) { edits.append(edit) }

  /// Takes the oldest edit, and says in a line of the feed what has become of it: nothing if the item is gone.
  ///
  /// - Returns: The edit; `nil` if all have their answers.
  func take() -> UserEdit? {
    guard !edits.isEmpty else { return nil }
    let edit = edits.removeFirst()
    sequence += 1
    var operations: [String] = []
    switch (edit.change, place(of: edit.item)) {
    case (.insert(let likes, let neighbour), nil):
      let above = neighbour.flatMap { self.place(of: $0) }
      let new = above.map { $0 + 1 } ?? newestPlace
      entries.insert(
        Entry(id: edit.item, likes: likes, rank: rank(at: new), line: sequence), at: new)
      operations = [insertion(at: new)]
    case (.delete, let place?):
      entries.remove(at: place)
      operations = [deletion(of: edit.item)]
    case (.update(let likes), let place?):
      entries[place].likes = likes
      operations = [update(at: place)]
    case (.insert, _), (.delete, nil), (.update, nil): break
    }
    tell(operations, answering: edit.id)
    return edit
  }

  /// Refuses the oldest edit.
  ///
  /// `byLine`: Whether a line of the feed says so; else the device learns of it otherwise.
  ///
  /// - Returns: The edit; `nil` if all have their answers.
  func refuse(byLine: Bool) -> UserEdit? {
    guard !edits.isEmpty else { return nil }
    let edit = edits.removeFirst()
    if byLine {
      let text = #"{"t":"reject","list":"shelf","edit":"\#(edit.id)"}"#
      lines.append(Line(text: text, isNumbered: false))
    }
    return edit
  }

  // MARK: Questions

  /// What a process asks.
  struct Connection: PageLoader {
    fileprivate let server: ModelServer
    fileprivate let process: Int

    func page(_ request: PageRequest) async throws -> Page {
      let number = await server.begin()
      return try await withTaskCancellationHandler {
        try await server.wait(request, number, from: process)
      } onCancel: {
        Task { @MainActor in server.cancel(number) }
      }
    }
  }

  /// A process begins, and the one before is dead: what still runs of it in this one asks nothing.
  func connect() -> Connection {
    process += 1
    return Connection(server: self, process: process)
  }

  private func begin() -> Int {
    requestCount += 1
    return requestCount
  }

  private func wait(
    _ request: PageRequest, _ number: Int, from process: Int
  ) async throws -> Page {
    if cancelled.remove(number) != nil || process != self.process { throw CancellationError() }
    note(request)
    return try await withCheckedThrowingContinuation {
      questions.append(
        Question(number: number, request: request, early: answer(request), answer: $0))
    }
  }

  private func cancel(_ number: Int) {
    guard let place = questions.firstIndex(where: { $0.number == number }) else {
      cancelled.insert(number)
      return
    }
    questions.remove(at: place).answer.resume(throwing: CancellationError())
  }

  private func wish(_ request: PageRequest) -> Wish? {
    switch request.part {
    case .newest, .around: nil
    // A gap without a cursor is asked for by its neighbours.
    case .after, .before:
      request.cursor.map { Wish(part: request.part, cursor: $0, gap: nil) }
    case .from: Wish(part: request.part, cursor: nil, gap: request.gap)
    }
  }

  /// Each page is asked for once a success, unless the server has put other items there since; and by one at
  /// a time.
  private func note(_ request: PageRequest) {
    if case .from = request.part { positionCount += 1 }
    guard let wish = wish(request) else { return }
    if let before = answered[wish], case .success(let page) = answer(request),
      page.items.map(\.id) == before, hasDropped?(before) != true
    {
      problems.append("asked again: \(request)")
    }
    if questions.contains(where: { $0.request == request }) {
      problems.append("asked twice at once: \(request)")
    }
  }

  /// Answers a question, as the list is now or as it was when it was asked.
  ///
  /// - Returns: What takes the success back, for a device that is killed before it has stored the page.
  @discardableResult
  func answer(_ place: Int, isLate: Bool = false) -> (() -> Void)? {
    let question = questions.remove(at: place)
    let result = isLate ? question.early : answer(question.request)
    question.answer.resume(with: result)
    guard case .success(let page) = result else { return nil }
    recentItems.formUnion(page.items.map(\.id))
    guard let wish = wish(question.request) else { return nil }
    // A page that knows less than the device is asked for again.
    if let sequence = page.sequence, sequence < deliveredSequence { return nil }
    answered[wish] = page.items.map(\.id)
    return { self.answered[wish] = nil }
  }

  func forgetAnswers() { recentItems = [] }

  /// A device with a limit has these items by now: pages that have others were dropped, and may be asked for again.
  ///
  /// `opened`: Its items if it has dropped some: the gaps that it has made may be where it had asked before.
  func forgetPages(except known: Set<ItemID>, opened: [Item]) {
    let gaps = opened.filter(\.state.isGap).map { Gap(readable: $0.state.content) }
    let cursors = Set(gaps.flatMap { [$0.after, $0.before] })
    answered = answered.filter { wish, items in
      !items.isEmpty && known.isSuperset(of: items)
        && neighbour(of: wish).map(known.contains) != false
        && (wish.cursor == nil || !cursors.contains(wish.cursor))
    }
  }

  /// A device has put right where a gap is: by positions that were wrong it could take nothing.
  func forgetPositions(except items: [Item]) {
    let gaps = items.filter(\.state.isGap).map { Gap(readable: $0.state.content) }
    answered = answered.filter { wish, _ in wish.gap.map(gaps.contains) ?? true }
  }

  /// The item that a page was asked for beside: once a device has dropped that, it can't know what it had there.
  private func neighbour(of wish: Wish) -> ItemID? {
    let rank = wish.cursor.flatMap(Double.init)
    return entries.first { $0.rank == rank }.map { ItemID(stringLiteral: $0.id) }
  }

  func fail(_ place: Int, with error: any Error) {
    questions.remove(at: place).answer.resume(throwing: error)
  }

  /// Ends all questions, of a device that is gone.
  func hangUp() {
    for question in questions { question.answer.resume(throwing: URLError(.cancelled)) }
    questions = []
  }

  private func answer(_ request: PageRequest) -> Result<Page, any Error> {
    let size = habits.pageSize
    func place(after rank: Double) -> Int {
      entries.firstIndex { $0.rank > rank } ?? entries.count
    }
    func place(of id: ItemID?) -> Int? {
      id.flatMap { id in entries.firstIndex { $0.id == id.rawValue } }
    }
    let range: Range<Int>
    switch request.part {
    case .newest:
      range = habits.isNewestLast ? max(0, entries.count - size)..<entries.count : 0..<size
    case .after:
      let start =
        request.cursor.flatMap(Double.init).map(place(after:))
        ?? place(of: request.above).map { $0 + 1 }
      guard let start else { return .failure(Page.Failure.outdatedCursor) }
      range = start..<start + size
    case .before:
      let end =
        request.cursor.flatMap(Double.init)
        .map { rank in entries.firstIndex { $0.rank >= rank } ?? entries.count }
        ?? place(of: request.below)
      guard let end else { return .failure(Page.Failure.outdatedCursor) }
      range = max(0, end - size)..<end
    case .around(let item):
      guard let middle = place(of: item) else { return .failure(URLError(.badURL)) }
      range = max(0, middle - size / 2)..<middle + size / 2
    case .from(let offset): range = offset..<offset + size
    }
    return Result { try page(range, request) }
  }

  private func page(_ wanted: Range<Int>, _ request: PageRequest) throws -> Page {
    let range = wanted.clamped(to: 0..<entries.count)
    let part = entries[range]
    // An empty page has nothing before or after it but what the request says.
    let before = part.first?.rank ?? request.cursor.flatMap(Double.init)
    let after = part.last?.rank ?? request.cursor.flatMap(Double.init)
    return try Page(
      part.map { Book(id: $0.id, likes: $0.likes) },
      before: range.lowerBound == 0 ? nil : before.map { "\($0)" },
      after: range.upperBound == entries.count ? nil : after.map { "\($0)" },
      offset: habits.tellsPlaces ? range.lowerBound : nil,
      total: habits.tellsPlaces ? entries.count : nil,
      sequence: habits.hasFeed ? sequence : nil)
  }

  // MARK: What a device has of it

  /// What is wrong with a device's list: `nil` if it has the same items in the same order, each once, and a
  /// gap wherever it lacks one.
  ///
  /// Items of the device's own are passed over.
  func problem(of items: [Item]) -> String? {
    var places: [String: Int] = [:]
    for (place, entry) in entries.enumerated() { places[entry.id] = place }
    var (next, isInGap) = (0, false)
    for item in items where !item.id.rawValue.hasPrefix("own") {
      if item.state.isGap {
        isInGap = true
        continue
      }
      guard let place = places[item.id.rawValue] else { return "\(item.id) is gone" }
      if place < next { return "\(item.id) is too late" }
      if place > next, !isInGap {
        return
          "before \(item.id) there is no gap, and \(entries[next..<place].map(\.id)) are missing"
      }
      let likes = try? item.state.content.value(of: "likes", as: Int.self)
      if likes != entries[place].likes { return "\(item.id) is old: \(item.state.content)" }
      (next, isInGap) = (place + 1, false)
    }
    if next < entries.count, !isInGap { return "at the end there is no gap, and items are missing" }
    return nil
  }
}
