import Foundation
import GRDB
import ListItems
import ListModel
import ListStore
import Providers
import StoreFiles
import TestSupport
import Testing
import ListTables

/// A sound store is checked in one pass over its contents; any change by hand is found all the
/// same.
@Suite struct StoreProofTests {
  private let folder: TemporaryFolder
  private var file: URL { folder.file("store.sqlite") }

  init() throws {
    folder = try TemporaryFolder()
    let repository = try Repository(at: file)
    let view = Supplementary(view: "Head", content: "{\"title\":\"News\"}")
    try repository.commit(
      [.insertSection("s", SectionAttributes(header: view)), .insertSection("t")]
        + (0..<300).map { number in
          .insertItem(
            Item(
              id: ItemID(stringLiteral: "i\(number) é"), cell: number % 3 == 0 ? "A" : "B",
              content: try JSON(parsing: "{\"title\":\"Number \(number) of many\"}"),
              type: number % 2 == 0 ? "Book" : nil,
              action: number % 5 == 0 ? Action(event: "open") : nil), in: "s")
        }, to: "list")
    try repository.commit(
      [
        .updateItem("i7 é", ItemUpdate(content: .set("[1]"))), .deleteItem("i8 é"),
        .moveItem("i9 é", in: "t", to: .end), .touchItem("i10 é"),
      ], to: "list")
    try repository.commit([.deleteSection("t")], to: "list")
    try repository.commit([.insertSection("u")], to: "other")
    try repository.save(
      (20..<30).map { number in
        MeasuredSize(
          item: ItemID(stringLiteral: "i\(number) é"), size: Size(width: 320, height: 40),
          cell: number % 3 == 0 ? "A" : "B", contentRevision: 0)
      }, for: SizeKey(fittingPixels: 320, environment: LayoutEnvironment()), in: "list")
  }

  /// Changes the store without the triggers that tell of it.
  private func change(_ sql: String) throws {
    let queue = try DatabaseQueue(path: file.path)
    try queue.writeWithoutTransaction { db in
      try db.execute(sql: "PRAGMA ignore_check_constraints = 1; PRAGMA foreign_keys = 0")
      try db.execute(sql: sql + "; UPDATE store SET isBypassed = 0")
    }
    try queue.close()
  }

  private func problems(_ prepare: @escaping @Sendable (Database) -> Void = { _ in }) throws
    -> [StoreProblem]
  {
    var options = Repository.Options()
    options.prepareConnection = { prepare($0) }
    return try Repository(existing: file, options: options).checkInvariants()
  }

  @Test func aSoundStoreIsProvenWithoutALookAtSingleContents() throws {
    let statements = Guarded<[String]>([])
    #expect(
      try problems { db in
        db.trace { event in statements.withValue { $0.append("\(event)") } }
      } == [])
    let texts = statements.withValue { $0 }
    #expect(!texts.contains { $0.contains("json_valid(content)") }, "the proof has failed")
    let lookUps = texts.filter {
      $0.contains("FROM content WHERE id =") || $0.contains("FROM item WHERE list = 1 AND name")
    }
    // Those of the deleted section.
    #expect(lookUps.count <= 1, "\(lookUps)")
  }

  @Test(arguments: [
    "UPDATE item SET block = block + 1 WHERE name = 'i5 é'",
    "UPDATE item SET id = id + 900 WHERE name = 'i5 é'",
    "UPDATE item SET name = 'other' WHERE name = 'i5 é'",
    "DELETE FROM item WHERE name = 'i5 é'",
    "INSERT INTO item (list, name, id, block) VALUES (1, 'more', 1, 3)",
    "UPDATE content SET content = '{\"title\":\"Number 6 of MANY\"}' WHERE id = 8",
    "UPDATE content SET type = NULL WHERE id = 8", "UPDATE content SET type = '' WHERE id = 8",
    "UPDATE content SET action = '[]' WHERE id = 7",
    "UPDATE content SET content = 'x' WHERE content = '[1]'",
    "DELETE FROM content WHERE content = '[1]'", "DELETE FROM content WHERE id = 50",
    "INSERT INTO content (id, content) VALUES (310, '1')",
    "UPDATE cell SET name = 'C' WHERE name = 'B'",
    "UPDATE section SET itemCount = 5 WHERE name = 's'",
    "UPDATE block SET parent = 1 WHERE level = 0 AND parent IS NOT NULL",
    "UPDATE block SET members = replace(members, 'i33 é', 'i33 e')",
    "UPDATE supplementary SET view = 'Foot'",
    "UPDATE change SET entries = replace(entries, 'i33 é', 'i33 e')",
    "UPDATE change SET neighbours = zeroblob(length(neighbours)) WHERE revision = 2",
    "UPDATE change SET entries = replace(entries, '[5,', '[4,') WHERE revision = 2",
    "DELETE FROM change WHERE revision = 1", "DELETE FROM listCommit WHERE revision = 3",
    "UPDATE listCommit SET time = 5 WHERE revision = 2",
    "UPDATE listCommit SET digest = 5 WHERE revision = 2",
    "INSERT INTO listCommit (list, revision, author, digest, chain, changeTotal, byteTotal) "
      + "VALUES (1, 4, 1, 0, 0, 0, 0)",
    "UPDATE list SET digest = digest + 1 WHERE name = 'list'",
    "UPDATE list SET chain = chain + 1 WHERE name = 'other'",
    "UPDATE blockExtent SET length = length + 1", "DELETE FROM measuredSize",
    "UPDATE list SET sectionCount = 2 WHERE name = 'list'",
  ])
  func aChangeByHandIsFound(_ sql: String) throws {
    #expect(try problems() == [])
    try change(sql)
    #expect(try problems() != [])
  }

  /// The digest of rows that are read one by one is that of the list as a value.
  @Test func theDigestOfRowsIsThatOfTheTree() throws {
    let queue = try DatabaseQueue(path: file.path)
    let digest = try queue.read { db in try ListRows(db, "list")?.uncheckedDigest() }
    try queue.close()
    #expect(try digest == StateDigest(Repository(existing: file).tree(of: "list")))
  }
}
