import Foundation
import GRDB
import ListModel
import ListTables
import StoreFiles
import StoreSchema

/// A database with the tables of a store's version, into which rows are put as they are found.
///
/// SQLite checks each row by the constraints of its table. References are checked when all rows
/// are there. Then the database is migrated to the version of this library.
final class SalvagedStore {
  /// The database.
  let file: URL
  /// The tables of the version.
  let tables: [TableShape]
  /// Rows that the constraints of their tables refused, and rows of which there were two, by table.
  private(set) var refusedRowCounts: [String: Int] = [:]
  /// Rows that were deleted because a row that they refer to is lost, by table.
  private(set) var orphanCounts: [String: Int] = [:]
  /// Lists whose own row is lost, and with it their name.
  private(set) var namelessListCount = 0
  /// Nested lists whose owner is not known.
  private(set) var lostOwnerCount = 0
  private let folder: OwnedFolder
  private let queue: DatabaseQueue
  /// The version whose tables it has at first.
  let version: Int
  private let migrations: [Migration]

  /// Makes an empty one.
  init(version: Int, _ migrations: [Migration]) throws {
    self.version = version
    self.migrations = migrations
    folder = try OwnedFolder(
      named: PrivateCopy.folderPrefix, in: FileManager.default.temporaryDirectory)
    file = folder.url.appendingPathComponent("store.sqlite")
    var configuration = Configuration.store()
    configuration.foreignKeysEnabled = false
    configuration.prepareDatabase { try $0.execute(sql: "PRAGMA synchronous = OFF") }
    queue = try DatabaseQueue(path: file.path, configuration: configuration)
    _ = try Migrator.migrate(
      queue, file: file.path, migrations: Array(migrations.prefix(version)))
    tables = try queue.write { db in
      let tables = try TableShape.all(db)
      try db.execute(sql: "DELETE FROM store")
      return tables.filter { $0.name != "schemaMigration" }
    }
  }

  // MARK: Rows

  /// Makes the plain tables for the rows of an app's.
  func add(_ app: AppObjects) throws { try queue.write { db in try app.makePlainTables(db) } }

  /// Runs `body` in one transaction; what it puts in is inserted.
  ///
  /// `countsRefused`: Whether rows that are not taken are missing.
  func fill(countsRefused: Bool = true, _ body: (_ put: RowScanner.Take) throws -> Void) throws {
    try queue.write { db in
      var statements: [String: StoreStatement] = [:]
      try body { table, row in
        if table.isDerived { return }
        let key = "\(table.name) \(row.record.count)"
        let statement =
          try statements[key] ?? StoreStatement(db, table.insertion(row.record.count))
        statements[key] = statement
        if try !insert(row, table, statement), countsRefused {
          refusedRowCounts[table.name, default: 0] += 1
        }
      }
    }
  }

  private func insert(
    _ row: RowScanner.Row, _ table: TableShape, _ statement: StoreStatement
  ) throws -> Bool {
    for (index, value) in row.record.enumerated() {
      let isRowID = table.columns[index].isRowID
      statement.bind(isRowID ? .integer(row.rowid) : value, at: Int32(index + 1))
    }
    if table.rowID != nil {
      statement.bind(StoredValue.integer(row.rowid), at: Int32(row.record.count + 1))
    }
    do { try statement.run() } catch let error as DatabaseError
      where error.resultCode == .SQLITE_CONSTRAINT
    { return false }
    return statement.changeCount > 0
  }

  // MARK: The newest version

  /// Deletes rows that refer to lost ones, migrates the rest, and closes the database.
  func finish() throws {
    try queue.write { db in
      try makeStandIns(db)
      try deleteOrphans(db)
    }
    defer { try? queue.close() }
    _ = try Migrator.migrate(queue, file: file.path, migrations: migrations)
    try queue.write { db in
      try settle(db)
      lostOwnerCount = try Self.repairOwners(db)
    }
  }

