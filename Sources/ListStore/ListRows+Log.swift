import Foundation
import GRDB
import ListModel
import StoreSchema

/// Which feed line made a commit.
struct FeedMark {
  /// The line's sequence number; 0 for a reset.
  var sequence: Int
  /// SHA-256 of the line.
  var digest: [UInt8]
}

extension ListRows {
  /// Appends a commit to the log.
  ///
  /// The rows have it already.
  mutating func log(
    _ entries: [LogEntry], by author: Author, time: Int?, feed: FeedMark?
  ) throws -> Commit {
    revision += 1
    let authorRow = try db.nameRow(
      find: "SELECT id FROM author WHERE name = ?",
      insert: "INSERT INTO author (name) VALUES (?)", name: author.name)
    try db.cachedStatement(
      sql: """
        INSERT INTO listCommit (list, revision, author, time, feedSequence, feedDigest)
        VALUES (?, ?, ?, ?, ?, ?)
        """
    ).execute(arguments: [id, revision, authorRow, time, feed?.sequence, feed?.digest.data])
    for (ordinal, entry) in entries.enumerated() {
      try ChangeRecord(entry).insert(db, list: id, revision: revision, ordinal: ordinal)
    }
    if let feed { feedSequence = feed.sequence }
    try save()
    return Commit(list: list, revision: revision, author: author, time: time, entries: entries)
  }

  /// The commits in a range of revisions, ascending.
  func commits(in revisions: ClosedRange<Int>) throws -> [Commit] {
    let rows = try Row.fetchAll(
      db.cachedStatement(
        sql: """
          SELECT revision, author.name, time FROM listCommit
          JOIN author ON author.id = listCommit.author
          WHERE list = ? AND revision BETWEEN ? AND ? ORDER BY revision
          """),
      arguments: [id, revisions.lowerBound, revisions.upperBound])
    return try rows.map { row in
      let revision = try row.integer(0)
      return Commit(
        list: list, revision: revision, author: try Author(row.text(1)),
        time: try row.integerIfPresent(2), entries: try entries(ofRevision: revision))
    }
  }

  private func entries(ofRevision revision: Int) throws -> [LogEntry] {
    let cursor = try Row.fetchCursor(
      db.cachedStatement(
        sql: """
          SELECT \(ChangeRecord.columns) FROM change
          WHERE list = ? AND revision = ? ORDER BY ordinal
          """),
      arguments: [id, revision])
    var entries: [LogEntry] = []
    while let row = try cursor.next() { entries.append(try ChangeRecord(row).entry()) }
    return entries
  }

  /// How many changes there are after a revision, of which so many are counted at most.
  func changeCount(after revision: Int, upTo most: Int) throws -> Int {
    let statement = try db.cachedStatement(
      sql: """
        SELECT count(*) FROM (
          SELECT 1 FROM change WHERE list = ? AND revision > ? LIMIT ?)
        """)
    return try Int.fetchOne(statement, arguments: [id, revision, most]) ?? 0
  }

  /// The list as it was after a revision: the head, with the later commits taken back.
  func tree(at wanted: Int) throws -> ListTree {
    var tree = try tree()
    while tree.revision > wanted {
      guard let commit = try commits(in: tree.revision...tree.revision).first else {
        throw DatabaseError(
          resultCode: .SQLITE_CORRUPT, message: "revision \(tree.revision) is not in the log")
      }
      try tree.revert(commit)
    }
    return tree
  }

  // MARK: The feed's lines among the commits

  /// The first commit made by this very line.
  func firstRevision(ofLine mark: FeedMark) throws -> Int? {
    try Row.fetchOne(
      db.cachedStatement(
        sql: """
          SELECT min(revision) FROM listCommit
          WHERE list = ? AND feedSequence = ? AND feedDigest = ?
          """),
      arguments: [id, mark.sequence, mark.digest.data])?.integerIfPresent(0)
  }

  /// The next commit after a revision that a feed line made, and whether it was this very line.
  func nextFeedRevision(
    after revision: Int, isLine mark: FeedMark
  ) throws -> (revision: Int, isSame: Bool)? {
    try Row.fetchOne(
      db.cachedStatement(
        sql: """
          SELECT revision, feedSequence = ? AND feedDigest = ? FROM listCommit
          WHERE list = ? AND revision > ? AND feedSequence IS NOT NULL
          ORDER BY revision LIMIT 1
          """),
      arguments: [mark.sequence, mark.digest.data, id, revision]
    ).map { row throws in (try row.integer(0), try row.integer(1) != 0) }
  }
}

extension [UInt8] {
  fileprivate var data: Data { Data(self) }
}
