import GRDB
import GRDBSQLite

/// Decides what a query may do.
final class QueryAuthority {
  private let tables: Set<String>
  /// Columns that the file has expressions for, as "table.column": reading one would run it.
  private let computed: Set<String>
  private let functions: Set<String>
  /// What was refused first.
  private var refusal: String?

  /// Tables of SQLite's own that a query may read beside those of the file.
  private static let ownTables: Set<String> = [
    "sqlite_schema", "sqlite_master", "sqlite_temp_schema", "sqlite_temp_master", "sqlite_sequence",
    "json_each", "json_tree", "dbstat", "itemmember", "iteminorder", "changeinorder",
  ]

  /// Pragmas that tell of the schema, with or without an argument.
  private static let pragmas: Set<String> = [
    "table_info", "table_xinfo", "table_list", "index_list", "index_info", "index_xinfo",
    "foreign_key_list",
  ]

  /// Pragmas that tell of the file; with an argument, some would write.
  ///
  /// SQLite's check of the file is not among them: it runs expressions of the file.
  private static let plainPragmas: Set<String> = [
    "user_version", "application_id", "page_size", "page_count", "freelist_count", "encoding",
    "schema_version", "foreign_key_check", "compile_options",
  ]

  /// Reads which tables and functions there are.
  init(_ db: Database) throws {
    tables = Self.ownTables.union(
      try String.fetchAll(
        db,
        sql: """
          SELECT lower(CAST(name AS TEXT)) FROM sqlite_schema
          WHERE type = 'table' AND sql LIKE 'CREATE TABLE%'
          """))
    computed = Set(
      try String.fetchAll(
        db,
        sql: """
          SELECT lower(object.name || '.' || field.name)
          FROM sqlite_schema AS object JOIN pragma_table_xinfo(object.name) AS field
          WHERE object.type = 'table' AND object.sql LIKE 'CREATE TABLE%' AND field.hidden = 2
          """))
    // Functions without side effects have this flag; those of JSON lack it in some versions.
    functions = Set(
      try String.fetchAll(
        db,
        sql: """
          SELECT DISTINCT lower(name) FROM pragma_function_list
          WHERE flags & 0x200000 OR name GLOB 'json*' OR name IN ('->', '->>')
          """))
  }

  /// The words for what was refused; `nil` if nothing was.
  var refused: String? { refusal.map { "\($0) is not allowed; a query can only read" } }

  /// SQLite asks it while it prepares a statement.
  static let authorize:
    @convention(c) (
      UnsafeMutableRawPointer?, Int32, UnsafePointer<CChar>?, UnsafePointer<CChar>?,
      UnsafePointer<CChar>?, UnsafePointer<CChar>?
    ) -> Int32 = { context, action, first, second, _, _ in
      guard let context else { return SQLITE_DENY }
      let authority = Unmanaged<QueryAuthority>.fromOpaque(context).takeUnretainedValue()
      let isAllowed = authority.allows(
        action, first.map { String(cString: $0).lowercased() },
        second.map { String(cString: $0).lowercased() })
      return isAllowed ? SQLITE_OK : SQLITE_DENY
    }

  private func allows(_ action: Int32, _ first: String?, _ second: String?) -> Bool {
    switch action {
    case SQLITE_SELECT, SQLITE_RECURSIVE: return true
    case SQLITE_READ:
      let table = first ?? ""
      let field = "\(table).\(second ?? "")"
      // Without a column it is also the name of a `WITH`.
      if second == "" || tables.contains(table), !computed.contains(field) { return true }
      refusal = refusal ?? "reading \(tables.contains(table) ? field : table)"
    case SQLITE_FUNCTION:
      let function = second ?? ""
      if functions.contains(function) { return true }
      refusal = refusal ?? "the function \(function)()"
    case SQLITE_PRAGMA:
      let pragma = first ?? ""
      if Self.pragmas.contains(pragma) { return true }
      if Self.plainPragmas.contains(pragma), second == nil { return true }
      refusal = refusal ?? "PRAGMA \(pragma)"
    default: refusal = refusal ?? "such a statement"
    }
    return false
  }
}
