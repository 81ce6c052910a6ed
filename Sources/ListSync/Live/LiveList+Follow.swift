public import ListModel
public import ListStore

extension LiveList {
  /// Applies a feed to the list, line by line as it arrives: each line is one commit, and one
  /// update for each screen that shows the list.
  ///
  /// ```swift
  /// let task = Task { try await shelf.follow(serverLines) }
  /// ```
  ///
  /// Lines about other lists are skipped, because a screen's list should change no other. To apply
  /// a feed to the whole store, use ``ListStore/Repository/apply(_:named:lists:progress:)-(Lines,_,_,_)``.
  ///
  /// The call returns when the feed ends or the task is cancelled, and keeps the Repository open
  /// until then. Lines that were applied stay applied, however it ends. So if a feed breaks off,
  /// follow it again from its start or from any line before the break: lines that were applied
  /// before are skipped.
  ///
  /// - Parameters:
  ///   - lines: The feed. Each string holds one line, or several with line ends between them.
  ///   - feedList: The feed's name for this list; `nil` if it is the list's own id.
  ///   - name: The feed's name, also in errors: the list belongs to it from its first line on; `nil`
  ///     for a feed without one.
  ///   - progress: Called after each line.
  /// - Returns: How many lines were applied and skipped.
  /// - Throws: ``/ListModel/StoreError`` with the feed's name and line if a line does not fit:
  ///   nothing of that line is applied, and the rest of the feed is not read. Or whatever the feed
  ///   throws.
  @discardableResult
  public func follow<Lines: AsyncSequence>(
    _ lines: Lines, as feedList: ListID? = nil, named name: String? = nil,
    progress: @Sendable (FeedReport) -> Void = { _ in }
  ) async throws -> FeedReport where Lines.Element == String {
    try await repository.follow(lines, named: name, .all, target: target(feedList), progress) {
      $0.append(lines: $1)
      return true
    }
  }

  /// Applies a feed to the list as its bytes arrive; otherwise like
  /// ``follow(_:as:named:progress:)-(Lines,_,_,_)``.
  ///
  /// On Apple's platforms, pass `URLSession.bytes(from:)` or `FileHandle.bytes`. Do not pass their
  /// `lines`: those also end a line at U+2028 and similar characters, which JSON strings may hold.
  ///
  /// - Parameters:
  ///   - bytes: The feed in UTF-8, with an end after each line.
  ///   - feedList: The feed's name for this list; `nil` if it is the list's own id.
  ///   - name: The feed's name, also in errors: the list belongs to it from its first line on; `nil`
  ///     for a feed without one.
  ///   - progress: Called after each line.
  /// - Returns: How many lines were applied and skipped.
  /// - Throws: The same errors as with lines; also `StoreError` with
  ///   ``/ListModel/StoreError/Code/tornFeed`` for a last line without an end.
  @discardableResult
  public func follow<Bytes: AsyncSequence>(
    _ bytes: Bytes, as feedList: ListID? = nil, named name: String? = nil,
    progress: @Sendable (FeedReport) -> Void = { _ in }
  ) async throws -> FeedReport where Bytes.Element == UInt8 {
    try await repository.follow(bytes, named: name, .all, target: target(feedList), progress) {
      $0.append($1)
    }
  }

  /// The list as the target of a feed that has another name for it, or the same.
  package func target(_ feedList: ListID?) -> FeedRun.Target {
    FeedRun.Target(feedList: feedList ?? id, list: id, owner: owner)
  }
}

extension Repository {
  /// Applies a feed to the store, line by line as it arrives: each line is one commit of the list
  /// that it names.
  ///
  /// A list that the store does not have is made. Otherwise like
  /// ``LiveList/follow(_:as:named:progress:)-(Lines,_,_,_)``.
  ///
  /// - Parameters:
  ///   - lines: The feed. Each string holds one line, or several with line ends between them.
  ///   - name: The feed's name, also in errors: the lists that it fills belong to it; `nil` for a feed
  ///     without one.
  ///   - lists: The lists that it may change.
  ///   - progress: Called after each line.
  /// - Returns: How many lines were applied and skipped.
  /// - Throws: ``/ListModel/StoreError`` with the feed's name and line, or whatever the feed
  ///   throws.
  @discardableResult
  public func apply<Lines: AsyncSequence>(
    _ lines: Lines, named name: String? = nil, lists: FeedLists = .notOfOthers,
    progress: @Sendable (FeedReport) -> Void = { _ in }
  ) async throws -> FeedReport where Lines.Element == String {
    try await follow(lines, named: name, lists, target: nil, progress) {
      $0.append(lines: $1)
      return true
    }
  }

  /// Applies a feed to the store as its bytes arrive; otherwise like
  /// ``apply(_:named:lists:progress:)-(Lines,_,_,_)``.
  ///
  /// - Parameters:
  ///   - bytes: The feed in UTF-8, with an end after each line.
  ///   - name: The feed's name, also in errors: the lists that it fills belong to it; `nil` for a feed
  ///     without one.
  ///   - lists: The lists that it may change.
  ///   - progress: Called after each line.
  /// - Returns: How many lines were applied and skipped.
  /// - Throws: ``/ListModel/StoreError`` with the feed's name and line, or whatever the feed
  ///   throws.
  @discardableResult
  public func apply<Bytes: AsyncSequence>(
    _ bytes: Bytes, named name: String? = nil, lists: FeedLists = .notOfOthers,
    progress: @Sendable (FeedReport) -> Void = { _ in }
  ) async throws -> FeedReport where Bytes.Element == UInt8 {
    try await follow(bytes, named: name, lists, target: nil, progress) { $0.append($1) }
  }

  /// Applies a feed part by part.
  ///
  /// `append`: Appends a part of the feed. Returns whether a line may be complete.
  fileprivate func follow<Feed: AsyncSequence>(
    _ feed: Feed, named name: String?, _ lists: FeedLists, target: FeedRun.Target?,
    _ progress: @Sendable (FeedReport) -> Void,
    _ append: (inout FeedLines, Feed.Element) -> Bool
  ) async throws -> FeedReport {
    let source = FeedSource(name, shownAs: name ?? "feed", lists: lists)
    var run = FeedRun(into: self, from: source, target: target)
    do {
      for try await part in feed {
        if Task.isCancelled { break }
        if append(&run.lines, part) { try run.applyLines(progress) }
      }
    } catch  where Task.isCancelled && !(error is StoreError) {
      // When the task is cancelled, some feeds throw an error and others just end.
    }
    try run.finish(isCancelled: Task.isCancelled)
    return run.report
  }
}
