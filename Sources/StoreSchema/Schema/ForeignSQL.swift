package import GRDB
package import ListModel
import StoreFiles

/// A table or an index that no migration makes, with SQL that runs by itself.
///
/// SQLite runs such SQL when a row is written, and when a database is checked: the expressions and
/// the condition of an index, the checks and generated columns of a table, and what a foreign key
/// does. Views and triggers are not among them: no connection of Cellar runs any.
package struct ForeignSQL: Codable, Hashable, Sendable {
  /// The name of the table or of the index.
  package let name: String
  /// `table` or `index`.
  package let kind: String
  /// The table that it is about: its own name, that of a table.
  package let table: String
  /// What runs.
  package let parts: [Part]
  /// Whether it runs when Cellar writes; if not, only other programs and checks run it.
  package let runsWhenWritten: Bool
  /// Its text.
  package let sql: String

  /// What SQLite runs by itself.
  package enum Part: String, Codable, Sendable, CaseIterable {
    /// An index is on an expression.
    case expression
    /// An index has a condition.
    case condition
    /// A table has a check.
    case check
    /// A table has a generated column.
    case generatedColumn
    /// A foreign key of a table leads to one of Cellar's tables.
    case reference
  }

  /// Whether SQLite's check of the pages runs it, unless it is told to leave out all checks.
  package var runsInChecks: Bool {
    !Set(parts).isDisjoint(with: [.expression, .condition, .generatedColumn])
  }

  /// The sentence's beginning: "index theirs on item has an expression".
  package var description: String {
    let object = "\(kind) \(name.cut(to: 80))" + (kind == "index" ? " on \(table.cut(to: 80))" : "")
    return object + " has " + parts.map(\.words).joined(separator: " and ")
  }
}

extension ForeignSQL.Part {
  fileprivate var words: String {
    switch self {
    case .expression: "an expression"
    case .condition: "a condition"
    case .check: "a check"
    case .generatedColumn: "a generated column"
    case .reference: "a foreign key that leads to a table of Cellar's"
    }
  }
}

// MARK: - Finding it

extension ForeignSQL {
  /// Finds the SQL in a store's schema that runs by itself and is not of the store's version.
  ///
  /// - Parameters:
  ///   - db: A connection to the store; only the schema is read, and nothing of it runs.
  ///   - migrations: All migrations. Of a store of a later version, what those do not make is
  ///     foreign, too.
  /// - Returns: The tables and indexes that have some, by name.
  /// - Throws: SQLite's error if the schema can't be read.
  package static func all(
    in db: Database, migrations: [Migration] = Migration.all
  ) throws -> [ForeignSQL] {
    let version = try Int.fetchOne(db, sql: "PRAGMA user_version") ?? 0
    return try all(
      in: db,
      KnownSchema.compare(
        db, version: max(0, min(version, migrations.latestVersion)), migrations: migrations))
  }

  static func all(in db: Database, _ schema: KnownSchema.Comparison) throws -> [ForeignSQL] {
    var references: [String: [String]] = [:]
    for table in schema.others where table.kind == "table" {
      references[table.name.lowercased()] = try String.fetchAll(
        db, sql: "SELECT lower(\"table\") FROM pragma_foreign_key_list(?)", arguments: [table.name])
    }
    let written = tables(reaching: Set(schema.tables.map { $0.lowercased() }), by: references)
    return try schema.others.compactMap { object in
      var parts: Set<Part> = []
      switch object.kind {
      case "index": parts = try Self.parts(ofIndex: object, db)
      case "table":
        parts = try Self.parts(ofTable: object, db)
        let parents = references[object.name.lowercased()] ?? []
        if !written.isDisjoint(with: parents) { parts.insert(.reference) }
      default: break
      }
      if parts.isEmpty { return nil }
      return ForeignSQL(
        name: object.name, kind: object.kind, table: object.table,
        parts: Part.allCases.filter(parts.contains),
        // What has the name of one of Cellar's own objects is a difference, and refused as such.
        runsWhenWritten: written.contains(object.table.lowercased())
          && !schema.problems.contains(object.name),
        sql: object.sql)
    }
    .sorted { $0.name < $1.name }
  }

  /// Cellar's tables, and those whose foreign keys lead to one: a deletion there goes on to them.
  private static func tables(
    reaching known: Set<String>, by references: [String: [String]]
  ) -> Set<String> {
    var reached = known
    var count = 0
    while count != reached.count {
      count = reached.count
      reached.formUnion(references.filter { !reached.isDisjoint(with: $0.value) }.keys)
    }
    return reached
  }

