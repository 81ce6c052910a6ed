import Foundation
import GRDB
import ListInspection
import ListModel
import ListStore
import StoreSchema
import SuiteSupport
import TestSupport
import Testing

/// What is wrong in the rows is found, by its kind and place, and hides nothing else.
@Suite struct FindingTests {
  let bench: InspectionBench
  private var file: URL { bench.file }

  init() throws {
    bench = try InspectionBench()
    let repository = try Repository(at: file)
    try repository.commit(
      [.insertSection("s")]
        + (0..<6).map { number in
          .insertItem(
            Item(
              id: ItemID(stringLiteral: "i\(number)"), cell: number == 0 ? "Old" : "New",
              content: "{}"), in: "s")
        }, to: "a")
    try repository.commit([.updateItem("i1", ItemUpdate(content: .set("[1]")))], to: "a")
    try repository.commit([.insertSection("t")], to: "b")
    let key = SizeKey(fittingPixels: 320, environment: LayoutEnvironment())
    try repository.save(
      [
        MeasuredSize(
          item: "i0", size: Size(width: 320, height: 40), cell: "Old", contentRevision: 0)
      ], for: key, in: "a")
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

  private static let reversed = """
    UPDATE block SET members = (SELECT json_group_array(json(value)) FROM (
      SELECT value FROM json_each(members) ORDER BY key DESC))
    WHERE level = 0 AND section IS NOT NULL AND json_array_length(members) > 1
    """

  /// Damage to rows, with the kind of its finding, as `WhatIsFound.md` lists it.
  struct Damage: CustomTestStringConvertible {
    var testDescription: String
    var code: StoreProblem.Code
    var sql: String

    init(_ what: String, _ code: StoreProblem.Code, _ sql: String) {
      (testDescription, self.code, self.sql) = (what, code, sql)
    }
  }

  static let damages = [
    Damage("the items of a section are in another order", .digest, reversed),
    Damage("the changes of a commit are gone", .log, "DELETE FROM change WHERE revision = 2"),
    Damage("an item is gone", .order, "DELETE FROM item WHERE name = 'i2'"),
    Damage(
      "a section counts more items than it has", .order,
      "UPDATE section SET itemCount = itemCount + 1 WHERE name = 's'"),
    Damage(
      "blocks count more than they have", .order,
      "UPDATE block SET memberCount = memberCount + 1 WHERE list = 1"),
    Damage(
      "a content is no JSON", .content,
      "UPDATE content SET content = '{\"' WHERE content = '[1]'"),
    Damage(
      "a content is another one", .digest,
      "UPDATE content SET content = '[2]' WHERE content = '[1]'"),
    Damage("a content is gone", .content, "DELETE FROM content WHERE content = '[1]'"),
    Damage(
      "nothing names a content", .content, "INSERT INTO content (id, content) VALUES (9, '1')"),
    Damage("a size is negative", .size, "UPDATE measuredSize SET height = -1"),
    Damage("the sums of sizes are gone", .size, "DELETE FROM blockExtent"),
    Damage(
      "a list has another digest", .digest,
      "UPDATE list SET digest = digest + 1 WHERE name = 'a'"),
    Damage(
      "a commit has another chain hash", .log,
      "UPDATE listCommit SET chain = 7 WHERE revision = 2"),
    Damage(
      "a commit has another digest", .log,
      "UPDATE listCommit SET digest = 7 WHERE revision = 1 AND list = 1"),
    Damage("a commit is gone", .log, "DELETE FROM listCommit WHERE revision = 2"),
    Damage(
      "a list's own data is no JSON", .content, "UPDATE list SET meta = '{' WHERE name = 'a'"),
    Damage(
      "a screen's state is that of no list", .viewState,
      """
      INSERT INTO viewState (list, view, selectionMode, anchorItem, anchorOffset)
      VALUES (77, '', 'none', NULL, NULL)
      """),
    Damage(
      "a page is ahead of no line", .rows,
      "INSERT INTO pageAhead (list, page, sequence, undo) VALUES (2, '{}', 1, '[]'), (77, '{}', 9, '[]')"
    ),
    Damage(
      "an item owns a list that is no nested one", .owner,
      "INSERT INTO listOwner (list, ownerList, ownerItem, name) VALUES (2, 1, 'i0', 'n')"),
  ]

  @Test(arguments: damages)
  func whatIsWrongIsFoundWhereItIs(_ damage: Damage) throws {
    let (sql, code) = (damage.sql, damage.code)
    let whole = try Inspection(of: file).export("b")
    try change(sql)
    let inspection = try Inspection(of: file)
    let errors = inspection.check().filter { $0.severity == .error }
    #expect(errors.contains { $0.code == code }, "\(errors)")
    for error in errors {
      #expect(!error.meaning.isEmpty && !error.advice.isEmpty)
      #expect(error.place == nil || error.place == "list \"a\"" || sql.contains("listOwner"))
    }
    let summary = inspection.summary()
    #expect(summary.integrity != ["ok"])
    #expect(summary.lists.map(\.list) == ["a", "b"])
    // The other list is as it was.
    #expect(try inspection.export("b") == whole)
    #expect(summary.lists.last?.revision == 1)
  }

  /// The last id is looked at only when an item comes; everything else is found.
  @Test func everyOtherDamageOfRowsIsFound() throws {
    let original = bench.folder.file("original.sqlite")
    do {
      let repository = try Repository(at: original)
      let item = Item(id: "1", cell: "Cell", content: "{\"n\":1}")
      try repository.commit([.insertSection("s"), .insertItem(item, in: "s")], to: "list")
      try repository.commit([.updateItem("1", ItemUpdate(content: .set("1")))], to: "list")
      try repository.save(
        [
          MeasuredSize(item: "1", size: Size(width: 9, height: 9), cell: "Cell", contentRevision: 1)
        ],
        for: SizeKey(fittingPixels: 320, environment: LayoutEnvironment()), in: "list")
    }
    for damage in RowDamage.all {
      try FileManager.default.removeItem(at: file)
      try FileManager.default.copyItem(at: original, to: file)
      try change(damage)
      let errors = try Inspection(of: file).check().filter { $0.severity == .error }
      #expect(!errors.isEmpty || damage.hasPrefix("UPDATE store SET lastItem"), "\(damage)")
    }
  }

  @Test func aSoundStoreHasNoFinding() throws {
    #expect(try Inspection(of: file).check().map(\.code) == [])
  }

  @Test func whatAnotherProgramWroteIsNotSealed() throws {
    let queue = try DatabaseQueue(path: file.path)
    try queue.write { try $0.execute(sql: Self.reversed) }
    try queue.close()
    let inspection = try bench.unchanged { try Inspection(of: file) }
    let codes = inspection.check().map(\.code)
    #expect(codes.contains(.bypassed) && codes.contains(.digest))
    let list = try #require(inspection.summary().lists.first)
    #expect(list.revision == 2 && list.lastCommit?.author == "app", "as the file has it")
  }

  @Test func cellsThatTheAppDoesNotKnowAreWarnedOf() throws {
    let findings = try Inspection(of: file).check(registry: ["New", "Other"])
    let unknown = try #require(findings.first { $0.code == .unknownCell })
    #expect(unknown.severity == .warning && unknown.place == "Old")
    #expect(try !Inspection(of: file).check(registry: ["New", "Old"]).contains(unknown))
  }

  // MARK: The schema

  @Test(arguments: [
    "DROP TABLE measuredSize", "DROP TRIGGER item_insert", "DROP TABLE feedLine",
    "ALTER TABLE cell ADD COLUMN more INTEGER",
  ])
  func aChangedSchemaIsToldAndTheRestIsRead(_ sql: String) throws {
    let whole = try Inspection(of: file).export("b")
    try change(sql)
    let inspection = try Inspection(of: file)
    let finding = try #require(inspection.findings.first { $0.code == .otherSchema })
    #expect(sql.contains(try #require(finding.place)))
    #expect(try inspection.export("b") == whole)
  }

  @Test func sqlOfOthersIsToldAndNotRun() throws {
    try change(
      """
      CREATE TABLE mine (a CHECK (length(a) > 0));
      CREATE INDEX theirs ON item (length(name));
      PRAGMA writable_schema = 1;
      UPDATE sqlite_schema SET sql = replace(sql, 'length(', 'length(''x'' || zeroblob(1000000000) || ')
        WHERE name IN ('mine', 'theirs');
      """)
    let inspection = try Inspection(of: file)
    let findings = inspection.check().filter { $0.code == .foreignSQL }
    #expect(findings.map(\.place) == ["theirs", "mine"])
    #expect(findings.map(\.severity) == [.warning, .notice])
    #expect(inspection.check().allSatisfy { $0.severity < .error })
    #expect(throws: StoreError.self) { try Inspection(of: file, inPlace: true) }
  }

  @Test(
    .timeLimit,
    arguments: [
      """
      DROP TABLE item;
      CREATE VIEW item AS WITH RECURSIVE a (x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM a)
        SELECT x AS list, x AS name, x AS id, x AS block FROM a
      """,
      """
      DROP TABLE cell;
      CREATE TABLE cell (id INTEGER PRIMARY KEY, name TEXT AS (hex(zeroblob(1000000000))))
      """,
    ])
  func whatIsNoTableIsNotRead(_ sql: String) throws {
    try change(sql)
    let inspection = try Inspection(of: file)
    let findings = inspection.check()
    #expect(findings.contains { $0.code == .otherSchema && $0.meaning.contains("not read") })
    #expect(findings.contains { $0.code == .unreadable && $0.place == "the lists" })
    #expect(inspection.summary().lists.isEmpty)
    #expect(inspection.evidence.header?.schemaVersion == Migration.latestVersion)
  }

  @Test func aNewerStoreIsReadAsFarAsItsTablesAreKnown() throws {
    let whole = try Inspection(of: file).export("a")
    try change("ALTER TABLE item ADD COLUMN later INTEGER; PRAGMA user_version = 99")
    let inspection = try Inspection(of: file)
    #expect(inspection.findings.contains { $0.code == .newerSchema })
    #expect(inspection.refusal?.code == .newerStore)
    #expect(try inspection.export("a") == whole)
  }

  @Test func otherSQLOfAMigrationIsTold() throws {
    try change("UPDATE schemaMigration SET checksum = '1:00' WHERE version = 1")
    let inspection = try Inspection(of: file)
    #expect(inspection.findings.contains { $0.code == .otherMigration })
    #expect(inspection.refusal?.code == .modifiedMigration)
    #expect(inspection.summary().lists.count == 2)
  }
}
