internal import Floor
import Foundation

/// A database that C reads and writes: what SQLite does at best.
final class FloorStore {
  private let store: OpaquePointer

  /// Opens or makes it.
  init(_ file: URL) throws {
    guard let store = floor_open(file.path) else { throw Self.failure() }
    self.store = store
  }

  deinit { floor_close(store) }

  // MARK: Whole rows

  func makeItems() throws { try Self.check(Int64(floor_make_items(store))) }

  /// Inserts the items in their order, in one transaction.
  @discardableResult
  func insert(_ items: FlatItems) throws -> Int {
    try items.withRows { rows in try Self.check(floor_insert_items(store, rows)) }
  }

  /// Replaces the payloads of all items, in one transaction.
  func update(_ items: FlatItems) throws -> Int {
    try items.withRows { rows in try Self.check(floor_update_items(store, rows)) }
  }

  /// Inserts the items into a store of Cellar that holds none, with their log.
  func insertLogged(_ items: FlatItems) throws -> Int {
    try items.withRows { rows in try Self.check(floor_insert_logged(store, rows)) }
  }

  /// Inserts the items into the one section of a store of Cellar, as a feed of commits does.
  func ingest(_ items: FlatItems, commitSize: Int) throws -> Int {
    try items.withRows { rows in try Self.check(floor_ingest(store, rows, Int64(commitSize))) }
  }

  /// Steps all rows in the order of the list and touches each column.
  func stepItems() throws -> Int { try Self.check(floor_step_items(store)) }

  // MARK: Sizes

  func makeSizes(_ count: Int) throws { try Self.check(floor_make_sizes(store, Int64(count))) }

  func updateSizes(of ids: [Int64], height: Double) throws -> Int {
    try Self.check(floor_update_sizes(store, ids, Int64(ids.count), height))
  }

  /// Chooses the items of a store whose sizes are written.
  func chooseSizes(of items: [Int64]) throws {
    try Self.check(Int64(floor_choose_sizes(store, items, Int64(items.count))))
  }

  /// Writes the rows of the sizes that were chosen, and of the sums that they are part of.
  func writeSizes(height: Double) throws -> Int {
    try Self.check(floor_write_sizes(store, height))
  }

  // MARK: Commits

  func prepareCommits() throws { try Self.check(Int64(floor_prepare_commits(store))) }

  /// The rows that hold an item's place, with their texts.
  final class Path {
    fileprivate var path = floor_path()
    deinit { floor_free_path(&path) }
  }

  /// Reads what a commit next to an item will write anew.
  func path(ofItem item: Int) throws -> Path {
    let path = Path()
    try Self.check(Int64(floor_read_path(store, Int64(item), &path.path)))
    return path
  }

  /// Writes the rows of a commit of one insertion.
  func commit(_ path: Path, key: String, payload: String) throws -> Int {
    try Self.check(
      floor_commit(
        store, &path.path, key, Int32(key.utf8.count), payload, Int32(payload.utf8.count)))
  }

  @discardableResult
  private static func check(_ result: Int64) throws -> Int {
    guard result >= 0 else { throw failure() }
    return Int(result)
  }

  private static func failure() -> BenchmarkError {
    BenchmarkError("the floor failed: \(String(cString: floor_error()))")
  }
}

/// How long transactions keep other writers out.
enum LockTime {
  /// Times the transactions of all connections that are opened from now on.
  static func begin() throws {
    guard floor_time_locks() == 0 else { throw BenchmarkError("transactions can't be timed") }
  }

  /// The longest one since the last call, in nanoseconds.
  static func takeLongest() -> Double { Double(floor_longest_lock()) }
}

/// The keys and payloads of items, one behind the other, as C takes them.
struct FlatItems {
  private var keys: [CChar] = []
  private var payloads: [CChar] = []
  private(set) var count = 0

  mutating func append(key: String, payload: String) {
    keys.append(contentsOf: key.utf8.lazy.map(CChar.init(bitPattern:)))
    payloads.append(contentsOf: payload.utf8.lazy.map(CChar.init(bitPattern:)))
    count += 1
  }

  fileprivate func withRows<Result>(_ body: (floor_rows) throws -> Result) rethrows -> Result {
    try keys.withUnsafeBufferPointer { keys in
      try payloads.withUnsafeBufferPointer { payloads in
        try body(
          floor_rows(
            count: Int64(count), keys: keys.baseAddress, key_length: Int32(keys.count / count),
            payloads: payloads.baseAddress, payload_length: Int32(payloads.count / count)))
      }
    }
  }
}
