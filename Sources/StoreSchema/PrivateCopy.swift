package import Foundation
package import ListModel

/// A copy of a store, for reading it without changing it: SQLite opens the copy and never the
/// original.
///
/// Opening a database, even read-only, can create, change or delete the log beside it. The copy is
/// in a folder of its own that only the user can enter, and is deleted with this object. If the
/// process is killed, the next copy that any process makes deletes it.
package final class PrivateCopy: Sendable {
  /// The copied database.
  package let file: URL
  /// The size of the database file that was copied, in bytes.
  package let byteCount: Int
  /// The write-ahead log beside the original, whose commits were copied; `nil` if there was none.
  package let log: WriteAheadLog?
  private let folder: OwnedFolder

  /// The beginning of the names of all folders that hold private copies.
  private static let folderPrefix = "cellar-copy-"

  /// Copies a database as it is at one moment, with its write-ahead log or rollback journal.
  ///
  /// Other connections may write meanwhile; a writer in WAL mode does not wait for the copy.
  ///
  /// - Throws: ``/ListModel/StoreError`` if the file is no store or can't be read; if a file beside
  ///   it is not SQLite's; or with ``/ListModel/StoreError/Code/busy`` if another connection keeps
  ///   the store to itself for ten seconds.
  package init(of original: URL) throws(StoreError) {
    let name = original.path
    _ = try StoreHeader(of: original)
    let parent = FileManager.default.temporaryDirectory
    OwnedFolder.removeAbandoned(
      named: Self.folderPrefix, in: parent,
      holding: Set(([""] + Companion.Kind.allCases.map(\.rawValue)).map { "store.sqlite" + $0 }))
    do {
      folder = try OwnedFolder(named: Self.folderPrefix, in: parent)
    } catch {
      throw StoreError(
        error.code == ENOSPC ? .storeFull : .notWritable,
        "can't make a private copy in \(parent.path): \(error)", file: name)
    }
    file = folder.url.appendingPathComponent("store.sqlite")
    let contents = try Self.copy(
      DatabaseFile(StorePath.resolved(original, naming: name), naming: name), to: file.path,
      naming: name)
    byteCount = contents.byteCount
    log = contents.log
    // Check the copy, because the original may have changed since it was checked.
    _ = try StoreHeader(of: file, naming: name)
  }
}
