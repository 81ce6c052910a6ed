import GRDB
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
  init(_ queue: DatabaseQueue, of pool: SnapshotPool) {
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
  func repin(ifStill isUnchanged: () throws -> Bool) throws {
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
