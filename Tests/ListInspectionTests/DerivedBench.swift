import DerivedLists
import Foundation
import GRDB
import ListInspection
import ListModel
import ListStore
import ListTables
import TestSupport
import Testing

/// A store of a list `s` of eight items, and of lists that are derived from it.
///
/// `grouped` is in sections of values, and `deep` derived from that; `top` has a limit, and so a hidden
/// list; `mirror` has the source's sections. One content was written otherwise since, so that derived
/// lists keep the earlier one.
struct DerivedBench {
  let bench: InspectionBench
  var file: URL { bench.file }

  static let lines = [
    #"{"derived":"grouped","of":"s","sort":[{"path":"/n"}],"section":{"path":"/k","view":"H"}}"#,
    #"{"derived":"deep","of":"grouped","where":[{"path":"/n","lt":6}]}"#,
    #"{"derived":"top","of":"s","sort":[{"path":"/n","descending":true}],"limit":3}"#,
    ##"{"derived":"mirror","of":"s","section":{"path":"#section"}}"##,
  ]

  init() throws {
    bench = try InspectionBench()
    let repository = try Repository(at: bench.file)
    try repository.define(
      Self.lines.enumerated().map { (try DerivedDefinition(parsing: Array($1.utf8)), $0 + 1) })
    try repository.commit(
      [.insertSection("a"), .insertSection("b")]
        + (0..<8).map {
          .insertItem(
            Item(
              id: ItemID(stringLiteral: "i\($0)"), cell: "C",
              content: Self.content($0, "\($0 * 5 % 8)")),
            in: $0 < 5 ? "a" : "b")
        }, to: "s")
    try repository.commit(
      [.updateItem("i0", ItemUpdate(content: .set(Self.content(0, "0.0"))))], to: "s")
    try repository.commit(
      [.updateItem("i3", ItemUpdate(content: .set(Self.content(3, "6"))))], to: "s")
    try repository.close()
  }

  private static func content(_ item: Int, _ number: String) -> JSON {
    JSON(stringLiteral: "{\"k\":\"\(["x", "y", "z"][item % 3])\",\"n\":\(number)}")
  }

  /// Changes the store as somebody does who knows SQLite, without the triggers that tell of it.
  func change(_ sql: String) throws {
    let queue = try DatabaseQueue(path: file.path)
    try queue.writeWithoutTransaction { db in
      try db.execute(sql: "PRAGMA ignore_check_constraints = 1; PRAGMA foreign_keys = 0")
      try db.execute(sql: sql + "; UPDATE store SET isBypassed = 0")
    }
    try queue.close()
  }

  /// Commits changes to a derived list as to a list that is none: its rows, its log and its digest agree
  /// afterwards.
  func commit(_ changes: [Change], to list: ListID) throws {
    try change(
      """
      CREATE TABLE memo AS SELECT * FROM derivedList;
      INSERT INTO item (list, name, id, block)
        SELECT list, json_extract(value, '$[1]'), json_extract(value, '$[0]'), block.id
        FROM block JOIN json_each(members)
        WHERE level = 0 AND section IS NOT NULL AND list IN (SELECT list FROM memo);
      DELETE FROM borrowedItem; DELETE FROM derivedList
      """)
    let repository = try Repository(existing: file)
    try repository.commit(changes, to: list)
    try repository.close()
    try change(
      """
      INSERT INTO derivedList SELECT * FROM memo;
      INSERT INTO borrowedItem
        SELECT list, id, block FROM item WHERE list IN (SELECT list FROM memo);
      DELETE FROM item WHERE list IN (SELECT list FROM memo); DROP TABLE memo;
      UPDATE listCommit SET sourceRevision
          = (SELECT max(sourceRevision) FROM listCommit AS other WHERE other.list = listCommit.list)
        WHERE sourceRevision IS NULL
      """)
  }

  /// Compares all derived lists of a store with what their definitions make of their sources.
  func expectDerived(_ names: [ListID], _ comment: Comment) throws {
    let repository = try Repository(existing: file)
    let derived = try repository.derivedLists()
    #expect(derived.map(\.list) == names, comment)
    for list in derived.map(\.definition) {
      let wanted = try DerivedOracle(list.json.text).tree(
        of: repository.lists().contains(list.source)
          ? repository.tree(of: list.source) : ListTree(list: list.source))
      let found = try repository.tree(of: list.list)
      #expect(found.sections.map(\.id) == wanted.sections.map(\.id), comment)
      #expect(
        found.sections.map { $0.items.map(\.id) } == wanted.sections.map { $0.items.map(\.id) },
        comment)
    }
  }
}
