import Foundation
import ListModel
import ListStore
import ListSync

/// One call of a feed client: asks, applies what comes, and asks again.
struct FeedFollower {
  private let client: FeedClient
  private let repository: Repository
  private let target: FeedRun.Target?
  private let source: FeedSource
  private let endsUpToDate: Bool
  private let progress: @Sendable (FeedClient.State) -> Void
  /// The feed's name in errors.
  private let name: String

  private var report = FeedReport()
  /// Attempts in a row that failed and brought no new line.
  private var failures = 0
  /// Answers in a row that had a wrong line and brought no new one.
  private var wrongAnswers = 0
  /// Lines that are missing before one that came.
  private var gap: FeedRun.Gap?
  /// Why the lists themselves are wanted.
  private var reasonForSnapshot: StoreError?
  /// Whether the server has refused the last credentials.
  private var wasRefused = false
  /// Whether the last answer was the whole of the feed.
  private var isUpToDate = false

  /// In how many answers a line must be wrong before it counts as the server's.
  private static let mostWrongAnswers = 10

  /// After how many ranges without a line a snapshot is asked for.
  private static let mostEmptyRanges = 3

  /// The outcome of one request.
  private enum Outcome {
    /// The server has no more for now.
    case upToDate
    /// There is more to ask for at once.
    case more
    /// It failed; at the earliest after the pause it may be tried again.
    case failed(any Error, asked: Duration? = nil)
  }

  init(
    client: FeedClient, repository: Repository, target: FeedRun.Target?,
    lists: Repository.FeedLists, endsUpToDate: Bool,
    progress: @escaping @Sendable (FeedClient.State) -> Void
  ) {
    self.client = client
    self.repository = repository
    self.target = target
    self.endsUpToDate = endsUpToDate
    self.progress = progress
    name = client.name
    source = FeedSource(client.name, shownAs: client.name, lists: lists)
  }

  mutating func run() async throws -> FeedReport {
    try client.requireSecureAddress()
    while !Task.isCancelled {
      let start = client.pace.now()
      let applied = report.applied
      let mayWait = isUpToDate
      let outcome: Outcome
      do { outcome = try await ask() } catch is CancellationError where Task.isCancelled { break }
      if report.applied > applied { (failures, wrongAnswers) = (0, 0) }
      switch outcome {
      case _ where Task.isCancelled: break
      case .more: isUpToDate = false
      case .upToDate:
        failures = 0
        isUpToDate = true
        progress(.upToDate)
        if endsUpToDate { return report }
        // A server that was to wait for new lines, and did not, is not asked without a pause.
        let passed = Duration.seconds(client.pace.now().timeIntervalSince(start))
        if mayWait, report.applied == applied, passed < client.pollInterval {
          // The clock may have been set back.
          await sleep(client.pollInterval - max(passed, .zero))
        }
      case .failed(let error, let asked):
        isUpToDate = false
        failures += 1
        let pause = client.pause(afterFailures: failures, asked: asked)
        progress(.waiting(until: client.pace.now() + pause.seconds, because: error))
        await sleep(pause)
      }
    }
    return report
  }

  private func sleep(_ pause: Duration) async {
    // It fails if the task is cancelled, which the loop looks at.
    try? await client.pace.sleep(pause)
  }

  // MARK: One request

  private mutating func ask() async throws -> Outcome {
    let question = try question()
    let (url, heads) = question.address(client.url)
    var headers = try await client.headers(afterRefusal: wasRefused)
    let mayStayOpen = !endsUpToDate && question.end == nil && !question.wantsSnapshot
    headers["Feed-Gaps"] = "1"
    headers["Accept"] = (mayStayOpen ? "text/event-stream, " : "") + "application/x-ndjson"
    progress(.connecting)
    let request = FeedClient.Request(
      url: url, headers: headers, idleTimeout: client.idleTimeout,
      isCacheable: question.end != nil)
    let response: FeedClient.Response
    do { response = try await client.send(request) } catch { return .failed(error) }
    defer { response.body.cancel() }
    let answer = FeedAnswer(response, from: name, now: client.pace.now())
    if case .unauthorized = answer {} else { wasRefused = false }
    switch answer {
    case .feed(let stream):
      return try await apply(response, to: request, stream, question, after: heads)
    case .nothingNew: return try ended(question, isNew: false)
    case .unauthorized(let error):
      if wasRefused { throw error }
      wasRefused = true
      return .more
    case .tooOld(let error):
      if reasonForSnapshot != nil { throw reasonForSnapshot ?? error }
      reasonForSnapshot = error
      gap = nil
      return .more
    case .later(let error, let pause): return .failed(error, asked: pause)
    case .refused(let error): throw error
    }
  }

