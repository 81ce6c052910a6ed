package import Foundation
package import ListModel

/// A copy of a store that can be opened like any database, while SQLite never opens the original.
///
/// Opening a database, even read-only, can create, change or delete the log beside it; looking must
/// not. The copy lies in a folder of its own that only the user can enter, and goes away with this
/// object; if the process is killed, with the next copy that anybody makes.
package final class PrivateCopy: Sendable {
  /// The copied database.
  package let file: URL
  /// The size of the database file that was copied, in bytes.
  package let byteCount: Int
  /// The log that lay beside the original, of which the commits are copied; `nil` if there was none.
  package let log: WriteAheadLog?
  private let folder: OwnedFolder

  /// What the names of all folders begin with that hold private copies.
  private static let folderPrefix = "cellar-copy-"

  /// Copies a database as of one moment, with its write-ahead log or rollback journal.
  ///
  /// Others may write meanwhile; a writer in WAL mode does not wait for the copy.
  ///
  /// - Throws: ``/ListModel/StoreError`` if the file is no store or can't be read, if what lies beside it is not
  ///   SQLite's, or with ``/ListModel/StoreError/Code/busy`` if another keeps it to itself for ten seconds.
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
    // Of the bytes that SQLite is going to see, whatever the original was when it was looked at.
    _ = try StoreHeader(of: file, naming: name)
  }
}
