public import Foundation
package import GRDB
public import ListModel
import StoreSchema

/// Reads and writes a store: an SQLite file that holds lists, with the log of their changes.
///
/// One repository serves any number of threads: reads run side by side, writes one after another, in
/// this process and in others. Each call is one transaction.
public final class Repository: Sendable {
  /// The store's file.
  public let file: URL
  let database: any DatabaseWriter
  let snapshots: SnapshotPool
  /// Sizes on their way to the store.
  let sizeQueue: SizeQueue
  let logRetention: LogRetention?
  let maximumFeedLineCount: Int
  let writer: StoreWriter
  /// The seconds that a call may take; `nil` for a store of the app's own.
  private let timeLimit: Int?
  /// The file that was opened.
  private let identity: FileIdentity?
  private let events = Guarded<[String: Int]>([:])
  let observers = Guarded<[UUID: Observer]>([:])

  /// How a store is opened.
  public struct Options: Sendable {
    /// How long to wait while another connection writes, in seconds.
    public var busyTimeout: Double = 5
    /// The greatest size of the file, in bytes; `nil`: as large as the disk takes.
    ///
    /// A write that needs more fails with ``/ListModel/StoreError/Code/storeFull``.
    public var maximumByteCount: Int?

    /// What a commit survives.
    public var durability = Durability.normal
    /// How much of a list's log is kept; `nil`: all of it.
    ///
    /// After every 256th commit of a list, what is beyond goes.
    public var logRetention: LogRetention? = .standard

    /// The seconds that opening the store, and each later reading, may take.
    ///
    /// For a file that may come from anywhere; its connections have tighter limits, too.
    package var timeLimit: Int?

    /// How many feed lines of a list can be recognised; of older ones, the first and the last between
    /// two resets.
    package var maximumFeedLineCount = 100_000

    /// Is given each connection before it is used; tests count statements.
    package var prepareConnection: (@Sendable (Database) throws -> Void)?

    /// Waits up to 5 seconds, and takes all the room there is.
    public init() {}
  }

  /// What a commit survives, once the call that made it has returned.
  ///
  /// The end of the process, however it ends, it survives in both ways. And in both, what a power
  /// failure or a crash of the system leaves is a list as it was after some commit, whole, with its
  /// log: never a part of a commit, never one from the middle missing.
  public enum Durability: String, Sendable, CaseIterable {
    /// A power failure may take the last commits: those since SQLite last moved its write-ahead log
    /// into the file, which is every 1,000 pages or so (`synchronous = NORMAL`).
    case normal
    /// A power failure takes no commit: each waits until the disk has it (`synchronous = FULL`), which
    /// costs a commit some hundred microseconds on a fast disk, and milliseconds on a slow one.
    case full
  }

  /// Opens a store; makes it if there is no file, migrates it if an older library made it.
  ///
  /// A new store appears whole or not at all. A store of a newer library is refused and not touched, and
  /// so is one whose tables are not those of its version: see <doc:DamagedStores>.
  ///
  /// - Parameters:
  ///   - file: The file; beside it SQLite keeps `-wal` and `-shm`.
  ///   - options: How long to wait, and how large it may grow.
  /// - Throws: ``/ListModel/StoreError`` if the file is no store, is damaged or too new, or can't
  ///   be written.
  public convenience init(at file: URL, options: Options = Options()) throws(StoreError) {
    _ = try StoreFile.createIfAbsent(file)
    try self.init(existing: file, options: options)
  }

  /// Opens a store that must be there; migrates it if an older library made it.
  ///
  /// - Throws: ``/ListModel/StoreError``, ``/ListModel/StoreError/Code/fileNotFound`` if there
  ///   is no file.
  public init(existing file: URL, options: Options = Options()) throws(StoreError) {
    let header = try StoreHeader(of: file)
    guard header.schemaVersion <= Migration.latestVersion else {
      throw .newer(file.path, version: header.schemaVersion)
    }
    self.file = file
    logRetention = options.logRetention
    timeLimit = options.timeLimit
    maximumFeedLineCount = options.maximumFeedLineCount
    do {
      var configuration = Configuration.store(
        busyTimeout: options.busyTimeout,
        maximumPageCount: options.maximumByteCount.map { max(1, $0 / max(1, header.pageSize)) },
        timeLimit: options.timeLimit)
      // By the first connection, before the pool sets itself up, which writes: a store that is not ours
      // to write stays as it is. Once, because a launch waits for it.
      let status = Guarded<SchemaStatus?>(nil)
      configuration.prepareDatabase { db in
        if status.withValue({ $0 }) != nil { return }
        do {
          try db.inTransaction(.deferred) {
            let found = try SchemaStatus(db, file: file.path)
            status.withValue { $0 = found }
            return .commit
          }
        } catch { throw FullVolume.told(error, by: db) }
      }
      if let prepare = options.prepareConnection { configuration.prepareDatabase(prepare) }
      let identity = FileIdentity(of: file.path)
      let pool = try DatabasePool(path: file.path, configuration: configuration)
      if status.withValue({ $0 })?.pending.isEmpty != true {
        _ = try Migrator.migrate(pool, file: file.path)
      }
      if options.durability == .full {
        // After the pool has set its own.
        try pool.writeWithoutTransaction { try $0.execute(sql: "PRAGMA synchronous = FULL") }
      }
      database = pool
      writer = StoreWriter(pool, file: file.path)
      self.identity = identity
      snapshots = SnapshotPool(
        path: file.path, identity: identity, configuration: configuration, writer: writer)
      sizeQueue = SizeQueue(writer)
      try sealLists()
    } catch {
      throw .wrap(error, attempt: "open the store", file: file.path)
    }
  }

