import Foundation
import GRDB

/// Changes of values that an input asks for.
struct RowChanges {
  private var rest: ArraySlice<UInt8>
  private let areSeen: Bool

  /// The columns of all tables, but of those of the full-text indexes.
  private static func columns(_ db: Database) throws -> [(table: String, column: String)] {
    try Row.fetchAll(
      db,
      sql: """
        SELECT tables.name, columns.name
        FROM sqlite_schema AS tables JOIN pragma_table_info(tables.name) AS columns
        WHERE tables.type = 'table' AND tables.name NOT LIKE 'sqlite%'
          AND tables.name NOT LIKE 'searchText%'
        ORDER BY 1, columns.cid
        """
    ).map { ($0[0], $0[1]) }
  }

  init(_ bytes: ArraySlice<UInt8>, areSeen: Bool) { (rest, self.areSeen) = (bytes, areSeen) }

  /// Changes a store that nobody has open.
  mutating func apply(to file: URL) throws {
    var configuration = Configuration()
    configuration.prepareDatabase { try $0.execute(sql: "PRAGMA synchronous = 0") }
    let queue = try DatabaseQueue(path: file.path, configuration: configuration)
    try queue.writeWithoutTransaction { db in
      try Self.loosen(db)
      try db.inTransaction {
        try apply(to: db)
        return .commit
      }
    }
    try queue.close()
  }

  /// Lets a connection write what no rule of a store allows.
  static func loosen(_ db: Database) throws {
    try db.execute(sql: "PRAGMA foreign_keys = 0; PRAGMA ignore_check_constraints = 1")
  }

  /// Changes the rows in the transaction of a connection.
  mutating func apply(to db: Database) throws {
    let columns = try Self.columns(db)
    for _ in 0..<8 where rest.count >= 4 {
      let (column, row) = (rest.removeFirst(), rest.removeFirst())
      let (kind, length) = (rest.removeFirst(), rest.removeFirst())
      let count = Int(length) | (kind & 0x80 != 0 ? 256 : 0)
      let bytes = Array(rest.prefix(count))
      rest = rest.dropFirst(count)
      try apply(columns[Int(column) % columns.count], row, kind & 0x7F, bytes, db)
    }
    // A store that knows that another program has written to it takes its lists as they are.
    if !areSeen { try db.execute(sql: "UPDATE store SET isBypassed = 0") }
  }

  private func apply(
    _ place: (table: String, column: String), _ row: UInt8, _ kind: UInt8, _ bytes: [UInt8],
    _ db: Database
  ) throws {
    let number = bytes.suffix(8).reduce(Int64(0)) { $0 << 8 | Int64($1) }
    let value: DatabaseValue =
      switch kind % 4 {
      case 0: String(decoding: bytes, as: UTF8.self).databaseValue
      case 1: Data(bytes).databaseValue
      case 2: number.databaseValue
      default: .null
      }
    let key = try String.fetchAll(
      db, sql: "SELECT name FROM pragma_table_info(?) WHERE pk > 0 ORDER BY pk",
      arguments: [place.table]
    ).joined(separator: ", ")
    let which =
      row == 255
      ? "" : "WHERE (\(key)) IN (SELECT \(key) FROM \(place.table) LIMIT 1 OFFSET \(row))"
    do {
      try db.execute(
        sql: "UPDATE OR IGNORE \(place.table) SET \(place.column) = ? \(which)",
        arguments: [value])
    } catch let error as DatabaseError
      where [.SQLITE_CONSTRAINT, .SQLITE_MISMATCH].contains(error.resultCode)
    {
      // A key, or a value of another type than the column's.
    }
  }
}
