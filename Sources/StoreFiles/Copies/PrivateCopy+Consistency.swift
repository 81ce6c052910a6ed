import Foundation
package import ListModel

// How a copy is consistent although other connections write.
//
// The lock of a reader keeps the file unchanged outside WAL mode, and keeps the log from being
// deleted in WAL mode. In WAL mode, other connections can still append to the log, copy committed
// pages from the log into the file (a checkpoint), and, once all pages are copied, start the log
// anew from its beginning.
//
// The file is copied first, then the log's commits. Its read lock is taken, so it is not started anew in
// between. If a page of the file changed while it was copied, a checkpoint did that, so the page
// was in a commit of the log by then. That commit is copied later, with the whole page. SQLite
// prefers the log's page, so it does not matter whether the page of the file is old, new or torn.
// All other pages did not change. So the copy is the database as of the last commit that was
// copied.
//
// If nobody has the log open, there is nothing to lock. Then nobody must have opened it by the end.
extension PrivateCopy {
  /// What was copied.
  package struct Contents {
    var byteCount: Int
    var log: WriteAheadLog?
  }

  /// Copies again and again until the copy is consistent.
  ///
  /// - Throws: ``/ListModel/StoreError`` with ``/ListModel/StoreError/Code/busy`` after ten
  ///   seconds.
  @discardableResult
  package static func copy(
    _ database: DatabaseFile, to target: String, naming name: String, logCommits: Int = .max
  ) throws(StoreError) -> Contents {
    let end = ContinuousClock.now + .seconds(10)
    var pause: UInt32 = 500
    for round in 0..<Int.max {
      for suffix in Sidecar.suffixes { unlink(target + suffix) }
      if let contents = try attempt(database, target, name, logCommits, locksLog: round > 2) {
        return contents
      }
      guard ContinuousClock.now < end else {
        throw StoreError(
          .busy,
          "another connection keeps the store to itself and writes its journal all the time; try "
            + "again when it is done",
          file: name)
      }
      usleep(pause)
      pause = min(pause * 2, 20_000)
    }
    throw StoreError(.busy, "the store can't be copied", file: name)
  }

  private static func attempt(
    _ database: DatabaseFile, _ target: String, _ name: String, _ logCommits: Int, locksLog: Bool
  ) throws(StoreError) -> Contents? {
    switch database.lock() {
    case .taken:
      defer { database.unlock() }
      return try copyLocked(database, target, name, logCommits, locksLog: locksLog)
    case .busy, .unavailable:
      return try copyAtRest(database, target, name, logCommits)
    }
  }

  /// Copies under the lock; `nil` if the log was started anew meanwhile.
  ///
  /// The log is locked only if it was started anew in several rounds, because a log that is
  /// often locked grows.
  private static func copyLocked(
    _ database: DatabaseFile, _ target: String, _ name: String, _ logCommits: Int, locksLog: Bool
  ) throws(StoreError) -> Contents? {
    // While a writer runs, its journal is about changes that are not in the file yet.
    let journal = try SidecarFile(.journal, of: database.path, naming: name)
    let isPlayedBack = !database.isReserved
    let readLock = locksLog ? WALReadLock.attempt(ofDatabase: database.path) : .unavailable
    if case .busy = readLock { return nil }
    return try withExtendedLifetime(readLock) { () throws(StoreError) -> Contents? in
      let before = FilesState(database, name)
      let contents = try copyAll(
        database, isPlayedBack ? journal : nil, target, name, logCommits)
      let after = FilesState(database, name)
      let isSame =
        switch readLock {
        case .taken: before.head == after.head
        case .noIndex: before.head == after.head && !after.hasIndex
        case .busy, .unavailable: before.isSameMoment(as: after)
        }
      return isSame ? contents : nil
    }
  }

