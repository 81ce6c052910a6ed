import BatchUpdates
import GRDB
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
      if case .failure(let error) = try commit.apply(changes[index]) {
        return .failure(RejectedChange(index: index, error: error))
      }
    }
    return .success(try commit.finish())
  }

  /// Writes the row of a commit; the rows of its changes are written already.
  func logCommit(
    by author: Author, time: Int?, feed: FeedLine?, undoes: Int? = nil, step: Int? = nil,
    firstChange: Int?
  ) throws {
    try statements(
      """
      INSERT INTO listCommit (list, revision, author, time, feedSequence, feedDigest, digest, chain,
        changeTotal, byteTotal, firstChange, undoes, step)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """
    ).run(
      id, revision, try authorRow(author), time, feed?.sequence, feed?.digest, digest.value, chain,
      totals.changes, totals.bytes, firstChange, undoes, step)
  }

  /// Refuses a revision that the log does not reach any more.
  package func requireLog(after revision: Int, file: String) throws {
    guard revision >= logFloor else {
      throw StoreError(
        .revisionNotFound,
        "the log of \"\(list)\" begins after revision \(logFloor); what was at \(revision) is not "
          + "kept. Read the list anew",
        file: file)
    }
  }

  /// The commits in a range of revisions, ascending.
  ///
  /// `isChecked`: Whether each is compared with its chain hash.
  package func commits(in revisions: ClosedRange<Int>, isChecked: Bool = false) throws -> [Commit] {
    var commits: [Commit] = []
    var previous = isChecked ? try chain(at: revisions.lowerBound - 1) : 0
    let log = try LogReader(self)
    try statements(
      """
      SELECT revision, author.name, time, digest, chain, firstChange, listCommit.feedSequence,
        undoes
      FROM listCommit
      JOIN author ON author.id = listCommit.author
      WHERE list = ? AND revision BETWEEN ? AND ? ORDER BY revision
      """
    ).forEach(id, revisions.lowerBound, revisions.upperBound) { row in
      let revision = try row.integer(0)
      var entries: [LogEntry] = []
      var seams: [Seam] = []
      var hash =
        isChecked
        ? ChainHash(
          after: previous, revision: revision, author: try row.text(1),
          time: try row.integerIfPresent(2), feedSequence: try row.integerIfPresent(6)) : nil
      try log.forEachEntry(ofRevision: revision, from: row.integerIfPresent(5)) { logged in
        entries.append(logged.entry)
        seams += logged.seams
        hash?.add(logged.entry, logged.hashes)
      }
      let chain = try row.hash(4)
      if let hash, chain != hash.value {
        throw DatabaseError.corrupt(
          "list \"\(list)\": its commit of revision \(revision) is another one than its chain says")
      }
      previous = hash?.value ?? 0
      let proof = CommitProof(
        chain: chain, digest: StateDigest(value: try row.hash(3)), seams: seams)
      commits.append(
        Commit(
          list: list, revision: revision, author: try Author(row.text(1)),
          time: try row.integerIfPresent(2), entries: entries,
          undoes: try row.integerIfPresent(7), proof: proof))
    }
    return commits
  }

  /// How many changes there are after a revision that the log has.
  package func changeCount(after revision: Int) throws -> Int {
    let before =
      try statements("SELECT changeTotal FROM listCommit WHERE list = ? AND revision = ?")
      .first(id, revision) { try $0.integer(0) } ?? 0
    return max(0, totals.changes &- before)
  }

  /// The list as it was at a revision.
  ///
  /// The later commits are taken back, and the result is compared with the digest of that revision.
  ///
  /// - Complexity: O(*n* + *k* · log *n*), *n* items, *k* later changes.
  package func listTree(at wanted: Int) throws -> ListTree {
    let head = try listTree()
    if wanted == head.revision { return head }
    var earlier = ListOverlay(head)
    let log = try LogReader(self)
    var revision = head.revision
    try statements(
      """
      SELECT revision, firstChange FROM listCommit WHERE list = ? AND revision > ?
      ORDER BY revision DESC
      """
    ).forEach(id, wanted) { row in
      guard try row.integer(0) == revision else {
        throw DatabaseError.corrupt("revision \(revision) is not in the log")
      }
      var entries: [LogEntry] = []
      try log.forEachEntry(ofRevision: revision, from: row.integerIfPresent(1)) {
        entries.append($0.entry)
      }
      for entry in entries.reversed() { try earlier.revert(entry) }
      revision -= 1
    }
    guard revision == wanted else {
      throw DatabaseError.corrupt("revision \(revision) is not in the log")
    }
    let tree = earlier.tree(list, revision: wanted)
    guard try StateDigest(tree) == digest(at: wanted) else {
      throw DatabaseError.corrupt(
        "list \"\(list)\": its log does not lead back to the digest of revision \(wanted)")
    }
    return tree
  }

  /// The digest of the list at an earlier revision that the log reaches.
  private func digest(at revision: Int) throws -> StateDigest {
    if revision == 0 { return StateDigest(ListTree(list: list)) }
    let digest =
      try statements("SELECT digest FROM listCommit WHERE list = ? AND revision = ?")
      .first(id, revision) { try $0.hash(0) }
    guard let digest else { throw DatabaseError.corrupt("revision \(revision) has no digest") }
    return StateDigest(value: digest)
  }
}

/// A change that does not fit the list.
package struct RejectedChange: Error {
  /// Its number among the changes of the commit, from 0.
  package var index: Int
  /// Why it does not fit.
  package var error: ChangeError
}
