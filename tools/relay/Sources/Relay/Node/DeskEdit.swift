import FeedServing
import ListModel
import NIOConcurrencyHelpers
import RelayEngine

/// What somebody wants made of a list.
struct DeskEdit: Sendable {
  enum Content: Sendable {
    /// Operations; `settles`: whether places are looked for anew, as for an app's edit.
    case operations(SentEdit, settles: Bool)
    /// The whole list as it shall be.
    case tree(ListTree, byteCount: Int)
  }

  let content: Content
  /// The edit's id; `nil` if it has none, and may be made twice.
  let key: EditKey?
  let author: Author
  /// The end that the list must have; `nil` for any.
  var expected: Expectation?

  /// An end of a list's log.
  struct Expectation: Sendable {
    /// `nil` for a list without a line.
    let position: LinePosition?
  }

  var byteCount: Int {
    switch content {
    case .operations(let edit, _): edit.byteCount
    case .tree(_, let byteCount): byteCount
    }
  }
}

/// What became of an edit.
enum DeskAnswer: Sendable {
  /// The line of this number has it. `end`: That line; `nil` if the edit was made before, since the
  /// list may have gone on.
  case taken(Int, end: LinePosition?)
  /// It was refused for this reason.
  case refused(String)

  /// An answer that the engine has.
  init(_ known: EditAnswer) {
    switch known {
    case .taken(let number): self = .taken(number, end: nil)
    case .refused(let why): self = .refused(why)
    }
  }

  /// The edit is what the list ends with.
  init(end: LinePosition?) { self = .taken(end?.sequence ?? 0, end: end) }
}

/// An edit that waits, and who waits for its answer.
final class EditRequest: Sendable {
  typealias Answer = Result<DeskAnswer, RelayFailure>

  let edit: DeskEdit
  /// Called once.
  let answer: @Sendable (Answer) -> Void

  init(_ edit: DeskEdit, answer: @escaping @Sendable (Answer) -> Void) {
    self.edit = edit
    self.answer = answer
  }
}

/// Gathers the answers to several edits.
final class AnswerCollector: Sendable {
  private let state: NIOLockedValueBox<State>
  private let done: @Sendable ([EditRequest.Answer]) -> Void

  private struct State {
    var answers: [EditRequest.Answer?]
    var missing: Int
  }

  /// `done`: Called when all are there.
  init(count: Int, done: @escaping @Sendable ([EditRequest.Answer]) -> Void) {
    state = NIOLockedValueBox(
      State(answers: Array(repeating: nil, count: count), missing: count))
    self.done = done
    if count == 0 { done([]) }
  }

  func set(_ answer: EditRequest.Answer, at index: Int) {
    let all = state.withLockedValue { state -> [EditRequest.Answer]? in
      if state.answers[index] == nil { state.missing -= 1 }
      state.answers[index] = answer
      return state.missing == 0 ? state.answers.compactMap(\.self) : nil
    }
    if let all { done(all) }
  }
}

/// Edits that were made in memory, one after another, and are to be one batch of the log.
struct MadeEdits {
  /// The end that the first line follows.
  private(set) var start: LinePosition?
  private(set) var lines: [Made] = []
  private(set) var refused: [Refused] = []
  /// Those whose list does not end where they say.
  private(set) var conflicting: [EditRequest] = []
  private var requests: [EditRequest] = []
  private var answered: Set<ObjectIdentifier> = []

  /// Those that have no answer yet, in their order.
  var unanswered: [EditRequest] {
    requests.filter { !answered.contains(ObjectIdentifier($0)) }
  }

  struct Made {
    let line: ServedLine
    /// The first that sent it, and those that sent it again.
    var requests: [EditRequest]

    var logLine: LogLine {
      LogLine(LogPosition(line.position), text: line.text, edit: requests.first?.edit.key)
    }
  }

  struct Refused {
    let request: EditRequest
    let why: String
  }

  /// Makes edits in a list.
  mutating func make(_ requests: [EditRequest], in list: inout ServedList, at time: Int) {
    start = list.position
    self.requests = requests
    var places: [EditKey: Int] = [:]
    for request in requests {
      if let key = request.edit.key, let place = places[key] {
        lines[place].requests.append(request)
        continue
      }
      if let expected = request.edit.expected, expected.position != list.position {
        conflicting.append(request)
        continue
      }
      do throws(EditRefusal) {
        guard let line = try Self.line(of: request.edit, in: &list, at: time) else {
          answer(request, DeskAnswer(end: list.position))
          continue
        }
        if let key = request.edit.key { places[key] = lines.count }
        lines.append(Made(line: line, requests: [request]))
      } catch {
        refused.append(Refused(request: request, why: error.why))
      }
    }
  }

  private static func line(
    of edit: DeskEdit, in list: inout ServedList, at time: Int
  ) throws(EditRefusal) -> ServedLine? {
    switch edit.content {
    case .operations(let sent, let settles):
      try list.take(
        sent, by: edit.author, at: Self.time(of: sent, settles: settles, now: time),
        settles: settles)
    case .tree(let tree, _): try list.replace(with: tree, by: edit.author, at: time)
    }
  }

  /// The time of an edit's line: an app's clock may be wrong by a day at most.
  private static func time(of edit: SentEdit, settles: Bool, now: Int) -> Int {
    guard let time = edit.time else { return now }
    let day = 86_400_000
    return !settles || (now - day...now + day).contains(time) ? time : now
  }

  // MARK: Answers

  /// Answers the edits whose lines the log has.
  mutating func answerMade() {
    for made in lines {
      for request in made.requests { answer(request, DeskAnswer(end: made.line.position)) }
    }
  }

  /// Answers edits that had answers before.
  mutating func answer(_ known: [EditKey: EditAnswer]) {
    for request in unanswered {
      if let answer = request.edit.key.flatMap({ known[$0] }) {
        self.answer(request, DeskAnswer(answer))
      }
    }
  }

  mutating func answer(_ request: EditRequest, _ answer: DeskAnswer) {
    reply(to: request, .success(answer))
  }

  /// Answers those that meet another end, unless they have answers from before.
  ///
  /// `end`: The end of the list.
  mutating func answerConflicting(_ known: [EditKey: EditAnswer], _ end: LinePosition?) {
    answer(known)
    for request in conflicting { reply(to: request, .failure(.conflict(end))) }
  }

  /// Answers an edit, unless it has an answer.
  private mutating func reply(to request: EditRequest, _ answer: EditRequest.Answer) {
    if answered.insert(ObjectIdentifier(request)).inserted { request.answer(answer) }
  }

  /// Answers all that have no answer with a failure.
  ///
  /// `batch`: The edits, if none was made yet.
  mutating func fail(_ failure: RelayFailure, orElse batch: [EditRequest]) {
    for request in requests.isEmpty ? batch : requests { reply(to: request, .failure(failure)) }
  }
}
