import GRDB
import ListModel
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
/// Between two calls it is in no transaction. One thread at a time uses it.
struct HeadReader {
  private let snapshots: SnapshotPool
  private var connection: DatabaseQueue?
  /// SQLite's `data_version` at the last reading.
  private var version: Int?

  init(_ snapshots: SnapshotPool) { self.snapshots = snapshots }

  /// Has the next call read, whether anybody has written or not.
  mutating func forget() { version = nil }

  /// The heads of lists.
  ///
  /// - Returns: `nil` if nobody has written since the last call.
  /// - Throws: `StoreError` if the store can't be read any more, for instance because another file
  ///   has taken its place; `DatabaseError`.
  mutating func heads(of lists: Set<ListID>) throws -> [ListID: ListHead]? {
    try snapshots.requireFile()
    let connection = try connection ?? snapshots.connectWithoutWaiting()
    self.connection = connection
    return try connection.unsafeRead { db in
      let found = try StoreStatement(db, "PRAGMA data_version").first { try $0.integer(0) }
      var heads: [ListID: ListHead]?
      if found == nil || found != version {
        try snapshots.requireSchema(db)
        heads = [:]
        for list in lists { heads?[list] = try ListHead(list, in: db) }
      }
      version = found
      return heads
    }
  }
}
