import ListModel
public import ListStore

extension Repository {
  /// Applies a feed: each line is one transaction and one revision of its list.
  ///
  /// Lines that were applied before are skipped, so a feed can be applied again, also after an
  /// error or a kill. The first line that does not fit ends the replay; all lines before it stay
  /// applied.
  ///
  /// - Parameters:
  ///   - feed: The feed, which has no name of its own: it may come in several files. It is read up to
  ///     its end.
  ///   - lists: The lists that it may change.
  ///   - updates: Takes batch updates; `nil` if none are wanted.
  ///   - progress: Takes the report after each line, and once more before an error is thrown.
  /// - Returns: How many lines were applied and skipped.
  /// - Throws: ``/ListModel/StoreError`` with the feed's name and line, or what `updates` throws.
  @discardableResult
  public func apply(
    _ feed: FeedReader, lists: FeedLists = .notOfOthers, updates: FeedUpdates? = nil,
    progress: (FeedReport) -> Void = { _ in }
  ) throws -> FeedReport {
    var feeds = [feed].makeIterator()
    return try apply(lists: lists, updates: updates, progress: progress) { feeds.next() }
  }

  /// Applies feeds one after another, each as ``apply(_:lists:updates:progress:)`` does.
  ///
  /// A batch update may be of commits of several.
  ///
  /// `report`: The counts to go on from.
  /// `progress`: Takes the report also once before an error is thrown.
  /// `next`: Opens the next feed; `nil` after the last one.
  package func apply(
    lists: FeedLists, updates: FeedUpdates?, continuing report: FeedReport = FeedReport(),
    progress: (FeedReport) -> Void, next: () throws -> FeedReader?
  ) throws -> FeedReport {
    guard var feed = try next() else { return report }
    var run = FeedRun(
      into: self, from: FeedSource(nil, shownAs: feed.name, lists: lists), updates: updates,
      report: report)
    var isDone = false
    defer { if !isDone { progress(run.report) } }
    do {
      while true {
        try withManyCommits {
          while try feed.read(into: &run.lines) { try run.applyLines(progress) }
          try run.finish()
        }
        guard let following = try next() else { break }
        feed = following
        run.goOn(with: FeedSource(nil, shownAs: feed.name, lists: lists))
      }
    } catch {
      // Updates of what was stored are handed out, whatever failed after it.
      try run.handOutRest()
      throw error
    }
    try run.handOutRest()
    isDone = true
    return run.report
  }
}
