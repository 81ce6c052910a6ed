package import ListModel

extension ListRows {
  /// Applies changes in order, and logs them as one commit.
  ///
  /// Each change applies to the list as the one before has left it. If one does not fit, the
  /// transaction must be rolled back.
  package func commit(
    _ changes: [Change], by author: Author, time: Int?, feed: FeedLine?, undoes: Int? = nil,
    step: CommitStep = .none, record: EditRecord? = nil
  ) throws -> Result<Commit, RejectedChange> {
    var commit = PendingCommit(
      self, by: author, time: time, feed: feed, undoes: undoes, step: step, record: record)
    commit.reserveCapacity(changes.count)
    for index in changes.indices {
      for change in try serversChanges(changes[index], after: feed) {
        switch try commit.apply(change) {
        case .success(let entry): noteLostGaps(entry, of: feed)
        case .failure(let error): return .failure(RejectedChange(index: index, error: error))
        }
      }
    }
    return .success(try commit.finish())
  }

  /// What the list may lack of that which a line of its feed names.
  func lacking(for line: FeedLine?) throws -> Lacking? {
    guard let line else { return nil }
    if line.sequence <= pageSequence { return hasPage ? .pagesAhead : .parts }
    return try hasPage && line.sequence <= pagesAhead.sequence() ? .parts : nil
  }

  /// Notes that the list lacks items although it has no gap that says so: a gap has gone with its section.
  ///
  /// What the feed says of items and sections that are not there is no error then, as where pages are ahead.
  func noteLostGaps(_ entry: LogEntry, of line: FeedLine?) {
    guard let line, !line.isReset, !line.isSnapshot,
      case .deleteSection(let section, _) = entry, section.items.contains(where: \.state.isGap)
    else { return }
    pageSequence = .max
  }

  /// The changes to make for one of a commit; a ``Rebase`` has what a line's changes come to.
  private func serversChanges(_ change: Change, after line: FeedLine?) throws -> [Change] {
    guard let line, !pagesAhead.isRebased else { return [change] }
    return try changes(forServers: change, lacking: lacking(for: line))
  }
}

/// A change that does not fit the list.
package struct RejectedChange: Error {
  /// Its number among the changes of the commit, from 0.
  package var index: Int
  /// Why it does not fit.
  package var error: ChangeError
}
