import DerivedLists
import Foundation
import GRDB
import ListModel
import ListTables
import StoreFiles
import StoreSchema

/// The connection that writes.
///
/// Between transactions it keeps prepared statements, and the rows of the lists that were written
/// last, until another connection writes. Commits are small: without this, looking up a statement
/// would take as long as running it, and reading a list's rows as long as changing them.
final class StoreWriter: Sendable {
  private let connections: StoreConnections
  /// Opened when something is written for the first time: a launch reads.
  private let database = Guarded<DatabaseQueue?>(nil)
  private let file: String
  private let access: StoreAccess
  // Read and changed inside of `DatabaseQueue.writeWithoutTransaction` alone, which lets one thread at a
  // time in. No lock of its own would do: what is kept belongs to the connection.
  private nonisolated(unsafe) var kept = Kept()
  private let use = Guarded(Use())
  let copying = Guarded(Copying())
  /// The closures of derived lists' definitions that the app has.
  let closures = Guarded<[ComputedField: ComputedField.Closure]>([:])

  /// How the write-ahead log gets into the file.
  struct Copying {
    /// Has another thread copy it, as far as it is now or as a whole.
    var schedule: @Sendable (_ isWhole: Bool) -> Void = { _ in }
    /// Lets SQLite begin it anew although snapshots are read, see ``ReaderPool/tidyLog()``.
    var tidy: @Sendable () throws -> Void = {}
    /// Whether the last commit has left more than ``tidyLogPages``.
    var isOverdue = false
    /// Whether that waits until there is more: see ``Repository/withManyCommits(_:)``.
    var isPutOff = false
  }

  private struct Use {
    var isClosed = false
    var isSuspended = false
    /// The thread that is inside ``withConnection(_:_:)``.
    var thread: ObjectIdentifier?
  }

  private struct Kept {
    var statements: Statements?
    var lists: [ListID: ListRows] = [:]
    /// SQLite's `data_version`, which changes when another connection writes.
    var version = -1
    /// The pages of the write-ahead log after the last commit that wrote; `nil` before the first one.
    var logPages: Int?
    /// What they were when it was copied last, or was to be copied.
    var copiedPages = 0
  }

  /// If a transaction used more lists than this, none is kept.
  private static let maximumListCount = 8

  /// The pages at which the write-ahead log is long: those at which SQLite would copy it.
  private static let longLogPages = 1_000
  /// The pages from which a commit does not wait for the maintenance queue to tidy the log: 10 MB.
  ///
  /// That queue begins at 8. On a busy machine it may never find all snapshots at the newest state, since
  /// the next commit is there before it has looked.
  private static let tidyLogPages = 2_500
  /// The pages from which it is copied as a whole: 16 MB.
  private static let mostLogPages = 4_000
  /// The pages from which a small commit, too, does that itself: 32 MB.
  private static let tooManyLogPages = 8_000
  /// The pages by which it grows before it is copied again: each time it is synced.
  private static let pagesBetweenCopies = 250
  /// The pages of a commit that is a part of much work, and takes long anyway.
  private static let manyPages = 100

  init(_ connections: StoreConnections, file: String, _ access: StoreAccess) {
    self.connections = connections
    self.file = file
    self.access = access
  }

  /// Whether ``end()`` was called.
  var isClosed: Bool { use.withValue { $0.isClosed } }

  /// Whether nothing can be written any more, or ever.
  var isReadOnly: Bool { access.isReadOnly || isClosed }

  /// Refuses what would write.
  ///
  /// - Throws: `StoreError` with ``/ListModel/StoreError/Code/closed``,
  ///   ``/ListModel/StoreError/Code/readOnly``, ``/ListModel/StoreError/Code/suspended``, or
  ///   ``/ListModel/StoreError/Code/nestedEdit`` inside a write transaction.
  func requireWritable(_ attempt: String) throws(StoreError) {
    let (use, current) = (use.withValue { $0 }, ObjectIdentifier(Thread.current))
    if use.isClosed { throw .closed(file) }
    if access.isReadOnly { throw .readOnly(file, attempt: attempt) }
    if use.thread == current { throw .nestedEdit(file, attempt: attempt) }
    if use.isSuspended { throw .suspended(file, attempt: attempt) }
  }

