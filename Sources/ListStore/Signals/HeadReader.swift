import GRDB
import ListModel
import ListTables
import StoreFiles
import StoreSchema

/// How far a list has come.
struct ListHead: Equatable, Sendable {
  /// The list's revision; 0 before its first commit, and for a list that is not there any more.
  var revision = 0
  /// The hash of the commits up to it: a list that was deleted and made anew, or restored, can have
  /// the same revision again.
  var chain: UInt64?

  /// The head of a list.
  init(_ list: ListID, in db: Database) throws {
    let found = try StoreStatement(db, "SELECT revision, chain FROM list WHERE name = ?")
      .first(list.rawValue) { (try $0.integer(0), try $0.hashIfPresent(1)) }
    if let found { (revision, chain) = found }
  }

  /// The head of a list after a commit.
  init(after commit: Commit) {
    revision = commit.revision
    chain = commit.proof?.chain
  }

  /// The head of a list that is not there.
  init() {}
}

/// Reads the heads of lists, if anybody has written to the store.
///
/// A connection of its own stays open, because SQLite counts what others wrote for each connection.
/// Between two calls it is in no transaction. One thread at a time uses it, but any can interrupt it.
final class HeadReader: Sendable {
  private let readers: ReaderPool
  private let connection = Guarded<DatabaseQueue?>(nil)
  /// SQLite's `data_version` at the last reading.
  private let version = Guarded<Int?>(nil)

  init(_ readers: ReaderPool) { self.readers = readers }

  /// Has the next call read, whether anybody has written or not.
  func forget() { version.withValue { $0 = nil } }

  /// Ends a read that goes on: it throws.
  func interrupt() { connection.withValue { $0 }?.interrupt() }

  /// The heads of lists.
  ///
  /// - Returns: `nil` if nobody has written since the last call.
  /// - Throws: `StoreError` if the store can't be read any more, for instance because another file
  ///   has taken its place; `DatabaseError`.
  func heads(of lists: Set<ListID>) throws -> [ListID: ListHead]? {
    try readers.connections.requireFile()
    let connection =
      try connection.withValue { $0 } ?? readers.connectWithoutWaiting()
    self.connection.withValue { $0 = connection }
    return try connection.unsafeRead { db in
      let found = try StoreStatement(db, "PRAGMA data_version").first { try $0.integer(0) }
      var heads: [ListID: ListHead]?
      if found == nil || found != version.withValue({ $0 }) {
        try readers.requireSchema(db)
        heads = [:]
        for list in lists { heads?[list] = try ListHead(list, in: db) }
      }
      version.withValue { $0 = found }
      return heads
    }
  }
}
