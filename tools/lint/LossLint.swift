import GRDB
import StoreSchema

/// Finds the statements of a migration that take rows or values from a store, and that the migration
/// says nothing of.
///
/// Only tables and columns that were there before the migration count. SQLite says which ones a
/// statement deletes from and writes to.
final class LossLint: TransactionObserver {
  private let script: MigrationScript
  /// The columns of each table before the migration.
  private let columns: [String: Set<String>]
  /// The names of those tables before the migration, by their names now.
  private var origins: [String: String]
  /// Dropped tables, by their names before, with the line of the statement.
  private var dropped: [(table: String, line: Int)] = []
  /// The tables that the statement deletes rows of.
  private var deleted: Set<String> = []
  /// The columns that it writes to, by table.
  private var updated: [String: Set<String>] = [:]
  private let report: (Int, String) -> Void

  /// Begins before the first statement.
  init(
    _ script: MigrationScript, in db: Database, _ report: @escaping (Int, String) -> Void
  ) throws {
    self.script = script
    self.report = report
    columns = try Self.columns(in: db)
    origins = Dictionary(uniqueKeysWithValues: columns.keys.map { ($0.lowercased(), $0) })
  }

  private static func columns(in db: Database) throws -> [String: Set<String>] {
    let tables = try String.fetchAll(
      db, sql: "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT GLOB 'sqlite_*'")
    return Dictionary(
      uniqueKeysWithValues: try tables.map { table in
        (table, Set(try db.columns(in: table).map { $0.name.lowercased() }))
      })
  }

  // MARK: Statements

  /// Notes what a statement has done.
  func note(_ sql: String, line: Int) {
    let words = String(decoding: KnownSchema.normalForm(of: Array(sql.utf8)), as: UTF8.self)
      .split { !$0.isLetter && !$0.isNumber && $0 != "_" }.map(String.init)
    let names = words.map { $0.lowercased() }
    switch names.first {
    case "drop" where names.dropFirst().first == "table":
      if let table = origins.removeValue(forKey: names.last ?? "") { dropped.append((table, line)) }
    case "alter" where names.count > 4: noteAlter(words, names, line)
    case "replace", "insert":
      guard let into = names.firstIndex(of: "into"), names[..<into].contains("replace") else {
        break
      }
      noteDelete(names[into + 1], "replaces", line)
    default: break
    }
    for table in deleted.sorted() { noteDelete(table, "deletes", line) }
    for (table, columns) in updated.sorted(by: { $0.key < $1.key }) {
      for column in columns.sorted() { noteLoss(column, of: table, "writes over", line) }
    }
    (deleted, updated) = ([], [:])
  }

  /// Notes `ALTER TABLE name RENAME TO name` and `ALTER TABLE name DROP [COLUMN] name`.
  private func noteAlter(_ words: [String], _ names: [String], _ line: Int) {
    switch names[3] {
    case "rename" where names[4] == "to" && names.count > 5:
      origins[names[5]] = origins.removeValue(forKey: names[2])
    case "drop": noteLoss(words[words.count - 1], of: names[2], "drops", line)
    default: break
    }
  }

  private func noteDelete(_ table: String, _ verb: String, _ line: Int) {
    guard let table = origins[table.lowercased()], !script.fewerRows.contains(table) else { return }
    report(line, "\(verb) rows of \(table): say so by --! fewer-rows \(table)")
  }

  private func noteLoss(_ column: String, of table: String, _ verb: String, _ line: Int) {
    guard let table = origins[table.lowercased()],
      columns[table]?.contains(column.lowercased()) == true,
      script.lostColumns[table]?.contains(column) != true
    else { return }
    report(line, "\(verb) \(table).\(column): say so by --! loses \(table) \(column)")
  }

  /// Reports the tables that were dropped and not made anew.
  ///
  /// Of those that are there again, the rows are counted when a store is migrated: see ``RowGuard``.
  func finish(in db: Database) throws {
    for (table, line) in dropped where !script.fewerRows.contains(table) {
      if try db.tableExists(script.renamedTables[table] ?? table) { continue }
      report(
        line,
        "drops \(table), which is not made anew: say so by --! fewer-rows \(table), or by "
          + "--! renames \(table) OTHER if another table has its rows")
    }
  }

  // MARK: TransactionObserver

  func observes(eventsOfKind kind: DatabaseEventKind) -> Bool {
    switch kind {
    case .delete(let table): deleted.insert(table)
    case .update(let table, let columns): updated[table, default: []].formUnion(columns)
    case .insert: break
    }
    return false
  }

  func databaseDidChange(with event: DatabaseEvent) {}
  func databaseDidCommit(_ db: Database) {}
  func databaseDidRollback(_ db: Database) {}
}