  deinit {
    endObservation()
    sizeQueue.flush()
    snapshots.close()
    writer.close()
  }

  /// Ends the read transactions that Providers hold, and writes the sizes that wait.
  ///
  /// For an app that is about to be suspended: iOS ends one that holds a lock on a file then. And for a
  /// store whose write-ahead log must shrink although a Provider stays where it is.
  ///
  /// Providers go on answering from memory. What they have to read they read, and are pinned again, as
  /// long as nobody changed their list meanwhile; else it is missing until they are advanced, which
  /// goes by their token.
  public func suspend() {
    sizeQueue.flush()
    snapshots.releaseAll()
  }

  /// Finishes what a migration left to do, and finds what was written past the Repository.
  ///
  /// A store where there is nothing to do is only read. A list whose rows can't be read is left as it
  /// is, for the next time: reading it says what is wrong, and the others are not to suffer.
  private func sealLists() throws {
    func listsToSeal(_ db: Database) throws -> (lists: [ListID], isBypassed: Bool) {
      var lists: [ListID] = []
      var isBypassed = false
      try StoreStatement(
        db,
        """
        SELECT isBypassed, name FROM store LEFT JOIN list ON isBypassed OR digest IS NULL
        ORDER BY name
        """
      ).forEach { row in
        isBypassed = try row.integer(0) != 0
        if let name = try row.textIfPresent(1) { lists.append(try ListID(name)) }
      }
      return (lists, isBypassed)
    }
    // By the connection that is open already.
    let pending = try database.writeWithoutTransaction(listsToSeal)
    if pending.lists.isEmpty, !pending.isBypassed { return }
    try database.write { db in
      // Read again: another process may have been faster, or may have migrated the store.
      try requireSchema(db)
      let pending = try listsToSeal(db)
      var isAllRead = true
      for list in pending.lists where try !seal(list, db) { isAllRead = false }
      if pending.isBypassed, isAllRead { try db.execute(sql: "UPDATE store SET isBypassed = 0") }
    }
  }

  /// Seals a list, or checks it if it was sealed before.
  ///
  /// - Returns: `false` if its rows can't be read; they are then as before.
  private func seal(_ list: ListID, _ db: Database) throws -> Bool {
    do {
      try db.inSavepoint {
        let rows = try ListRows(db, list)
        if rows?.digest == nil { try rows?.seal() } else { try rows?.checkAgainstLog() }
        return .commit
      }
      return true
    } catch let error as DatabaseError where error.resultCode == .SQLITE_CORRUPT {
      return false
    } catch is FormatError {
      return false
    }
  }

  /// What should be rare, by name, and how often this Repository has seen it: `mismatch` is a replay
  /// that did not lead to the store's list; the others are the reasons for which a reader could not
  /// go by the log.
  public var diagnostics: [String: Int] { events.withValue { $0 } }

  /// Counts an event.
  package func note(_ event: String) { events.withValue { $0[event, default: 0] += 1 } }

  // MARK: Access

  /// Runs one write transaction; what fails leaves the store as it was.
  func write<Value>(
    _ attempt: String, _ body: (WriteTransaction) throws -> Value
  ) throws(StoreError) -> Value {
    do { return try writer.write(attempt, body) } catch { throw failure(error, attempt) }
  }

  /// Runs one read transaction: all that it reads is of one moment.
  package func read<Value>(
    _ attempt: String, _ body: (Database) throws -> Value
  ) throws(StoreError) -> Value {
    do {
      try requireFile()
      return try database.read { db in
        if let timeLimit { db.limitTime(to: timeLimit) }
        try requireSchema(db)
        return try body(db)
      }
    } catch { throw failure(error, attempt) }
  }

  /// Refuses a store that another process has migrated since it was opened.
  private func requireSchema(_ db: Database) throws {
    let version = try StoreStatement(db, "PRAGMA user_version").first { try $0.integer(0) } ?? 0
    try SchemaStatus.requireLatest(version, file: file.path)
  }

  /// Refuses to read another file than was opened: a connection that is made only now would.
  func requireFile() throws(StoreError) {
    guard FileIdentity(of: file.path) == identity else { throw .moved(file.path) }
  }

  func failure(_ error: any Error, _ attempt: String) -> StoreError {
    switch error {
    case let error as StoreError: error
    // Content of rows that no release of ours wrote.
    case is FormatError, is ChangeError: .damaged(file.path, because: "\(error)", cause: error)
    default: .wrap(error, attempt: attempt, file: file.path)
    }
  }

  func rows(_ db: Database, _ list: ListID) throws -> ListRows {
    guard let rows = try ListRows(db, list) else { throw try listNotFound(list, db) }
    return rows
  }

  func rows(_ transaction: WriteTransaction, _ list: ListID) throws -> ListRows {
    guard let rows = try transaction.rows(list) else {
      throw try listNotFound(list, transaction.statements.db)
    }
    return rows
  }

  func listNotFound(_ list: ListID, _ db: Database) throws -> StoreError {
    StoreError(
      .listNotFound,
      "there is no list \"\(list)\" "
        + NearestNames.hint(
          for: list.rawValue, among: try Statements(db).listNames(near: list.rawValue),
          in: "the store"),
      file: file.path)
  }

  private func lists(_ db: Database) throws -> [ListID] {
    try Row.fetchAll(db.cachedStatement(sql: "SELECT name FROM list ORDER BY name"))
      .map { row throws in try ListID(row.text(0)) }
  }

  /// The lists of the store, those that items own too, in the order of their ids.
  public func lists() throws(StoreError) -> [ListID] {
    try read("read the lists") { db in try lists(db) }
  }
}
