public import ListItems
public import ListModel

extension Page {
  /// A page loader without a server, for an app's tests and previews.
  ///
  /// ```swift
  /// let server = try Page.ScriptedLoader(messages, pageSize: 20)
  /// let inbox = repository.liveList("inbox", items: [Message.self], pages: server)
  /// try await inbox.refresh()
  /// await server.failNext(with: URLError(.timedOut))
  /// ```
  public actor ScriptedLoader: PageLoader {
    /// The server's list, the way that the app's list shows it.
    public var items: [Item]
    /// How many items a page has.
    public var pageSize: Int
    /// Whether the newest items are the last ones, as in a chat.
    public let isNewestLast: Bool
    /// Whether pages tell their place and how many items there are.
    public var tellsCounts = true
    /// What was asked, in order.
    public private(set) var requests: [PageRequest] = []
    private var failures: [any Error] = []
    private var isHeld = false
    private var held: [Int: CheckedContinuation<Void, any Error>] = [:]

    /// A server with stored items.
    public init(items: [Item], pageSize: Int = 20, isNewestLast: Bool = false) {
      self.items = items
      self.pageSize = max(1, pageSize)
      self.isNewestLast = isNewestLast
    }

    /// A server with values.
    ///
    /// - Throws: ``/ListModel/FormatError`` for an empty or too long id, or what encoding throws.
    public init(_ values: [some ListItem], pageSize: Int = 20, isNewestLast: Bool = false) throws {
      self.init(
        items: try values.map { try Item($0) }, pageSize: pageSize, isNewestLast: isNewestLast)
    }

    /// Gives the server another list.
    public func set(_ items: [Item]) { self.items = items }

    /// Says whether pages tell their place and how many items there are.
    public func setTellsCounts(_ tellsCounts: Bool) { self.tellsCounts = tellsCounts }

    /// Has the next request fail.
    public func failNext(with error: any Error) { failures.append(error) }

    /// Keeps answers back until ``release()``; a request that is cancelled meanwhile ends.
    public func hold() { isHeld = true }

    /// Gives the answers that were kept back, and those that follow at once.
    public func release() {
      isHeld = false
      for answer in held.values { answer.resume() }
      held = [:]
    }

    /// Waits until answers are released.
    private func wait(_ number: Int) async throws {
      try await withTaskCancellationHandler {
        try await withCheckedThrowingContinuation {
          (answer: CheckedContinuation<Void, any Error>) in
          if Task.isCancelled { return answer.resume(throwing: CancellationError()) }
          held[number] = answer
        }
      } onCancel: {
        Task { await cancel(number) }
      }
    }

    private func cancel(_ number: Int) {
      held.removeValue(forKey: number)?.resume(throwing: CancellationError())
    }

    /// Answers as a server with ids as cursors does.
    public func page(_ request: PageRequest) async throws -> Page {
      requests.append(request)
      if isHeld { try await wait(requests.count) }
      if !failures.isEmpty { throw failures.removeFirst() }
      switch request.part {
      case .newest:
        return isNewestLast ? page(max(0, items.count - pageSize), pageSize) : page(0, pageSize)
      case .after:
        guard let place = place(of: request.cursor ?? request.above?.rawValue) else {
          throw Page.Failure.outdatedCursor
        }
        return page(place + 1, pageSize)
      case .before:
        guard let place = place(of: request.cursor ?? request.below?.rawValue) else {
          throw Page.Failure.outdatedCursor
        }
        let start = max(0, place - pageSize)
        return page(start, place - start)
      case .around(let item):
        guard let place = place(of: item.rawValue) else { return Page(items: []) }
        return page(max(0, place - pageSize / 2), pageSize)
      case .from(let offset): return page(max(0, offset), pageSize)
      }
    }

    private func place(of id: String?) -> Int? {
      id.flatMap { id in items.firstIndex { $0.id.rawValue == id } }
    }

    private func page(_ start: Int, _ count: Int) -> Page {
      let range = min(start, items.count)..<min(start + count, items.count)
      return Page(
        items: Array(items[range]),
        before: range.lowerBound > 0 && !range.isEmpty ? items[range.lowerBound].id.rawValue : nil,
        after: range.upperBound < items.count && !range.isEmpty
          ? items[range.upperBound - 1].id.rawValue : nil,
        offset: tellsCounts ? range.lowerBound : nil, total: tellsCounts ? items.count : nil)
    }
  }
}
