import GRDB
package import ListModel
import StoreSchema

extension StoredList {
  /// A row of `listCommit`.
  package struct CommitRow: Sendable {
    package var revision: Int
    /// `nil` if the author's row is missing.
    package var author: String?
    /// In milliseconds since 1970.
    package var time: Int?
    /// The number of the feed line that made it.
    package var feedSequence: Int?
    /// `nil` for a commit without changes.
    package var firstChange: Int?
  }

  /// The newest commits up to a revision, the newest first.
  package func commits(upTo revision: Int, limit: Int) throws -> [CommitRow] {
    var commits: [CommitRow] = []
    try statements(
      """
      SELECT revision, author.name, time, feedSequence, firstChange FROM listCommit
      LEFT JOIN author ON author.id = listCommit.author
      WHERE list = ? AND revision <= ? ORDER BY revision DESC LIMIT ?
      """
    ).forEach(row, revision, limit) { row in
      commits.append(
        CommitRow(
          revision: try row.integer(0), author: try row.textIfPresent(1),
          time: try row.integerIfPresent(2), feedSequence: try row.integerIfPresent(3),
          firstChange: try row.integerIfPresent(4)))
    }
    return commits
  }

  /// The changes of a commit, up to one that can't be read.
  package func entries(
    of commit: CommitRow
  ) -> (entries: [LogEntry], failure: (any Error)?) {
    var entries: [LogEntry] = []
    do {
      let log = try LogReader(rows)
      try log.forEachEntry(ofRevision: commit.revision, from: commit.firstChange) {
        entries.append($0.entry)
      }
      return (entries, nil)
    } catch { return (entries, error) }
  }

  /// The last revision that was committed at a time or before it, in milliseconds since 1970; `nil`
  /// if the log has none.
  package func revision(at time: Int) throws -> Int? {
    try statements(
      "SELECT max(revision) FROM listCommit WHERE list = ? AND time <= ?"
    ).first(row, time) { try $0.integerIfPresent(0) } ?? nil
  }
}
