import GRDB
package import ListModel

extension StoredList {
  /// A row of `listCommit`.
  package struct CommitRow: Sendable {
    /// The list's number after the commit.
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
  ///
  /// `hasContents`: Whether items have their contents, types and actions; else their contents are
  /// `null`, and no content is read.
  package func entries(
    of commit: CommitRow, hasContents: Bool
  ) -> (entries: [LogEntry], failure: (any Error)?) {
    var entries: [LogEntry] = []
    do {
      let log = try LogReader(rows, hasContents: hasContents)
      try log.forEachEntry(ofRevision: commit.revision, from: commit.firstChange) {
        entries.append($0.entry)
      }
      return (entries, nil)
    } catch { return (entries, error) }
  }

  /// The first changes of a commit; rows with later ones are not read.
  ///
  /// - Returns: At most `limit` changes, and whether there are more.
  /// - Throws: What is wrong with a row of the log.
  package func firstEntries(
    of commit: CommitRow, limit: Int
  ) throws -> (entries: [LogEntry], isCut: Bool) {
    struct Enough: Error {}
    var entries: [LogEntry] = []
    do {
      try LogReader(rows).forEachEntry(ofRevision: commit.revision, from: commit.firstChange) {
        guard entries.count < limit else { throw Enough() }
        entries.append($0.entry)
      }
    } catch is Enough { return (entries, true) }
    return (entries, false)
  }

  /// How many changes the log has after a revision; those of a deleted section count its items.
  package func changeCount(after revision: Int) throws -> Int {
    try rows.changeCount(after: revision)
  }

  /// Whether a commit may change an item, or the order of the sections.
  ///
  /// Looks for the name in the rows, and reads no content.
  ///
  /// - Throws: What is wrong with a row of the log.
  package func mayConcern(_ item: String, _ commit: CommitRow) throws -> Bool {
    let name = JSONWriter.quotedUTF8(item)
    // A name with escapes may be written in several ways.
    guard name.count == item.utf8.count + 2, item.utf8.allSatisfy({ $0 < 0x80 && $0 != 0x2F })
    else { return true }
    var isConcerned = false
    try LogReader(rows).forEachRow(ofRevision: commit.revision, from: commit.firstChange) { row in
      guard !isConcerned else { return }
      isConcerned =
        try row.entries.contains(name) || Self.hasOtherOperations(than: 1...5, in: row)
    }
    return isConcerned
  }

  private static func hasOtherOperations(
    than operations: ClosedRange<Int>, in row: LogReader.ChangeRow
  ) throws -> Bool {
    try row.entries.withUnsafeBytes { bytes in
      var reader = EntryReader(bytes, of: .change(row.id))
      while let operation = try reader.nextEntry() {
        guard operations.contains(operation) else { return true }
        _ = try reader.rest()
      }
      return false
    }
  }
}

extension [UInt8] {
  /// Whether some bytes are among these, one after another.
  fileprivate func contains(_ part: [UInt8]) -> Bool {
    guard let first = part.first, count >= part.count else { return false }
    return withUnsafeBufferPointer { bytes in
      (0...(bytes.count - part.count)).contains { start in
        bytes[start] == first && bytes[start..<start + part.count].elementsEqual(part)
      }
    }
  }
}
