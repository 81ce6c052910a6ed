import Dispatch
import Foundation
import GRDB
import ListModel
import StoreFiles
import StoreSchema

/// The connections that read: each for one call, or for a snapshot; they are kept for later ones.
final class ReaderPool: Sendable {
  private let path: String
  let connections: StoreConnections
  private let writer: StoreWriter
  private let access: StoreAccess
  private let maintenance: MaintenanceQueue
  private let events: StoreEvents
  private let state = Guarded(State())
  /// The calls of ``read(_:)`` that are not done.
  private let reading = DispatchGroup()
  /// Lets so many of them read at a time.
  private let turns = DispatchSemaphore(value: maximumReaderCount)
  /// The most calls that read at a time, and the most idle connections that are kept.
  private static let maximumReaderCount = 5
  /// The size of the write-ahead log, in bytes, from which it is copied into the file: twice the
  /// size at which SQLite does that by itself while nobody reads.
  private static let maximumLogSize = 8 << 20

  private struct State {
    var idle: [DatabaseQueue] = []
    var live: [ObjectIdentifier: Live] = [:]
    /// The connection that notices commits.
    var watch: DatabaseQueue?
    /// What waits on the maintenance queue.
    var logJobs: Set<LogJob> = []
    var isRetired = false
    var isClosed = false
  }

  /// What is done with the write-ahead log.
  private enum LogJob { case copying, copyingWhole, tidying }

  private struct Live {
    weak var snapshot: Snapshot?
    /// The `data_version` of the watching connection when the snapshot was made.
    var version: Int
  }

  init(
    path: String, _ connections: StoreConnections, writer: StoreWriter, _ access: StoreAccess,
    _ maintenance: MaintenanceQueue, _ events: StoreEvents
  ) {
    self.maintenance = maintenance
    self.events = events
    self.path = path
    self.access = access
    self.connections = connections
    self.writer = writer
    writer.copying.withValue {
      $0.schedule = { [weak self] in self?.scheduleCopying(isWhole: $0) }
      $0.tidy = { [weak self] in try self?.tidyLog() }
    }
  }

  /// Makes a snapshot of the store as it is now; until somebody writes, all callers share one.
  func pin() throws -> Snapshot {
    let version = try version()
    let current = live().filter { $0.version == version }.map(\.snapshot)
    if let shared = current.last(where: \.isPinned) { return shared }
    let snapshot = Snapshot(try beginTransaction(), of: self)
    let isClosed = state.withValue {
      $0.live[ObjectIdentifier(snapshot)] = Live(snapshot: snapshot, version: version)
      return $0.isClosed
    }
    // Closing did not see it.
    if isClosed { snapshot.release() }
    return snapshot
  }

  /// The snapshots that are in use.
  ///
  /// They are retained outside the lock only: if this releases the last reference to a snapshot,
  /// its `deinit` takes the lock.
  func live() -> [(snapshot: Snapshot, version: Int)] {
    state.withValue { Array($0.live.values) }.compactMap { entry in
      entry.snapshot.map { ($0, entry.version) }
    }
  }

  func forget(_ snapshot: ObjectIdentifier) {
    state.withValue { $0.live[snapshot] = nil }
  }

  /// A number that changes when anybody writes.
  private func version() throws -> Int {
    // Without another snapshot there is nothing to share, so no connection is needed to compare.
    guard !live().isEmpty else { return -1 }
    // Inside the lock, because numbers of two connections can't be compared.
    let watch = try state.withValue { state in
      if state.isClosed { throw StoreError.closed(path) }
      let watch = try state.watch ?? connections.reading()
      state.watch = watch
      return watch
    }
    return try watch.unsafeRead { try Int.fetchOne($0, sql: "PRAGMA data_version") ?? 0 }
  }

  /// Has the write-ahead log copied into the file on the maintenance queue, so that no commit waits for
  /// the disk.
  func scheduleCopying(isWhole: Bool = false) { schedule(isWhole ? .copyingWhole : .copying) }

  /// Copies the write-ahead log into the file, as far as nobody reads an earlier state.
  ///
  /// It has a connection of its own, so that others can write meanwhile.
  private func copyLog(isWhole: Bool = false) throws {
    let queue = try state.withValue { $0.idle.popLast() } ?? connect()
    defer { takeBack(queue) }
    if isWhole { return queue.unsafeRead { $0.copyWholeLog() } }
    do { _ = try queue.unsafeRead { try $0.checkpoint(.passive) } } catch let error as DatabaseError
      where error.resultCode == .SQLITE_BUSY
    {
      // Somebody else copies it.
    }
  }

