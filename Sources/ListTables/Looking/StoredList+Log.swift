import GRDB
package import ListModel

extension StoredList {
  /// The newest commits up to a revision, the newest first.
  package func commits(upTo revision: Int, limit: Int) throws -> [LoggedCommit] {
    var commits: [LoggedCommit] = []
    try rows.forEachCommitBackwards(from: revision, limit: limit) { commits.append($0) }
    return commits
  }

  /// The changes of a commit, up to one that can't be read.
  ///
  /// `hasContents`: Whether items have their contents, types and actions; else their contents are
  /// `null`, and no content is read.
  package func entries(
    of commit: LoggedCommit, hasContents: Bool
  ) -> (entries: [LogEntry], failure: (any Error)?) {
    var entries: [LogEntry] = []
    do {
      let log = try LogReader(rows, hasContents: hasContents)
      try log.forEachEntry(of: commit) {
        entries.append($0.entry)
      }
      return (entries, nil)
    } catch { return (entries, error) }
  }

  /// Whether a commit may change an item, or the order of the sections.
  ///
  /// Looks for the name in the rows, and reads no content.
  ///
  /// - Throws: What is wrong with a row of the log.
  package func mayConcern(_ item: String, _ commit: LoggedCommit) throws -> Bool {
    let name = JSONWriter.quotedUTF8(item)
    // A name with escapes may be written in several ways.
    guard name.count == item.utf8.count + 2, item.utf8.allSatisfy({ $0 < 0x80 && $0 != 0x2F })
    else { return true }
    var isConcerned = false
    try LogReader(rows).forEachRow(of: commit) { row in
      guard !isConcerned else { return }
      isConcerned = try row.entries.contains(name) || Self.changesSections(row)
    }
    return isConcerned
  }

  private static func changesSections(_ row: LogReader.ChangeRow) throws -> Bool {
    try row.entries.withUnsafeBytes { bytes in
      var decoder = LogDecoder(bytes, ofRow: row.id)
      while let entry = try decoder.next() { if !entry.isOfItem { return true } }
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
