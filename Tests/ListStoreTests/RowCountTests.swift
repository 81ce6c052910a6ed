import Foundation
import GRDB
import ListModel
import ListStore
import Providers
import TestSupport
import Testing

/// A change writes a handful of rows, wherever it is and however the list grew.
///
/// Counted by comparing the rows with those before.
@Suite struct RowCountTests {
  private let folder: TemporaryFolder
  private let repository: Repository

  init() throws {
    folder = try TemporaryFolder()
    repository = try Repository(at: folder.file("store.sqlite"))
  }

  private static func item(_ name: String) -> Item {
    Item(id: ItemID(stringLiteral: name), cell: "Cell", content: "1")
  }

  /// How many rows of the order's tables a closure inserts, deletes or changes.
  private func changedRows(_ body: () throws -> Void) throws -> Int {
    let tables = [
      "block": "id, parent, level, memberCount, members", "item": "id, name, block",
      "section": "id, block, root, itemCount", "content": "id, content",
    ]
    let queue = try DatabaseQueue(path: folder.file("store.sqlite").path)
    defer { try? queue.close() }
    return try queue.inDatabase { db in
      for (table, columns) in tables {
        try db.execute(sql: "CREATE TEMP TABLE \(table)Before AS SELECT \(columns) FROM \(table)")
      }
      try body()
      return try tables.reduce(0) { count, table in
        let now = "SELECT \(table.value) FROM \(table.key)"
        let before = "SELECT * FROM \(table.key)Before"
        return try count
          + (Int.fetchOne(
            db,
            sql: """
              SELECT count(*) FROM (
                SELECT id FROM (\(now) EXCEPT \(before)) UNION SELECT id FROM (\(before) EXCEPT \(now)))
              """) ?? 0)
      }
    }
  }

  private func fill(_ count: Int) throws {
    try repository.commit(
      [.insertSection("s")] + (0..<count).map { .insertItem(Self.item("i\($0)"), in: "s") },
      to: "list")
  }

  /// A leaf, those above it, the section, the item and its content; half a leaf's items where it
  /// splits; half an inner block's children where that splits.
  private static let usual = 6
  private static let worst = usual + 32 + 2

  @Test func anInsertAMoveAndADeletionInTheMiddleWriteAHandfulOfRows() throws {
    try fill(15_000)
    #expect(try changedRows { try repository.commit([.deleteItem("i7000")], to: "list") } <= 6)
    #expect(
      try changedRows {
        try repository.commit(
          [.insertItem(Self.item("new"), in: "s", at: .index(7_000))], to: "list")
      } <= 6)
    #expect(
      try changedRows {
        try repository.commit([.moveItem("i20", to: .index(14_000))], to: "list")
      } <= Self.worst)
    #expect(
      try changedRows {
        try repository.commit([.updateItem("i5", ItemUpdate(content: .set("2")))], to: "list")
      } == 2)
    #expect(try changedRows { try repository.commit([.touchItem("i5")], to: "list") } == 0)
    #expect(
      try changedRows {
        try repository.commit([.insertSection("t", at: .start)], to: "list")
      } == 3)
    #expect(try repository.checkInvariants().isEmpty)
  }

  @Test(arguments: ["at one spot", "at the front", "at the end"])
  func threeThousandInsertsInOnePlaceNeverWriteMoreThanASplit(_ place: String) throws {
    try fill(1_000)
    var most = 0
    let target: Place<ItemID> =
      switch place {
      case "at one spot": .after("i500")
      case "at the front": .start
      default: .end
      }
    for start in stride(from: 0, to: 3_000, by: 100) {
      let changes = (start..<(start + 100)).map {
        Change.insertItem(Self.item("n\($0)"), in: "s", at: target)
      }
      guard start == 200 else {
        try repository.commit(changes, to: "list")
        continue
      }
      // Looked at closely for a while, in which blocks split more than once.
      for change in changes {
        most = max(most, try changedRows { try repository.commit([change], to: "list") })
      }
    }
    #expect(most <= Self.worst, "\(place)")
    #expect(most > Self.usual || place == "at the end" || place == "at the front")
    #expect(try repository.provider(for: "list").numberOfItems == 4_000)
    #expect(try repository.checkInvariants().isEmpty)
  }

  @Test func aBulkInsertFillsItsBlocksEvenly() throws {
    try fill(10_000)
    let spread = (0..<10_000).map {
      Change.insertItem(Self.item("n\($0)"), in: "s", at: .index(5_000 + $0))
    }
    try repository.commit(spread, to: "list")
    let queue = try DatabaseQueue(path: folder.file("store.sqlite").path)
    let fill = try queue.read { db in
      try Double.fetchOne(
        db, sql: "SELECT avg(memberCount) FROM block WHERE level = 0 AND section IS NOT NULL")
    }
    try queue.close()
    #expect(try #require(fill) >= 30)
    #expect(try repository.checkInvariants().isEmpty)
  }

  @Test func aListThatWasEmptiedFromEitherEndHasOneBlock() throws {
    for deletion in ["front", "back", "shuffled"] {
      let list = ListID(stringLiteral: deletion)
      try repository.commit(
        [.insertSection("s")] + (0..<3_000).map { .insertItem(Self.item("i\($0)"), in: "s") },
        to: list)
      var order = Array(0..<3_000)
      if deletion == "back" { order.reverse() }
      if deletion == "shuffled" {
        var generator = SeededGenerator(seed: 1)
        order.shuffle(using: &generator)
      }
      for start in stride(from: 0, to: 3_000, by: 100) {
        try repository.commit(
          order[start..<(start + 100)].map { .deleteItem(Self.item("i\($0)").id) }, to: list)
        if start % 1_000 == 0 { #expect(try repository.checkInvariants().isEmpty) }
      }
      #expect(try repository.provider(for: list).numberOfItems == 0)
    }
    #expect(try repository.checkInvariants().isEmpty)
    let queue = try DatabaseQueue(path: folder.file("store.sqlite").path)
    let blocks = try queue.read { db in
      try Int.fetchOne(db, sql: "SELECT count(*) FROM block WHERE section IS NOT NULL")
    }
    try queue.close()
    #expect(blocks == 3)
  }
}
