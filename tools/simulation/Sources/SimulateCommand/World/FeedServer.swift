import FeedClient
import Foundation
import SimulatedSystem

/// The server of the list `shelf`: it takes edits, changes the list itself, and tells all as a feed.
///
/// It is written from the article "The feed format" alone.
@MainActor final class FeedServer: ListServer {
  static let list = "shelf"
  let address = "https://server.example/shelf"

  struct Line {
    /// 0 for a reset.
    var sequence: Int
    var text: String
    var position: String

    init(sequence: Int, text: String) {
      self.sequence = sequence
      self.text = text
      position = "\(sequence):\(LineDigest.prefix(of: text))"
    }
  }

  private(set) var model = ModelList()
  /// What the list was at each of its lines, and before the first one.
  private var texts: Set<String> = [ModelList().text]
  private var lines: [Line] = []
  /// Whether the first of its lines was deleted, so that a device may need a snapshot.
  private var isCompacted = false
  private var sequence = 0
  /// The lists that it has sent as one line since the last reset, by their positions.
  private var snapshots: [String: Int] = [:]
  /// The positions of the lines that it has deleted since the last reset.
  private var deleted: Set<String> = []
  private var resets = 0
  /// The lines that have edits, by their ids; 0 for one that a reset has made void.
  private(set) var taken: [String: Int] = [:]
  /// Those that were refused, with the reasons.
  private(set) var refused: [String: String] = [:]
  /// How many edits are refused next, whatever they do.
  private var refusals = 0
  /// What edits of users must make of the list, if nothing comes between, by their ids.
  private var intents: [String: (lineCount: Int, list: ModelList)] = [:]
  private(set) var problem: Violation?
  /// Who waits for the next line, and in which process.
  private var waiting: [(process: Int, continuation: AsyncStream<Void>.Continuation)] = []
  /// The number of lines that it has ever written.
  private(set) var lineCount = 0

  init() {
    commit([.insertSection("s0", .end), .insertSection("s1", .end)])
    commit(
      (0..<12).map { number in
        .insertItem(
          .init(id: "b\(number)", title: "t", likes: number % 7, isWide: number % 5 == 4),
          section: "s0", .end)
      })
  }

  // MARK: What it does by itself

  /// Applies operations that fit, and tells them.
  func commit(_ operations: [ModelList.Operation]) {
    var members: [[String: Any]] = []
    for operation in operations {
      let written = operation.members(in: model)
      if (try? model.apply(operation)) != nil { members.append(written) }
    }
    append(["ops": members])
  }

  func mayHaveBeen(_ list: ModelList) -> Bool { texts.contains(list.text) }

  private(set) var mayBeginAnew = false

  func act(_ step: Schedule.Step, _ random: inout Randomness) {
    if [.compact, .snapshot, .reset].contains(step.verb) { mayBeginAnew = true }
    switch step.verb {
    case .change: commit(model.randomOperations("v\(lineCount)x", &random))
    case .compact:
      // The last line stays: a device that has it is up to date.
      let count = random.below(lines.count)
      deleted.formUnion(lines.prefix(count).filter { $0.sequence > 0 }.map(\.position))
      lines.removeFirst(count)
      isCompacted = true
    case .snapshot: append(nil)
    case .refuse: refusals += 1 + random.below(2)
    case .reset:
      model = ModelList()
      sequence = 0
      snapshots = [:]
      deleted = []
      taken = taken.mapValues { _ in 0 }
      resets += 1
      isCompacted = false
      lines = []
      lineCount += 1
      lines.append(resetLine)
      commit([.insertSection("r\(resets)", .end)])
    default: break
    }
  }

  private var resetLine: Line {
    Line(
      sequence: 0, text: jsonText(["t": "reset", "list": Self.list, "why": "reset \(resets)"]))
  }

  /// Writes a line: a commit of operations, or a snapshot.
  private func append(_ members: [String: Any]?) {
    sequence += 1
    lineCount += 1
    var line: [String: Any] = [
      "t": "commit", "list": Self.list, "seq": "\(sequence)", "at": lineCount, "by": "server",
    ]
    if let members { line.merge(members) { $1 } } else { line = snapshotMembers }
    lines.append(Line(sequence: sequence, text: jsonText(line)))
    texts.insert(model.text)
    signal()
  }

  /// Signals once that there are more lines.
  private func changes(after lineCount: Int, for process: Int) -> AsyncStream<Void> {
    let (stream, continuation) = AsyncStream<Void>.makeStream()
    if lineCount == self.lineCount {
      waiting.append((process, continuation))
    } else {
      continuation.yield()
    }
    return stream
  }

  /// Whoever is woken works for its own process.
  private func signal() {
    for (process, continuation) in waiting {
      _ = within(process) { continuation.yield() }
    }
    waiting = []
  }

  private var snapshotMembers: [String: Any] {
    [
      "t": "snapshot", "list": Self.list, "seq": "\(sequence)", "at": lineCount, "by": "server",
    ].merging(model.members) { $1 }
  }

  // MARK: Requests

  func answer(
    _ request: FeedClient.Request, of device: Device, from process: Int
  ) async throws -> ServerAnswer {
    if let body = request.body {
      device.noteAnswer(to: body, process)
      return take(body, &device.random)
    }
    let query = Query(request.url)
    let lineCount = lineCount
    let answer = answer(to: query, asEvents: request.wantsEvents)
    if !answer.isEmpty || query.wait == 0 { return answer }
    await wait(for: changes(after: lineCount, for: process), atMost: query.wait)
    try Task.checkCancellation()
    return self.answer(to: query, asEvents: request.wantsEvents)
  }

