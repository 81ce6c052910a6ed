import FeedServing
import Foundation
import HTTPTypes
import Hummingbird
import ListModel
import NIOCore
import NIOHTTPTypes
import RelayEngine

// Edits of clients, as FeedFormat.md of ListSync says in "Edits".
extension RelayResponder {
  /// Takes a client's edit, once.
  func takeEdit(
    _ request: Request, _ grant: Grant, _ use: ConnectionUse
  ) async throws -> Response {
    let body = try await body(of: request, use)
    let sent: SentEdit
    do { sent = try await LongWork.run(body.count) { try SentEdit(parsing: body) } } catch {
      // Named, so that it does not stop the edits after it.
      guard let id = EditName.id(in: body) else { throw RelayFailure(.wrongRequest, "\(error)") }
      return try .json(EditReply(edit: id, why: "\(error)"), status: .unprocessableContent)
    }
    guard let id = sent.id else {
      throw RelayFailure(.wrongRequest, "an edit has an id: the member edit")
    }
    guard let right = grant.right(to: sent.list.rawValue), right >= .edit else {
      return try .json(
        EditReply(edit: id, why: "you may not edit this list"), status: .forbidden)
    }
    try await quotas.countEdits(of: grant.subject, at: node.limits.now())
    let new: [TextKey: Int]
    do { new = try await countNew([sent.list], grant) } catch let failure as RelayFailure {
      guard case .forbidden = failure.kind else { throw failure }
      return try .json(EditReply(edit: id, why: failure.message), status: .forbidden)
    }
    let edit = DeskEdit(
      content: .operations(sent, settles: true), key: EditKey(id, of: grant.subject),
      author: try author(sent, grant, mayChoose: false))
    if let problem = node.problem { throw RelayFailure(.unavailable, problem) }
    switch try await node.with(sent.list, { desk in try await desk.take(edit) }) {
    case .taken(let number, _): return try .json(EditReply(edit: id, seq: String(number), why: nil))
    case .refused(let why):
      uncount(new)
      return try .json(EditReply(edit: id, why: String(why.prefix(1_000))), status: .conflict)
    }
  }

  /// Appends commits as the server of the lists: one as JSON, or many as lines of JSON.
  ///
  /// With `If-Match: "seq:hash"`, only if the list ends there; with `If-None-Match: *`, only if it has
  /// no line: then it is one line, since what comes after it meets another end. Places are not looked for
  /// anew: what does not fit is refused.
  func append(
    _ request: Request, _ grant: Grant, _ use: ConnectionUse
  ) async throws -> Response {
    let body = try await body(of: request, use)
    let isMany =
      request.headers[.contentType]?.lowercased().hasPrefix("application/x-ndjson") == true
    let lines = isMany ? body.split(separator: UInt8(ascii: "\n")) : [body[...]]
    guard lines.count <= Self.mostLines else {
      throw RelayFailure(
        .tooLong, "a request has \(Self.mostLines) lines at most; nothing was appended")
    }
    let expected = try expectation(of: request)
    guard expected == nil || lines.count <= 1 else {
      throw RelayFailure(
        .wrongRequest,
        "If-Match and If-None-Match are for one line, and the body has \(lines.count): send them one by "
          + "one, each with the end that the answer before has; nothing was appended")
    }
    var edits: [ListID: [(index: Int, edit: DeskEdit)]] = [:]
    for (index, line) in lines.enumerated() {
      let sent: SentEdit
      // Many lines are not read before others get their turn.
      if index % 100 == 99 { await Task.yield() }
      do {
        sent = try await LongWork.run(line.count) { try SentEdit(parsing: Array(line)) }
      } catch {
        throw RelayFailure(.wrongRequest, "line \(index + 1): \(error); nothing was appended")
      }
      try require(.own, to: sent.list.rawValue, grant)
      var edit = DeskEdit(
        content: .operations(sent, settles: false),
        key: sent.id.map { EditKey($0, of: grant.subject) },
        author: try author(sent, grant, mayChoose: true))
      edit.expected = expected
      edits[sent.list, default: []].append((index, edit))
    }
    if let problem = node.problem { throw RelayFailure(.unavailable, problem) }
    try await quotas.countEdits(lines.count, of: grant.subject, at: node.limits.now())
    let new = try await countNew(edits.keys, grant)
    let replies = try await make(edits, count: lines.count)
    if replies.allSatisfy({ $0.why != nil }) { uncount(new) }
    if !isMany, let reply = replies.first {
      return try .json(reply, status: reply.why == nil ? .ok : .conflict)
    }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    var text = ByteBuffer()
    for reply in replies {
      text.writeBytes(try encoder.encode(reply))
      text.writeInteger(UInt8(ascii: "\n"))
    }
    return Response(
      status: .ok,
      headers: [.contentType: "application/x-ndjson", .cacheControl: "no-store"],
      body: .init(byteBuffer: text))
  }

