public import Foundation
public import ListModel

extension RelayClient {
  /// Changes that are made together, as one line of a list's log.
  public struct Commit: Hashable, Sendable {
    /// The list.
    public var list: ListID
    /// The changes, each to the list after the change before it.
    public var changes: [Change]
    /// Tells the commit from all others of the list: it is made once, however often it is sent.
    ///
    /// By default a new one. Give one that is made of what causes the commit, such as the number of an
    /// order, if your server may begin anew after a crash and send it once more.
    public var id: String
    /// Who is noted as the author; by default the token's user.
    public var author: Author?
    /// When it was made; by default the time at which the relay takes it.
    public var time: Date?

    /// A commit.
    public init(
      to list: ListID, _ changes: [Change], id: String = UUID().uuidString,
      by author: Author? = nil,
      at time: Date? = nil
    ) {
      self.list = list
      self.changes = changes
      self.id = id
      self.author = author
      self.time = time
    }

    var json: String {
      JSONWriter.object { writer in
        writer.member("list", list.rawValue)
        writer.member("edit", id)
        if let author { writer.member("by", author.name) }
        if let time { writer.member("at", Int((time.timeIntervalSince1970 * 1_000).rounded())) }
        writer.member("ops", EditedChange.json(changes.map { EditedChange($0) }))
      }
    }
  }

  /// Appends a commit to a list's log; the first one makes the list.
  ///
  /// - Parameters:
  ///   - changes: The changes, which must fit the list as it is then. Places next to others (`after`,
  ///     `before`, `start`, `end`) fit whatever others write meanwhile.
  ///   - list: The list.
  ///   - id: Tells the commit from all others of the list; see ``Commit/id``.
  ///   - author: Who is noted as the author; by default the token's user.
  ///   - time: When it was made; by default the time at which the relay takes it.
  ///   - expected: Where the list must end.
  /// - Returns: The line that has it. A commit that was made by an earlier call gets that one's.
  /// - Throws: ``Refusal``, ``Conflict`` or `StoreError`. Nothing was written then, except that after
  ///   `feedUnavailable` it may have been: call again, with the same id.
  @discardableResult
  public func append(
    _ changes: [Change], to list: ListID, id: String = UUID().uuidString, by author: Author? = nil,
    at time: Date? = nil, ifAt expected: Expectation = .any
  ) async throws -> Written {
    let commit = Commit(to: list, changes, id: id, by: author, at: time)
    let answer = try await answer(
      to: Request(
        method: "POST", path: "append",
        headers: expected.headers.merging(
          ["Content-Type": "application/json"], uniquingKeysWith: { $1 }),
        body: Data(commit.json.utf8)))
    return try outcome(found(answer, "append").body).get()
  }

  /// Appends many commits, to one list or to many: one request for some thousands.
  ///
  /// Those of one list are made in their order; what does not fit is refused, and the others are made.
  ///
  /// - Returns: What became of each, in their order.
  /// - Throws: `StoreError`. Some may have been made then: call again with the same commits, which have
  ///   their ids.
  public func append(_ commits: [Commit]) async throws -> [Result<Written, Refusal>] {
    var outcomes: [Result<Written, Refusal>] = []
    outcomes.reserveCapacity(commits.count)
    var rest = commits[...]
    while !rest.isEmpty {
      var body = Data()
      var count = 0
      for commit in rest {
        if count == Self.mostCommits { break }
        let line = commit.json
        if count > 0, body.count + line.utf8.count > mostBodyBytes { break }
        body.append(contentsOf: line.utf8)
        body.append(UInt8(ascii: "\n"))
        count += 1
      }
      let answer = try await answer(
        to: Request(
          method: "POST", path: "append", headers: ["Content-Type": "application/x-ndjson"],
          body: body))
      let lines = try found(answer, "append").body.split(separator: UInt8(ascii: "\n"))
      guard lines.count == count else {
        throw error(.feedUnavailable, "answers \(lines.count) commits, and \(count) were sent")
      }
      for line in lines { outcomes.append(try outcome(line)) }
      rest.removeFirst(count)
    }
    return outcomes
  }

  /// Makes a list equal to a tree, as one commit of what is different: devices get an update, and
  /// nothing if there is no difference.
  ///
  /// A list that does not exist is made. Items keep their ids, so one that stays is not a new one.
  ///
  /// - Parameters:
  ///   - tree: The list as it shall be; `tree.list` says which. Its revision does not count.
  ///   - expected: Where the list must end.
  /// - Returns: The line that has the difference; the last one if there is none.
  /// - Throws: ``Refusal``, ``Conflict`` or `StoreError`.
  @discardableResult
  public func replace(
    with tree: ListTree, ifAt expected: Expectation = .any
  ) async throws -> Written {
    let answer = try await answer(
      to: Request(
        method: "PUT", path: "list", query: [("list", tree.list.rawValue)],
        headers: expected.headers.merging(
          ["Content-Type": "application/json"], uniquingKeysWith: { $1 }),
        body: Data(tree.json().utf8),
        // It would meet its own line.
        canRepeat: expected == .any))
    return try outcome(found(answer, "list").body).get()
  }

  /// Makes one list equal to another.
  ///
  /// - Throws: `StoreError` with ``/ListModel/StoreError/Code/listNotFound`` if there is none to copy;
  ///   ``Refusal``.
  @discardableResult
  public func copy(_ list: ListID, to copy: ListID) async throws -> Written {
    let answer = try await answer(
      to: Request(
        method: "POST", path: "copy", query: [("from", list.rawValue), ("to", copy.rawValue)]))
    if answer.status == 404 { throw error(.listNotFound, "has no list \(list)") }
    return try outcome(answer.body).get()
  }

  /// Deletes a list with its log; devices that follow it get an empty one.
  ///
  /// - Returns: `false` if there is none.
  @discardableResult
  public func delete(_ list: ListID) async throws -> Bool {
    let answer = try await answer(
      to: Request(method: "DELETE", path: "list", query: [("list", list.rawValue)]))
    return answer.status != 404 || answer.isRepeated
  }

  /// Refuses a token from now on, at all nodes within a second.
  ///
  /// - Parameters:
  ///   - token: The token's `jti`, or a user's `sub` for all of that user's.
  ///   - until: When the token ends by itself.
  /// - Throws: `StoreError`.
  public func revoke(_ token: String, until: Date) async throws {
    let seconds = Int(until.timeIntervalSince1970.rounded(.up).clamped(to: 0...1e15))
    let body = JSONWriter.object { writer in
      writer.member("token", token)
      writer.member("until", seconds)
    }
    _ = try found(
      await answer(
        to: Request(
          method: "POST", path: "revoke", headers: ["Content-Type": "application/json"],
          body: Data(body.utf8))), "revoke")
  }

  /// An answer from an address that is there.
  func found(_ answer: Answer, _ path: String) throws(StoreError) -> Answer {
    if answer.status != 404 { return answer }
    throw error(.feedRefused, "has no address /\(path): use the address that the others are below")
  }
}

extension Double {
  fileprivate func clamped(to range: ClosedRange<Double>) -> Double {
    min(max(self, range.lowerBound), range.upperBound)
  }
}
