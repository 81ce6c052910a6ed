public import ListModel
public import ListStore
public import ListSync

extension FeedClient {
  /// Follows a list until the task is cancelled: applies each line as it arrives.
  ///
  /// Lines about other lists are skipped.
  ///
  /// - Parameters:
  ///   - list: The list.
  ///   - feedList: The feed's name for it; `nil` if it is the list's own id.
  ///   - progress: Takes each state, in the task of the call.
  /// - Returns: How many lines were applied and skipped, once the task is cancelled.
  /// - Throws: `StoreError`: ``/ListModel/StoreError/Code/feedRefused`` for an answer such as 403 or
  ///   404; ``/ListModel/StoreError/Code/feedGap``, ``/ListModel/StoreError/Code/anotherFeed`` or the
  ///   error of an operation that does not fit if a snapshot does not help;
  ///   ``/ListModel/StoreError/Code/malformedFeed`` or ``/ListModel/StoreError/Code/feedLimit`` for a
  ///   line that stays wrong in ten answers; errors of the store; what `headers` throws. Lines that
  ///   were applied stay applied.
  @discardableResult
  public func follow(
    _ list: LiveList, as feedList: ListID? = nil,
    progress: @escaping @Sendable (State) -> Void = { _ in }
  ) async throws -> FeedReport {
    try await run(list.repository, list.target(feedList), .all, endsUpToDate: false, progress)
  }

  /// Follows all lists of a feed until the task is cancelled; makes those that the store does not
  /// have.
  ///
  /// The server is asked about the lists that the feed may change, and about no others. Otherwise like
  /// ``follow(_:as:progress:)``.
  ///
  /// - Parameters:
  ///   - repository: The store.
  ///   - lists: The lists that the feed may change.
  ///   - progress: Takes each state, in the task of the call.
  /// - Returns: How many lines were applied and skipped, once the task is cancelled.
  /// - Throws: As ``follow(_:as:progress:)``; ``/ListModel/StoreError/Code/listOfAnotherFeed`` for a line
  ///   about a list that another feed fills.
  @discardableResult
  public func follow(
    _ repository: Repository, lists: Repository.FeedLists = .notOfOthers,
    progress: @escaping @Sendable (State) -> Void = { _ in }
  ) async throws -> FeedReport {
    try await run(repository, nil, lists, endsUpToDate: false, progress)
  }

  /// Applies the lines that the server has now, and returns: for a refresh in the background.
  ///
  /// It also returns if the task is cancelled. Otherwise like ``follow(_:as:progress:)``.
  @discardableResult
  public func catchUp(
    _ list: LiveList, as feedList: ListID? = nil,
    progress: @escaping @Sendable (State) -> Void = { _ in }
  ) async throws -> FeedReport {
    try await run(list.repository, list.target(feedList), .all, endsUpToDate: true, progress)
  }

  /// Applies the lines that the server has now about all lists, and returns.
  ///
  /// Otherwise like ``catchUp(_:as:progress:)`` and ``follow(_:lists:progress:)``.
  @discardableResult
  public func catchUp(
    _ repository: Repository, lists: Repository.FeedLists = .notOfOthers,
    progress: @escaping @Sendable (State) -> Void = { _ in }
  ) async throws -> FeedReport {
    try await run(repository, nil, lists, endsUpToDate: true, progress)
  }

  private func run(
    _ repository: Repository, _ target: FeedRun.Target?, _ lists: Repository.FeedLists,
    endsUpToDate: Bool,
    _ progress: @escaping @Sendable (State) -> Void
  ) async throws -> FeedReport {
    var follower = FeedFollower(
      client: self, repository: repository, target: target, lists: lists,
      endsUpToDate: endsUpToDate, progress: progress)
    return try await follower.run()
  }
}
