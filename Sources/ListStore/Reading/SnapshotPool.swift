import Foundation
import GRDB
import ListModel
import StoreSchema

/// The connections that snapshots use, kept for the next one.
final class SnapshotPool: Sendable {
  private let path: String
  /// The file that the Repository opened.
  private let identity: FileIdentity?
  private let configuration: Configuration
  private let writer: StoreWriter
  private let state = Guarded(State())
  /// How many connections wait for work at most.
  private static let maximumIdleCount = 2
  /// From which size on the write-ahead log is moved into the file, in bytes: twice what SQLite does by
  /// itself where nobody reads.
  private static let maximumLogSize = 8 << 20

  private struct State {
    var idle: [DatabaseQueue] = []
    var live: [ObjectIdentifier: Live] = [:]
    /// Tells whether anybody has written since.
    var watch: DatabaseQueue?
    var isClosed = false
  }

  private struct Live {
    weak var snapshot: Snapshot?
    /// What the watching connection said when it was pinned.
    var version: Int
  }

  init(
    path: String, identity: FileIdentity?, configuration: Configuration, writer: StoreWriter
  ) {
    self.path = path
    self.identity = identity
    self.writer = writer
    var configuration = configuration
    configuration.allowsUnsafeTransactions = true
    // Not opened for reading alone: the last connection of a store to close tidies its log away.
    // What was read is kept by whoever asked, so that most pages are read once: 512 KB for the rest.
    configuration.prepareDatabase { db in
      try db.execute(sql: "PRAGMA query_only = 1; PRAGMA cache_size = -512")
    }
    self.configuration = configuration
  }

  /// Pins the store as it is now; one snapshot serves all who ask before somebody writes.
  func pin() throws -> Snapshot {
    let version = try version()
    let current = live().filter { $0.version == version }.map(\.snapshot)
    if let shared = current.last(where: \.isPinned) { return shared }
    let snapshot = Snapshot(try beginTransaction(), of: self)
    state.withValue {
      $0.live[ObjectIdentifier(snapshot)] = Live(snapshot: snapshot, version: version)
    }
    return snapshot
  }

  /// The snapshots that somebody uses.
  ///
  /// They are touched outside the lock alone: one whose last user has gone meanwhile ends here, which
  /// takes the lock.
  private func live() -> [(snapshot: Snapshot, version: Int)] {
    state.withValue { Array($0.live.values) }.compactMap { entry in
      entry.snapshot.map { ($0, entry.version) }
    }
  }

  func forget(_ snapshot: ObjectIdentifier) {
    state.withValue { $0.live[snapshot] = nil }
  }

  /// A number that changes when anybody writes; the first one is as good as any.
  private func version() throws -> Int {
    // The first snapshot has none to share with: no connection for that yet.
    guard !live().isEmpty else { return -1 }
    let watch = try state.withValue { $0.watch } ?? connect()
    state.withValue { $0.watch = watch }
    return try watch.unsafeRead { try Int.fetchOne($0, sql: "PRAGMA data_version") ?? 0 }
  }

  /// Lets the write-ahead log begin anew, if it has grown and nobody reads the past.
  ///
  /// SQLite does so by itself only at a moment when nobody reads at all, which snapshots never leave
  /// it. Those that have the newest state are pinned again, to the file alone.
  func tidyLog() throws {
    let attributes = try? FileManager.default.attributesOfItem(atPath: path + "-wal")
    guard let size = attributes?[.size] as? Int, size > Self.maximumLogSize else { return }
    let version = try version()
    let live = live().filter(\.snapshot.isPinned)
    guard live.allSatisfy({ $0.version == version }) else { return }
    try writer.withConnection("tidy the log") { db in _ = try db.checkpoint(.passive) }
    for (snapshot, _) in live {
      try snapshot.repin(ifStill: { try self.version() == version })
    }
  }

  /// Ends all read transactions.
  func releaseAll() {
    for (snapshot, _) in live() { snapshot.release() }
  }

  /// Another connection to the same file.
  private func connect() throws -> DatabaseQueue {
    guard FileIdentity(of: path) == identity else { throw StoreError.moved(path) }
    let queue = try DatabaseQueue(path: path, configuration: configuration)
    guard FileIdentity(of: path) == identity else { throw StoreError.moved(path) }
    return queue
  }

  func beginTransaction() throws -> DatabaseQueue {
    let queue = try state.withValue { $0.idle.popLast() } ?? connect()
    try queue.unsafeRead { db in
      try db.execute(sql: "BEGIN DEFERRED TRANSACTION")
      // The transaction begins with what is read first. It must be of the schema that we know.
      let version = try StoreStatement(db, "PRAGMA user_version").first { try $0.integer(0) } ?? 0
      try SchemaStatus.requireLatest(version, file: path)
    }
    return queue
  }

  /// Closes the connections that wait, and from now on those that come back.
  func close() {
    state.withValue { state in
      state.idle = []
      state.watch = nil
      state.isClosed = true
    }
  }

  func takeBack(_ queue: DatabaseQueue) {
    do {
      try queue.unsafeRead { db in
        if db.isInsideTransaction { try db.execute(sql: "ROLLBACK") }
      }
      state.withValue { state in
        if !state.isClosed, state.idle.count < Self.maximumIdleCount { state.idle.append(queue) }
      }
    } catch {
      // A connection that can't end its transaction is closed with its queue.
    }
  }
}
