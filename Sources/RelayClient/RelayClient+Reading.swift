public import ListModel

extension RelayClient {
  /// A list and its end.
  ///
  /// - Returns: `nil` if there is no such list.
  public func tree(of list: ListID) async throws -> (tree: ListTree, end: End)? {
    let answer = try await answer(to: Request(path: "list", query: [("list", list.rawValue)]))
    if answer.status == 404 { return nil }
    let tree: ListTree
    do { tree = try ListTree(parsing: answer.body, defaultList: list) } catch {
      throw unreadable(error)
    }
    guard let end = answer.end else {
      throw error(.feedUnavailable, "sends a list without its end (`ETag`); a proxy may drop it")
    }
    return (tree, end)
  }

  /// The lists that the token may read with their ends, in the order of their ids' bytes.
  ///
  /// - Parameter id: They come after this one.
  /// - Returns: The lists, asked for in pages as they are read.
  public func lists(after id: ListID? = nil) -> Lists { Lists(client: self, start: id) }

  /// The lists that have moved since the last answer: got lines, or were deleted.
  ///
  /// A relay knows what has moved for some minutes. After a longer pause, after it was restored from a
  /// backup, and after its database has failed over, the answer has all lists that there are; one that was
  /// deleted meanwhile is not among them.
  ///
  /// - Parameters:
  ///   - cursor: What the last answer had; `nil` to begin, with an answer that has only that.
  ///   - wait: How long the relay waits until one has moved, in whole seconds, 60 at most.
  /// - Returns: The lists, and where to go on.
  /// - Throws: `StoreError`.
  public func moved(since cursor: String?, wait: Duration = .zero) async throws -> Moved {
    var request = Request(path: "moved", wait: wait)
    if let cursor {
      request.query.append(("since", cursor))
      request.statusOfOutdated = 410
    }
    if wait > .zero { request.query.append(("wait", "\(wait.components.seconds)")) }
    let answer = try await answer(to: request)
    if answer.status == request.statusOfOutdated { return try await allLists() }
    let body = try found(answer, "moved").body
    do throws(FormatError) {
      let object = try JSONNode(parsing: body).object()
      return Moved(
        lists: try object.required("lists", as: [ListID].self),
        cursor: try object.required("since", as: String.self))
    } catch { throw unreadable(error) }
  }

  /// All lists, as if each had moved; and where to go on, from before they were read.
  private func allLists() async throws -> Moved {
    let cursor = try await moved(since: nil).cursor
    var all: [ListID] = []
    for try await list in lists() { all.append(list.id) }
    return Moved(lists: all, cursor: cursor)
  }

  /// Which lists move, for as long as it is read: the hook for what a server does when a list changes.
  ///
  /// ```swift
  /// for try await moved in relay.moves(since: saved) {
  ///   for list in moved.lists { try await index(list) }
  ///   save(moved.cursor)
  /// }
  /// ```
  ///
  /// A list that moves more often than is asked comes once. A relay that is away is asked until it is
  /// back, however long that takes; other errors end it.
  ///
  /// - Parameter cursor: What was read last; `nil` to begin now.
  /// - Returns: What moves, as it does.
  public func moves(since cursor: String? = nil) -> Moves { Moves(client: self, start: cursor) }

  /// Lists that have moved.
  public struct Moved: Hashable, Sendable {
    /// The lists, in the order of their ids' bytes.
    public let lists: [ListID]
    /// Where to go on.
    public let cursor: String
  }

  /// A list that a relay has.
  public struct KnownList: Hashable, Sendable {
    /// The list's id.
    public let id: ListID
    /// Where it ends.
    public let end: End
  }

  /// The lists of a relay.
  public struct Lists: AsyncSequence, Sendable {
    /// An element.
    public typealias Element = KnownList

    let client: RelayClient
    let start: ListID?

    /// Begins to read.
    public func makeAsyncIterator() -> Iterator { Iterator(client: client, after: start?.rawValue) }

    /// Asks for a page when the one before is used up.
    public struct Iterator: AsyncIteratorProtocol {
      let client: RelayClient
      var after: String?
      private var page: ArraySlice<KnownList> = []
      private var isLast = false

      init(client: RelayClient, after: String?) {
        self.client = client
        self.after = after
      }

      /// The next list; `nil` at the end.
      public mutating func next() async throws -> KnownList? {
        while page.isEmpty {
          if isLast { return nil }
          try await readPage()
        }
        return page.popFirst()
      }

      private mutating func readPage() async throws {
        var request = Request(path: "lists")
        if let after { request.query.append(("after", after)) }
        let body = try client.found(await client.answer(to: request), "lists").body
        do throws(FormatError) {
          let object = try JSONNode(parsing: body).object()
          page = try object.required("lists", as: [KnownList].self)[...]
          after = try object.nullable("after", as: String.self)
        } catch { throw client.unreadable(error) }
        isLast = after == nil
      }
    }
  }

  /// The moves of a relay's lists.
  public struct Moves: AsyncSequence, Sendable {
    /// An element.
    public typealias Element = Moved

    let client: RelayClient
    let start: String?

    /// Begins to read.
    public func makeAsyncIterator() -> Iterator { Iterator(client: client, cursor: start) }

    /// Asks when the answer before was read.
    public struct Iterator: AsyncIteratorProtocol {
      let client: RelayClient
      var cursor: String?

      /// Waits until a list has moved.
      public mutating func next() async throws -> Moved? {
        var pause = Pause()
        while true {
          let wait: Duration = cursor == nil ? .zero : .seconds(25)
          let moved: Moved
          do { moved = try await client.moved(since: cursor, wait: wait) } catch let error
            as StoreError
            where error.code == .feedUnavailable
          {
            // Also after an answer that can't be read, which came at once.
            try await pause.take()
            continue
          }
          pause = Pause()
          cursor = moved.cursor
          if !moved.lists.isEmpty { return moved }
        }
      }
    }
  }
}

extension RelayClient.KnownList: JSONReadable {
  package init(_ node: JSONNode) throws(FormatError) {
    let object = try node.object()
    id = try object.required("list")
    guard let end = RelayClient.End(try object.required("end", as: String.self)) else {
      throw FormatError("an end of a list is expected", at: "end")
    }
    self.end = end
  }
}
