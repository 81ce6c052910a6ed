package import Foundation
import GRDB

/// An engine in one SQLite file: for one machine.
///
/// Each group of appends is one transaction with `synchronous = FULL`. A long line and its hash are
/// where they were written: the file has no second copy.
package final class SQLiteEngine: Engine {
  let pool: DatabasePool
  private let group: GroupCommit

  /// Opens the file.
  ///
  /// - Parameters:
  ///   - file: The file.
  ///   - mayMake: Whether the file and its tables are made if there are none.
  /// - Throws: ``EngineError`` if it can't be opened, a newer relay made it, or it has something else. It is
  ///   then as it was.
  package init(at file: URL, mayMake: Bool = true) throws(EngineError) {
    var configuration = Configuration()
    configuration.busyMode = .timeout(10)
    configuration.prepareDatabase { db in
      try db.execute(sql: "PRAGMA cache_size = -65536")
    }
    do {
      try Self.requireLogs(in: file, mayMake: mayMake)
      pool = try DatabasePool(path: file.path, configuration: configuration)
      // After the pool has set NORMAL, with which a power failure undoes what was acknowledged.
      try pool.writeWithoutTransaction { try $0.execute(sql: "PRAGMA synchronous = FULL") }
      try pool.write { db in try Self.migrate(db) }
    } catch {
      throw Self.failure(error, "open \(file.path)")
    }
    group = GroupCommit(writers: 1) { [pool] batches throws(EngineError) in
      try await Self.append(batches, to: pool)
    }
  }

  private static func append(
    _ batches: [LogBatch], to pool: DatabasePool
  ) async throws(EngineError) -> [AppendOutcome] {
    do {
      return try await pool.write { db in try batches.map { try $0.append(to: db) } }
    } catch { throw failure(error, "append lines") }
  }

  /// Refuses a file that has something else, before the pool writes to it.
  private static func requireLogs(in file: URL, mayMake: Bool) throws {
    guard FileManager.default.fileExists(atPath: file.path) else {
      if mayMake { return }
      throw EngineError(.failed, "there is no file \(file.path)")
    }
    var configuration = Configuration()
    configuration.readonly = true
    configuration.busyMode = .timeout(10)
    let queue = try DatabaseQueue(path: file.path, configuration: configuration)
    defer { try? queue.close() }
    let problem = try queue.read { try Self.problem(of: $0, mayMake: mayMake) }
    if let problem { throw EngineError(.schema, "\(file.path) \(problem)") }
  }

  /// Why a file is not used, behind its name; `nil` if it is.
  private static func problem(of db: Database, mayMake: Bool) throws -> String? {
    let newest = SQLiteSchema.migrations.count
    let version = try Int.fetchOne(db, sql: "PRAGMA user_version") ?? 0
    let tables = try Int.fetchOne(db, sql: "SELECT count(*) FROM sqlite_master") ?? 0
    if version == 0, tables == 0 { return mayMake ? nil : "has no logs: it is empty" }
    guard version > 0, try db.tableExists("relay"), try db.tableExists("line") else {
      return "has no logs: it is another program's file of SQLite"
    }
    if version > newest {
      return "has tables of version \(version), and this relay knows \(newest): use the newer relay"
    }
    return mayMake || version == newest
      ? nil : "has tables of version \(version): serve it once, and they become \(newest)"
  }

  private static func migrate(_ db: Database) throws {
    let version = try Int.fetchOne(db, sql: "PRAGMA user_version") ?? 0
    for migration in SQLiteSchema.migrations[version...] { try db.execute(sql: migration) }
    try db.execute(sql: "PRAGMA user_version = \(SQLiteSchema.migrations.count)")
  }

  package func append(_ batch: LogBatch) async throws(EngineError) -> AppendOutcome {
    try await group.append(batch)
  }

  package func close() async {
    // So that the file alone is the whole log. The pool's last connection is one that only reads, and
    // leaves the write-ahead log behind; a command beside the node may keep it, too.
    try? await pool.writeWithoutTransaction { db in _ = try db.checkpoint(.truncate) }
    // What is closed twice is closed.
    try? pool.close()
  }

  // MARK: Transactions

  func write<Value: Sendable>(
    _ attempt: String, _ body: @escaping @Sendable (Database) throws -> Value
  ) async throws(EngineError) -> Value {
    do { return try await pool.write(body) } catch { throw Self.failure(error, attempt) }
  }

  func read<Value: Sendable>(
    _ attempt: String, _ body: @escaping @Sendable (Database) throws -> Value
  ) async throws(EngineError) -> Value {
    do { return try await pool.read(body) } catch { throw Self.failure(error, attempt) }
  }

  private static func failure(_ error: any Error, _ attempt: String) -> EngineError {
    if let error = error as? EngineError { return error }
    guard let error = error as? DatabaseError else {
      return EngineError(.failed, "can't \(attempt): \(error)")
    }
    // Without the statement, whose arguments are contents.
    let reason = "can't \(attempt): SQLite says \(error.message ?? "error \(error.resultCode)")"
    return switch error.resultCode {
    case .SQLITE_FULL: EngineError(.full, reason)
    case .SQLITE_BUSY, .SQLITE_LOCKED, .SQLITE_IOERR, .SQLITE_CANTOPEN, .SQLITE_READONLY:
      EngineError(.unavailable, reason)
    default: EngineError(.failed, reason)
    }
  }
}
