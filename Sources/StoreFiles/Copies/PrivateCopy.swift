package import Foundation
package import ListModel

/// A copy of a store, for reading it without changing it: SQLite opens the copy and never the
/// original.
///
/// Opening a database, even read-only, can create, change or delete the log beside it. The copy is
/// in a folder of its own that only the user can enter, and is deleted with this object. If the
/// process is killed, the next copy that any process makes deletes it.
///
/// The bytes are copied, not cloned by the file system: that takes a descriptor of the database, and
/// the system drops all locks of the process on a file when the process closes one. A store that is
/// too large is inspected in place. Holes stay holes.
package final class PrivateCopy: Sendable {
  /// The copied database.
  package let file: URL
  /// The size of the database file that was copied, in bytes.
  package let byteCount: Int
  /// The write-ahead log beside the original, whose commits were copied; `nil` if there was none.
  package let log: WriteAheadLog?
  private let folder: OwnedFolder

  /// The beginning of the names of all folders that hold private copies.
  package static let folderPrefix = "cellar-copy-"

  /// Copies a database as it is at one moment, with its write-ahead log or rollback journal.
  ///
  /// Other connections may write meanwhile; a writer in WAL mode does not wait for the copy.
  ///
  /// - Throws: ``/ListModel/StoreError`` if the file is no store or can't be read; if a file beside
  ///   it is not SQLite's; or with ``/ListModel/StoreError/Code/busy`` if another connection keeps
  ///   the store to itself for ten seconds.
  package convenience init(of original: URL) throws(StoreError) {
    _ = try StoreHeader(of: original)
    try self.init(copying: original)
    // Check the copy, because the original may have changed since it was checked.
    _ = try StoreHeader(of: file, naming: original.path)
  }

  /// Copies a database that may be damaged, or another program's.
  ///
  /// `logCommits`: How many commits of the write-ahead log to copy, from its beginning.
  ///
  /// - Throws: ``/ListModel/StoreError`` as ``init(of:)``, but for what is in the file.
  package init(copying original: URL, logCommits: Int = .max) throws(StoreError) {
    let name = original.path
    let parent = FileManager.default.temporaryDirectory
    Self.removeAbandoned(in: parent)
    do {
      folder = try OwnedFolder(named: Self.folderPrefix, in: parent)
    } catch {
      throw StoreError(
        error.code == ENOSPC ? .storeFull : .notWritable,
        "can't make a private copy in \(parent.path): \(error)", file: name)
    }
    FilePrivacy(of: original).protect(folder.url.path)
    file = folder.url.appendingPathComponent("store.sqlite")
    let path = try StorePath.resolved(original, naming: name)
    try DiskSpace.require(
      FileExtents.byteCount(ofStore: path), to: "make a private copy", in: parent, file: name)
    let contents = try Self.copy(
      DatabaseFile(path, naming: name), to: file.path, naming: name, logCommits: logCommits)
    byteCount = contents.byteCount
    log = contents.log
    // SQLite must not play back a journal that makes it delete another file.
    _ = try RollbackJournal(ofDatabase: file.path, pageSize: 0, naming: name)
  }

  /// Removes the copies of processes that were killed.
  package static func removeAbandoned(
    in parent: URL = FileManager.default.temporaryDirectory
  ) {
    OwnedFolder.removeAbandoned(
      named: folderPrefix, in: parent,
      holding: Set(
        ["store", "alone"].flatMap { name in
          Sidecar.suffixes.map { "\(name).sqlite\($0)" }
        }))
  }

  /// The copied database under a second name, without the log.
  ///
  /// - Returns: `nil` if the system makes no second name; it is gone with the copy.
  package func withoutLog() -> URL? {
    let alone = folder.url.appendingPathComponent("alone.sqlite")
    return link(file.path, alone.path) == 0 || errno == EEXIST ? alone : nil
  }

  /// Whether a database has the same bytes as the copy.
  ///
  /// - Complexity: O(*n*), *n* bytes.
  package func isLike(_ original: URL) throws(StoreError) -> Bool {
    let name = original.path
    let first = try DatabaseFile(StorePath.resolved(original, naming: name), naming: name)
    let second = try DatabaseFile(StorePath.resolved(file, naming: name), naming: name)
    let size = try first.size
    guard try size == second.size else { return false }
    let extents = [first, second].map { FileExtents(of: $0.path, upTo: size) }
    let count = 1 << 20
    let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: 2 * count, alignment: 8)
    defer { bytes.deallocate() }
    let (left, right) = (
      UnsafeMutableRawBufferPointer(rebasing: bytes[..<count]),
      UnsafeMutableRawBufferPointer(rebasing: bytes[count...])
    )
    for range in extents[0].union(extents[1]).ranges {
      for offset in stride(from: range.lowerBound, to: range.upperBound, by: count) {
        let read = try first.read(into: left, at: offset)
        guard try second.read(into: right, at: offset) == read,
          left.isEqual(to: right, first: read)
        else { return false }
      }
    }
    return true
  }
}

extension UnsafeMutableRawBufferPointer {
  /// Whether both begin with the same bytes.
  fileprivate func isEqual(to other: UnsafeMutableRawBufferPointer, first count: Int) -> Bool {
    guard count > 0 else { return true }
    guard let start = baseAddress, let otherStart = other.baseAddress else { return false }
    return memcmp(start, otherStart, count) == 0
  }
}
