import Foundation
package import GRDB
import StoreFiles

/// The schema of a version: what its migrations make in an empty database.
///
/// A store's schema is compared before a table is read. Otherwise a file could have a view in place of a
/// table, or a generated column, and SQLite would run its expressions.
///
/// Other objects in a store are left alone: tables, indexes, statistics and views that an app or a
/// person added. Cellar does not use them, and its connections run no view and no trigger.
package struct KnownSchema: Sendable {
  /// A statement of `sqlite_schema`.
  package struct Statement {
    let name: String
    let kind: String
    /// The table that it belongs to; of a table, its own name.
    let table: String
    /// Its text, as SQLite keeps it.
    package let sql: String

    /// A row of the columns `sql`, `name`, `type` and `tbl_name`.
    fileprivate init(_ row: Row) throws {
      sql = try row.text(0)
      name = try row.text(1)
      kind = try row.text(2)
      table = try row.text(3)
    }
  }

  /// The statements, each table before its indexes.
  let statements: [Statement]
  /// The columns of each table.
  let columns: [String: Set<String>]
  /// The names of the objects, in lower case.
  private let names: Set<String>
  /// The normal form of each statement, by its text as this SQLite writes it.
  ///
  /// Nearly every store has the same texts, and looking one up is faster than normalising it.
  private let forms: [[UInt8]: [UInt8]]

  /// What a store's schema has otherwise than its version.
  struct Comparison {
    /// The names of missing or different objects; none for a sound store.
    var problems: [String] = []
    /// The tables, indexes, triggers and views that the version has not, or has with other SQL.
    var others: [Statement] = []
    /// The names of the version's tables.
    var tables: Set<String> = []
  }

  /// Compares a store's schema with that of its version.
  ///
  /// - Parameters:
  ///   - db: A connection to the store; nothing but `sqlite_schema` is read.
  ///   - version: The version whose schema it should have.
  ///   - migrations: The migrations that lead to it.
  /// - Returns: What is missing, different, or there besides.
  /// - Throws: SQLite's error if the schema can't be read.
  /// - Complexity: For a store of the newest version, one pass over its schema without a copy of its
  ///   texts. For another version, some milliseconds the first time.
  static func compare(
    _ db: Database, version: Int, migrations: [Migration]
  ) throws -> Comparison {
    if version == embeddedVersion, isEmbedded(migrations), let others = try othersIfSound(db) {
      return Comparison(others: others, tables: embeddedTables)
    }
    return try KnownSchema.of(version, migrations).compare(db)
  }

  /// Finds the objects that are wrong in a store's schema: see ``Comparison/problems``.
  static func problems(
    in db: Database, version: Int, migrations: [Migration]
  ) throws -> [String] {
    try compare(db, version: version, migrations: migrations).problems
  }

  // MARK: The newest version

  private static let embeddedTables = Set(
    embeddedStatements.lazy.map(\.description).filter { $0.hasPrefix("CREATE TABLE ") }
      // The tables of a full-text index have their names in quotes.
      .compactMap { $0.dropFirst("CREATE TABLE ".count).split { " ('".contains($0) }.first }
      .map(String.init))

  /// The statements of virtual tables that a store has: their code is that of this SQLite.
  package static let virtualTables = embeddedStatements.map(\.description)
    .filter { $0.hasPrefix("CREATE VIRTUAL TABLE ") }

  /// Whether the migrations make the embedded statements.
  private static func isEmbedded(_ migrations: [Migration]) -> Bool {
    migrations.prefix(embeddedVersion).elementsEqual(Migration.all) { $0.checksum == $1.checksum }
  }

  /// The statements that are not embedded ones, if the schema has each of these, byte for byte;
  /// `nil` if not.
  private static func othersIfSound(_ db: Database) throws -> [Statement]? {
    var found = 0
    var others: [Statement] = []
    // The statements are nearly always in the same order, so the search begins where the last one
    // ended.
    var next = 0
    let rows = try Row.fetchCursor(
      db.cachedStatement(
        sql: "SELECT sql, name, type, tbl_name FROM sqlite_schema WHERE sql IS NOT NULL"))
    while let row = try rows.next() {
      let place = try row.withUnsafeData(atIndex: 0) { text in
        (0..<embeddedStatements.count).lazy.map { (next + $0) % embeddedStatements.count }
          .first { embeddedStatements[$0].isEqual(to: text ?? Data()) }
      }
      // No two objects have the same statement, so none is counted twice.
      guard let place else {
        others.append(try Statement(row))
        continue
      }
      found += 1
      next = place + 1
    }
    return found == embeddedStatements.count ? others : nil
  }

  // MARK: Every version

  /// The schema that the migrations make in an empty database.
  ///
  /// It is made by this version of SQLite, because another version may write a statement with other
  /// spaces.
  ///
  /// - Complexity: Some milliseconds the first time.
  static func of(_ version: Int, _ migrations: [Migration] = Migration.all) throws -> KnownSchema {
    let applied = migrations.prefix(version)
    let key = applied.map(\.checksum)
    if let known = cache.withValue({ $0[key] }) { return known }
    let database = try DatabaseQueue(configuration: .store())
    let known = try database.write { db in
      for migration in applied { try migration.apply(to: db) }
      return try KnownSchema(of: db)
    }
    cache.withValue { $0[key] = known }
    return known
  }

  private static let cache = Guarded<[[String]: KnownSchema]>([:])

  private init(of db: Database) throws {
    statements = try Self.statements(of: db)
    names = Set(statements.map { $0.name.lowercased() })
    let texts = statements.map { Array($0.sql.utf8) }
    forms = Dictionary(texts.map { ($0, Self.normalForm(of: $0)) }) { form, _ in form }
    columns = Dictionary(
      uniqueKeysWithValues: try statements.filter { $0.kind == "table" }.map {
        ($0.name, try Self.plainColumns(of: $0.name, db))
      })
  }

  /// Whether a name is of an object that an app or a person has added to a store of a version: it is
  /// none of the version's, and none of SQLite's own.
  package static func isOfApp(
    _ name: String, version: Int, _ migrations: [Migration]
  ) throws -> Bool {
    // SQLite compares names without regard to case.
    let name = name.lowercased()
    return try !name.hasPrefix("sqlite_")
      && !of(version, migrations).names.contains(name)
  }

  /// The statements of a database, each table before its indexes; without SQLite's own tables.
  package static func statements(of db: Database) throws -> [Statement] {
    try Row.fetchAll(
      db,
      sql: """
        SELECT sql, name, type, tbl_name FROM sqlite_schema
        WHERE sql IS NOT NULL AND sql NOT IN (
          'CREATE TABLE sqlite_sequence(name,seq)', 'CREATE TABLE sqlite_stat1(tbl,idx,stat)',
          'CREATE TABLE sqlite_stat4(tbl,idx,neq,nlt,ndlt,sample)')
        ORDER BY tbl_name, type DESC, name
        """
    ).map(Statement.init)
  }

  /// The columns of an ordinary table that are no expressions; none if it is no such table.
  static func plainColumns(of table: String, _ db: Database) throws -> Set<String> {
    let isTable = try Bool.fetchOne(
      db,
      sql: """
        SELECT type = 'table' AND sql LIKE 'CREATE TABLE%' FROM sqlite_schema WHERE name = ?
        """, arguments: [table])
    guard isTable == true else { return [] }
    let rows = try Row.fetchAll(
      db, sql: "SELECT name, hidden FROM pragma_table_xinfo(?)", arguments: [table])
    return Set(try rows.filter { try $0.integer(1) == 0 }.map { try $0.text(0) })
  }

  private func compare(_ db: Database) throws -> Comparison {
    let names = Set(statements.map(\.name))
    var result = Comparison(tables: Set(columns.keys))
    var missing = Set(forms.values)
    var wrong: Set<String> = []
    for object in try Self.statements(of: db) {
      let text = Array(object.sql.utf8)
      let form = forms[text] ?? Self.normalForm(of: text)
      if missing.remove(form) != nil { continue }
      result.others.append(object)
      if names.contains(object.name) { wrong.insert(object.name) }
    }
    if missing.isEmpty, wrong.isEmpty { return result }
    let present = try Set(String.fetchAll(db, sql: "SELECT name FROM sqlite_schema"))
    result.problems = wrong.union(names.subtracting(present)).sorted()
    return result
  }

  /// A hash of every statement of a schema, whatever their order and white space.
  ///
  /// `1:` is the version of the rule in ``normalForm(of:)``, then SHA-256 in hexadecimal of the
  /// normal forms in the order of their bytes, each with a line feed.
  static func fingerprint(of db: Database) throws -> String {
    let forms = try statements(of: db).map { normalForm(of: Array($0.sql.utf8)) }
      .sorted { $0.lexicographicallyPrecedes($1) }
    return "1:" + Digest.sha256Hexadecimal(forms.flatMap { $0 + [UInt8(ascii: "\n")] })
  }

  // MARK: Text

  /// A statement without comments, without white space that is not needed, and without quotes
  /// around plain words.
  package static func normalForm(of statement: [UInt8]) -> [UInt8] {
    var normal: [UInt8] = []
    let sql = String(decoding: statement, as: UTF8.self)
    let bytes = Array(Migration.canonicalSQL(of: sql).utf8)
    var index = 0
    while index < bytes.count {
      let byte = bytes[index]
      let quote = closing[byte]
      if let quote, let end = bytes[(index + 1)...].firstIndex(of: quote) {
        let quoted = bytes[(index + 1)..<end]
        if byte != UInt8(ascii: "'"), !quoted.isEmpty, quoted.allSatisfy(isWord) {
          normal += quoted
        } else {
          normal += bytes[index...end]
        }
        index = end + 1
        continue
      }
      let separates =
        byte != UInt8(ascii: " ")
        || (normal.last.map(isWord) ?? false) && index + 1 < bytes.count
          && (isWord(bytes[index + 1]) || closing[bytes[index + 1]] != nil)
      if separates { normal.append(byte) }
      index += 1
    }
    return normal
  }

  /// The quotes that begin with a byte, and the byte that ends them.
  static let closing: [UInt8: UInt8] = [
    UInt8(ascii: "'"): UInt8(ascii: "'"), UInt8(ascii: "\""): UInt8(ascii: "\""),
    UInt8(ascii: "`"): UInt8(ascii: "`"), UInt8(ascii: "["): UInt8(ascii: "]"),
  ]

  /// Whether a byte can be part of a plain word.
  static func isWord(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), 0x80...:
      true
    default: false
    }
  }
}

extension StaticString {
  fileprivate func isEqual(to text: Data) -> Bool {
    utf8CodeUnitCount == text.count
      && text.withUnsafeBytes { $0.baseAddress.map { memcmp(utf8Start, $0, text.count) } == 0 }
  }
}
