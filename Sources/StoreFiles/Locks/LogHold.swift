import Foundation
import SQLiteSettings

/// Keeps SQLite from starting a write-ahead log anew while it is copied, as a reader of the
/// database does.
///
/// A reader locks one of five bytes of the log's index, `-shm`. This locks the last of them, which
/// SQLite uses last. Writers are not stopped: they append to the log. No byte of the index is read
/// or changed.
///
/// - SeeAlso: [WAL-mode file format, 2.3: locks](https://sqlite.org/walformat.html#wal_locks).
final class LogHold {
  /// The result of trying to hold a log.
  enum Attempt {
    case held(LogHold)
    /// There is no index, so nobody has the database open in WAL mode.
    case noIndex
    /// Another connection is starting the log anew.
    case busy
    /// The index can't be opened, or the system has no locks of this kind.
    case unavailable
  }

  private let index: Index

  private init(_ index: Index) { self.index = index }

  deinit { Self.indexes.withValue { $0.release(index) } }

  /// Holds the log of a database.
  static func attempt(ofDatabase database: String) -> Attempt {
    indexes.withValue { $0.hold(database + Companion.Kind.logIndex.rawValue) }
  }

  /// Whether a connection has the database open in WAL mode, one of this process included.
  ///
  /// `false` also if the system does not say. SQLite leaves an index behind if a process ends without
  /// closing its connections.
  static func isOpen(_ database: String) -> Bool {
    indexes.withValue { $0.isOpen(database + Companion.Kind.logIndex.rawValue) }
  }

  private static let indexes = Guarded(Indexes())

  /// An open index.
  ///
  /// Its lock belongs to the descriptor, which all holds of it share.
  private final class Index {
    let descriptor: Int32
    let file: FileIdentity
    var holdCount = 0
    var lockedByte: Int64 = 0

    init(_ descriptor: Int32, _ file: FileIdentity) {
      self.descriptor = descriptor
      self.file = file
    }
  }

  /// The indexes that this process has open.
  ///
  /// An index that still has a name is never closed, because closing it would release the locks of
  /// this process's connections. There is one for each store that was copied while somebody had it
  /// open.
  private struct Indexes {
    private var open: [Index] = []

    mutating func hold(_ path: String) -> Attempt {
      closeDeleted()
      guard let file = FileIdentity(ofLinkOrFile: path) else { return .noIndex }
      guard let index = index(path, file) else { return .unavailable }
      // The index was deleted and made anew in between.
      guard index.file == FileIdentity(ofLinkOrFile: path) else { return .busy }
      if index.holdCount == 0 {
        let code = Self.lock(index)
        guard code == 0 else { return code == EAGAIN || code == EACCES ? .busy : .unavailable }
      }
      index.holdCount += 1
      return .held(LogHold(index))
    }

    mutating func isOpen(_ path: String) -> Bool {
      closeDeleted()
      guard let file = FileIdentity(ofLinkOrFile: path), let index = index(path, file) else {
        return false
      }
      // Each connection locks this byte for as long as it has the index.
      return cellar_is_byte_locked(index.descriptor, 128) != 0
    }

    func release(_ index: Index) {
      index.holdCount -= 1
      if index.holdCount == 0 { _ = cellar_lock_byte(index.descriptor, index.lockedByte, 0) }
    }

    private mutating func index(_ path: String, _ file: FileIdentity) -> Index? {
      if let index = open.first(where: { $0.file == file }) { return index }
      let descriptor = Foundation.open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
      guard descriptor >= 0, let file = FileIdentity(descriptor: descriptor) else { return nil }
      let index = Index(descriptor, file)
      open.append(index)
      return index
    }

    /// Any reader's byte holds the log; the first of the five is for readers that need no log.
    private static func lock(_ index: Index) -> Int32 {
      var code: Int32 = 0
      for byte: Int64 in [127, 126, 125, 124] {
        code = cellar_lock_byte(index.descriptor, byte, 1)
        if code == 0 { index.lockedByte = byte }
        guard code == EAGAIN || code == EACCES else { break }
      }
      return code
    }

    private mutating func closeDeleted() {
      open.removeAll { index in
        guard index.holdCount == 0, !FileIdentity.hasName(index.descriptor) else { return false }
        close(index.descriptor)
        return true
      }
    }
  }
}
