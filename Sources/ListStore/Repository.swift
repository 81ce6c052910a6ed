public import Foundation
package import GRDB
public import ListModel
public import StoreSchema

/// Reads and writes a store: an SQLite file that holds lists, with the log of their changes.
///
/// One repository serves any number of threads: reads run side by side, writes one after another, in
/// this process and in others. Each call is one transaction.
public final class Repository: Sendable {
  /// The store's file.
  public let file: URL
  let database: any DatabaseWriter

  /// How a store is opened.
  public struct Options: Sendable {
    /// How long to wait while another connection writes, in seconds.
    public var busyTimeout: Double = 5
    /// The greatest size of the file, in bytes; `nil`: as large as the disk takes.
    ///
    /// A write that needs more fails with ``StoreError/Code/storeFull``.
    public var maximumByteCount: Int?

    /// Waits up to 5 seconds, and takes all the room there is.
    public init() {}
  }

  /// Opens a store; makes it if there is no file, migrates it if an older library made it.
  ///
  /// A new store appears whole or not at all. A store of a newer library is refused and not touched.
  ///
  /// - Parameters:
  ///   - file: The file; beside it SQLite keeps `-wal` and `-shm`.
  ///   - options: How long to wait, and how large it may grow.
  /// - Throws: ``StoreError`` if the file is no store, is damaged or too new, or can't be written.
  public convenience init(at file: URL, options: Options = Options()) throws(StoreError) {
    _ = try StoreFile.createIfAbsent(file)
    try self.init(existing: file, options: options)
  }

  /// Opens a store that must be there; migrates it if an older library made it.
  ///
  /// - Throws: ``StoreError``, ``StoreError/Code/fileNotFound`` if there is no file.
  public init(existing file: URL, options: Options = Options()) throws(StoreError) {
    let header = try StoreHeader(of: file)
    guard header.schemaVersion <= Migration.latestVersion else {
      throw .newer(file.path, version: header.schemaVersion)
    }
    self.file = file
    do {
      var configuration = Configuration.store(
        busyTimeout: options.busyTimeout,
        maximumPageCount: options.maximumByteCount.map { max(1, $0 / max(1, header.pageSize)) })
      // Before the pool sets itself up, which writes: a store that is not ours to write stays as it
      // is.
      configuration.prepareDatabase { db in
        try db.inTransaction(.deferred) {
          _ = try SchemaStatus(db, file: file.path)
          return .commit
        }
      }
      let pool = try DatabasePool(path: file.path, configuration: configuration)
      _ = try Migrator.migrate(pool, file: file.path)
      database = pool
    } catch {
      throw .wrap(error, attempt: "open the store", file: file.path)
    }
  }

  // MARK: Access

  /// Runs one write transaction; what fails leaves the store as it was.
  func write<Value>(
    _ attempt: String, _ body: (Database) throws -> Value
  ) throws(StoreError) -> Value {
    do { return try database.write(body) } catch { throw failure(error, attempt) }
  }

  /// Runs one read transaction: all that it reads is of one moment.
  package func read<Value>(
    _ attempt: String, _ body: (Database) throws -> Value
  ) throws(StoreError) -> Value {
    do { return try database.read(body) } catch { throw failure(error, attempt) }
  }

  private func failure(_ error: any Error, _ attempt: String) -> StoreError {
    switch error {
    case let error as StoreError: error
    // Content of rows that no release of ours wrote.
    case is FormatError, is ChangeError: .damaged(file.path, because: "\(error)", cause: error)
    default: .wrap(error, attempt: attempt, file: file.path)
    }
  }

  func rows(_ db: Database, _ list: ListID) throws -> ListRows {
    guard let rows = try ListRows(db, list) else {
      let names = try lists(db).map { "\"\($0)\"" }
      throw StoreError(
        .listNotFound,
        "there is no list \"\(list)\"; the store has "
          + (names.isEmpty ? "none" : names.prefix(20).joined(separator: ", ")),
        file: file.path)
    }
    return rows
  }

  private func lists(_ db: Database) throws -> [ListID] {
    try Row.fetchAll(db.cachedStatement(sql: "SELECT name FROM list ORDER BY name"))
      .map { row throws in try ListID(row.text(0)) }
  }

  /// The lists of the store, in the order of their ids.
  public func lists() throws(StoreError) -> [ListID] {
    try read("read the lists") { db in try lists(db) }
  }
}
