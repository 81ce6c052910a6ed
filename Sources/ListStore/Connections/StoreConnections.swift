import GRDB
import ListModel
import StoreFiles
import StoreSchema

/// Opens connections to the file that a Repository has opened, and to none that takes its place.
final class StoreConnections: Sendable {
  private let path: String
  private let identity: FileIdentity?
  private let configuration: Configuration
  private let durability: Repository.Durability
  /// The connection that opened the store, for whoever needs one first.
  ///
  /// It has read the schema already, for which a launch would wait once more.
  private let first: Guarded<DatabaseQueue?>

  init(_ opening: Repository.Opening, path: String, _ durability: Repository.Durability = .normal) {
    self.path = path
    identity = opening.identity
    configuration = opening.configuration
    self.durability = durability
    first = Guarded(opening.database)
  }

  /// Refuses to go on if another file has taken the store's place: a new connection would open that one.
  func requireFile() throws(StoreError) {
    guard FileIdentity(of: path) == identity else { throw .moved(path) }
  }

  /// A connection that writes, and has no transaction open between calls.
  func writing() throws -> DatabaseQueue {
    try connection { try Self.writing(path, configuration, durability) }
  }

  /// A connection that only reads.
  ///
  /// It is opened read-only only if the store is: the last connection that closes removes the
  /// write-ahead log, and a read-only one can't.
  func reading() throws -> DatabaseQueue {
    let queue = try connection { try DatabaseQueue(path: path, configuration: configuration) }
    try queue.unsafeRead { db in
      // Most pages are read only once, so the page cache can be small.
      try db.execute(sql: "PRAGMA query_only = 1; PRAGMA cache_size = -512")
      db.endColumnReports()
    }
    return queue
  }

  private func connection(_ open: () throws -> DatabaseQueue) throws -> DatabaseQueue {
    try requireFile()
    let queue = try takeFirst() ?? open()
    try requireFile()
    return queue
  }

  private func takeFirst() -> DatabaseQueue? {
    first.withValue { first in
      defer { first = nil }
      return first
    }
  }

  /// Closes the connection that opened the store, if nobody has needed it.
  func close() throws { try takeFirst()?.close() }

  /// Opens a connection that writes.
  static func writing(
    _ path: String, _ configuration: Configuration, _ durability: Repository.Durability
  ) throws -> DatabaseQueue {
    let queue = try DatabaseQueue(path: path, configuration: configuration)
    // Not by GRDB, which also writes a table and deletes it: a launch would wait for the disk twice.
    try queue.writeWithoutTransaction { db in
      guard try String.fetchOne(db, sql: "PRAGMA journal_mode = WAL") == "wal" else {
        throw DatabaseError(message: "SQLite can't keep a write-ahead log beside the file")
      }
      let synchronous = durability == .full ? "FULL" : "NORMAL"
      try db.execute(sql: "PRAGMA synchronous = \(synchronous)")
    }
    return queue
  }
}
