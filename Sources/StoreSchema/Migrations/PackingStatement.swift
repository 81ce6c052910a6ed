import Foundation
import GRDB
import GRDBSQLite

/// A statement that the migration of a whole log runs for each row, without a value of GRDB's for
/// each column.
struct PackingStatement {
  private let statement: Statement
  private let handle: SQLiteStatement
  private let db: Database

  /// Prepares a statement, or takes the one that the connection has kept.
  init(_ db: Database, _ sql: String) throws {
    self.db = db
    statement = try db.cachedStatement(sql: sql)
    handle = statement.sqliteStatement
  }

  func bind(_ number: Int, at index: Int32) {
    sqlite3_bind_int64(handle, index, Int64(number))
  }

  func bind(text: [UInt8]?, at index: Int32) {
    guard let text else { return bind(text: ColumnBytes?.none, at: index) }
    text.withUnsafeBytes { bind(text: $0, at: index) }
  }

  func bind(text: ColumnBytes?, at index: Int32) {
    guard let text else {
      sqlite3_bind_null(handle, index)
      return
    }
    _ = sqlite3_bind_text(
      handle, index, text.assumingMemoryBound(to: CChar.self).baseAddress, Int32(text.count),
      transient)
  }

  func bind(blob: [UInt8]?, at index: Int32) {
    guard let blob else {
      sqlite3_bind_null(handle, index)
      return
    }
    blob.withUnsafeBytes { bytes in
      _ =
        bytes.isEmpty
        ? sqlite3_bind_zeroblob(handle, index, 0)
        : sqlite3_bind_blob(handle, index, bytes.baseAddress, Int32(bytes.count), transient)
    }
  }

  /// Runs a statement that returns nothing.
  func run() throws {
    defer { reset() }
    _ = try step()
  }

  /// - Returns: Whether there is a row.
  func step() throws -> Bool {
    switch withExtendedLifetime(statement, { sqlite3_step(handle) }) {
    case SQLITE_ROW: return true
    case SQLITE_DONE: return false
    default:
      throw DatabaseError(
        resultCode: ResultCode(rawValue: sqlite3_extended_errcode(db.sqliteConnection)),
        message: String(cString: sqlite3_errmsg(db.sqliteConnection)))
    }
  }

  func reset() { sqlite3_reset(handle) }

  // MARK: Columns; `nil` for NULL and for another type

  func integer(_ index: Int32) -> Int? {
    sqlite3_column_type(handle, index) == SQLITE_INTEGER
      ? Int(sqlite3_column_int64(handle, index)) : nil
  }

  /// The bytes of a text or blob, until the next step.
  func bytes(_ index: Int32) -> ColumnBytes? {
    guard let start = sqlite3_column_blob(handle, index) else {
      // An empty value has no address.
      return sqlite3_column_type(handle, index) == SQLITE_NULL
        ? nil : ColumnBytes(start: nil, count: 0)
    }
    return ColumnBytes(start: start, count: Int(sqlite3_column_bytes(handle, index)))
  }

  /// Whether a column holds a text, or NULL for `nil`.
  func hasText(_ text: [UInt8]?, at index: Int32) -> Bool {
    guard let text else { return sqlite3_column_type(handle, index) == SQLITE_NULL }
    return text.withUnsafeBytes { hasText($0, at: index) }
  }

  func hasText(_ text: ColumnBytes, at index: Int32) -> Bool {
    guard sqlite3_column_type(handle, index) == SQLITE_TEXT, let bytes = bytes(index),
      bytes.count == text.count
    else { return false }
    guard let start = bytes.baseAddress, let other = text.baseAddress else { return true }
    return memcmp(start, other, text.count) == 0
  }
}

/// The bytes of a column, in SQLite's memory.
typealias ColumnBytes = UnsafeRawBufferPointer

/// `SQLITE_TRANSIENT`, a macro that Swift does not import: SQLite copies the value at once.
private let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