  private static func parts(
    ofIndex index: KnownSchema.Statement, _ db: Database
  ) throws -> Set<Part> {
    var parts: Set<Part> = []
    let columns = try Int.fetchAll(
      db, sql: "SELECT cid FROM pragma_index_xinfo(?)", arguments: [index.name])
    // -1 is the rowid, -2 what is no column.
    if columns.contains(-2) { parts.insert(.expression) }
    let isPartial = try Bool.fetchOne(
      db, sql: "SELECT partial FROM pragma_index_list(?) WHERE name = ?",
      arguments: [index.table, index.name])
    if isPartial == true { parts.insert(.condition) }
    return parts
  }

  private static func parts(
    ofTable table: KnownSchema.Statement, _ db: Database
  ) throws -> Set<Part> {
    var parts: Set<Part> = []
    if hasCheck(table.sql) { parts.insert(.check) }
    let kinds = try Int.fetchAll(
      db, sql: "SELECT hidden FROM pragma_table_xinfo(?)", arguments: [table.name])
    // 1 is a hidden column of a virtual table.
    if kinds.contains(where: { $0 > 1 }) { parts.insert(.generatedColumn) }
    return parts
  }

  /// Whether a statement has the word `CHECK` outside of quotes, which can't be a name there.
  static func hasCheck(_ sql: String) -> Bool {
    // SQLite takes a byte order mark before a word for white space.
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    var quote: UInt8?
    var word: [UInt8] = []
    for byte in Array(Migration.canonicalSQL(of: sql).utf8) + [UInt8(ascii: " ")] {
      if let end = quote {
        if byte == end { quote = nil }
        continue
      }
      if KnownSchema.isWord(byte) || byte == UInt8(ascii: "$") {
        word.append(byte)
        if word == mark { word = [] }
        continue
      }
      if String(decoding: word, as: UTF8.self).lowercased() == "check" { return true }
      word = []
      quote = KnownSchema.closing[byte]
    }
    return false
  }
}

// MARK: - Doing without it

extension ForeignSQL {
  /// Why a store with such SQL is refused.
  ///
  /// - Parameters:
  ///   - found: What the store's schema has.
  ///   - file: The file's name in the error.
  ///   - allowed: The names of the indexes and tables whose SQL may run.
  /// - Returns: The error; `nil` if none of it would run when Cellar writes.
  package static func refusal(
    of found: [ForeignSQL], file: String, allowing allowed: Set<String> = []
  ) -> StoreError? {
    let running = found.filter { $0.runsWhenWritten && !allowed.contains($0.name) }
    guard let first = running.first else { return nil }
    let more = running.count > 1 ? ", and \(running.count - 1) more like it" : ""
    return StoreError(
      .foreignSQL,
      "\(first.description)\(more), which no migration makes, and which would run whenever Cellar "
        + "writes to the store; nothing was changed. If the app made it, open the store with "
        + "\"\(first.name.cut(to: 80))\" in `Repository.Options.allowedSchemaObjects`; if not, "
        + "drop it",
      file: file)
  }

  /// Refuses a store whose schema has SQL that would run when Cellar writes.
  ///
  /// - Throws: ``/ListModel/StoreError`` with ``/ListModel/StoreError/Code/foreignSQL``.
  static func refuse(
    in db: Database, file: String, migrations: [Migration] = Migration.all
  ) throws {
    let found = try all(in: db, migrations: migrations)
    if let refusal = refusal(of: found, file: file) { throw refusal }
  }

  /// Drops such tables and indexes from a private copy, which runs nothing of them.
  ///
  /// `db`: A connection outside of a transaction.
  static func drop(_ objects: [ForeignSQL], from db: Database) throws {
    if objects.isEmpty { return }
    // Otherwise dropping a table would delete its rows one by one.
    try db.execute(sql: "PRAGMA foreign_keys = OFF")
    for object in objects {
      let kind = object.kind == "index" ? "INDEX" : "TABLE"
      // An index goes with its table.
      try db.execute(sql: "DROP \(kind) IF EXISTS \(object.name.quotedDatabaseIdentifier)")
    }
    try db.execute(sql: "PRAGMA foreign_keys = ON")
  }
}
