package import DerivedLists
package import GRDB
import GRDBSQLite
package import ListModel

/// A prepared statement that is bound and stepped without an allocation for each value.
///
/// GRDB prepares it and keeps it; SQLite's own functions run it. GRDB's observers do not see its
/// writes; Cellar does not use them.
package struct StoreStatement {
  /// Kept alive, because GRDB finalizes the handle with it.
  private let statement: Statement
  private let handle: SQLiteStatement
  private let db: Database

  /// Prepares a statement, or takes the one that the connection has kept.
  package init(_ db: Database, _ sql: String) throws {
    self.db = db
    statement = try db.cachedStatement(sql: sql)
    handle = statement.sqliteStatement
  }

  // MARK: Running

  /// Runs a statement that returns nothing.
  package func run<each Value: StatementValue>(_ values: repeat each Value) throws {
    bind(repeat each values)
    defer { sqlite3_reset(handle) }
    _ = try step()
  }

  /// How many rows the last write of the connection has changed.
  package var changeCount: Int { Int(sqlite3_changes(sqlite3_db_handle(handle))) }

  /// Reads the first row.
  ///
  /// - Returns: The result of `read`; `nil` if there is no row.
  package func first<Result, each Value: StatementValue>(
    _ values: repeat each Value, read: (StatementRow) throws -> Result
  ) throws -> Result? {
    bind(repeat each values)
    defer { sqlite3_reset(handle) }
    return try step() ? try read(StatementRow(handle: handle)) : nil
  }

  /// Reads every row; `body` must not run the same statement.
  package func forEach<each Value: StatementValue>(
    _ values: repeat each Value, body: (StatementRow) throws -> Void
  ) throws {
    bind(repeat each values)
    defer { sqlite3_reset(handle) }
    while try step() { try body(StatementRow(handle: handle)) }
  }

  private func bind<each Value: StatementValue>(_ values: repeat each Value) {
    var index: Int32 = 0
    for value in repeat each values {
      index += 1
      value.bind(to: handle, at: index)
    }
  }

  /// Binds one value; the first parameter is 1.
  ///
  /// Use it for statements that run for every item, and then call ``run(_:)`` without values: the
  /// compiler specialises this function for each type, which it does not for the values of
  /// ``run(_:)``.
  package func bind(_ value: some StatementValue, at index: Int32) {
    value.bind(to: handle, at: index)
  }

  /// - Returns: Whether there is a row.
  private func step() throws -> Bool {
    let code = withExtendedLifetime(statement) { sqlite3_step(handle) }
    switch code {
    case SQLITE_ROW: return true
    case SQLITE_DONE: return false
    default:
      throw DatabaseError(
        resultCode: ResultCode(rawValue: sqlite3_extended_errcode(db.sqliteConnection)),
        message: String(cString: sqlite3_errmsg(db.sqliteConnection)))
    }
  }
}

/// The prepared statements of one connection, each found by the address of its SQL in the code.
package final class Statements {
  /// The connection.
  package let db: Database
  private var known: [Int: StoreStatement] = [:]
  /// What the connection knows of the store until another one writes.
  var memory = Memory()

  struct Memory {
    /// The greatest id that was given to an item or a content, and the one that the store has.
    var lastRowID: (given: Int, reserved: Int)?
    /// The greatest id of a block in this transaction; `nil` before it was needed.
    var lastBlock: Int?
    /// The size keys of the store, by row, and whether each measures along a vertical axis.
    var sizeKeys: [Int: Bool]?
    var names = InternedNames()
    /// Where the item lies that was looked up last.
    var lastItem: (list: Int, item: ItemID, id: Int, block: Int)?
    /// The derived lists of the store; `nil` before they were asked for.
    var derivedLists: [DerivedListRow]? { didSet { if derivedLists == nil { itemOwners = nil } } }
    /// The lists that own the items of derived lists, by the rows of those; `nil` before they were asked for.
    var itemOwners: [Int: ItemOwner]?
    /// The full-text indexes of the store; `nil` before they were asked for.
    var searchIndexes: [SearchIndex]?
  }

  /// Tells which items match full-text searches; `nil` before that was asked.
  var knownSearcher: Searcher?

  /// The closures of definitions that this process has.
  package var closures: [ComputedField: ComputedField.Closure] = [:]

  /// The lists that the write transaction has read; `nil` for who only reads.
  ///
  /// They keep the statements: whoever sets it sets it back, or the connection stays open for ever.
  package var lists: [ListID: ListRows]?

  /// The rows of a list, the same ones for a whole write transaction.
  ///
  /// - Returns: `nil` if the store has no such list.
  package func rows(_ list: ListID) throws -> ListRows? {
    if let rows = lists?[list] { return rows }
    let rows = try ListRows(self, list)
    lists?[list] = rows
    return rows
  }

  /// The statements of a connection; none is prepared yet.
  package init(_ db: Database) { self.db = db }

  /// The statement of a text, prepared when it is first asked for.
  package func callAsFunction(_ sql: StaticString) throws -> StoreStatement {
    let key = Int(bitPattern: sql.utf8Start)
    if let statement = known[key] { return statement }
    let statement = try StoreStatement(db, sql.description)
    known[key] = statement
    return statement
  }

  /// Forgets what was read of the store: another connection may have written, or a transaction has
  /// failed that wrote.
  package func forget() { memory = Memory() }

  /// Begins another transaction.
  package func beginTransaction() { memory.lastBlock = nil }

  /// Forgets where an item lies, because rows of `item` change.
  package func forgetItem() { memory.lastItem = nil }

  /// Forgets the size keys, because one is added or deleted.
  package func forgetSizeKeys() { memory.sizeKeys = nil }
}

