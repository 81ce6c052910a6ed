import GRDB
import StoreSchema

/// A table that an app has added to a store, as its rows are put into another one.
///
/// They go into a plain table: it has the columns that records have, their types and collations, and
/// the same keys. It computes nothing. Its rows and its indexes are those of the app's table, byte for
/// byte, so it can get that one's statement afterwards.
struct AppTable {
  /// The table, as its rows are in the file.
  let shape: TableShape
  /// The statement that makes the plain table.
  let plainSQL: String
  /// Whether SQLite keeps the greatest id that a row has had.
  let isCounted: Bool

  /// A column, as SQLite tells of it.
  private struct Column {
    let name: String
    let type: String
    let isRequired: Bool
    let initial: String?
    let isInKey: Bool
    /// Whether records have it: SQLite computes it otherwise, each time it is asked for.
    let isStored: Bool

    init(_ row: Row) {
      name = row["name"]
      type = row["type"]
      isRequired = row["notnull"]
      initial = row["dflt_value"]
      isInKey = row["pk"] != 0
      // 2: generated, and not stored.
      isStored = row["hidden"] != 2
    }
  }

  /// Reads what a table is from a database that has its statement, and not its rows.
  ///
  /// - Returns: `nil` if it is no ordinary table, or a key of it is computed.
  init?(_ name: String, sql: String, _ db: Database) throws {
    let facts = try Row.fetchOne(
      db,
      sql: """
        SELECT wr, strict FROM pragma_table_list
        WHERE schema = 'main' AND type = 'table' AND name = ?
        """, arguments: [name])
    guard let facts else { return nil }
    let (hasNoRowIDs, isStrict) = (facts[0] as Bool, facts[1] as Bool)
    let columns = try Row.fetchAll(
      db, sql: "SELECT * FROM pragma_table_xinfo(?) ORDER BY cid", arguments: [name]
    ).map(Column.init)
    var keys: [(isPrimary: Bool, columns: [AppIndex.Column])] = []
    let indexes = try Row.fetchAll(
      db, sql: "SELECT name, origin FROM pragma_index_list(?) WHERE origin <> 'c'",
      arguments: [name])
    // In the order of the constraints, which their numbers tell: the indexes are found by them.
    for index in indexes.sorted(by: { Self.number($0[0]) < Self.number($1[0]) }) {
      let members = try AppIndex.columns(of: index[0], db)
      guard members.allSatisfy({ $0.isInRecord(of: columns.map(\.isStored)) }) else { return nil }
      keys.append((index[1] == "pk", members))
    }
    // A primary key without an index is the row's id.
    let isRowIDKey = !hasNoRowIDs && !keys.contains(where: \.isPrimary)
    let isCounted = isRowIDKey && sql.uppercased().contains("AUTOINCREMENT")
    var parts = columns.filter(\.isStored).map { column in
      "\(column.name.sqlName) "
        + (isRowIDKey && column.isInKey
          ? "INTEGER PRIMARY KEY" + (isCounted ? " AUTOINCREMENT" : "")
          : isStrict ? column.type : Self.affinity(of: column.type))
        + (column.isRequired ? " NOT NULL" : "")
        + (Self.literal(column.initial).map { " DEFAULT \($0)" } ?? "")
    }
    parts += keys.map { key in
      let members = key.columns.filter(\.isKey).map(\.sql).joined(separator: ", ")
      return (key.isPrimary ? "PRIMARY KEY" : "UNIQUE") + " (\(members))"
    }
    let options = [isStrict ? "STRICT" : nil, hasNoRowIDs ? "WITHOUT ROWID" : nil]
    plainSQL =
      "CREATE TABLE \(name.sqlName) (\(parts.joined(separator: ", "))) "
      + options.compactMap(\.self).joined(separator: ", ")
    // A table without rowids is one index, with the columns of its key first.
    let order =
      hasNoRowIDs
      ? keys.first(where: \.isPrimary)?.columns.map(\.number) ?? []
      : columns.indices.filter { columns[$0].isStored }
    self.isCounted = isCounted
    let names = Set(columns.map { $0.name.lowercased() })
    let hasIDColumn = isRowIDKey && columns.contains(where: \.isInKey)
    shape = TableShape(
      name: name, kind: hasNoRowIDs ? .key : .rowid,
      columns: order.map { columns[$0] }.map { column in
        TableShape.Column(
          name: column.name, type: TableShape.Column.any,
          // A row can lack a column that was added later. What is no literal is not known then.
          isRequired: column.initial != nil && Self.literal(column.initial) == nil,
          isRowID: isRowIDKey && column.isInKey)
      },
      rowID: hasNoRowIDs || hasIDColumn
        ? nil : ["rowid", "oid", "_rowid_"].first { !names.contains($0) })
  }

