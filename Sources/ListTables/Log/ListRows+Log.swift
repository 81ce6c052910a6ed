import BatchUpdates
import GRDB
package import ListModel

extension ListRows {
  /// Writes the row of a commit; the rows of its changes are written already.
  func logCommit(
    by author: Author, time: Int?, feedSequence: Int? = nil, feedDigest: [UInt8]? = nil,
    undoes: Int? = nil, step: Int? = nil, firstChange: Int?, sourceRevision: Int? = nil
  ) throws {
    try statements(
      """
      INSERT INTO listCommit (list, revision, author, time, feedSequence, feedDigest, digest, chain,
        changeTotal, byteTotal, firstChange, undoes, step, sourceRevision)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """
    ).run(
      id, revision, try statements.authorRow(author), time, feedSequence, feedDigest,
      digest.value, chain,
      totals.changes, totals.bytes, firstChange, undoes, step, sourceRevision)
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
      var neighbours: [Neighbours] = []
      func add(_ logged: LogReader.LoggedEntry) {
        entries.append(logged.entry)
        neighbours += logged.neighbours
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
          proof: CommitProof(chain: commit.chain, digest: commit.digest, neighbours: neighbours)))
    }
    return commits
  }

  /// How many changes there are after a revision that the log has.
  package func changeCount(after revision: Int) throws -> Int {
    max(0, totals.changes &- (try changeTotal(of: revision) ?? 0))
  }

  /// How many changes the list had had at a revision; `nil` if the log does not say.
  func changeTotal(of revision: Int) throws -> Int? {
    if revision == 0 { return 0 }
    return try statements("SELECT changeTotal FROM listCommit WHERE list = ? AND revision = ?")
      .first(id, revision) { try $0.integer(0) }
  }
}