  /// Whether this thread is inside a write transaction, so that another one would wait for ever.
  var isInside: Bool {
    let current = ObjectIdentifier(Thread.current)
    return use.withValue { $0.thread == current }
  }

  /// Uses the connection outside of a transaction.
  ///
  /// - Throws: `StoreError` of ``requireWritable(_:)``.
  func withConnection<Value>(
    _ attempt: String, _ body: (Database) throws -> Value
  ) throws -> Value {
    try requireWritable(attempt)
    return try connection(attempt).writeWithoutTransaction { db in
      // The queue may run this on any thread.
      let current = ObjectIdentifier(Thread.current)
      // It may have been closed or suspended while this thread waited.
      let use = self.use.withValue { use in
        if !use.isClosed, !use.isSuspended { use.thread = current }
        return use
      }
      if use.isClosed { throw StoreError.closed(file) }
      if use.isSuspended { throw StoreError.suspended(file, attempt: attempt) }
      defer { self.use.withValue { $0.thread = nil } }
      do { return try body(db) } catch { throw DiskSpace.explaining(error, by: db) }
    }
  }

  private func connection(_ attempt: String) throws -> DatabaseQueue {
    try database.withValue { database in
      if let database { return database }
      // Inside the lock, so that nothing is opened any more once it is closed or suspended.
      try requireWritable(attempt)
      let opened = try connections.writing()
      database = opened
      return opened
    }
  }

  /// Runs one write transaction; if it fails, the store is unchanged.
  ///
  /// GRDB's own transactions would parse `BEGIN` and `COMMIT` each time.
  ///
  /// - Parameters:
  ///   - attempt: What is attempted, for errors, as in "commit to a list".
  ///   - body: Writes. It must not begin another transaction of the same store.
  /// - Returns: What `body` returns.
  /// - Throws: What `body` throws; `StoreError` of ``requireWritable(_:)``, with
  ///   ``/ListModel/StoreError/Code/movedStore`` where the file is another one by now, with
  ///   ``/ListModel/StoreError/Code/newerStore`` where another process has migrated it.
  func write<Value>(
    _ attempt: String, _ body: (WriteTransaction) throws -> Value
  ) throws -> Value {
    try tidyLongLog(attempt)
    return try withConnection(attempt) { db in
      let statements = statements(db)
      statements.closures = closures.withValue { $0 }
      try statements("BEGIN IMMEDIATE").run()
      do {
        let version = try statements("PRAGMA data_version").first { try $0.integer(0) } ?? 0
        let lists = kept.version == version ? kept.lists : nil
        // If something fails from here on, no list is kept, because its rows may have changed.
        kept.lists = [:]
        if lists == nil {
          statements.forget()
          try db.requireSchema(for: access, file: file)
        }
        let transaction = WriteTransaction(statements, kept: lists ?? [:])
        let value = try body(transaction)
        // SQLite would write to a file that was deleted or moved, where nobody would find the
        // commit.
        if db.hasMoved { throw StoreError.moved(file) }
        try statements("COMMIT").run()
        kept.version = version
        kept.lists = transaction.listsToKeep(atMost: Self.maximumListCount)
        transaction.didCommit()
        copyLongLog(db)
        return value
      } catch {
        statements.forget()
        statements.lists = nil
        // Some failures have ended the transaction already.
        if db.isInsideTransaction { try? statements("ROLLBACK").run() }
        throw error
      }
    }
  }

  /// Has the write-ahead log begun anew, where it is overdue and all who read are at the newest state.
  private func tidyLongLog(_ attempt: String) throws {
    let copying = copying.withValue { $0 }
    guard copying.isOverdue else { return }
    try requireWritable(attempt)
    // If it fails, the next commit tries again.
    try? copying.tidy()
  }

