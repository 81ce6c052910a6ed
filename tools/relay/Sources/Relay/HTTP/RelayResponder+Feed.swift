import FeedServing
import Foundation
import HTTPTypes
import Hummingbird
import ListModel
import NIOCore
import RelayEngine

// Lines for clients, as FeedFormat.md of ListSync says in "A feed over HTTP".
extension RelayResponder {
  /// Answers with lines, or waits for them.
  ///
  /// `use`: What counts the connection, which a stream keeps.
  func feed(
    _ target: RequestTarget, _ request: Request, _ grant: Grant, _ use: ConnectionUse
  ) async throws -> Step {
    let question = try FeedQuestion(query: target.query)
    let lists = try lists(of: question, grant)
    if let problem = node.problem { throw RelayFailure(.unavailable, problem) }
    var headers = HTTPFields()
    if let field = HTTPField.Name("Feed-After") { headers[field] = question.echo }
    if let end = question.end, let list = question.list {
      return answered(
        try await range(list, question, through: end, request, headers, use))
    }
    // What is shared must be the same for all who ask it.
    if settings.sharedAge == nil,
      request.headers[.accept]?.contains("text/event-stream") == true
    {
      return answered(stream(question, lists, request, headers, use))
    }
    headers[.cacheControl] =
      question.namesLists
      ? settings.sharedAge.map { "public, max-age=0, s-maxage=\($0)" } ?? "no-store" : "no-store"
    return try await look(
      WaitingQuestion(
        question, lists: lists, request: request, headers: headers,
        deadline: .now + .seconds(waitSeconds(question, grant)), use: use))
  }

  private func answered(_ response: Response) -> Step {
    .answered(response, at: Address.feed.name)
  }

  /// Answers with lines if there are any, or nobody may wait for them any longer.
  func look(_ question: WaitingQuestion) async throws -> Step {
    if let waker = wakerAtEnd(question) { return .waits(question, waker) }
    let answers = try await answers(to: question.question, question.lists)
    if !answers.parts.isEmpty {
      return answered(
        try await lines(
          answers.parts, validator: question.lists.count == 1 ? answers.validator : nil,
          question.request, question.headers, question.use))
    }
    guard .now < question.deadline, !node.isEnding else {
      return answered(Response(status: .noContent, headers: question.headers))
    }
    return .waits(question, waker(beyond: answers.ends, until: question.deadline))
  }

  /// The lists of a question, each of which may be read.
  private func lists(of question: FeedQuestion, _ grant: Grant) throws -> [ListID] {
    var lists = question.list.map { [$0] } ?? question.lists
    if lists.isEmpty { lists = grant.namedLists.compactMap { try? ListID($0) } }
    guard !lists.isEmpty else {
      throw RelayFailure(
        .wrongRequest, "which lists? Name one as list=, or several as of= in the feed's address")
    }
    for list in lists + question.positions.compactMap(\.list) {
      try require(.read, to: list.rawValue, grant)
    }
    return lists
  }

  /// How long an answer may wait: not beyond the token.
  private func waitSeconds(_ question: FeedQuestion, _ grant: Grant) -> Double {
    guard let expiry = grant.expiry else { return Double(question.wait) }
    return min(Double(question.wait), max(0, Double(expiry - node.limits.now()) / 1_000))
  }

  private func range(
    _ list: ListID, _ question: FeedQuestion, through end: Int, _ request: Request,
    _ headers: HTTPFields, _ use: ConnectionUse
  ) async throws -> Response {
    let asked = question.position(of: list)
    let (part, validator) = try await node.with(list) { desk in
      try await desk.range(after: asked, through: end)
    }
    var headers = headers
    // Without a line that it follows, it may be of a list that was deleted and made anew.
    let mayChange = validator == nil || asked == .beginning || asked == .reset
    let scope = settings.sharedAge == nil ? "" : "public, "
    headers[.cacheControl] = mayChange ? "no-store" : scope + "max-age=31536000, immutable"
    guard let part else { return Response(status: .noContent, headers: headers) }
    return try await lines(
      [Part(list: list, part: part)], validator: validator, request, headers, use)
  }

  // MARK: Answers

  /// A part of an answer, of a list.
  struct Part: Sendable {
    let list: ListID
    let part: AnswerPart
  }

  /// What follows the positions of a question, and where each list ends.
  struct Answers: Sendable {
    var parts: [Part] = []
    var ends: [(list: ListID, end: LinePosition?)] = []
    /// The name of exactly these lines, if they begin with the last list's snapshot.
    var validator: String?
  }

  func answers(to question: FeedQuestion, _ lists: [ListID]) async throws -> Answers {
    var answers = Answers()
    for list in lists {
      let asked = question.position(of: list)
      let answer = try await node.with(list) { desk in
        try await desk.answer(after: asked, wantsSnapshot: question.wantsSnapshot)
      }
      answers.parts += answer.parts.map { Part(list: list, part: $0) }
      answers.ends.append((list, answer.end))
      answers.validator = answer.validator
    }
    return answers
  }

  /// What is fired when one of the lists may have moved.
  func waker(
    beyond ends: [(list: ListID, end: LinePosition?)], until deadline: ContinuousClock.Instant
  ) -> WakeOnce {
    let waker = WakeOnce()
    for (list, end) in ends where !node.watch(list, at: end, until: deadline, waker) {
      waker.fire()
    }
    if node.isEnding { waker.fire() }
    return waker
  }

  /// What is fired when the list of a question may have moved, if the client has all lines of it: most of
  /// those that ask do, and need no turn at the list's desk.
  private func wakerAtEnd(_ question: WaitingQuestion) -> WakeOnce? {
    guard question.lists.count == 1, !question.question.wantsSnapshot,
      case .line(let position) = question.question.position(of: question.lists[0]),
      .now < question.deadline, !node.isEnding
    else { return nil }
    let waker = WakeOnce()
    guard node.watch(question.lists[0], at: position, until: question.deadline, waker) else {
      return nil
    }
    if node.isEnding { waker.fire() }
    return waker
  }
}

/// A question for lines that nobody has written yet.
final class WaitingQuestion: Sendable {
  let question: FeedQuestion
  let lists: [ListID]
  let request: Request
  let headers: HTTPFields
  let deadline: ContinuousClock.Instant
  /// What counts the connection.
  let use: ConnectionUse

  init(
    _ question: FeedQuestion, lists: [ListID], request: Request, headers: HTTPFields,
    deadline: ContinuousClock.Instant, use: ConnectionUse
  ) {
    self.question = question
    self.lists = lists
    self.request = request
    self.headers = headers
    self.deadline = deadline
    self.use = use
  }
}
