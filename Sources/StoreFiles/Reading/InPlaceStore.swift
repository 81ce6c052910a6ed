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
    try Self.register(naming: name)
    file = Self.name(of: path, logByteCount: byteCount)
    fileWithoutLog = Self.name(of: path, logByteCount: 0)
  }

  /// Reads a database where it lies, also while other connections have it open.
  ///
  /// What was read counts if nobody has committed, or written to the file, meanwhile. Else it is read
  /// again.
  ///
  /// - Parameters:
  ///   - original: The database.
  ///   - body: Reads it in one transaction, under the name that it gets.
  /// - Returns: What `body` returns.
  /// - Throws: What `body` throws; or ``/ListModel/StoreError`` with
  ///   ``/ListModel/StoreError/Code/notReadable`` if a copy is needed to read it.
  /// - Complexity: O(*n*), *n* bytes of the log, beside what `body` does.
  package static func read<Value>(_ original: URL, _ body: (URL) throws -> Value) throws -> Value {
    let name = original.path
    let path = try StorePath.resolved(original, naming: name)
    let database = try DatabaseFile(path, naming: name)
    try register(naming: name)
    var pause: UInt32 = 1_000
    let end = ContinuousClock.now + .seconds(1)
    while ContinuousClock.now < end {
      if let found = try attempt(database, name, body) { return try found.get() }
      usleep(pause)
      pause = min(pause * 2, 50_000)
    }
    throw StoreError.needsCopy(name, because: "somebody writes to it all the time")
  }

  /// Reads once; `nil` if somebody may have written meanwhile.
  private static func attempt<Value>(
    _ database: DatabaseFile, _ name: String, _ body: (URL) throws -> Value
  ) throws(StoreError) -> Result<Value, any Error>? {
    switch database.lock() {
    case .taken: break
    case .busy: return nil
    case .unavailable: throw .needsCopy(name, because: "its file system has no locks")
    }
    defer { database.unlock() }
    // A running writer has not changed the file yet, so its journal does not count.
    let journal = try RollbackJournal(ofDatabase: database.path, pageSize: 0, naming: name)
    if journal?.isPending == true, !database.isReserved {
      throw .needsCopy(name, because: cutOff)
    }
    let before = FilesState(database, name)
    let log = try WriteAheadLog(ofDatabase: database.path, naming: name)
    let found = Result {
      try body(Self.name(of: database.path, logByteCount: log?.committedByteCount ?? 0))
    }
    let isSame = before.isSameMoment(as: FilesState(database, name))
    guard isSame, log == (try WriteAheadLog(ofDatabase: database.path, naming: name)) else {
      return nil
    }
    return found
  }

  private static let cutOff =
    "a transaction was cut off, and its journal has to be played back first"

  private static func register(naming name: String) throws(StoreError) {
    let code = cellar_in_place_register()
    guard code == 0 else { throw .needsCopy(name, because: DatabaseFile.name(of: code)) }
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
      throw .needsCopy(name, because: cutOff)
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
