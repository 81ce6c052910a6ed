public import ListModel
public import ListStore

extension LiveList {
  /// Applies a feed to the list as its lines come: each is one commit, and one update of whoever shows
  /// the list.
  ///
  /// ```swift
  /// let task = Task { try await shelf.follow(serverLines) }
  /// ```
  ///
  /// Only lines about this list are applied; those about others are read and left alone, because a
  /// screen's list should not change others. For a feed that is meant for the whole store there is
  /// ``ListStore/Repository/follow(_:named:progress:)-(Lines,_,_)``.
  ///
  /// It goes on until the feed ends or the task is cancelled, and keeps the Repository as long. What
  /// was applied stays, however it ends. So a feed that broke off can be followed again from its start
  /// or from anywhere before the break: lines that were applied are skipped.
  ///
  /// - Parameters:
  ///   - lines: The feed. A text holds a line, or several with ends between them.
  ///   - feedList: What the feed calls this list; `nil`: as it is called here.
  ///   - name: What errors call the feed.
  ///   - progress: Called after each line.
  /// - Returns: What became of the lines.
  /// - Throws: ``/ListModel/StoreError`` with the feed's name and line for one that does not fit:
  ///   nothing of it is applied, and what is left of the feed is not read. Or what the feed throws.
  @discardableResult
  public func follow<Lines: AsyncSequence>(
    _ lines: Lines, as feedList: ListID? = nil, named name: String = "feed",
    progress: @Sendable (FeedReport) -> Void = { _ in }
  ) async throws -> FeedReport where Lines.Element == String {
    try await repository.follow(lines, named: name, target: target(feedList), progress) {
      $0.append(lines: $1)
      return true
    }
  }

  /// Applies a feed to the list as its bytes come: as ``follow(_:as:named:progress:)-(Lines,_,_,_)``
  /// does with lines.
  ///
  /// For what `URLSession.bytes(from:)` and `FileHandle.bytes` give on Apple's platforms. Their `lines`
  /// won't do: they also end a line at U+2028 and the like, which JSON may hold.
  ///
  /// - Parameters:
  ///   - bytes: The feed: UTF-8, each line with its end.
  ///   - feedList: What the feed calls this list; `nil`: as it is called here.
  ///   - name: What errors call the feed.
  ///   - progress: Called after each line.
  /// - Returns: What became of the lines.
  /// - Throws: As with lines; also `StoreError` with
  ///   ``/ListModel/StoreError/Code/tornFeed`` for a last line without an end.
  @discardableResult
  public func follow<Bytes: AsyncSequence>(
    _ bytes: Bytes, as feedList: ListID? = nil, named name: String = "feed",
    progress: @Sendable (FeedReport) -> Void = { _ in }
  ) async throws -> FeedReport where Bytes.Element == UInt8 {
    try await repository.follow(bytes, named: name, target: target(feedList), progress) {
      $0.append($1)
    }
  }

  private func target(_ feedList: ListID?) -> FeedRun.Target {
    FeedRun.Target(feedList: feedList ?? id, list: id, owner: owner)
  }
}

extension Repository {
  /// Applies a feed as its lines come: each is one commit of the list that it is about, which is made
  /// if there is none.
  ///
  /// As ``LiveList/follow(_:as:named:progress:)-(Lines,_,_,_)``, for the lines of all lists.
  ///
  /// - Parameters:
  ///   - lines: The feed. A text holds a line, or several with ends between them.
  ///   - name: What errors call the feed.
  ///   - progress: Called after each line.
  /// - Returns: What became of the lines.
  /// - Throws: ``/ListModel/StoreError`` with the feed's name and line, or what the feed throws.
  @discardableResult
  public func follow<Lines: AsyncSequence>(
    _ lines: Lines, named name: String = "feed",
    progress: @Sendable (FeedReport) -> Void = { _ in }
  ) async throws -> FeedReport where Lines.Element == String {
    try await follow(lines, named: name, target: nil, progress) {
      $0.append(lines: $1)
      return true
    }
  }

  /// Applies a feed as its bytes come: each line is one commit of the list that it is about.
  ///
  /// - Parameters:
  ///   - bytes: The feed: UTF-8, each line with its end.
  ///   - name: What errors call the feed.
  ///   - progress: Called after each line.
  /// - Returns: What became of the lines.
  /// - Throws: ``/ListModel/StoreError`` with the feed's name and line, or what the feed throws.
  @discardableResult
  public func follow<Bytes: AsyncSequence>(
    _ bytes: Bytes, named name: String = "feed",
    progress: @Sendable (FeedReport) -> Void = { _ in }
  ) async throws -> FeedReport where Bytes.Element == UInt8 {
    try await follow(bytes, named: name, target: nil, progress) { $0.append($1) }
  }

  /// `bring`: Brings a part of the feed. Returns whether a line may be complete.
  fileprivate func follow<Feed: AsyncSequence>(
    _ feed: Feed, named name: String, target: FeedRun.Target?,
    _ progress: @Sendable (FeedReport) -> Void,
    _ bring: (inout FeedLines, Feed.Element) -> Bool
  ) async throws -> FeedReport {
    var run = FeedRun(into: self, name: name, target: target)
    do {
      for try await part in feed {
        if Task.isCancelled { break }
        if bring(&run.lines, part) { try run.applyLines(progress) }
      }
    } catch  where Task.isCancelled && !(error is StoreError) {
      // Some feeds end with an error then, others just end.
    }
    try run.finish(isCancelled: Task.isCancelled)
    return run.report
  }
}
