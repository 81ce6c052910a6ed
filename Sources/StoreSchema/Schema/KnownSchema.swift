import Foundation
import GRDB
import GRDBSQLite
import StoreFiles

/// The statements in `sqlite_schema` of a store of each version.
///
/// The schema is compared before a table is read. Otherwise a file could have a view in place of a
/// table, or a generated column, and SQLite would run its expressions.
///
/// Other objects in a store are left alone: tables, indexes, statistics and views that an app or a
/// person added. Cellar does not use them, and its connections run no view and no trigger.
package struct KnownSchema: Sendable {
  /// The normal form of each statement, by its text as this SQLite writes it.
  ///
  /// Nearly every store has the same texts, and looking one up is faster than normalising it.
  private let forms: [[UInt8]: [UInt8]]
  /// The normal forms of all statements.
  private let statements: Set<[UInt8]>
  /// The names of the tables, indexes and triggers that they make.
  private let names: Set<String>

  /// Finds the objects that are wrong in a store's schema.
  ///
  /// - Parameters:
  ///   - db: A connection to the store; nothing but `sqlite_schema` is read.
  ///   - version: The version whose schema it should have.
  ///   - migrations: The migrations that lead to it.
  /// - Returns: The names of missing or different objects; none for a sound store.
  /// - Throws: SQLite's error if the schema can't be read.
  /// - Complexity: For a store of the newest version, one pass over its schema without an
  ///   allocation. For another version, some milliseconds the first time.
  static func problems(
    in db: Database, version: Int, migrations: [Migration]
  ) throws -> [String] {
    if version == embeddedVersion, try hasEmbeddedStatements(db) { return [] }
    return try known(version, migrations).problems(in: db)
  }

  // MARK: The newest version

  /// Whether the schema has every embedded statement, byte for byte.
  private static func hasEmbeddedStatements(_ db: Database) throws -> Bool {
    var found = 0
    // The statements are nearly always in the same order, so the search begins where the last one
    // ended.
    var next = 0
    let select = try db.cachedStatement(
      sql: "SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL")
    let handle = select.sqliteStatement
    defer { sqlite3_reset(handle) }
    sqlite3_reset(handle)
    while true {
      let code = withExtendedLifetime(select) { sqlite3_step(handle) }
      if code == SQLITE_DONE { break }
      guard code == SQLITE_ROW else { throw failure(db) }
      // No two objects have the same statement, so none is counted twice.
      guard let text = sqlite3_column_text(handle, 0) else { continue }
      let length = Int(sqlite3_column_bytes(handle, 0))
      for offset in embeddedStatements.indices {
        var index = next + offset
        if index >= embeddedStatements.count { index -= embeddedStatements.count }
        let statement = embeddedStatements[index]
        if statement.utf8CodeUnitCount == length, memcmp(statement.utf8Start, text, length) == 0 {
          found += 1
          next = index + 1
          break
        }
      }
    }
    return found == embeddedStatements.count
  }

  private static func failure(_ db: Database) -> DatabaseError {
    DatabaseError(
      resultCode: ResultCode(rawValue: sqlite3_extended_errcode(db.sqliteConnection)),
      message: String(cString: sqlite3_errmsg(db.sqliteConnection)))
  }

  // MARK: Every version

  /// The schema that the migrations make in an empty database.
  ///
  /// It is made by this version of SQLite, because another version may write a statement with other
  /// spaces.
  private static func known(_ version: Int, _ migrations: [Migration]) throws -> KnownSchema {
    let applied = migrations.prefix(version)
    let key = applied.map(\.checksum)
    if let known = cache.withValue({ $0[key] }) { return known }
    let database = try DatabaseQueue(configuration: .store())
    let known = try database.write { db in
      for migration in applied { try migration.apply(to: db) }
      let objects = try objects(of: db)
      let forms = objects.map { ($0.statement, normalForm(of: $0.statement)) }
      return KnownSchema(
        forms: Dictionary(forms) { form, _ in form }, statements: Set(forms.map(\.1)),
        names: Set(objects.map(\.name)))
    }
    cache.withValue { $0[key] = known }
    return known
  }

  private static let cache = Guarded<[[String]: KnownSchema]>([:])

  /// Whether a name is one of SQLite's own: statistics, or the index of a `UNIQUE` column.
  private static func isSQLites(_ name: String) -> Bool { name.hasPrefix("sqlite_") }

  private static func objects(
    of db: Database
  ) throws -> [(name: String, statement: [UInt8])] {
    var objects: [(name: String, statement: [UInt8])] = []
    let rows = try Row.fetchCursor(
      db, sql: "SELECT name, sql FROM sqlite_schema WHERE sql IS NOT NULL")
    while let row = try rows.next() {
      let name = try row.text(0)
      if isSQLites(name) { continue }
      objects.append((name, Array(try row.text(1).utf8)))
    }
    return objects
  }

  private func problems(in db: Database) throws -> [String] {
    var missing = statements
    var wrong: Set<String> = []
    for object in try Self.objects(of: db) {
      let form = forms[object.statement] ?? Self.normalForm(of: object.statement)
      if missing.remove(form) == nil, names.contains(object.name) {
        wrong.insert(object.name)
      }
    }
    if missing.isEmpty, wrong.isEmpty { return [] }
    let present = try Set(String.fetchAll(db, sql: "SELECT name FROM sqlite_schema"))
    return wrong.union(names.subtracting(present)).sorted()
  }

  /// A hash of every statement of a schema, whatever their order and white space.
  ///
  /// `1:` is the version of the rule in ``normalForm(of:)``, then SHA-256 in hexadecimal of the
  /// normal forms in the order of their bytes, each with a line feed.
  static func fingerprint(of db: Database) throws -> String {
    let forms = try objects(of: db).map { normalForm(of: $0.statement) }
      .sorted { $0.lexicographicallyPrecedes($1) }
    return "1:" + Digest.sha256Hexadecimal(forms.flatMap { $0 + [UInt8(ascii: "\n")] })
  }

  // MARK: Text

  /// A statement without comments, without white space that is not needed, and without quotes
  /// around plain words.
  static func normalForm(of statement: [UInt8]) -> [UInt8] {
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

  private static let closing: [UInt8: UInt8] = [
    UInt8(ascii: "'"): UInt8(ascii: "'"), UInt8(ascii: "\""): UInt8(ascii: "\""),
    UInt8(ascii: "`"): UInt8(ascii: "`"), UInt8(ascii: "["): UInt8(ascii: "]"),
  ]

  private static func isWord(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), 0x80...:
      true
    default: false
    }
  }
}