  /// Copies the write-ahead log into the file, or has it copied, where the last commit has left it long.
  ///
  /// To copy it is to wait for the disk, so a small commit leaves that to another thread. Who writes much
  /// does it at once, since that thread would not keep up, and small commits would wait for both.
  private func copyLongLog(_ db: Database) {
    let pages = Database.takeLogPages()
    // Nothing was written.
    if pages == 0 { return }
    // Less than before: SQLite has begun it anew.
    if pages < kept.logPages ?? 0 { (kept.logPages, kept.copiedPages) = (0, 0) }
    // What it was before the first commit is not of this writer.
    let written = pages - (kept.logPages ?? pages)
    kept.logPages = pages
    let copying = copying.withValue { copying in
      copying.isOverdue = pages >= Self.tidyLogPages
      return copying
    }
    if pages < Self.longLogPages || pages - kept.copiedPages < Self.pagesBetweenCopies { return }
    // Where others commit all the time, it would never be copied as a whole by less, and so never begin anew.
    let isWhole = pages >= Self.mostLogPages
    // If copying fails, a later commit tries again.
    if isWhole, written >= Self.manyPages || copying.isPutOff || pages >= Self.tooManyLogPages {
      db.copyWholeLog()
    } else if written >= Self.manyPages, !copying.isPutOff {
      _ = try? db.checkpoint(.passive)
    } else if !copying.isPutOff {
      copying.schedule(isWhole)
    } else {
      return
    }
    kept.copiedPages = pages
  }

  /// The statements of the connection, which this thread has.
  private func statements(_ db: Database) -> Statements {
    if let statements = kept.statements, statements.db === db { return statements }
    let statements = Statements(db)
    kept.statements = statements
    return statements
  }

  /// Releases the statements: a remaining one would keep the connection open, and the write-ahead
  /// log beside the store.
  func releaseStatements() {
    // Providers that outlive the Repository may have their sizes written at this moment.
    if isInside { kept = Kept() } else { whileNobodyWrites { kept = Kept() } }
  }

  /// Refuses all transactions until ``resume()``, and waits for the one of another thread.
  func suspend() {
    let isClosed = use.withValue { use in
      use.isSuspended = true
      return use.isClosed
    }
    if !isClosed, !isInside { whileNobodyWrites {} }
  }

  /// Waits for the transactions of other threads, and lets none begin before it is done.
  private func whileNobodyWrites(_ body: () -> Void) {
    let opened = database.withValue { database in
      if database == nil { body() }
      return database
    }
    opened?.writeWithoutTransaction { _ in body() }
  }

  /// Accepts transactions again.
  func resume() { use.withValue { $0.isSuspended = false } }

  /// Waits for the transactions of other threads, and refuses all later ones.
  func end() {
    if isClosed { return }
    whileNobodyWrites {
      kept = Kept()
      use.withValue { $0.isClosed = true }
    }
  }

  /// Closes the connection.
  func closeConnection() throws { try database.withValue { try $0?.close() } }
}

/// A write transaction, and the lists that it has read.
final class WriteTransaction {
  let statements: Statements
  /// Called after the commit, before the next transaction of this connection begins.
  var didCommit: () -> Void = {}

  fileprivate init(_ statements: Statements, kept: [ListID: ListRows]) {
    self.statements = statements
    statements.beginTransaction()
    statements.lists = kept
  }

  /// The rows of a list.
  ///
  /// - Returns: `nil` if the store has no such list.
  func rows(_ list: ListID) throws -> ListRows? { try statements.rows(list) }

  /// The rows of a list, which is made if there is none.
  func rowsOfKnownOrNewList(_ list: ListID) throws -> ListRows {
    if let rows = try rows(list) { return rows }
    let rows = try ListRows.create(statements, list)
    statements.lists?[list] = rows
    return rows
  }

  /// Forgets a list that was deleted.
  func forget(_ list: ListID) { statements.lists?[list] = nil }

  /// The lists that may serve the next transaction; the statements know them no more.
  fileprivate func listsToKeep(atMost most: Int) -> [ListID: ListRows] {
    defer { statements.lists = nil }
    guard let lists = statements.lists, lists.count <= most else { return [:] }
    return lists.filter { $0.value.endTransaction() }
  }
}