  /// Makes rows for lists whose own row is lost.
  private func makeStandIns(_ db: Database) throws {
    for table in ["section", "item", "block"] {
      try db.execute(
        sql: """
          INSERT OR IGNORE INTO list (id, name, revision, digest, chain, root)
          SELECT DISTINCT list, 'recovered ' || list, 0, 0, 0, 0 FROM \(table)
          WHERE list NOT IN (SELECT id FROM list)
          """)
      namelessListCount += db.changesCount
    }
  }

  /// Deletes rows whose references lead nowhere, until none is left.
  private func deleteOrphans(_ db: Database) throws {
    var isDone = false
    while !isDone {
      isDone = true
      for table in tables {
        let references = try Row.fetchAll(
          db,
          sql: "SELECT id, \"table\", \"from\", \"to\" FROM pragma_foreign_key_list(?) ORDER BY id",
          arguments: [table.name])
        for (_, columns) in Dictionary(grouping: references, by: { $0["id"] as Int }) {
          let parent: String = columns[0]["table"]
          let pairs = columns.map { row in
            (from: row["from"] as String, to: row["to"] as String? ?? "id")
          }
          let match = pairs.map { "\(parent).\"\($0.to)\" = \(table.name).\"\($0.from)\"" }
          try db.execute(
            sql: """
              DELETE FROM \(table.name) WHERE "\(pairs[0].from)" IS NOT NULL AND NOT EXISTS (
                SELECT 1 FROM \(parent) WHERE \(match.joined(separator: " AND ")))
              """)
          if db.changesCount > 0 {
            orphanCounts[table.name, default: 0] += db.changesCount
            isDone = false
          }
        }
      }
    }
  }

  /// Makes the rows that a store has besides its lists agree with what is there.
  private func settle(_ db: Database) throws {
    try db.execute(
      sql: """
        INSERT OR IGNORE INTO store (id, storeID, createdAt) VALUES (
          1, randomblob(16), CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER));
        UPDATE store SET isBypassed = 0, lastItem = max(
          iif(lastItem BETWEEN 0 AND 1 << 47, lastItem, 0),
          coalesce((SELECT max(id) FROM item), 0), coalesce((SELECT max(id) FROM content), 0),
          coalesce((SELECT max(id) FROM supplementary), 0));
        -- A list whose row is lost has its name from an index, and its digest from its last commit.
        UPDATE list SET revision = last.revision, digest = last.digest, chain = last.chain,
            changeTotal = last.changeTotal, byteTotal = last.byteTotal
          FROM (SELECT *, max(revision) FROM listCommit GROUP BY list) AS last
          WHERE root = 0 AND last.list = list.id AND last.revision BETWEEN 1 AND 1 << 59;
        UPDATE list SET root = top.id, sectionCount = top.memberCount
          FROM block AS top
          WHERE root = 0 AND top.list = list.id AND top.section IS NULL AND top.parent IS NULL
        """)
  }
}

extension TableShape {
  /// The statement that inserts a row with so many columns.
  fileprivate func insertion(_ count: Int) -> String {
    let bound = columns.prefix(count).map(\.name) + [rowID].compactMap(\.self)
    let names = (bound + fixedColumns.map(\.name)).map(\.sqlName)
    let values = Array(repeating: "?", count: bound.count) + fixedColumns.map(\.value)
    return """
      INSERT OR IGNORE INTO \(target.sqlName) (\(names.joined(separator: ", ")))
      VALUES (\(values.joined(separator: ", ")))
      """
  }
}

extension StoredValue: StatementValue {
  func bind(to statement: SQLiteStatement, at index: Int32) {
    // GRDB has a function of the same name for these types.
    func bind(_ value: some StatementValue) { value.bind(to: statement, at: index) }
    switch self {
    case .null: bind(Int?.none)
    case .integer(let value): bind(Int(value))
    case .real(let value): bind(value)
    case .text(let bytes): bind(StoreStatementText(utf8: bytes))
    case .blob(let bytes): bind(Array(bytes))
    }
  }
}
