package import Foundation
package import ListModel
import SQLiteSettings

/// A store that SQLite reads where it lies, for one that is too large to be copied.
///
/// SQLite opens it under another name, with which nothing can be written: no byte of the database or
/// its log, and no file beside them. Other connections of this process are not concerned.
///
/// Nobody must write meanwhile. A connection in WAL mode does not keep others from writing, so a store
/// that is open anywhere is refused; whatever opens it later is found by comparing its files.
package struct InPlaceStore: Sendable {
  /// The name for SQLite: the database with the commits of its log.
  package let file: URL
  /// The name for SQLite of the database without its log.
  package let fileWithoutLog: URL

  /// Looks whether a database can be read in place.
  ///
  /// - Parameters:
  ///   - original: The database.
  ///   - logCommits: How many commits of the write-ahead log count, from its beginning.
  /// - Throws: ``/ListModel/StoreError`` with ``/ListModel/StoreError/Code/busy`` if it is open, and
  ///   ``/ListModel/StoreError/Code/notReadable`` if a copy is needed to read it. The error says why.
  /// - Complexity: O(*n*), *n* bytes of the log.
  package init(_ original: URL, logCommits: Int = .max) throws(StoreError) {
    let name = original.path
    let path = try StorePath.resolved(original, naming: name)
    try Self.requireAtRest(path, naming: name)
    var byteCount = 0
    if let log = try SidecarFile(.log, of: path, naming: name) {
      byteCount = try WriteAheadLog(log, naming: name, upTo: logCommits).committedByteCount
    }
    let code = cellar_in_place_register()
    guard code == 0 else {
      throw .needsCopy(name, because: DatabaseFile.name(of: code))
    }
    file = Self.name(of: path, logByteCount: byteCount)
    fileWithoutLog = Self.name(of: path, logByteCount: 0)
  }

  private static func name(of path: String, logByteCount: Int) -> URL {
    URL(fileURLWithPath: "\(CELLAR_IN_PLACE_PREFIX)\(logByteCount)\(path)", isDirectory: false)
  }

  /// The path of a database that has such a name; `nil` for any other name.
  static func path(behind name: String) -> String? {
    guard name.hasPrefix(CELLAR_IN_PLACE_PREFIX) else { return nil }
    return String(name.dropFirst(CELLAR_IN_PLACE_PREFIX.count).drop { $0 != "/" })
  }

  private static func requireAtRest(_ path: String, naming name: String) throws(StoreError) {
    let journal = try RollbackJournal(ofDatabase: path, pageSize: 0, naming: name)
    if journal?.isPending == true {
      throw .needsCopy(
        name, because: "a transaction was cut off, and its journal has to be played back first")
    }
    let database = try DatabaseFile(path, naming: name)
    switch database.lock() {
    case .taken: database.unlock()
    case .busy: throw .openElsewhere(name, LockHolder.sentence(file: path))
    case .unavailable: throw .needsCopy(name, because: "its file system has no locks")
    }
    if let holder = LockHolder.connections(ofDatabase: path) { throw .openElsewhere(name, holder) }
    if database.isReserved || WALReadLock.isOpen(path) {
      throw .openElsewhere(name, LockHolder.sentence(file: path))
    }
  }
}

extension StoreError {
  private static let advice =
    "Read a private copy instead: leave out --in-place (in code, `inPlace`)"

  /// The store must be copied to be read.
  package static func needsCopy(_ file: String, because reason: String) -> StoreError {
    StoreError(.notReadable, "it can't be read in place: \(reason). \(advice)", file: file)
  }

  /// Somebody may write the store while it is read.
  fileprivate static func openElsewhere(_ file: String, _ holder: String?) -> StoreError {
    StoreError(
      .busy,
      "it can't be read in place: \(holder ?? "a connection has the store open"), and may write "
        + "meanwhile. \(advice), or close the store",
      file: file)
  }
}
