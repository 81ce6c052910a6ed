import FeedServing
import Foundation
import HTTPTypes
import Hummingbird
import ListModel
import NIOCore
import RelayEngine

// What a server of an app does with whole lists.
extension RelayResponder {
  /// A list as a tree; `ETag` has its end, for `If-Match`.
  func tree(
    _ target: RequestTarget, _ request: Request, _ grant: Grant, _ use: ConnectionUse
  ) async throws -> Response {
    let list = try list(named: "list", in: try values(target))
    try require(.read, to: list.rawValue, grant)
    var headers: HTTPFields = [.cacheControl: "no-store"]
    if let end = try await node.with(list, { desk in try await desk.end() }),
      case let tag = "\"\(end)\"", request.has(tag)
    {
      headers[.eTag] = tag
      return Response(status: .notModified, headers: headers)
    }
    guard let found = try await node.with(list, { desk in try await desk.whole() }) else {
      throw RelayFailure(.notFound, "there is no such list")
    }
    let body = try await LongWork.run(found.byteCount) {
      ByteBuffer(string: found.tree.json() + "\n")
    }
    use.countRead(body.readableBytes)
    try use.hold(body.readableBytes)
    headers[.contentType] = "application/json"
    headers[.eTag] = "\"\(found.end)\""
    return Response(status: .ok, headers: headers, body: self.body([body], use))
  }

  /// Makes a list equal to a tree; the difference is found here, and is one commit.
  func replace(
    _ target: RequestTarget, _ request: Request, _ grant: Grant, _ use: ConnectionUse
  ) async throws -> Response {
    let list = try list(named: "list", in: try values(target))
    try require(.own, to: list.rawValue, grant)
    let body = try await body(of: request, use)
    let tree: ListTree
    do {
      tree = try await LongWork.run(body.count) { try ListTree(parsing: body, defaultList: list) }
    } catch {
      throw RelayFailure(.wrongRequest, "\(error)")
    }
    guard tree.list == list else {
      throw RelayFailure(.wrongRequest, "the tree is of another list than the address")
    }
    var edit = DeskEdit(
      content: .tree(tree, byteCount: body.count), key: nil,
      author: try author(nil, grant, mayChoose: true))
    edit.expected = try expectation(of: request)
    return try await reply(to: edit, of: list, grant)
  }

  /// Makes one list equal to another.
  func copy(
    _ target: RequestTarget, _ request: Request, _ grant: Grant, _ use: ConnectionUse
  ) async throws -> Response {
    let values = try values(target)
    let (source, copy) = (try list(named: "from", in: values), try list(named: "to", in: values))
    try require(.read, to: source.rawValue, grant)
    try require(.own, to: copy.rawValue, grant)
    try await use.requireWriting(at: node.limits.now())
    guard let found = try await node.with(source, { desk in try await desk.whole() }) else {
      throw RelayFailure(.notFound, "there is no list to copy")
    }
    use.countWritten(found.byteCount)
    let copied = ListTree(list: copy, meta: found.tree.meta, sections: found.tree.sections)
    var edit = DeskEdit(
      content: .tree(copied, byteCount: found.byteCount), key: nil,
      author: try author(nil, grant, mayChoose: true))
    edit.expected = try expectation(of: request)
    return try await reply(to: edit, of: copy, grant)
  }

  private func reply(
    to edit: DeskEdit, of list: ListID, _ grant: Grant
  ) async throws -> Response {
    try await quotas.countEdits(of: grant.subject, at: node.limits.now())
    let new = try await countNew([list], grant)
    let reply = AppendReply(try await node.with(list) { desk in try await desk.take(edit) })
    if reply.why != nil { uncount(new) }
    return try .json(reply, status: reply.why == nil ? .ok : .conflict)
  }

  /// Deletes a list; clients that follow it get a reset.
  func delete(
    _ target: RequestTarget, _ request: Request, _ grant: Grant
  ) async throws -> Response {
    let list = try list(named: "list", in: try values(target))
    try require(.own, to: list.rawValue, grant)
    let end = try expectation(of: request)?.position.map { LogPosition($0) }
    switch try await node.engine.delete(list.rawValue, at: end) {
    case .deleted: break
    case .missing: throw RelayFailure(.notFound, "there is no such list")
    case .behind(let end): throw RelayFailure.conflict(LinePosition(end))
    }
    if let prefix = grant.prefix(of: list.rawValue) { listCounts.forget(prefix) }
    try await node.with(list) { desk in await desk.catchUpSoon() }
    return Response(status: .noContent, headers: [.cacheControl: "no-store"])
  }