// MARK: - Values

/// A value that a statement's parameter takes.
package protocol StatementValue {
  /// Binds the value; the first parameter is 1.
  func bind(to statement: SQLiteStatement, at index: Int32)
}

extension Int: StatementValue {
  /// Binds the number.
  package func bind(to statement: SQLiteStatement, at index: Int32) {
    sqlite3_bind_int64(statement, index, Int64(self))
  }
}

extension UInt64: StatementValue {
  /// As the signed number of the same bits.
  package func bind(to statement: SQLiteStatement, at index: Int32) {
    sqlite3_bind_int64(statement, index, Int64(bitPattern: self))
  }
}

extension Double: StatementValue {
  /// Binds the number.
  package func bind(to statement: SQLiteStatement, at index: Int32) {
    sqlite3_bind_double(statement, index, self)
  }
}

extension String: StatementValue {
  /// Binds the text as UTF-8.
  package func bind(to statement: SQLiteStatement, at index: Int32) {
    let fast: Void? = utf8.withContiguousStorageIfAvailable {
      StoreStatementText.bind($0, to: statement, at: index)
    }
    if fast == nil {
      Array(utf8).withUnsafeBufferPointer {
        StoreStatementText.bind($0, to: statement, at: index)
      }
    }
  }
}

/// Text as UTF-8, for instance a block's members; SQLite copies it.
package struct StoreStatementText: StatementValue {
  var utf8: ArraySlice<UInt8>

  /// The text of some bytes, whatever they are.
  package init(utf8: ArraySlice<UInt8>) { self.utf8 = utf8 }
  init(utf8: [UInt8]) { self.utf8 = utf8[...] }

  /// Binds the text.
  package func bind(to statement: SQLiteStatement, at index: Int32) {
    utf8.withUnsafeBufferPointer { Self.bind($0, to: statement, at: index) }
  }

  static func bind(
    _ utf8: UnsafeBufferPointer<UInt8>, to statement: SQLiteStatement, at index: Int32
  ) {
    guard let start = utf8.baseAddress else {
      sqlite3_bind_text(statement, index, "", 0, transient)
      return
    }
    start.withMemoryRebound(to: CChar.self, capacity: utf8.count) {
      _ = sqlite3_bind_text(statement, index, $0, Int32(utf8.count), transient)
    }
  }
}

/// `SQLITE_TRANSIENT`, a macro that Swift does not import: SQLite copies the value at once.
private let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)

extension [UInt8]: StatementValue {
  /// Binds the bytes as a blob; SQLite copies them.
  package func bind(to statement: SQLiteStatement, at index: Int32) {
    withUnsafeBytes { bytes in
      // Without an address SQLite would bind NULL.
      _ =
        bytes.isEmpty
        ? sqlite3_bind_zeroblob(statement, index, 0)
        : sqlite3_bind_blob(statement, index, bytes.baseAddress, Int32(bytes.count), transient)
    }
  }
}