  private static let mostLines = 10_000

  private func make(
    _ edits: [ListID: [(index: Int, edit: DeskEdit)]], count: Int
  ) async throws -> [AppendReply] {
    try await withThrowingTaskGroup(of: [(Int, AppendReply)].self) { group in
      for (list, edits) in edits {
        group.addTask {
          let answers = try await node.with(list) { desk in await desk.take(edits.map(\.edit)) }
          return try zip(edits, answers).map { ($0.index, AppendReply(try $1.get())) }
        }
      }
      var replies = [AppendReply?](repeating: nil, count: count)
      for try await part in group {
        for (index, reply) in part { replies[index] = reply }
      }
      return replies.compactMap(\.self)
    }
  }

  // MARK: Parts of a request

  /// A request's body, which counts as one of the user's until the request ends.
  ///
  /// A client that asks first (`Expect: 100-continue`) sends it when it is told to, or has its answer at once.
  func body(of request: Request, _ use: ConnectionUse) async throws -> [UInt8] {
    let tooLong = RelayFailure(.tooLong, "a body has \(settings.mostBodyBytes) bytes at most")
    if let length = request.headers[.contentLength].flatMap({ Int($0) }),
      length > settings.mostBodyBytes
    {
      throw tooLong
    }
    try await use.requireWriting(at: node.limits.now())
    if request.headers[.expect]?.lowercased() == "100-continue" {
      use.channel?.writeAndFlush(
        HTTPResponsePart.head(HTTPResponse(status: .continue)), promise: nil)
    }
    let deadline = ContinuousClock.now + settings.bodyPatience
    // Of which nothing comes any more, without a word: a client that still listens has been told before.
    let transfer = transfers.begin(on: use.channel, within: settings.bodyPatience + .seconds(5))
    defer { withExtendedLifetime(transfer) {} }
    var body: [UInt8] = []
    do {
      for try await part in request.body {
        use.countWritten(part.readableBytes)
        guard body.count + part.readableBytes <= settings.mostBodyBytes else { throw tooLong }
        guard .now < deadline else {
          throw RelayFailure(.tooSlow, "the body took longer than \(settings.bodyPatience)")
        }
        try use.hold(part.readableBytes)
        body.append(contentsOf: part.readableBytesView)
      }
    } catch let failure as RelayFailure {
      throw failure
    } catch is CancellationError {
      throw CancellationError()
    } catch {
      throw RelayFailure(
        .wrongRequest, "the body can't be read: it breaks off, or its parts are no chunks")
    }
    return body
  }

  /// Who is noted as the author: with a token, its subject; its server may choose another one.
  func author(_ sent: SentEdit?, _ grant: Grant, mayChoose: Bool) throws -> Author {
    if mayChoose || !gatekeeper.asksForTokens, let author = sent?.author { return author }
    if grant.subject.isEmpty { return .feed }
    do { return try Author(grant.subject) } catch {
      throw RelayFailure(.unauthorized, "the token's sub can't be an author: \(error)")
    }
  }

  /// The end that a list must have.
  func expectation(of request: Request) throws -> DeskEdit.Expectation? {
    if let match = request.headers[.ifMatch] {
      // What compresses answers on their way makes the ETag a weak one.
      let text = match.hasPrefix("W/") ? match.dropFirst(2) : match[...]
      guard let position = LinePosition(text.trimmingCharacters(in: ["\""])) else {
        throw RelayFailure(.wrongRequest, "If-Match is a position in quotes: \"seq:hash\"")
      }
      return DeskEdit.Expectation(position: position)
    }
    return request.headers[.ifNoneMatch] == "*" ? DeskEdit.Expectation(position: nil) : nil
  }
}

/// The answer to a client's edit.
private struct EditReply: Encodable {
  let edit: String
  /// The number of the line that has it.
  var seq: String?
  let why: String?

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(edit, forKey: .edit)
    try container.encodeIfPresent(seq, forKey: .seq)
    try container.encode(why, forKey: .why)
  }

  private enum Key: String, CodingKey { case edit, seq, why }
}

/// The answer to an append.
struct AppendReply: Encodable {
  /// The number of the line, as a string like those of a feed.
  let seq: String?
  /// The end of the list after it, for `If-Match`; absent for a commit that was made before.
  let end: String?
  let why: String?

  init(_ answer: DeskAnswer) {
    switch answer {
    case .taken(let number, let end): (seq, self.end, why) = (String(number), end?.description, nil)
    case .refused(let reason): (seq, end, why) = (nil, nil, reason)
    }
  }
}

/// The id of an edit whose operations can't be read.
private struct EditName: Decodable {
  let edit: String

  static func id(in body: [UInt8]) -> String? {
    let id = (try? JSONDecoder().decode(EditName.self, from: Data(body)))?.edit
    return id.flatMap { $0.utf8.count <= longestID ? $0 : nil }
  }

  private static let longestID = 256
}
