import BatchUpdates
import GRDB
package import ListModel

extension ListRows {
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
      id, revision, try statements.authorRow(author), time, feed?.sequence, feed?.digest,
      digest.value, chain,
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
    let before = revisions.lowerBound - 1
    let log = try LogReader(self)
    var replay = try LogReplay(self, after: isChecked ? chain(at: before) : 0)
    try forEachCommit(after: before, upTo: revisions.upperBound) { commit in
      var entries: [LogEntry] = []
      var seams: [Seam] = []
      func add(_ logged: LogReader.LoggedEntry) {
        entries.append(logged.entry)
        seams += logged.seams
      }
      if isChecked {
        guard try replay.follow(commit, add).chain else {
          throw DatabaseError.corrupt(
            "list \"\(list)\": its commit of revision \(commit.revision) is another one than its "
              + "chain says")
        }
      } else {
        try log.forEachEntry(of: commit, add)
      }
      guard let author = commit.author else {
        throw DatabaseError.corrupt("the author of revision \(commit.revision) is missing")
      }
      commits.append(
        Commit(
          list: list, revision: commit.revision, author: try Author(author), time: commit.time,
          entries: entries, undoes: commit.undoes,
          proof: CommitProof(chain: commit.chain, digest: commit.digest, seams: seams)))
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
    try forEachCommitBackwards(downTo: wanted) { commit in
      guard commit.revision == revision else {
        throw DatabaseError.corrupt("revision \(revision) is not in the log")
      }
      var entries: [LogEntry] = []
      try log.forEachEntry(of: commit) { entries.append($0.entry) }
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
