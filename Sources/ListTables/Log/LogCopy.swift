import GRDB
package import ListModel

/// Writes lists with their logs into another store: commit by commit, each value as a mapping has
/// it.
///
/// The other store gets what commits write: no row is copied. Digests, chains and places are those
/// of the mapped values. So what a mapping does not return is not there.
package struct LogCopy {
  private let author: (String) throws -> Author
  private let time: (Int) -> Int
  private let entry: (LogEntry) throws -> LogEntry

  /// Items of a list's beginning whose rows are written together.
  private static let itemsInSlice = 20_000

  /// A mapping.
  ///
  /// - Parameters:
  ///   - author: Of the authors' names.
  ///   - time: Of times in milliseconds since 1970.
  ///   - entry: Of changes. The same id and the same state always become the same ones, and paths
  ///     stay.
  package init(
    author: @escaping (String) throws -> Author, time: @escaping (Int) -> Int,
    entry: @escaping (LogEntry) throws -> LogEntry
  ) {
    self.author = author
    self.time = time
    self.entry = entry
  }

  /// Writes a list with all commits that its log has, under their numbers.
  ///
  /// A log that was truncated begins at the same revision, with the list as it was there.
  ///
  /// - Parameters:
  ///   - source: The list.
  ///   - list: The id of the new list, which the other store does not have.
  ///   - statements: Of the other store, inside a write transaction.
  /// - Returns: The new list.
  /// - Throws: `SQLITE_CORRUPT` or ``/ListModel/FormatError`` if the log can't be read or does not
  ///   lead to the list; what the mapping throws. The transaction must then be rolled back.
  /// - Complexity: O((*n* + *k*) log *n*), *n* items, *k* changes. One change at a time is in
  ///   memory, and of each commit what it changes of the order.
  package func copy(
    _ source: ListRows, as list: ListID, to statements: Statements
  ) throws -> ListRows {
    let rows = try ListRows.create(statements, list)
    func endTransaction() {
      _ = rows.endTransaction()
      statements.beginTransaction()
    }
    if source.logFloor > 0 { try copyBeginning(of: source, to: rows, endTransaction) }
    let log = try LogReader(source)
    try source.forEachCommit(after: source.logFloor) { logged in
      guard logged.revision == rows.revision + 1 else {
        throw DatabaseError.corrupt("revision \(rows.revision + 1) is not in the log")
      }
      var commit = PendingCommit(
        rows, repeating: logged, by: try author(of: logged), time: logged.time.map(time))
      try log.forEachValue(of: logged) { try commit.apply(entry($0)) }
      try commit.finish()
      endTransaction()
    }
    guard rows.revision == source.revision, rows.sectionTotal == source.sectionTotal else {
      throw DatabaseError.corrupt("list \"\(source.list)\": its log does not lead to its rows")
    }
    return rows
  }

  /// Writes the list as it was at the beginning of its log.
  private func copyBeginning(
    of source: ListRows, to rows: ListRows, _ endTransaction: () -> Void
  ) throws {
    func write(_ original: LogEntry) throws {
      let entry = try entry(original)
      var neighbours: [Neighbours] = []
      _ = try rows.apply(entry, EntryHashes(entry), appendingTo: &neighbours)
    }
    var beginning = try LogRewind(source)
    if let meta = beginning.meta { try write(.updateList(before: nil, after: meta)) }
    for (index, section) in beginning.sections.enumerated() {
      try write(.insertSection(section.id, section.attributes, at: index))
      var path = ItemPath(section: index, item: 0)
      try beginning.forEachItem(of: section) { item in
        try write(.insertItem(item, at: path))
        path.item += 1
        guard path.item % Self.itemsInSlice == 0 else { return }
        try rows.save()
        endTransaction()
      }
    }
    try beginLog(of: rows, asThatOf: source)
    endTransaction()
  }

  private func beginLog(of rows: ListRows, asThatOf source: ListRows) throws {
    rows.revision = source.logFloor
    rows.logFloor = source.logFloor
    rows.totals = try source.commitRow(source.logFloor).totals
    var hash = ChainHash(
      after: rows.chain, revision: rows.revision, author: Author.unknown.name, time: nil,
      feedSequence: nil)
    hash.add(rows.digest)
    (rows.chain, rows.floorChain) = (hash.value, hash.value)
    try source.forEachCommit(after: source.logFloor - 1, upTo: source.logFloor) { last in
      try rows.logCommit(
        by: author(of: last), time: last.time.map(time), feedSequence: last.feedSequence,
        undoes: last.undoes, step: last.step, firstChange: nil)
    }
    try rows.save()
  }

  private func author(of commit: LoggedCommit) throws -> Author {
    guard let name = commit.author else {
      throw DatabaseError.corrupt("the author of revision \(commit.revision) is missing")
    }
    return try author(name)
  }
}
