import BatchUpdates
public import ListModel
import ListStore
public import ListTables

// What a list was, and who changed it.
extension LiveList {
  /// The list's newest revision: the number of its commits; 0 before the first one.
  ///
  /// - Throws: ``/ListModel/StoreError``.
  /// - Complexity: O(1).
  public func revision() throws(StoreError) -> Int {
    do { return try repository.revision(of: id) } catch {
      guard error.code == .listNotFound else { throw error }
      return 0
    }
  }

  /// The whole list, at its newest revision or at an earlier one.
  ///
  /// One read transaction. The list is compared with the digest of that commit, which covers ids,
  /// order, cells, contents, types, actions and everything of the sections, but not sizes and view
  /// states. A Provider reads by the block and does not compare.
  ///
  /// - Parameter revision: At least 0, which is the list before its first commit; `nil` for the
  ///   newest revision.
  /// - Returns: The list as it was after that commit.
  /// - Throws: ``/ListModel/StoreError`` with ``/ListModel/StoreError/Code/revisionNotFound`` for a
  ///   revision that the list never had or that its log does not reach any more, with
  ///   ``/ListModel/StoreError/Code/listNotFound`` before the first commit, and with
  ///   ``/ListModel/StoreError/Code/damagedStore`` if the rows do not agree with the commits.
  /// - Complexity: O(*n* + *k* · log *n*), *n* items, *k* changes since that revision.
  public func tree(at revision: Int? = nil) throws(StoreError) -> ListTree {
    try repository.tree(of: id, at: revision)
  }

  /// Commits of the list, the newest first, page by page.
  ///
  /// ```swift
  /// var page = try shelf.history()
  /// while let last = page.last {
  ///   show(page)
  ///   page = try shelf.history(before: last.revision)
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - revision: Commits before this one; `nil` to begin with the newest.
  ///   - limit: The most commits of the page.
  /// - Returns: Commits without gaps; none where the log begins, or before the first commit.
  /// - Throws: ``/ListModel/StoreError``, with ``/ListModel/StoreError/Code/revisionNotFound`` for a
  ///   revision that the list never had.
  /// - Complexity: O(*k*), *k* changes of the page.
  public func history(
    before revision: Int? = nil, limit: Int = 50
  ) throws(StoreError) -> [Commit] {
    try repository.history(of: id, before: revision, limit: limit)
  }

  /// Commits of the list, the oldest first.
  ///
  /// One read transaction.
  ///
  /// - Parameters:
  ///   - revision: Commits after this revision are read; `nil` for all that the log has.
  ///   - limit: The most commits to read.
  /// - Returns: Commits in the order of their revisions, without gaps.
  /// - Throws: ``/ListModel/StoreError`` with ``/ListModel/StoreError/Code/listNotFound`` before the
  ///   first commit, or with ``/ListModel/StoreError/Code/revisionNotFound`` if the log begins later.
  public func commits(
    after revision: Int? = nil, limit: Int = .max
  ) throws(StoreError) -> [Commit] {
    try repository.commits(of: id, after: revision, limit: limit)
  }

  /// The revisions of the list that are committed from now on, by this Repository and by others: see
  /// `Repository.Options.otherProcesses`.
  ///
  /// A revision is a hint that the list has changed; ``commits(after:limit:)`` reads the changes. If
  /// the reader is slower than the commits, it gets only the newest revision. Deleting the list
  /// reports revision 0. So does a store that can't be read any more, for instance because another
  /// file has taken its place: reading throws the reason then.
  ///
  /// - Returns: A stream that ends when the Repository is closed or deallocated.
  public func revisions() -> AsyncStream<Int> { repository.revisions(of: id) }

  /// Says how a reader with a token gets to the newest revision of the list.
  ///
  /// One read transaction; nothing is replayed. If the answer is ``Resync/batch``,
  /// ``commits(after:limit:)`` reads the commits.
  ///
  /// - Parameters:
  ///   - token: The reader's position; `nil` if it has none.
  ///   - hasList: Whether the reader still has the list at its revision, to compare with.
  /// - Returns: The way, and the token of the newest revision. More changes than the policy's budget
  ///   are not replayed. If another process has migrated the store to a schema that this library does
  ///   not know, the reason is ``/BatchUpdates/ReloadReason/newerSchema`` and the token is `nil`: only
  ///   the newer library can read the list.
  /// - Throws: ``/ListModel/StoreError`` with ``/ListModel/StoreError/Code/listNotFound``.
  public func resync(
    _ token: Token?, hasList: Bool = false
  ) throws(StoreError) -> (resync: Resync, head: Token?) {
    try repository.resync(token, of: id, hasList: hasList, budget: policy.budget)
  }

  /// Deletes the oldest commits of the list's log, so that the rest is within the limits.
  ///
  /// The list itself and its revision stay. First a short write transaction notes where the log
  /// begins now; from then on, readers at earlier revisions have to read the list anew. Then the
  /// rows are deleted, at most 5,000 in a transaction, so that no writer waits long. If the process
  /// ends in between, the next call continues. At last, nested lists are deleted if the commit that
  /// deleted their item is gone, because the item can't come back.
  ///
  /// The store remembers the newest 100,000 feed lines of the list, however short the log is; of
  /// older lines it remembers the first and the last between two resets.
  ///
  /// A Repository truncates logs by itself from time to time: see `Repository.Options.logRetention`.
  ///
  /// - Parameter retention: The limits.
  /// - Returns: The first revision from which the log leads on.
  /// - Throws: ``/ListModel/StoreError`` with ``/ListModel/StoreError/Code/listNotFound``.
  /// - Complexity: O(log *m* + *d*), *m* commits, *d* dropped changes; *m* where an age is given.
  @discardableResult
  public func truncateLog(keeping retention: LogRetention) throws(StoreError) -> Int {
    try repository.truncateLog(of: id, keeping: retention)
  }
}