  /// The number behind the last line of the name of a constraint's index.
  private static func number(_ index: String) -> Int {
    index.split(separator: "_").last.flatMap { Int($0) } ?? 0
  }

  /// A type with the affinity of a type.
  ///
  /// - SeeAlso: [Column affinity](https://sqlite.org/datatype3.html#determination_of_column_affinity).
  private static func affinity(of type: String) -> String {
    let type = type.uppercased()
    func has(_ words: String...) -> Bool { words.contains { type.contains($0) } }
    // INTEGER would make a key of one column the row's id.
    if has("INT") { return "INT" }
    if has("CHAR", "CLOB", "TEXT") { return "TEXT" }
    if type.isEmpty || has("BLOB") { return "BLOB" }
    return has("REAL", "FLOA", "DOUB") ? "REAL" : "NUMERIC"
  }

  /// The SQL of an initial value if it is a literal, so that nothing is computed.
  private static func literal(_ sql: String?) -> String? {
    guard let sql else { return nil }
    let number = #/[+-]?\d+(\.\d*)?([eE][+-]?\d+)?/#
    let text = #/'([^']|'')*'|[xX]'([0-9a-fA-F]{2})*'/#
    let isLiteral =
      sql.wholeMatch(of: number) != nil || sql.wholeMatch(of: text) != nil
      || ["NULL", "TRUE", "FALSE"].contains(sql.uppercased())
    return isLiteral ? sql : nil
  }
}

/// An index that an app has added to a store.
struct AppIndex {
  /// The statement that makes it of columns.
  let plainSQL: String

  /// What an index is ordered by.
  struct Column {
    /// The column's number in its table; -1: the row's id; -2: something that is computed.
    let number: Int
    let sql: String
    /// Whether it is part of the key, and not what SQLite adds to find the row.
    let isKey: Bool

    /// Whether the records of a table have it.
    ///
    /// `columns`: For each column of the table whether its records have it.
    func isInRecord(of columns: [Bool]) -> Bool {
      number == -1 || columns.indices.contains(number) && columns[number]
    }
  }

  /// Reads what an index is from a database that has its statement, and not its table's rows.
  ///
  /// - Returns: `nil` if it is none, if something in it is computed, or if it leaves rows out by a
  ///   condition.
  init?(_ name: String, of table: String, _ db: Database) throws {
    let facts = try Row.fetchOne(
      db, sql: "SELECT \"unique\", partial FROM pragma_index_list(?) WHERE name = ?",
      arguments: [table, name])
    let stored = try Bool.fetchAll(
      db, sql: "SELECT hidden <> 2 FROM pragma_table_xinfo(?) ORDER BY cid", arguments: [table])
    let columns = try Self.columns(of: name, db).filter(\.isKey)
    guard let facts, facts[1] == 0, columns.allSatisfy({ $0.isInRecord(of: stored) }) else {
      return nil
    }
    plainSQL =
      "CREATE \(facts[0] == 0 ? "" : "UNIQUE ")INDEX \(name.sqlName) "
      + "ON \(table.sqlName) (\(columns.map(\.sql).joined(separator: ", ")))"
  }

  /// The columns of an index, in their order.
  static func columns(of index: String, _ db: Database) throws -> [Column] {
    try Row.fetchAll(
      db, sql: "SELECT * FROM pragma_index_xinfo(?) ORDER BY seqno", arguments: [index]
    ).map { row in
      let name: String = row["name"] ?? ""
      let collation: String = row["coll"]
      return Column(
        number: row["cid"],
        sql: "\(name.sqlName) COLLATE \(collation.sqlName)"
          + (row["desc"] == 0 ? "" : " DESC"),
        isKey: row["key"] != 0)
    }
  }
}
