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
    let items = numberOfItems
    let log = commits.map { $0 }
    let changes = log.reduce(0) { $0 + $1.entries.count }
    if let why = policy.budget.refusal(of: changes, in: items) {
      try replay(log)
      return BatchUpdate(list: list, from: from, to: revision, mode: .reload(why: why))
    }
    var plan = UpdatePlan(
      replaying: log.map(\.entries), on: SectionCounts(outline),
      findsNeighbours: !policy.neighbours.isEmpty)
    let check = plan.identityCheck(policy.proof)
    let shown = Identities(at: check, before: self)
    try replay(log)
    if !policy.neighbours.isEmpty {
      plan.reconfigureNeighbours { path in
        item(at: path).map { policy.neighbours.dependency(of: $0.state) } ?? []
      }
    }
    let mode = shown.firstDifference(from: self, at: check).map { .reload(why: $0) } ?? plan.mode
    return BatchUpdate(list: list, from: from, to: revision, mode: mode)
  }

  /// What is shown at the places that a check compares.
  private struct Identities {
    private let items: [ItemID?]
    private let sections: [SectionID?]

    init(at check: IdentityCheck, before: Provider) {
      items = check.items.map { before.itemID(at: $0.old) }
      sections = check.sections.map { before.sectionID(at: $0.old) }
    }

    func firstDifference(from after: Provider, at check: IdentityCheck) -> String? {
      for (place, id) in zip(check.items, items) where after.itemID(at: place.new) != id {
        return "the stages lead item \"\(id.map(\.rawValue) ?? "")\" from \(place.old) to "
          + "\(place.new), where another one is"
      }
      for (place, id) in zip(check.sections, sections) where after.sectionID(at: place.new) != id {
        return "the stages lead section \"\(id.map(\.rawValue) ?? "")\" from \(place.old) to "
          + "\(place.new), where another one is"
      }
      return nil
    }
  }

  /// Replays commits in place, which copies nothing that only this Provider holds.
  ///
  /// - Throws: ``ChangeError/logMismatch(_:)``; the Provider is then as it was.
  private mutating func replay(_ commits: [Commit]) throws(ChangeError) {
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
