public import Foundation
import GRDB
public import ListModel
import ListStore
import StoreSchema

/// Reads a store file without changing a byte of it, or of the files beside it.
///
/// It copies the database and its write-ahead log to a private folder and reads the copy, so it
/// sees commits that are only in the log. A file of an older schema is migrated in the copy.
public struct Inspection: Sendable {
  private let file: URL
  private let copy: PrivateCopy
  private let status: SchemaStatus
  private let repository: Repository

  /// Copies a store and opens the copy.
  ///
  /// - Throws: ``/ListModel/StoreError`` if the file is not a store, is damaged, is of a newer
  ///   version, or can't be read. The error names the original.
  public init(of file: URL) throws(StoreError) {
    self.file = file
    let copy = try PrivateCopy(of: file)
    self.copy = copy
    (status, repository) = try Self.naming(file) { () throws(StoreError) in
      var options = Repository.Options()
      options.timeLimit = TimeLimit.seconds(for: copy.file)
      return (
        try SchemaStatus(of: copy, naming: file),
        try Repository(existing: copy.file, options: options)
      )
    }
  }

  /// The file in numbers, with the findings of SQLite's integrity check and of Cellar's own.
  ///
  /// - Throws: ``/ListModel/StoreError`` if the tables with the numbers can't be read.
  /// - Complexity: O(*n*), all rows of the store.
  public func summary() throws(StoreError) -> StoreSummary {
    try Self.naming(file) { () throws(StoreError) in
      let lists = try repository.read("summarise the store") { db in
        var lists: [StoreSummary.List] = []
        let statements = Statements(db)
        try statements(Self.listSQL).forEach { lists.append(try list(statements, $0)) }
        return lists
      }
      return StoreSummary(
        file: file.path, byteCount: copy.byteCount, logByteCount: copy.log?.byteCount,
        schemaVersion: status.version, pendingMigrations: status.pending,
        integrity: try integrity(), lists: lists)
    }
  }

  /// The findings of SQLite's integrity check, then those in the lists' counts, logs and digests.
  ///
  /// SQLite's check has a transaction of its own: on a page that it can't read, that transaction
  /// fails.
  private func integrity() throws(StoreError) -> [String] {
    var problems: [String] = []
    do throws(StoreError) {
      try repository.read("check the file") { db in
        let rows = try String.fetchCursor(db, sql: "PRAGMA integrity_check(20)")
        while let problem = try rows.next() { problems.append(problem) }
      }
      let own = try repository.checkInvariants().map(\.description)
      return own.isEmpty ? problems : problems.filter { $0 != "ok" } + own
    } catch {
      guard error.code == .damagedStore else { throw error }
      let why = (error.cause as? DatabaseError)?.message ?? "the file is damaged"
      return problems.filter { $0 != "ok" } + ["the check ended early: \(why)"]
    }
  }

  /// A list at a revision, as JSON; at the head, with its exact sizes.
  ///
  /// - Parameters:
  ///   - list: The list.
  ///   - revision: The revision; `nil` for the head. Trees of earlier revisions have no sizes.
  /// - Returns: A tree on one line, in the format of `TreeFormat.md` of ListModel. It was compared
  ///   with the digest of its commit, which covers everything except the sizes.
  /// - Throws: `StoreError` with ``/ListModel/StoreError/Code/listNotFound``,
  ///   ``/ListModel/StoreError/Code/revisionNotFound``, or
  ///   ``/ListModel/StoreError/Code/damagedStore`` if the list does not match its digest.
  public func export(_ list: ListID, at revision: Int? = nil) throws(StoreError) -> String {
    try Self.naming(file) { () throws(StoreError) in
      let tree = try repository.tree(of: list, at: revision)
      let isHead = try tree.revision == repository.revision(of: list)
      return tree.json(sizes: isHead ? try repository.someExactSizes(of: list) : [:])
    }
  }

  /// Makes errors name the original file instead of the copy.
  private static func naming<Value>(
    _ file: URL, _ body: () throws(StoreError) -> Value
  ) throws(StoreError) -> Value {
    do throws(StoreError) { return try body() } catch {
      var error = error
      error.file = file.path
      throw error
    }
  }

  private static let listSQL: StaticString = """
    SELECT id, name, revision, feedSequence, sectionCount,
      (SELECT coalesce(sum(itemCount), 0) FROM section WHERE section.list = list.id),
      (SELECT count(*) FROM listCommit WHERE listCommit.list = list.id),
      (SELECT coalesce(sum(json_array_length(entries)), 0) FROM change
        WHERE change.list = list.id),
      (SELECT count(*) FROM measuredSize
        WHERE item IN (SELECT id FROM item WHERE item.list = list.id))
        + (SELECT count(*) FROM supplementarySize JOIN section
          ON section.id = supplementarySize.section WHERE section.list = list.id)
    FROM list ORDER BY name
    """

  private func list(
    _ statements: Statements, _ row: StatementRow
  ) throws -> StoreSummary.List {
    let id = try row.integer(0)
    let last = try statements(
      """
      SELECT revision, author.name, time FROM listCommit
      JOIN author ON author.id = listCommit.author
      WHERE list = ? ORDER BY revision DESC LIMIT 1
      """
    ).first(id) { row in
      StoreSummary.LastCommit(
        revision: try row.integer(0), author: try row.text(1), time: try row.integerIfPresent(2))
    }
    var cells: [String: Int] = [:]
    try statements(
      """
      SELECT cell.name, count(*) FROM block, json_each(block.members)
        JOIN cell ON cell.id = json_extract(json_each.value, '$[2]')
      WHERE block.list = ? AND block.level = 0 AND block.section IS NOT NULL GROUP BY cell.id
      """
    ).forEach(id) { row in cells[try row.text(0)] = try row.integer(1) }
    return StoreSummary.List(
      list: try row.text(1), revision: try row.integer(2), feedSequence: try row.integer(3),
      sectionCount: try row.integer(4), itemCount: try row.integer(5),
      commitCount: try row.integer(6), changeCount: try row.integer(7),
      sizeCount: try row.integer(8), cells: cells, lastCommit: last)
  }
}