  /// The lists that the token may read, in the order of their ids' bytes, with their ends.
  func lists(
    _ target: RequestTarget, _ grant: Grant, _ use: ConnectionUse
  ) async throws -> Response {
    let values = try values(target)
    let limit = min(max(try number("limit", in: values) ?? 1_000, 1), 10_000)
    let heads = try await heads(after: values["after"], limit: limit, grant)
    let response = try Response.json(
      ListsReply(
        lists: heads.map {
          ListsReply.List(list: $0.list, end: LinePosition($0.position).description)
        }, after: heads.count == limit ? heads.last?.list : nil))
    use.countRead(response.body.contentLength ?? 0)
    return response
  }

  /// The ends of the lists that may be read and come after an id, in the order of their bytes.
  ///
  /// No others are looked at: how many there are, and their names, are not for everybody.
  private func heads(after id: String?, limit: Int, _ grant: Grant) async throws -> [LogHead] {
    let engine = node.engine
    guard let prefixes = grant.prefixes else {
      return try await engine.lists(after: id, limit: limit)
    }
    let after = TextKey(id ?? "")
    var found = try await engine.heads(of: grant.namedLists.filter { TextKey($0) > after })
    for prefix in prefixes {
      let start = max(after, TextKey(prefix)).text
      for head in try await engine.lists(after: start, limit: limit) {
        guard head.list.utf8.starts(with: prefix.utf8) else { break }
        found[TextKey(head.list)] = head
      }
    }
    return Array(found.values.sorted { TextKey($0.list) < TextKey($1.list) }.prefix(limit))
  }

  /// Which lists have moved: the change hook, for workers of an app.
  ///
  /// Moves of lists that the token does not grant end no wait: when others write is not for everybody.
  func moved(
    _ target: RequestTarget, _ grant: Grant, _ use: ConnectionUse
  ) async throws -> Response {
    let values = try values(target)
    let wait = min(max(try number("wait", in: values) ?? 0, 0), 60)
    let moved = try await node.moved(
      since: values["since"], until: .now + .seconds(wait), where: { grant.right(to: $0) != nil },
      wait: { await waits.wait(for: $0, by: use.channel) })
    return try .json(
      MovedReply(lists: moved.lists.keys.sorted().map(\.text), since: moved.cursor))
  }

  /// Revokes a token, by its `jti`, or all of a user's, by `sub`.
  func revoke(
    _ request: Request, _ grant: Grant, _ use: ConnectionUse
  ) async throws -> Response {
    guard grant.rights["*"] == .own else {
      throw RelayFailure(.forbidden, "only who owns all lists may revoke tokens")
    }
    let body = try await body(of: request, use)
    guard let asked = try? JSONDecoder().decode(Revocation.self, from: Data(body)) else {
      throw RelayFailure(.wrongRequest, #"expected {"token":ID,"until":SECONDS}"#)
    }
    let (until, isBeyond) = asked.until.multipliedReportingOverflow(by: 1_000)
    try await node.engine.revoke(asked.token, until: isBeyond ? .max : until)
    return Response(status: .noContent, headers: [.cacheControl: "no-store"])
  }

  // MARK: Parameters

  /// The parameters of a query, each of which may be there once.
  private func values(_ target: RequestTarget) throws -> [String: String] {
    var values: [String: String] = [:]
    for part in target.query.split(separator: "&") {
      let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let name = try FeedQuestion.decoded(pair[0])
      let value = pair.count > 1 ? try FeedQuestion.decoded(pair[1]) : ""
      guard values.updateValue(value, forKey: name) == nil else {
        throw RelayFailure(.wrongRequest, "a parameter is there twice")
      }
    }
    return values
  }

  private func number(_ name: String, in values: [String: String]) throws -> Int? {
    guard let value = values[name] else { return nil }
    guard let number = Int(value) else {
      throw RelayFailure(.wrongRequest, "the parameter \(name) is a number")
    }
    return number
  }

  private func list(named name: String, in values: [String: String]) throws -> ListID {
    guard let value = values[name] else {
      throw RelayFailure(.wrongRequest, "the parameter \(name) is missing")
    }
    do { return try ListID(value) } catch { throw RelayFailure(.wrongRequest, "\(error)") }
  }
}

private struct ListsReply: Encodable {
  let lists: [List]
  /// What the next page comes after; absent at the end.
  let after: String?

  struct List: Encodable {
    let list: String
    let end: String
  }
}

private struct MovedReply: Encodable {
  let lists: [String]
  let since: String
}

private struct Revocation: Decodable {
  let token: String
  /// Seconds since 1970.
  let until: Int
}