  /// Waits until there are new lines, for so many seconds at most.
  private func wait(for changes: AsyncStream<Void>, atMost seconds: Double) async {
    await withTaskGroup { group in
      group.addTask { for await _ in changes { return } }
      group.addTask { try? await Task.sleep(for: .seconds(seconds)) }
      await group.next()
      group.cancelAll()
    }
  }

  func takeLate(_ edit: Data, of device: Device) { _ = take(edit, &device.random) }

  // It is always there, and does all at once.
  func endGoneProcesses() {}
  func mend() {}
  func forgetTrouble() {}
  let isBusy = false
  func checkAtRest(_ pass: (Int) throws -> Void) {}
  func end() {}

  /// The lines that answer a question.
  private func answer(to query: Query, asEvents isEvents: Bool) -> ServerAnswer {
    let headers = [
      "feed-after": query.positions.joined(separator: ", "),
      "content-type": isEvents ? "text/event-stream" : "application/x-ndjson",
    ]
    func answer(_ lines: [Line]) -> ServerAnswer {
      ServerAnswer(
        status: 200, headers: headers,
        body: .lines(lines.map { isEvents ? "data: \($0.text)\n\n" : $0.text + "\n" }))
    }
    if query.wantsSnapshot {
      let snapshot = Line(sequence: sequence, text: jsonText(snapshotMembers))
      snapshots[snapshot.position] = sequence
      // Whoever has another history begins anew: a snapshot of a lower number would be none for it.
      let isKnown = query.positions.first.map { position in
        deleted.contains(position) || snapshots[position] ?? sequence < sequence
          || lines.contains { $0.position == position && $0.sequence < sequence }
      }
      return answer(isKnown == false ? [resetLine, snapshot] : [snapshot])
    }
    var start = 0
    if let position = query.positions.first {
      if let known = lines.lastIndex(where: { $0.position == position }) {
        start = known + 1
      } else if let known = snapshots[position], known + 1 >= lines.first?.sequence ?? 0 {
        start = lines.firstIndex { $0.sequence > known } ?? lines.count
      } else if isCompacted {
        return ServerAnswer(status: 410)
      }
    } else if isCompacted {
      return ServerAnswer(status: 410)
    }
    var found = Array(lines[start...])
    if let end = query.end { found = found.filter { (1...end).contains($0.sequence) } }
    return answer(found)
  }

  /// Takes the body of a request: makes the edit once, however often it comes.
  private func take(_ body: Data, _ random: inout Randomness) -> ServerAnswer {
    guard let members = jsonMembers(body), let edit = members["edit"] as? String,
      let written = members["ops"] as? [[String: Any]]
    else { return ServerAnswer(status: 400) }
    let json = ["content-type": "application/json"]
    if taken[edit] == nil, refused[edit] == nil {
      if refusals > 0 {
        refusals -= 1
        refused[edit] = "refused"
      } else {
        take(edit, written, &random)
      }
    }
    if let why = refused[edit] {
      return ServerAnswer(
        status: 409, headers: json, body: .text(jsonText(["edit": edit, "why": why])))
    }
    return ServerAnswer(
      status: 200, headers: json,
      body: .text(jsonText(["edit": edit, "seq": "\(taken[edit] ?? 0)"])))
  }

  /// A user has made an edit, of a list that is as the server has it.
  func expect(_ edit: String, toMake list: ModelList) {
    intents[edit] = (lineCount: lineCount, list: list)
  }

  private func compare(_ edit: String, _ after: ModelList?) {
    guard let intent = intents[edit], intent.lineCount == lineCount, intent.list != after else {
      return
    }
    problem = Violation(
      "intent", "edit \(edit) makes\n\(after?.text ?? "nothing")\ninstead of\n\(intent.list.text)")
  }

  private func take(
    _ edit: String, _ written: [[String: Any]], _ random: inout Randomness
  ) {
    var after = model
    do {
      for members in written { try after.apply(ModelList.Operation(members)) }
      compare(edit, after)
    } catch {
      compare(edit, nil)
      refused[edit] = "\(error)"
      return
    }
    model = after
    var all = written
    if random.percent(10) {
      // The server makes more of it.
      for operation in model.randomOperations("v\(lineCount)y", &random) {
        let members = operation.members(in: model)
        if (try? model.apply(operation)) != nil { all.append(members) }
      }
    }
    append(["edit": edit, "ops": all])
    taken[edit] = sequence
  }

  /// What a request asks for.
  struct Query {
    var positions: [String] = []
    var end: Int?
    var wantsSnapshot = false
    var wait = 0.0

    init(_ url: URL) {
      for item in URLComponents(url: url, resolvingAgainstBaseURL: true)?.queryItems ?? [] {
        let value = item.value ?? ""
        switch item.name {
        case "after":
          positions.append(value.split(separator: ":").prefix(2).joined(separator: ":"))
        case "to": end = Int(value)
        case "snapshot": wantsSnapshot = value == "1"
        case "wait": wait = Double(value) ?? 0
        default: break
        }
      }
    }
  }
}
