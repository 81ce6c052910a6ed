import Foundation
import GRDB
import ListModel
import ListTables
import StoreSchema

/// The same changes as of the target `rows`, read in one connection, some ten times as often: the log, the
/// order of the lists, their items, and the check of the store.
func fuzzLog(_ bytes: [UInt8]) {
  let flags = bytes.first ?? 0
  let queue = flags & 2 == 0 ? Shelf.small : Shelf.large
  requireSuccess("change rows") {
    try queue.writeWithoutTransaction { db in
      try db.inTransaction {
        var changes = RowChanges(bytes.dropFirst(), areSeen: flags & 1 == 0)
        try changes.apply(to: db)
        read(db)
        return .rollback
      }
    }
  }
}

/// Connections that are open as long as the process runs.
private enum Shelf {
  static let small = open(Shelves.small, "small")
  static let large = open(Shelves.large, "large")

  private static func open(_ files: Shelves.Files, _ name: String) -> DatabaseQueue {
    requireSuccess("open") {
      try FileManager.default.createDirectory(
        at: Shelves.folder, withIntermediateDirectories: true)
      let file = Shelves.folder.appendingPathComponent(name)
      files.write(to: file)
      var configuration = Configuration.store()
      configuration.prepareDatabase { db in
        try db.makeViews()
        try RowChanges.loosen(db)
      }
      let queue = try DatabaseQueue(path: file.path, configuration: configuration)
      // What it opens for a moment it may keep.
      try queue.writeWithoutTransaction { db in
        try db.execute(sql: "PRAGMA journal_mode = MEMORY; PRAGMA synchronous = 0")
      }
      return queue
    }
  }
}

/// Reads everything; any error will do, because a Repository makes a typed one of it.
private func read(_ db: Database) {
  let check = StoreCheck(db)
  try? check.run()
  if StoreProof.holds(for: db), let problem = check.problems.first {
    wrong("a store that is proven to be sound is not: \(problem)")
  }
  let lists = (try? String.fetchAll(db, sql: "SELECT name FROM list ORDER BY name")) ?? []
  for list in lists.compactMap({ try? ListID($0) }) {
    guard let rows = ((try? ListRows(db, list)) ?? nil) else { continue }
    try? rows.checkHead()
    _ = try? rows.listTree()
    guard rows.revision > rows.logFloor else { continue }
    _ = try? rows.commits(in: rows.logFloor + 1...min(rows.revision, rows.logFloor + 20))
    _ = try? rows.listTree(at: rows.logFloor)
    _ = try? rows.loggedDigest()
    _ = try? rows.lastDamagedRevision()
  }
}