  /// Has the write-ahead log tidied on the maintenance queue, if it has grown.
  func scheduleTidying() {
    let size = FileStatus(following: path + "-wal")?.byteCount ?? 0
    if !access.isReadOnly, size > Self.maximumLogSize { schedule(.tidying) }
  }

  private func schedule(_ job: LogJob) {
    guard state.withValue({ $0.logJobs.insert(job).inserted }) else { return }
    maintenance.add("copy the write-ahead log into the file", isDeferrable: true) { [weak self] in
      self?.state.withValue { _ = $0.logJobs.remove(job) }
      switch job {
      case .copying: try self?.copyLog()
      case .copyingWhole: try self?.copyLog(isWhole: true)
      case .tidying: try self?.tidyLog()
      }
    }
  }

  /// Lets SQLite start the write-ahead log anew, if all snapshots are at the newest state.
  ///
  /// SQLite does that by itself only while nobody reads, and snapshots always read. So the log is
  /// copied into the file, and each snapshot begins a new read transaction, which needs only the
  /// file.
  private func tidyLog() throws {
    let version = try version()
    let live = live().filter(\.snapshot.isPinned)
    guard !live.isEmpty, live.allSatisfy({ $0.version == version }) else { return }
    do {
      // Nobody writes meanwhile, so that all of it is copied.
      try writer.withConnection("tidy the log") { db in _ = try db.checkpoint(.passive) }
    } catch let error as DatabaseError where error.resultCode == .SQLITE_BUSY {
      // Somebody else copies it.
      return
    }
    for (snapshot, _) in live {
      try snapshot.repin(ifStill: { try self.version() == version })
    }
  }

  /// Ends all read transactions.
  func releaseAll() {
    for (snapshot, _) in live() { snapshot.release() }
  }

  /// Ends all read transactions if something is being erased, by whatever process: they keep the
  /// write-ahead log from being emptied.
  func releaseIfErasing() { if ErasingMark(of: path).exists { releaseAll() } }

  /// Another connection to the same file.
  private func connect() throws -> DatabaseQueue {
    if state.withValue({ $0.isClosed }) { throw StoreError.closed(path) }
    return try connections.reading()
  }

  /// Another connection to the same file, which fails at once where others wait for a lock.
  func connectWithoutWaiting() throws -> DatabaseQueue {
    let queue = try connect()
    try queue.unsafeRead { try $0.execute(sql: "PRAGMA busy_timeout = 0") }
    return queue
  }

  /// Refuses a store that another process has migrated.
  func requireSchema(_ db: Database) throws { try db.requireSchema(for: access, file: path) }

  func beginTransaction() throws -> DatabaseQueue {
    let queue = try state.withValue { $0.idle.popLast() } ?? connect()
    try queue.unsafeRead { db in
      do {
        try db.execute(sql: "BEGIN DEFERRED TRANSACTION")
        // The read transaction begins with the first read, so this also checks the snapshot's schema.
        try requireSchema(db)
      } catch { throw DiskSpace.explaining(error, by: db) }
    }
    return queue
  }

  /// Closes the idle connections, and from now on each connection that comes back.
  ///
  /// Snapshots that are in use can still be read.
  func retire() {
    state.withValue { state in
      state.idle = []
      state.watch = nil
      state.isRetired = true
    }
  }

  /// Waits for those who read, ends the read transactions of all snapshots, closes all connections, and
  /// refuses new ones.
  func close() {
    state.withValue { $0.isClosed = true }
    // From here on nobody gets a connection, so those who read already are the last.
    retire()
    reading.wait()
    releaseAll()
  }

  func report(_ error: any Error) { events.report(error, "read from the store") }

  /// Reads the store as it is now, in one read transaction.
  func read<Value>(_ body: (Database) throws -> Value) throws -> Value {
    reading.enter()
    turns.wait()
    defer {
      turns.signal()
      reading.leave()
    }
    let queue = try beginTransaction()
    defer { takeBack(queue) }
    return try queue.unsafeRead { db in
      do { return try body(db) } catch { throw DiskSpace.explaining(error, by: db) }
    }
  }

  func takeBack(_ queue: DatabaseQueue) {
    do {
      try queue.unsafeRead { db in
        if db.isInsideTransaction { try db.execute(sql: "ROLLBACK") }
      }
      state.withValue { state in
        if !state.isRetired, state.idle.count < Self.maximumReaderCount { state.idle.append(queue) }
      }
    } catch {
      // A connection whose transaction can't be ended is closed with its queue.
      report(error)
    }
  }
}
