import GRDB
import StoreFiles

/// A store at one moment: a connection whose read transaction stays open.
///
/// Later commits are not seen. As long as a snapshot is older than the end of the write-ahead log,
/// SQLite can't start that log anew: see the article <doc:LongLists>.
package final class Snapshot: Sendable {
  private let pool: ReaderPool
  private let pin: Guarded<Pin>

  private struct Pin {
    /// In a read transaction; `nil` after ``release()``.
    var queue: DatabaseQueue?
    /// The number of the read transaction: another number means another moment.
    var generation = 0
  }

  /// - Precondition: The queue is in a read transaction.
  init(_ queue: DatabaseQueue, of pool: ReaderPool) {
    pin = Guarded(Pin(queue: queue))
    self.pool = pool
  }

  deinit {
    release()
    pool.forget(ObjectIdentifier(self))
  }

  /// Pins the same store as it is now.
  func pinNewest() throws -> Snapshot { try pool.pin() }

  /// Reads; threads take turns.
  ///
  /// After a release, a new read transaction begins, at the store's state of that moment.
  ///
  /// `body`: Takes the connection and the number of the read transaction.
  func read<Value: Sendable>(
    _ body: (_ db: Database, _ generation: Int) throws -> Value
  ) throws -> Value {
    try pin.withValue { pin in
      if pin.queue == nil {
        pin.queue = try pool.beginTransaction()
        pin.generation += 1
      }
      guard let queue = pin.queue else { throw DatabaseError(resultCode: .SQLITE_MISUSE) }
      return try queue.unsafeRead { try body($0, pin.generation) }
    }
  }

  /// See ``ReaderPool/scheduleTidying()``.
  func scheduleTidying() { pool.scheduleTidying() }

  /// Reports a read that failed, see ``StoreEvents/report(_:_:)``.
  func report(_ error: any Error) { pool.report(error) }

  /// Begins the read transaction anew.
  ///
  /// If the whole write-ahead log has been copied into the file, the snapshot no longer needs the
  /// log. The old transaction ends only when the new one is known to read the same, so that no
  /// commit in between can change what the snapshot reads.
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
