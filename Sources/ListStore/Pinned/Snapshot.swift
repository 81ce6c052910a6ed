import Foundation
import GRDB
import ListModel
import Providers
import StoreSchema

/// A store at one moment: a connection in a read transaction that stays open.
///
/// What others commit meanwhile is not seen. SQLite can't start its write-ahead log anew as long as a
/// snapshot that is older than the log's end is open: see the article <doc:LongLists>.
final class Snapshot: StoredSource, Sendable {
  private let pool: SnapshotPool
  private let pin: Guarded<Pin>

  private struct Pin {
    /// In a read transaction; `nil` after ``release()``.
    var queue: DatabaseQueue?
    /// How often the store was pinned: another number is another moment.
    var generation = 0
  }

  /// - Precondition: The queue is in a read transaction.
  fileprivate init(_ queue: DatabaseQueue, of pool: SnapshotPool) {
    pin = Guarded(Pin(queue: queue))
    self.pool = pool
  }

  deinit {
    release()
    pool.forget(ObjectIdentifier(self))
  }

  /// Pins the same store as it is now.
  func pinNewest() throws -> Snapshot { try pool.pin() }

  /// Reads, beside other threads one after another.
  ///
  /// After a release the store is pinned again, as it is then.
  ///
  /// `body`: Takes the connection, and which pinning it is.
  func read<Value>(_ body: (_ db: Database, _ generation: Int) throws -> Value) throws -> Value {
    try pin.withValue { pin in
      if pin.queue == nil {
        pin.queue = try pool.beginTransaction()
        pin.generation += 1
      }
      guard let queue = pin.queue else { throw DatabaseError(resultCode: .SQLITE_MISUSE) }
      return try queue.unsafeRead { try body($0, pin.generation) }
    }
  }

  /// See ``SnapshotPool/tidyLog()``; what can't be done now can be done later.
  func tidyLog() { _ = try? pool.tidyLog() }

  /// Begins its read transaction anew, which lets go of the write-ahead log if all of that is in the
  /// file.
  ///
  /// The old transaction ends only once the new one is known to read the same: at no moment could what
  /// others commit take away what is pinned.
  ///
  /// `isUnchanged`: Whether nobody has written since this snapshot was pinned.
  fileprivate func repin(ifStill isUnchanged: () throws -> Bool) throws {
    try pin.withValue { pin in
      guard let old = pin.queue else { return }
      let new = try pool.beginTransaction()
      guard try isUnchanged() else { return pool.takeBack(new) }
      pin.queue = new
      pin.generation += 1
      pool.takeBack(old)
    }
  }

  /// Whether it is in a read transaction.
  var isPinned: Bool { pin.withValue { $0.queue != nil } }

  /// Ends the read transaction.
  func release() {
    pin.withValue { pin in
      if let queue = pin.queue { pool.takeBack(queue) }
      pin.queue = nil
    }
  }
}

/// The connections that snapshots use, kept for the next one.
final class SnapshotPool: Sendable {
  private let path: String
  private let configuration: Configuration
  private let writer: any DatabaseWriter
  private let state = Guarded(State())
  /// How many connections wait for work at most.
  private static let maximumIdleCount = 2
  /// From which size on the write-ahead log is moved into the file, in bytes: twice what SQLite does by
  /// itself where nobody reads.
  private static let maximumLogSize = 8 << 20

  private struct State {
    var idle: [DatabaseQueue] = []
    var live: [ObjectIdentifier: Live] = [:]
    /// Tells whether anybody has written since.
    var watch: DatabaseQueue?
    var isClosed = false
  }

  private struct Live {
    weak var snapshot: Snapshot?
    /// What the watching connection said when it was pinned.
    var version: Int
  }

  init(path: String, configuration: Configuration, writer: any DatabaseWriter) {
    self.path = path
    self.writer = writer
    var configuration = configuration
    configuration.allowsUnsafeTransactions = true
    // Not opened for reading alone: the last connection of a store to close tidies its log away.
    configuration.prepareDatabase { db in try db.execute(sql: "PRAGMA query_only = 1") }
    self.configuration = configuration
  }