  /// Copies without a lock; `nil` if the copy may not be consistent.
  ///
  /// For a file system without locks, and for a store that another connection keeps to itself. If
  /// that connection writes a log, the copy is as safe as under a lock. If it writes a journal, it
  /// must do nothing meanwhile: it may be in the middle of a commit, which the journal takes back.
  private static func copyAtRest(
    _ database: DatabaseFile, _ target: String, _ name: String, _ logCommits: Int
  ) throws(StoreError) -> Contents? {
    let before = FilesState(database, name)
    let journal = try SidecarFile(.journal, of: database.path, naming: name)
    let isJournalEmpty = (journal?.bytes(at: 0, count: 1)?.first ?? 0) == 0
    let isLogged = before.head != nil && isJournalEmpty
    guard isLogged || before.isOld else { return nil }
    let contents = try copyAll(database, journal, target, name, logCommits)
    let after = FilesState(database, name)
    return isLogged && before.head == after.head || before.isOld && before == after ? contents : nil
  }

  /// Copies the file, then the commits of the log.
  private static func copyAll(
    _ database: DatabaseFile, _ journal: SidecarFile?, _ target: String, _ name: String,
    _ logCommits: Int
  ) throws(StoreError) -> Contents {
    // Each part is copied at the size that it has now, because a writer may be faster than the
    // copy. Pages that are added to the file later are in the log.
    var copied = Contents(byteCount: try database.size)
    let extents = FileExtents(of: database.path, upTo: copied.byteCount)
    try write(target, copied.byteCount, name, extents) { buffer, offset throws(StoreError) in
      try database.read(into: buffer, at: offset)
    }
    if let journal, (journal.bytes(at: 0, count: 1)?.first ?? 0) != 0 {
      try write(target + Sidecar.journal.rawValue, journal.size, name) {
        buffer, offset throws(StoreError) in journal.read(into: buffer, at: offset)
      }
    }
    guard let file = try SidecarFile(.log, of: database.path, naming: name) else { return copied }
    let log = try WriteAheadLog(file, naming: name, upTo: logCommits)
    copied.log = log
    guard log.committedByteCount > 0 else { return copied }
    try write(target + Sidecar.log.rawValue, log.committedByteCount, name) {
      buffer, offset throws(StoreError) in file.read(into: buffer, at: offset)
    }
    return copied
  }

  /// Writes a new file that only the user can read.
  ///
  /// `byteCount`: The size of the file; it is smaller if `read` returns 0 before.
  /// `extents`: The parts of it that hold data, the rest become holes; `nil`: all of it.
  package static func write(
    _ path: String, _ byteCount: Int, _ name: String, _ extents: FileExtents? = nil,
    _ read: (_ into: UnsafeMutableRawBufferPointer, _ offset: Int) throws(StoreError) -> Int
  ) throws(StoreError) {
    func failure(_ code: Int32) -> StoreError {
      StoreError(
        code == ENOSPC || code == EDQUOT ? .storeFull : .notWritable,
        "can't make a copy at \(path): \(String(cString: strerror(code)))", file: name)
    }
    let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw failure(errno) }
    defer { close(descriptor) }
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 8)
    defer { buffer.deallocate() }
    let extents = extents ?? FileExtents(all: byteCount)
    for range in extents.ranges {
      var offset = range.lowerBound
      while offset < range.upperBound {
        let part = UnsafeMutableRawBufferPointer(
          rebasing: buffer[..<min(buffer.count, range.upperBound - offset)])
        let count = try read(part, offset)
        if count == 0 { return }
        var written = 0
        while written < count {
          let result = pwrite(
            descriptor, buffer.baseAddress?.advanced(by: written), count - written,
            off_t(offset + written))
          if result < 0, errno == EINTR { continue }
          guard result > 0 else { throw failure(errno) }
          written += result
        }
        offset += count
      }
    }
    // A hole at the end.
    if extents.ranges.last?.upperBound != byteCount, byteCount > 0,
      ftruncate(descriptor, off_t(byteCount)) != 0
    {
      throw failure(errno)
    }
  }
}