extension Optional: StatementValue where Wrapped: StatementValue {
  /// Binds the value, or NULL.
  package func bind(to statement: SQLiteStatement, at index: Int32) {
    switch self {
    case .some(let value): value.bind(to: statement, at: index)
    case .none: sqlite3_bind_null(statement, index)
    }
  }
}

// MARK: - Rows

/// The row that a statement has reached.
///
/// A file can hold anything, so a column of another type than the one asked for is an error, with
/// `SQLITE_CORRUPT`. Columns are numbered from 0.
package struct StatementRow {
  fileprivate let handle: SQLiteStatement

  /// The integer in a column.
  package func integer(_ index: Int32) throws -> Int {
    guard let value = try integerIfPresent(index) else { throw wrongType(index, "an integer") }
    return value
  }

  /// The integer in a column; `nil` for NULL.
  package func integerIfPresent(_ index: Int32) throws -> Int? {
    switch sqlite3_column_type(handle, index) {
    case SQLITE_NULL: return nil
    case SQLITE_INTEGER: return Int(sqlite3_column_int64(handle, index))
    default: throw wrongType(index, "an integer")
    }
  }

  /// The 64 bits of a hash, which a column has as a signed integer.
  package func hash(_ index: Int32) throws -> UInt64 {
    UInt64(bitPattern: Int64(try integer(index)))
  }

  /// The hash in a column; `nil` for NULL.
  package func hashIfPresent(_ index: Int32) throws -> UInt64? {
    try integerIfPresent(index).map { UInt64(bitPattern: Int64($0)) }
  }

  /// The number in a column.
  package func real(_ index: Int32) throws -> Double {
    guard let value = try realIfPresent(index) else { throw wrongType(index, "a number") }
    return value
  }

  /// The number in a column; `nil` for NULL.
  package func realIfPresent(_ index: Int32) throws -> Double? {
    switch sqlite3_column_type(handle, index) {
    case SQLITE_NULL: return nil
    case SQLITE_FLOAT, SQLITE_INTEGER: return sqlite3_column_double(handle, index)
    default: throw wrongType(index, "a number")
    }
  }

  /// The text in a column.
  package func text(_ index: Int32) throws -> String {
    guard let value = try textIfPresent(index) else { throw wrongType(index, "text") }
    return value
  }

  /// The text in a column; `nil` for NULL.
  package func textIfPresent(_ index: Int32) throws -> String? {
    switch sqlite3_column_type(handle, index) {
    case SQLITE_NULL: return nil
    case SQLITE_TEXT: return String(decoding: bytes(index), as: UTF8.self)
    default: throw wrongType(index, "text")
    }
  }

  /// The bytes of a text or a blob, as long as `body` runs.
  package func withBytes<Result>(
    _ index: Int32, _ body: (UnsafeRawBufferPointer) throws -> Result
  ) throws -> Result {
    switch sqlite3_column_type(handle, index) {
    case SQLITE_TEXT, SQLITE_BLOB: return try body(bytes(index))
    default: throw wrongType(index, "text or bytes")
    }
  }

  /// The bytes of a text or a blob, as long as `body` runs; `nil` for NULL.
  func withBytesIfPresent<Result>(
    _ index: Int32, _ body: (UnsafeRawBufferPointer?) throws -> Result
  ) throws -> Result {
    isNull(index) ? try body(nil) : try withBytes(index, body)
  }

  func isNull(_ index: Int32) -> Bool { sqlite3_column_type(handle, index) == SQLITE_NULL }

  private func bytes(_ index: Int32) -> UnsafeRawBufferPointer {
    // For blobs and texts alike. SQLite requires that this call comes before the one for the
    // length.
    let start = sqlite3_column_blob(handle, index)
    return UnsafeRawBufferPointer(
      start: start, count: start == nil ? 0 : Int(sqlite3_column_bytes(handle, index)))
  }

  private func wrongType(_ index: Int32, _ expected: String) -> DatabaseError {
    let name = sqlite3_column_name(handle, index).map { String(cString: $0) } ?? "\(index)"
    return .corrupt("column \(name) does not hold \(expected)")
  }
}

extension DatabaseError {
  /// The error for rows that contradict each other.
  package static func corrupt(_ message: String) -> DatabaseError {
    DatabaseError(resultCode: .SQLITE_CORRUPT, message: message)
  }
}
