public import BatchUpdates
public import ListModel
import ListOrder

extension Provider {
  /// Applies the commits that follow this revision.
  ///
  /// - Parameters:
  ///   - commits: In order, without gaps.
  ///   - policy: The limits beyond which the list is reloaded, and which items are drawn again.
  /// - Returns: One batch update over all of them; with mode `none` if there are none.
  /// - Throws: ``/ListModel/ChangeError/logMismatch(_:)`` if the commits do not follow this
  ///   revision; the Provider is then as it was.
  /// - Complexity: O(*k* log *n*), *k* changes in the commits, *n* items and sections.
  @discardableResult
  public mutating func apply(
    _ commits: some Sequence<Commit>, policy: UpdatePolicy = UpdatePolicy()
  ) throws(ChangeError) -> BatchUpdate {
    let log = commits.map { $0 }
    var items: (any StoredItems)?
    if let stored, let last = log.last {
      items = stored.pinned(at: last.revision, in: self)
      // The store is at a later revision by now, so items of the last commit's can't be read from
      // it.
      if items == nil { self = Provider(tree, at: position) }
    }
    return try apply(log, policy: policy, thenReading: items)
  }

  /// Applies the commits that follow this revision; see ``apply(_:policy:)``.
  ///
  /// `items`: The items at the revision of the last commit; `nil` for a list in memory.
  package mutating func apply(
    _ log: [Commit], policy: UpdatePolicy, thenReading items: (any StoredItems)?
  ) throws(ChangeError) -> BatchUpdate {
    let from = revision
    let changes = log.reduce(0) { $0 + $1.entries.count }
    if changes > policy.budget.limit(for: numberOfItems) {
      let why = policy.budget.refusal(for: numberOfItems)
      try replay(log, thenReading: items)
      return BatchUpdate(
        list: list, from: from, to: revision, mode: .reload(why: why),
        hidesSections: policy.hidesSections)
    }
    var plan = UpdatePlan(
      replaying: log.map(\.entries), on: SectionCounts(outline.sizes),
      findsNeighbours: !policy.neighbours.isEmpty,
      hiding: policy.hidesSections ? listedVisibilities : nil)
    // Looked up before the order changes. With a copy of the order to ask later, each change would
    // copy.
    let check = plan.identityCheck(policy.proof)
    let before = handles(at: check.items.map { $0.old })
    let sections = check.sections.map {
      hasSection($0.old) ? outline.section(at: $0.old) : nil
    }
    try replay(log, thenReading: items)
    if !policy.neighbours.isEmpty {
      plan.reconfigureNeighbours { path in
        item(at: path).map { policy.neighbours.dependency(of: $0.state) } ?? []
      }
    }
    let refusal =
      misplaced(by: check, before, sections)
      ?? (policy.hidesSections ? plan.refusal(ofHiding: hiddenSections) : nil)
    return BatchUpdate(
      list: list, from: from, to: revision, mode: refusal.map { .reload(why: $0) } ?? plan.mode,
      hidesSections: policy.hidesSections)
  }

  /// The first item or section that the stages of an update lead to a place where another one is.
  ///
  /// - Parameters:
  ///   - check: The places before and after that the stages connect.
  ///   - items: The handles of its items before the update. A handle stays with its item.
  ///   - sections: The handles of its sections before the update.
  /// - Returns: What is wrong; `nil` if nothing is.
  package func misplaced(
    by check: IdentityCheck, _ items: [Int32?], _ sections: [Int32?]
  ) -> ReloadReason? {
    let found = handles(at: check.items.map { $0.new })
    for (index, place) in check.items.enumerated()
    where items[index] == nil || items[index] != found[index] {
      return .notProven(
        "the stages lead the item at \(place.old) to \(place.new), where another one is")
    }
    for (place, handle) in zip(check.sections, sections)
    where handle == nil || !hasSection(place.new)
      || handle != outline.section(at: place.new)
    {
      return .notProven(
        "the stages lead section \(place.old) to \(place.new), where another one is")
    }
    return nil
  }

  /// Replays commits in place: data that no other Provider shares is not copied.
  ///
  /// - Throws: ``/ListModel/ChangeError/logMismatch(_:)``; the Provider is then as it was.
  private mutating func replay(
    _ commits: [Commit], thenReading items: (any StoredItems)?
  ) throws(ChangeError) {
    let from = (revision, position)
    var trace = ReplayTrace(keepsIDs: readsFromStore)
    var done = 0
    do throws(ChangeError) {
      for commit in commits {
        try expectNext(commit)
        try replay(commit, &trace, &done)
      }
    } catch {
      for entry in commits.flatMap(\.entries).prefix(done).reversed() {
        for step in entry.inverse { try replay(step, &trace) }
      }
      release(trace.removed)
      (revision, position) = from
      throw error
    }
    release(trace.removed)
    if let items {
      // Without those of before, what both share need not be copied.
      stored = items
      items.begin(forgetting: trace.changed.union(trace.removed))
    }
  }

  /// Replays one commit and compares the result with the store's digest.
  private mutating func replay(
    _ commit: Commit, _ trace: inout ReplayTrace, _ done: inout Int
  ) throws(ChangeError) {
    let isProven = commit.proof != nil && position != nil
    var neighbours = (commit.proof?.neighbours ?? [])[...]
    for entry in commit.entries {
      try replay(entry, &trace)
      done += 1
      if isProven {
        let own = neighbours.prefix(entry.placeCount)
        neighbours = neighbours.dropFirst(entry.placeCount)
        try check(entry, own)
        position?.digest.apply(entry, neighbours: own)
      }
    }
    revision = commit.revision
    if let proof = commit.proof, isProven {
      guard position?.digest == proof.digest else {
        throw .logMismatch("revision \(revision) has another digest than the store")
      }
      position?.chain = proof.chain
    } else {
      position = nil
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
