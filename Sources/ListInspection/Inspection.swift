public import Foundation
import GRDB
public import ListModel
import ListStore
import StoreSchema

/// Looks into a store file and changes no byte of it, nor of anything beside it.
///
/// All reading goes to a private copy of the database and its log, so that commits which are only in
/// the log are seen too. A file of an older schema is brought up to date in the copy.
public struct Inspection: Sendable {
  private let file: URL
  private let copy: PrivateCopy
  private let status: SchemaStatus
  private let repository: Repository

  /// Copies a store and opens the copy.
  ///
  /// - Throws: ``/ListModel/StoreError`` that names the original: if it is no store, is damaged
  ///   or too new, or can't be read.
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

  /// The file in numbers, with what SQLite's check of it finds.
  ///
  /// - Throws: ``/ListModel/StoreError`` if what the numbers are of can't be read.
  /// - Complexity: O(*n*), all rows of the store.
  public func summary() throws(StoreError) -> StoreSummary {
    try Self.naming(file) { () throws(StoreError) in
      let lists = try repository.read("summarise the store") { db in
        try Row.fetchAll(db, sql: Self.listSQL).map { row throws in try list(db, row) }
      }
      return StoreSummary(
        file: file.path, byteCount: copy.byteCount, logByteCount: copy.log?.byteCount,
        schemaVersion: status.version, pendingMigrations: status.pending,
        integrity: try integrity(), lists: lists)
    }
  }

  /// What SQLite's own check of the file says, also where it meets a page that it can't read itself, and
  /// what the lists' own counts, log and digests say.
  ///
  /// In a transaction of its own: that can't end then.
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

  /// A list at a revision, as JSON, with the sizes that hold for it now.
  ///
  /// - Parameters:
  ///   - list: The list.
  ///   - revision: `nil`: the head. Sizes belong to the head: earlier trees have none.
  /// - Returns: A tree on one line, as `TreeFormat.md` of ListModel describes it. It was compared with
  ///   the digest of its commit, which covers everything but the sizes.
  /// - Throws: `StoreError` with ``/ListModel/StoreError/Code/listNotFound``,
  ///   ``/ListModel/StoreError/Code/revisionNotFound``, or
  ///   ``/ListModel/StoreError/Code/damagedStore`` for a list that is not what its commits led to.
  public func export(_ list: ListID, at revision: Int? = nil) throws(StoreError) -> String {
    try Self.naming(file) { () throws(StoreError) in
      let tree = try repository.tree(of: list, at: revision)
      let isHead = try tree.revision == repository.revision(of: list)
      return tree.json(sizes: isHead ? try repository.someExactSizes(of: list) : [:])
    }
  }

  /// Lets errors speak of the file that the user knows, not of the copy.
  private static func naming<Value>(
    _ file: URL, _ body: () throws(StoreError) -> Value
  ) throws(StoreError) -> Value {
    do throws(StoreError) { return try body() } catch {
      var error = error
      error.file = file.path
      throw error
    }
  }

  private static let listSQL = """
    SELECT id, name, revision, feedSequence, sectionCount,
      (SELECT coalesce(sum(itemCount), 0) FROM section WHERE section.list = list.id),
      (SELECT count(*) FROM listCommit WHERE listCommit.list = list.id),
      (SELECT count(*) FROM change WHERE change.list = list.id),
      (SELECT count(*) FROM measuredSize JOIN item ON item.id = measuredSize.item
        WHERE item.list = list.id)
        + (SELECT count(*) FROM supplementarySize JOIN section
          ON section.id = supplementarySize.section WHERE section.list = list.id)
    FROM list ORDER BY name
    """

  private func list(_ db: Database, _ row: Row) throws -> StoreSummary.List {
    let id = try row.integer(0)
    let last = try Row.fetchOne(
      db,
      sql: """
        SELECT revision, author.name, time FROM listCommit
        JOIN author ON author.id = listCommit.author
        WHERE list = ? ORDER BY revision DESC LIMIT 1
        """, arguments: [id]
    ).map { row throws in
      StoreSummary.LastCommit(
        revision: try row.integer(0), author: try row.text(1), time: try row.integerIfPresent(2))
    }
    var cells: [String: Int] = [:]
    let cellRows = try Row.fetchAll(
      db,
      sql: """
        SELECT cell.name, count(*) FROM block, json_each(block.members)
          JOIN cell ON cell.id = json_extract(json_each.value, '$[2]')
        WHERE block.list = ? AND block.level = 0 AND block.section IS NOT NULL GROUP BY cell.id
        """, arguments: [id])
    for row in cellRows { cells[try row.text(0)] = try row.integer(1) }
    return StoreSummary.List(
      list: try row.text(1), revision: try row.integer(2), feedSequence: try row.integer(3),
      sectionCount: try row.integer(4), itemCount: try row.integer(5),
      commitCount: try row.integer(6), changeCount: try row.integer(7),
      sizeCount: try row.integer(8), cells: cells, lastCommit: last)
  }
}
