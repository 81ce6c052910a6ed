import Foundation
import GRDB
import GRDBSQLite
import ListModel
import StoreFiles
import StoreSchema

/// A connection that runs a query that somebody typed, and nothing else.
///
/// The query only reads: an authorizer allows tables that are ordinary ones, the views of the schema
/// and of `tools/looking.sql`, functions without side effects, and pragmas that tell of the schema. What the
/// file brings along does not run: views and triggers of the file are switched off, those in the
/// `temp` schema of the connection are not, and columns that are computed can't be read. A file with
/// virtual tables of others is refused, because SQLite runs their code when it reads the schema; the full-text
/// index of a store can't be queried.
struct QueryConnection {
  private let database: DatabaseQueue
  private let timeLimit: Int

  /// Opens a private copy of a store.
  ///
  /// `timeLimit`: The seconds that a query may take.
  ///
  /// - Throws: SQLite's error; or `StoreError` if the file has tables that are not ordinary ones.
  init(_ file: URL, naming name: String, timeLimit: Int) throws {
    self.timeLimit = timeLimit
    var configuration = Configuration.store(timeLimit: timeLimit)
    configuration.readonly = true
    configuration.prepareDatabase { db in
      sqlite3_limit(db.sqliteConnection, SQLITE_LIMIT_LENGTH, 64 << 20)
      try db.execute(sql: "PRAGMA temp_store = MEMORY")
    }
    database = try DatabaseQueue(path: file.path, configuration: configuration)
    let others = try database.read { db in
      try Row.fetchAll(
        db,
        sql: """
          SELECT CAST(sql AS TEXT), CAST(name AS TEXT) FROM sqlite_schema
          WHERE type = 'table' AND sql IS NOT NULL AND sql NOT LIKE 'CREATE TABLE%'
          """
      ).filter { !KnownSchema.virtualTables.contains($0[0]) }.map { $0[1] as String }
    }
    guard others.isEmpty else {
      throw StoreError.damaged(
        name,
        because: "it has tables that no store has, and that run code: "
          + others.prefix(5).joined(separator: ", "))
    }
  }

  /// Runs a query.
  func rows(
    of sql: String, _ parameters: [QueryParameter], limit: Int, _ result: inout QueryResult
  ) throws {
    try database.read { db in
      try db.makeViews()
      try db.execute(sql: Self.views)
      db.limitTime(to: timeLimit)
      let authority = try QueryAuthority(db)
      try withExtendedLifetime(authority) {
        let handle = db.sqliteConnection
        sqlite3_set_authorizer(
          handle, QueryAuthority.authorize, Unmanaged.passUnretained(authority).toOpaque())
        defer { sqlite3_set_authorizer(handle, nil, nil) }
        let statement = try Self.prepare(sql, handle, authority)
        defer { sqlite3_finalize(statement) }
        try QueryParameter.bind(parameters, to: statement)
        try Self.step(statement, handle, limit: limit, &result)
      }
    }
  }

  private static func prepare(
    _ sql: String, _ handle: SQLiteConnection?, _ authority: QueryAuthority
  ) throws -> SQLiteStatement? {
    var statements: [SQLiteStatement?] = []
    var failure: String?
    sql.withCString { text in
      var rest: UnsafePointer<CChar>? = text
      // A second statement shows in the rest.
      while let start = rest, start.pointee != 0, statements.count < 2, failure == nil {
        var statement: SQLiteStatement?
        if sqlite3_prepare_v3(handle, start, -1, 0, &statement, &rest) != SQLITE_OK {
          failure = authority.refused ?? String(cString: sqlite3_errmsg(handle))
        } else if statement != nil {
          statements.append(statement)
        }
      }
    }
    if failure == nil, statements.count != 1 { failure = "it must be one statement" }
    if failure == nil, sqlite3_column_count(statements[0]) == 0 { failure = "it gives no rows" }
    guard let failure else { return statements[0] }
    for statement in statements { sqlite3_finalize(statement) }
    throw StoreError(.invalidValue, "the query can't be run: \(failure)")
  }

  private static func step(
    _ statement: SQLiteStatement?, _ handle: SQLiteConnection?, limit: Int,
    _ result: inout QueryResult
  ) throws {
    let columns = 0..<sqlite3_column_count(statement)
    result.columns = columns.map { column in
      sqlite3_column_name(statement, column).map { String(cString: $0) } ?? ""
    }
    var byteCount = 0
    while true {
      switch sqlite3_step(statement) {
      case SQLITE_DONE: return
      case SQLITE_ROW:
        guard result.rows.count < limit, byteCount < mostBytes else {
          result.isCut = true
          return
        }
        let row = columns.map { QueryResult.Value(statement, $0) }
        byteCount += row.reduce(0) { $0 + $1.byteCount }
        result.rows.append(row)
      default:
        throw DatabaseError(
          resultCode: ResultCode(rawValue: sqlite3_extended_errcode(handle)),
          message: String(cString: sqlite3_errmsg(handle)))
      }
    }
  }

  /// Rows are in memory: about so many bytes of texts and blobs end an answer.
  private static let mostBytes = 64 << 20
}

extension QueryResult.Value {
  fileprivate init(_ statement: SQLiteStatement?, _ column: Int32) {
    switch sqlite3_column_type(statement, column) {
    case SQLITE_INTEGER: self = .integer(Int(sqlite3_column_int64(statement, column)))
    case SQLITE_FLOAT: self = .real(sqlite3_column_double(statement, column))
    case SQLITE_TEXT:
      self = .text(String(decoding: Self.bytes(statement, column), as: UTF8.self))
    case SQLITE_BLOB: self = .blob(Array(Self.bytes(statement, column)))
    default: self = .null
    }
  }

  private static func bytes(
    _ statement: SQLiteStatement?, _ column: Int32
  ) -> UnsafeRawBufferPointer {
    // For blobs and texts alike. SQLite requires that this call comes before the one for the length.
    let start = sqlite3_column_blob(statement, column)
    return UnsafeRawBufferPointer(
      start: start, count: start == nil ? 0 : Int(sqlite3_column_bytes(statement, column)))
  }

  fileprivate var byteCount: Int {
    switch self {
    case .text(let text): 64 + text.utf8.count
    case .blob(let bytes): 64 + bytes.count
    default: 64
    }
  }
}
