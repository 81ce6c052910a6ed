public import BatchUpdates
public import ListModel

extension Provider {
  /// Applies the commits that follow this revision.
  ///
  /// - Parameters:
  ///   - commits: In order, without gaps.
  ///   - policy: When a batch update is not worth it, and what else it draws again.
  /// - Returns: One batch update over all of them; with mode `none` if there are none.
  /// - Throws: ``ChangeError/logMismatch(_:)`` if the commits do not follow this revision; the
  ///   Provider is then as it was.
  /// - Complexity: O(*k* log *n*), *k* changes in the commits, *n* items and sections.
  @discardableResult
  public mutating func apply(
    _ commits: some Sequence<Commit>, policy: UpdatePolicy = UpdatePolicy()
  ) throws(ChangeError) -> BatchUpdate {
    var next = self
    var log: [[LogEntry]] = []
    var changes = 0
    for commit in commits {
      try next.replay(commit)
      log.append(commit.entries)
      changes += commit.entries.count
    }
    let before = SectionCounts(outline)
    let mode =
      policy.budget.refusal(of: changes, in: numberOfItems).map { .reload(why: $0) }
      ?? BatchUpdate.mode(
        replaying: log, on: before,
        neighbours: policy.neighbours.isEmpty
          ? nil
          : { path in
            next.item(at: path).map { policy.neighbours.dependency(of: $0.state) } ?? []
          })
    let update = BatchUpdate(list: list, from: revision, to: next.revision, mode: mode)
    self = next
    return update
  }
}
