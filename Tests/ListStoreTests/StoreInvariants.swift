import Foundation
import GRDB
import ListModel
import ListStore
import Testing

/// Checks what must hold in every store at rest, through SQL of its own.
func checkInvariants(
  of file: URL, _ hint: String = "", sourceLocation: SourceLocation = #_sourceLocation
) throws {
  let queue = try DatabaseQueue(path: file.path)
  try queue.read { db in
    let integrity = try String.fetchAll(db, sql: "PRAGMA integrity_check")
    #expect(integrity == ["ok"], "\(hint)", sourceLocation: sourceLocation)
    /// Queries that must find nothing.
    let violations = [
      "PRAGMA foreign_key_check",
      """
      SELECT name FROM section
      WHERE itemCount <> (SELECT count(*) FROM item WHERE item.section = section.id)
      """,
      """
      SELECT name FROM list
      WHERE sectionCount <> (SELECT count(*) FROM section WHERE section.list = list.id)
      """,
      """
      SELECT item.name FROM item JOIN section ON section.id = item.section
      WHERE item.list <> section.list
      """,
      """
      SELECT name FROM list WHERE revision <>
        (SELECT coalesce(max(revision), 0) FROM listCommit WHERE listCommit.list = list.id)
      """,
      """
      SELECT name FROM list WHERE revision <>
        (SELECT count(*) FROM listCommit WHERE listCommit.list = list.id)
      """,
    ]
    for query in violations {
      let found = try Row.fetchAll(db, sql: query)
      #expect(found.isEmpty, "\(query) found \(found) \(hint)", sourceLocation: sourceLocation)
    }
  }
  try queue.close()
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
