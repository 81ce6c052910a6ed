import Foundation
import GRDB
import ListModel
import ListStore
import StoreSchema
import Testing

/// Checks what must hold in every store at rest.
func checkInvariants(
  of file: URL, _ hint: String = "", migrations: [Migration] = Migration.all,
  sourceLocation: SourceLocation = #_sourceLocation
) throws {
  let queue = try DatabaseQueue(path: file.path)
  try queue.read { db in
    let integrity = try String.fetchAll(db, sql: "PRAGMA integrity_check")
    #expect(integrity == ["ok"], "\(hint)", sourceLocation: sourceLocation)
  }
  try queue.close()
  var options = Repository.Options()
  options.migration.migrations = migrations
  let problems = try Repository(existing: file, options: options).checkInvariants()
  #expect(problems.isEmpty, "\(hint)", sourceLocation: sourceLocation)
}

extension Repository {
  /// The sequence number of the last feed line that a list took; 0 if it took none.
  func feedSequence(of list: ListID) throws -> Int {
    try read("read a list's row") { db in
      try Int.fetchOne(
        db, sql: "SELECT feedSequence FROM list WHERE name = ?", arguments: [list.rawValue]) ?? 0
    }
  }
}

/// Checks that replaying the log of a list from nothing gives the list in the rows.
func checkLogAgreesWithRows(
  of list: ListID, in repository: Repository, _ hint: String = "",
  sourceLocation: SourceLocation = #_sourceLocation
) throws {
  var replayed = ListTree(list: list)
  for commit in try repository.commits(of: list) { try replayed.apply(commit) }
  let rows = try repository.tree(of: list)
  #expect(replayed == rows, "\(hint)", sourceLocation: sourceLocation)
}
