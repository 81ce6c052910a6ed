import FeedClient
import Foundation
import ListModel
import ListStore
import ListSync
import StoreFiles

/// Answers of a server of feeds: whatever it says, the client ends with a typed error or without one, and
/// how a body is cut into parts makes no difference.
///
/// The first byte says how long the parts are, and whether edits are sent rather than lines asked for. Then
/// come answers, with a NUL between two of them: a status, header fields, an empty line, a body.
func fuzzHTTP(_ bytes: [UInt8]) {
  guard let flags = bytes.first else { return }
  let answers = bytes.dropFirst().split(separator: 0, omittingEmptySubsequences: false).prefix(8)
    .map(Answer.init)
  let sends = flags & 0x80 != 0
  let inParts = outcome(answers, partSize: Int(flags & 0x7F) + 1, sends)
  let inOne = outcome(answers, partSize: .max, sends)
  // A comment says that the server has sent everything, and counts as soon as it has come.
  if sends || answers.contains(where: \.hasComments) { return }
  require(inParts == inOne, "cut into parts, an answer makes another list")
}

/// An answer of a server.
private struct Answer: Sendable {
  var status = 200
  var headers: [String: String] = [:]
  var body: [UInt8] = []

  init(_ bytes: ArraySlice<UInt8>) {
    var rest = bytes
    func line() -> String? {
      guard !rest.isEmpty else { return nil }
      let line = rest.prefix { $0 != UInt8(ascii: "\n") }
      rest = rest.dropFirst(line.count + 1)
      return String(decoding: line, as: UTF8.self)
    }
    status = line().flatMap { Int($0) } ?? 200
    while let field = line(), !field.isEmpty {
      let name = field.prefix { $0 != ":" }
      headers[String(name)] = field.dropFirst(name.count + 1)
        .trimmingCharacters(in: .whitespaces)
    }
    body = Array(rest)
  }

  /// Whether a line of the body may be a comment of an event stream.
  var hasComments: Bool {
    body.split { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }
      .contains { $0.first == UInt8(ascii: ":") }
  }
}

/// Gives the answers one after another, then ends the call.
private final class Server: FeedTransport {
  private let answers: [Answer]
  private let partSize: Int
  private let next = Guarded(0)

  init(_ answers: [Answer], partSize: Int) { (self.answers, self.partSize) = (answers, partSize) }

  var isDone: Bool { next.withValue { $0 } >= answers.count }

  func send(_ request: FeedClient.Request) async throws -> FeedClient.Response {
    let number = next.withValue { next in
      defer { next += 1 }
      return next
    }
    guard number < answers.count else { throw CancellationError() }
    var answer = answers[number]
    // So that an answer can name the edit, whose id is random.
    let sent = request.body.flatMap { try? JSON(parsing: String(decoding: $0, as: UTF8.self)) }
    if let id = try? sent?.member("edit")?.text {
      answer.body = Array(
        String(decoding: answer.body, as: UTF8.self).replacing("\"ID\"", with: id).utf8)
    }
    let rest = Guarded(answer.body[...])
    let size = partSize
    return FeedClient.Response(
      status: answer.status, headers: answer.headers,
      body: .init(
        next: {
          rest.withValue { rest in
            guard !rest.isEmpty else { return nil }
            defer { rest = rest.dropFirst(size) }
            return Data(rest.prefix(size))
          }
        }, cancel: {}))
  }
}

private func outcome(_ answers: [Answer], partSize: Int, _ sends: Bool) -> [ListTree] {
  var trees: [ListTree] = []
  Shelves.withFolder { folder in
    let file = folder.appendingPathComponent("store.sqlite")
    Shelves.empty.write(to: file)
    let repository = requireSuccess("open") {
      try Repository(existing: file, options: Shelves.options)
    }
    let server = Server(answers, partSize: partSize)
    guard let url = URL(string: "https://feeds.example/l?key=7") else { return }
    var client = FeedClient(url, transport: server) { _ in
      if server.isDone { throw CancellationError() }
      return [:]
    }
    client.pace.now = { Date(timeIntervalSince1970: 1_790_000_000) }
    client.pace.sleep = { _ in await Task.yield() }
    client.pace.random = { 0 }
    let list = repository.liveList("list")
    if sends {
      attempt("edit") {
        _ = try list.editPending { try $0.insertSectionIfMissing("s") }
        _ = try list.editPending { try $0.apply(.insertItem(Known.item, in: "s", at: .end)) }
      }
    }
    let asked = client
    wait { task in
      do {
        if sends {
          try await asked.sendPendingEdits(of: list) { state in
            // Otherwise it waits for the next edit.
            if case .upToDate = state { task.withValue { $0?.cancel() } }
          }
        } else {
          try await asked.catchUp(repository)
        }
      } catch is StoreError {} catch is CancellationError {} catch {
        wrong("an error of another type: \(type(of: error)) \(error)")
      }
    }
    checkSoundness(of: repository)
    trees = states(of: repository)
    requireSuccess("close") { try repository.close() }
  }
  return trees
}

/// Waits for a task, which can cancel itself.
private func wait(_ body: @escaping @Sendable (Guarded<Task<Void, Never>?>) async -> Void) {
  let isDone = DispatchSemaphore(value: 0)
  let task = Guarded<Task<Void, Never>?>(nil)
  task.withValue { own in
    own = Task {
      await body(task)
      isDone.signal()
    }
  }
  isDone.wait()
}

extension Known {
  static let item = Item(id: "a", cell: "C", content: JSON(minified: #"{"n":1}"#))
}
