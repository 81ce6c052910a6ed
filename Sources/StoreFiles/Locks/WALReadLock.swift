import Foundation
import SQLiteSettings

/// The lock of a reader of a write-ahead log: SQLite does not start the log anew while somebody has
/// it.
///
/// It is one of five bytes of the log's index, `-shm`; this takes the last of them, which SQLite uses
/// last. Writers are not stopped: they append to the log. No byte of the index is read
/// or changed.
///
/// - SeeAlso: [WAL-mode file format, 2.3: locks](https://sqlite.org/walformat.html#wal_locks).
final class WALReadLock {
  /// The result of trying to take the lock.
  enum Attempt {
    case taken(WALReadLock)
    /// There is no index, so nobody has the database open in WAL mode.
    case noIndex
    /// Another connection is starting the log anew.
    case busy
    /// The index can't be opened, or the system has no locks of this kind.
    case unavailable
  }

  /// The index's.
  private let descriptor: Int32

  private init(_ descriptor: Int32) { self.descriptor = descriptor }

  deinit { Self.indexes.withValue { $0.release(descriptor) } }

  /// Takes the lock of a database's log.
  static func attempt(ofDatabase database: String) -> Attempt {
    indexes.withValue { $0.take(database + Sidecar.logIndex.rawValue) }
  }

  /// Whether a connection has the database open in WAL mode, one of this process included.
  ///
  /// `false` also if the system does not say. SQLite leaves an index behind if a process ends without
  /// closing its connections.
  static func isOpen(_ database: String) -> Bool {
    indexes.withValue { $0.isOpen(database + Sidecar.logIndex.rawValue) }
  }

  private static let indexes = Guarded(Indexes())

  /// An open index.
  ///
  /// Its lock belongs to the descriptor, which all locks of it share.
  private struct Index {
    let descriptor: Int32
    let file: FileIdentity
    var lockCount = 0
    var lockedByte: Int64 = 0

    /// Any reader's byte keeps the log; the first of the five is for readers that need no log.
    mutating func lock() -> Int32 {
      var code: Int32 = 0
      for byte: Int64 in [127, 126, 125, 124] {
        code = cellar_lock_byte(descriptor, byte, 1)
        if code == 0 { lockedByte = byte }
        guard code == EAGAIN || code == EACCES else { break }
      }
      return code
    }
  }

  /// The indexes that this process has open.
  ///
  /// An index that still has a name is never closed, because closing it would release the locks of
  /// this process's connections. There is one for each store that was copied while somebody had it
  /// open.
  private struct Indexes {
    private var open: [Index] = []

    mutating func take(_ path: String) -> Attempt {
      closeDeleted()
      guard let file = FileIdentity(ofLinkOrFile: path) else { return .noIndex }
      guard let position = position(path, file) else { return .unavailable }
      // The index was deleted and made anew in between.
      guard open[position].file == FileIdentity(ofLinkOrFile: path) else { return .busy }
      if open[position].lockCount == 0 {
        let code = open[position].lock()
        guard code == 0 else { return code == EAGAIN || code == EACCES ? .busy : .unavailable }
      }
      open[position].lockCount += 1
      return .taken(WALReadLock(open[position].descriptor))
    }

    mutating func isOpen(_ path: String) -> Bool {
      closeDeleted()
      guard let file = FileIdentity(ofLinkOrFile: path), let position = position(path, file) else {
        return false
      }
      // Each connection locks this byte for as long as it has the index.
      return cellar_is_byte_locked(open[position].descriptor, 128) != 0
    }

    mutating func release(_ descriptor: Int32) {
      // It is there, because what is locked is not closed.
      guard let position = open.firstIndex(where: { $0.descriptor == descriptor }) else { return }
      open[position].lockCount -= 1
      if open[position].lockCount == 0 {
        _ = cellar_lock_byte(descriptor, open[position].lockedByte, 0)
      }
    }

    /// Where a file's index is among the open ones, to which it is added.
    private mutating func position(_ path: String, _ file: FileIdentity) -> Int? {
      if let position = open.firstIndex(where: { $0.file == file }) { return position }
      let descriptor = Foundation.open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
      guard descriptor >= 0, let file = FileStatus(descriptor: descriptor)?.identity else {
        return nil
      }
      open.append(Index(descriptor: descriptor, file: file))
      return open.count - 1
    }

    private mutating func closeDeleted() {
      open.removeAll { index in
        guard index.lockCount == 0, FileStatus(descriptor: index.descriptor)?.nameCount == 0 else {
          return false
        }
        close(index.descriptor)
        return true
      }
    }
  }
}