  /// Pins the store as it is now; one snapshot serves all who ask before somebody writes.
  func pin() throws -> Snapshot {
    let version = try version()
    let current = live().filter { $0.version == version }.map(\.snapshot)
    if let shared = current.last(where: \.isPinned) { return shared }
    let snapshot = Snapshot(try beginTransaction(), of: self)
    state.withValue {
      $0.live[ObjectIdentifier(snapshot)] = Live(snapshot: snapshot, version: version)
    }
    return snapshot
  }

  /// The snapshots that somebody uses.
  ///
  /// They are touched outside the lock alone: one whose last user has gone meanwhile ends here, which
  /// takes the lock.
  private func live() -> [(snapshot: Snapshot, version: Int)] {
    state.withValue { Array($0.live.values) }.compactMap { entry in
      entry.snapshot.map { ($0, entry.version) }
    }
  }

  fileprivate func forget(_ snapshot: ObjectIdentifier) {
    state.withValue { $0.live[snapshot] = nil }
  }

  /// A number that changes when anybody writes; the first one is as good as any.
  private func version() throws -> Int {
    // The first snapshot has none to share with: no connection for that yet.
    guard !live().isEmpty else { return -1 }
    let watch =
      try state.withValue { $0.watch } ?? DatabaseQueue(path: path, configuration: configuration)
    state.withValue { $0.watch = watch }
    return try watch.unsafeRead { try Int.fetchOne($0, sql: "PRAGMA data_version") ?? 0 }
  }

  /// Lets the write-ahead log begin anew, if it has grown and nobody reads the past.
  ///
  /// SQLite does so by itself only at a moment when nobody reads at all, which snapshots never leave
  /// it. Those that have the newest state are pinned again, to the file alone.
  func tidyLog() throws {
    let attributes = try? FileManager.default.attributesOfItem(atPath: path + "-wal")
    guard let size = attributes?[.size] as? Int, size > Self.maximumLogSize else { return }
    let version = try version()
    let live = live().filter(\.snapshot.isPinned)
    guard live.allSatisfy({ $0.version == version }) else { return }
    try writer.writeWithoutTransaction { db in _ = try db.checkpoint(.passive) }
    for (snapshot, _) in live {
      try snapshot.repin(ifStill: { try self.version() == version })
    }
  }

  /// Ends all read transactions.
  func releaseAll() {
    for (snapshot, _) in live() { snapshot.release() }
  }

  fileprivate func beginTransaction() throws -> DatabaseQueue {
    let queue =
      try state.withValue { $0.idle.popLast() }
      ?? DatabaseQueue(path: path, configuration: configuration)
    try queue.unsafeRead { db in
      try db.execute(sql: "BEGIN DEFERRED TRANSACTION")
      // The transaction begins with what is read first.
      _ = try Row.fetchOne(db.cachedStatement(sql: "SELECT 1 FROM list LIMIT 1"))
    }
    return queue
  }

  /// Closes the connections that wait, and from now on those that come back.
  func close() {
    state.withValue { state in
      state.idle = []
      state.watch = nil
      state.isClosed = true
    }
  }

  fileprivate func takeBack(_ queue: DatabaseQueue) {
    do {
      try queue.unsafeRead { db in
        if db.isInsideTransaction { try db.execute(sql: "ROLLBACK") }
      }
      state.withValue { state in
        if !state.isClosed, state.idle.count < Self.maximumIdleCount { state.idle.append(queue) }
      }
    } catch {
      // A connection that can't end its transaction is closed with its queue.
    }
  }
}

/// A value that one thread at a time may touch.
final class Guarded<Value>: @unchecked Sendable {
  // Sendable: the value is touched under the lock alone.
  private var value: Value
  private let lock = NSLock()

  init(_ value: sending Value) { self.value = value }

  func withValue<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
    lock.lock()
    defer { lock.unlock() }
    return try body(&value)
  }
}
