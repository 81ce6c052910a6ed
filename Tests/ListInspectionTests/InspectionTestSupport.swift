import Foundation
import GRDB
import ListInspection
import ListModel
import ListStore
import ListSync
import TestSupport
import Testing

/// A folder with a store that has a history.
final class InspectionBench {
  let folder: TemporaryFolder
  var file: URL { folder.file("store.sqlite") }
  /// The write-ahead log beside it.
  var log: URL { folder.file("store.sqlite-wal") }
  /// The rollback journal beside it.
  var journal: URL { folder.file("store.sqlite-journal") }

  init() throws { folder = try TemporaryFolder() }

  /// Makes a store with two lists of random changes; gives their trees at the head.
  @discardableResult
  func makeStore(seed: UInt64 = 1, commits: Int = 30) throws -> [ListID: ListTree] {
    try fill(Repository(at: file), seed: seed, commits: commits)
  }

  @discardableResult
  func fill(
    _ repository: Repository, seed: UInt64 = 1, commits: Int = 30
  ) throws -> [ListID: ListTree] {
    var generator = SeededGenerator(seed: seed)
    let source = RandomChanges(hasSectionParts: true)
    var trees: [ListID: ListTree] = [:]
    for list in ["first", "second"] as [ListID] {
      var tree =
        try repository.lists().contains(list) ? repository.tree(of: list) : ListTree(list: list)
      for _ in 0..<commits {
        var changes: [Change] = []
        for _ in 0..<generator.number(0..<6) {
          let change = source.change(for: tree, using: &generator)
          try tree.apply(change)
          changes.append(change)
        }
        try repository.commit(changes, to: list, by: "writer")
        tree.revision += 1
      }
      trees[list] = tree
    }
    return trees
  }

  /// Makes a store as a process leaves it that ends while the store is open: commits are in the log
  /// alone.
  ///
  /// - Returns: The lists as the log has them, and as the file alone has them.
  func makeStoreWithLog() throws -> (whole: [ListID: ListTree], earlier: [ListID: ListTree]) {
    let source = try InspectionBench()
    let earlier = try source.makeStore()
    let repository = try Repository(existing: source.file)
    let whole = try source.fill(repository, seed: 2, commits: 8)
    for suffix in ["", "-wal"] {
      try FileManager.default.copyItem(
        atPath: source.file.path + suffix, toPath: file.path + suffix)
    }
    #expect(repository.file == source.file, "open until here")
    return (whole, earlier)
  }

  /// Leaves a store as a power failure does in the middle of a transaction without a write-ahead log:
  /// the file has changed pages, and the journal what they were.
  static func cutOffTransaction(in file: URL) throws {
    let elsewhere = try TemporaryFolder()
    let queue = try DatabaseQueue(path: file.path)
    try queue.writeWithoutTransaction { db in
      try db.execute(sql: "PRAGMA journal_mode = DELETE")
      try db.execute(sql: "PRAGMA cache_spill = 1; PRAGMA cache_size = 1")
      try db.execute(sql: "BEGIN; UPDATE content SET content = '\"changed\"'")
      try db.execute(sql: "CREATE TABLE t (x); INSERT INTO t VALUES (zeroblob(100000))")
      for suffix in ["", "-journal"] {
        try FileManager.default.copyItem(
          atPath: file.path + suffix, toPath: elsewhere.file("s").path + suffix)
      }
      try db.execute(sql: "ROLLBACK")
    }
    try queue.close()
    for suffix in ["", "-journal"] {
      try? FileManager.default.removeItem(atPath: file.path + suffix)
      try FileManager.default.copyItem(
        atPath: elsewhere.file("s").path + suffix, toPath: file.path + suffix)
    }
  }

  /// Runs an inspection, twice; checks that nothing in a folder changed: names, bytes, times.
  @discardableResult
  func unchanged<Value>(
    in folder: TemporaryFolder? = nil, sourceLocation: SourceLocation = #_sourceLocation,
    _ look: () throws -> Value
  ) throws -> Value {
    let url = (folder ?? self.folder).url
    let before = try FolderSnapshot(of: url)
    _ = try? look()
    let result = Result { try look() }
    let changes = before.changes(to: try FolderSnapshot(of: url))
    #expect(changes == [], sourceLocation: sourceLocation)
    return try result.get()
  }
}

/// Everything that an inspection can be asked.
func lookAtAll(
  _ file: URL, inPlace: Bool = false
) throws -> (summary: StoreSummary, heads: [String: String]) {
  let inspection = try Inspection(of: file, inPlace: inPlace)
  let summary = inspection.summary()
  let outline = try inspection.outline(isLong: true)
  for list in try inspection.timeline(hasRates: true).lists {
    for section in outline.lists.first(where: { $0.list == list.list })?.sections ?? [] {
      _ = try inspection.facts(ofSection: SectionID(section.section), in: ListID(list.list))
      for item in section.items.prefix(2) {
        _ = try inspection.facts(ofItem: ItemID(item.item), in: ListID(list.list))
      }
    }
  }
  var heads: [String: String] = [:]
  for list in summary.lists {
    heads[list.list] = try inspection.export(ListID(list.list))
    _ = try inspection.export(ListID(list.list), at: 0)
    _ = try inspection.export(ListID(list.list), at: (list.revision ?? 0) / 2)
  }
  return (summary, heads)
}

extension [ListID: ListTree] {
  /// What an export of the heads must print.
  var exports: [String: String] {
    Dictionary<String, String>(uniqueKeysWithValues: map { ($0.rawValue, $1.json()) })
  }
}