  private func question() throws -> FeedQuestion {
    var question = FeedQuestion(
      list: target?.feedList, heads: try repository.feedHeads(of: target?.list, for: source))
    if let gap {
      question.list = target?.feedList ?? gap.list
      question.heads.removeAll { $0.list != gap.list }
      question.end = gap.found - 1
    }
    question.wantsSnapshot = reasonForSnapshot != nil
    if isUpToDate, !endsUpToDate { question.wait = client.wait }
    return question
  }

  // MARK: The answer

  /// Applies the lines of an answer as they arrive.
  private mutating func apply(
    _ response: FeedClient.Response, to request: FeedClient.Request, _ stream: FeedStream,
    _ question: FeedQuestion, after heads: [FeedHead]
  ) async throws -> Outcome {
    // A server that says where its answer begins must mean this question, and not an earlier one.
    let said = response.headers["feed-after"]
    let expected = heads.map(\.positionText).joined(separator: ", ")
    if let said, said != expected {
      return .failed(
        StoreError(
          .feedUnavailable,
          "the answer begins after \(said.prefix(200)), but \(expected.prefix(200)) was asked for; "
            + "something between holds old answers", file: name))
    }
    let applied = report.applied
    var run = FeedRun(
      into: repository, from: source, target: target, after: said == nil ? [] : heads,
      report: report)
    defer { report = run.report }
    var stream = stream
    var silence = Silence()
    let progress = progress
    while !Task.isCancelled {
      let part: Data?
      do { part = try await client.nextPart(of: response, to: request) } catch {
        return .failed(error)
      }
      do throws(any Error) {
        guard let part else {
          try run.finish()
          return try ended(question, isNew: run.report.applied > applied)
        }
        let isIdle = stream.append(part, to: &run.lines)
        let lineCount = run.report.lines
        try run.applyLines { progress(.receiving($0)) }
        let hasLine = run.report.lines > lineCount
        if let error = silence.note(part, hasLine: hasLine, client) { throw error }
        guard isIdle, !question.wantsSnapshot || run.report.applied > applied else { continue }
        reasonForSnapshot = nil
        if endsUpToDate { return .upToDate }
        failures = 0
        progress(.upToDate)
      } catch let error as StoreError {
        return try refused(error, isNew: run.report.applied > applied)
      }
    }
    return .more
  }

  /// Decides what to do after the end of an answer without an error.
  private mutating func ended(_ question: FeedQuestion, isNew: Bool) throws -> Outcome {
    if let reasonForSnapshot {
      guard isNew else { return try wrong(reasonForSnapshot) }
      self.reasonForSnapshot = nil
      return .more
    }
    guard let missing = gap else { return .upToDate }
    gap = nil
    if isNew { return .more }
    wrongAnswers += 1
    let error = StoreError(
      .feedGap,
      "list \"\(missing.list)\" expects seq \(missing.expected), but the server sends "
        + "seq \(missing.found), and nothing between them", file: name)
    if wrongAnswers >= Self.mostEmptyRanges { reasonForSnapshot = error }
    return .failed(error)
  }

  /// Decides what to do after a line that was refused; throws the error if asking again can't help.
  private mutating func refused(_ error: StoreError, isNew: Bool) throws -> Outcome {
    if isNew { reasonForSnapshot = nil }
    switch error.code {
    case .feedGap where gap == nil && reasonForSnapshot == nil:
      gap = error.cause as? FeedRun.Gap
      return .more
    case .feedGap, .anotherFeed, .sectionNotFound, .itemNotFound, .duplicateID, .placeOutOfBounds:
      gap = nil
      if let reasonForSnapshot { return try wrong(reasonForSnapshot) }
      reasonForSnapshot = error
      return .more
    case .malformedFeed, .feedLimit: return try wrong(error)
    // A suspended Repository is resumed some day, and the lines are asked for again then.
    case .tornFeed, .busy, .suspended, .feedUnavailable: return .failed(error)
    default: throw error
    }
  }

  /// Counts an answer that did not help.
  private mutating func wrong(_ error: StoreError) throws -> Outcome {
    wrongAnswers += 1
    if wrongAnswers >= Self.mostWrongAnswers { throw error }
    return .failed(error)
  }
}
