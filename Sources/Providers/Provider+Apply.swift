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
    let from = revision
    let itemsBefore = numberOfItems
    let before = SectionCounts(outline)
    let log = try replay(commits)
    let changes = log.reduce(0) { $0 + $1.count }
    let mode =
      policy.budget.refusal(of: changes, in: itemsBefore).map { .reload(why: $0) }
      ?? BatchUpdate.mode(
        replaying: log, on: before,
        neighbours: policy.neighbours.isEmpty
          ? nil
          : { [self] path in
            item(at: path).map { policy.neighbours.dependency(of: $0.state) } ?? []
          })
    return BatchUpdate(list: list, from: from, to: revision, mode: mode)
  }

  /// Replays commits in place, which copies nothing that only this Provider holds.
  ///
  /// - Returns: Their entries.
  /// - Throws: ``ChangeError/logMismatch(_:)``; the Provider is then as it was.
  private mutating func replay(
    _ commits: some Sequence<Commit>
  ) throws(ChangeError) -> [[LogEntry]] {
    let from = revision
    var done: [[LogEntry]] = []
    for commit in commits {
      var entries = 0
      do throws(ChangeError) {
        try expectNext(commit)
        for entry in commit.entries {
          try replay(entry)
          entries += 1
        }
      } catch {
        done.append(Array(commit.entries.prefix(entries)))
        try undo(done)
        revision = from
        throw error
      }
      done.append(commit.entries)
      revision = commit.revision
    }
    return done
  }

  private mutating func undo(_ log: [[LogEntry]]) throws(ChangeError) {
    for entry in log.joined().reversed() {
      for step in entry.inverse { try replay(step) }
    }
  }

  private func expectNext(_ commit: Commit) throws(ChangeError) {
    guard revision < .max, commit.revision == revision + 1, commit.list == list else {
      throw .logMismatch(
        "revision \(commit.revision) of \"\(commit.list)\" does not follow revision \(revision) of \"\(list)\""
      )
    }
  }
}
