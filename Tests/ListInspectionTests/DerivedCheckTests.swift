import DerivedLists
import Foundation
import ListInspection
import ListModel
import ListStore
import StoreSchema
import TestSupport
import Testing

/// A derived list that is not what its definition makes of its source is told, and repaired.
@Suite struct DerivedCheckTests {
  private let store: DerivedBench

  init() throws { store = try DerivedBench() }

  /// What becomes of the lists, as `WhatIsFound.md` says it.
  enum Outcome: String {
    case anew = "all derived anew"
    case leftOut = "the list is left out, and named"
  }

  /// A difference that is planted, and what is told of it.
  struct Planted: CustomTestStringConvertible {
    var testDescription: String
    var outcome: Outcome
    var list: ListID?
    var message: String
    var changes: [Change] = []
    var sql = ""

    /// A commit to a derived list: all of its rows agree.
    init(_ what: String, _ list: ListID, _ changes: [Change], _ message: String) {
      (testDescription, outcome) = (what, .anew)
      (self.list, self.changes, self.message) = (list, changes, message)
    }

    init(
      _ what: String, _ list: ListID?, _ sql: String, _ message: String, _ outcome: Outcome = .anew
    ) {
      (testDescription, self.outcome) = (what, outcome)
      (self.list, self.sql, self.message) = (list, sql, message)
    }
  }

  private static let extra = Item(id: "extra", cell: "C", content: "{}")
  private static let source = "(SELECT id FROM list WHERE name = 's')"
  private static let own = "(SELECT id FROM list WHERE name = 'mirror')"
  private static let grouped = "(SELECT id FROM list WHERE name = 'grouped')"

  static let planted: [Planted] = [
    Planted(
      "two items stand in another order", "grouped", [.moveItem("i6", to: .start)],
      #"it has item "i6" at [0, 0], by its definition "i0""#),
    Planted(
      "an item is missing", "mirror", [.deleteItem("i4")],
      #"it has no item at [0, 4], by its definition "i4""#),
    Planted(
      "an item is too many", "mirror", [.insertItem(extra, in: "b")],
      #"it has item "extra" at [1, 3], by its definition none"#),
    Planted(
      "an item is too many in a list with a limit", "top", [.insertItem(extra, in: "items")],
      #"it has item "extra" at [0, 3], by its definition none"#),
    Planted(
      "a header is another one", "grouped",
      [
        .updateSection(
          "y", SectionUpdate(header: .set(Supplementary(view: "H", content: #"{"value":"x"}"#))))
      ], #"section "y" at 1 has another header, layout or own data than by its definition"#),
    Planted(
      "a section is too many", "grouped", [.insertSection("w")],
      #"it has section "w" at 3, by its definition none"#),
    Planted(
      "sections stand in another order", "grouped", [.moveSection("z", to: .start)],
      #"it has section "z" at 0, by its definition "x""#),
    Planted(
      "a section is missing", "grouped", [.deleteSection("z")],
      #"it has no section at 2, by its definition "z""#),
    Planted(
      "an item has another content", "deep",
      [.updateItem("i1", ItemUpdate(content: .set(#"{"n":5}"#)))],
      #"item "i1" at [0, 3] has another cell or content than in its source"#),
    Planted(
      "an item has a row of its own", "mirror",
      [
        .deleteItem("i1"),
        .insertItem(
          Item(id: "i1", cell: "C", content: #"{"k":"y","n":5}"#), in: "a", at: .index(1)),
      ], #"item "i1" at [0, 1] is not the one of its source: it has another row"#),
    Planted("it has data of its own", "mirror", [.updateList(meta: "1")], "it has data of its own"),
    Planted(
      "an item has a copy of its content", "mirror",
      """
      UPDATE store SET lastItem = lastItem + 1;
      INSERT INTO content SELECT lastItem, type, action, content FROM content, store
        WHERE content.content = '{"k":"y","n":5}';
      UPDATE block SET members = json_set(members, '$[1][3]', 0, '$[1][4]',
          (SELECT lastItem FROM store))
        WHERE list = \(own) AND json_extract(members, '$[1][1]') = 'i1'
      """, #"item "i1" at [0, 1] has a content that its source has no longer, and nothing keeps it"#
    ),
    Planted(
      "a content that it keeps is not noted", "mirror",
      "DELETE FROM keptContent WHERE list = \(own)",
      #"item "i0" at [0, 0] has a content that its source has no longer, and nothing keeps it"#),
    Planted(
      "it keeps a content for nothing", "mirror",
      "INSERT INTO keptContent (content, list) SELECT id, \(own) FROM content WHERE content LIKE '%7}'",
      "contents that are kept for it, and that no item of it names: 1"),
    Planted(
      "a content is kept for a list that is not derived", nil,
      "INSERT INTO keptContent (content, list) SELECT max(id), \(source) FROM content",
      "contents that are kept for lists that are not derived: 1"),
    Planted(
      "a value of a section is counted twice", "grouped",
      "UPDATE derivedValue SET itemCount = itemCount + 1",
      #"section "x" at 0: the values that are counted are not those of its items"#),
    Planted(
      "values of a section are not counted", "grouped", "DELETE FROM derivedValue",
      #"section "x" at 0: the values that are counted are not those of its items"#),
    Planted(
      "a section of a list that is not derived has a value", nil,
      "INSERT INTO derivedValue SELECT min(id), x'00', 1 FROM section WHERE name = 'b'",
      "values of sections that no derived list has: 1"),
    Planted(
      "it follows a revision that its source has not had", "grouped",
      "UPDATE listCommit SET sourceRevision = 4 WHERE list = \(grouped) AND revision = 2",
      "it follows revision 4 of its source, which has had 3"),
    Planted(
      "a commit of its log follows no revision", "grouped",
      "UPDATE listCommit SET sourceRevision = NULL WHERE list = \(grouped) AND revision = 1",
      "revision 1 in its log follows no revision of its source, or an earlier one"),
    Planted(
      "its definition was changed", "mirror",
      """
      UPDATE derivedList SET definition = replace(definition, '"section"',
          '"where":[{"path":"/n","gt":0}],"section"') WHERE list = \(own)
      """, #"it has item "i0" at [0, 0], by its definition "i1""#),
    Planted(
      "its source is not there", "mirror",
      """
      UPDATE derivedList SET source = 'nowhere',
          definition = replace(definition, '"s"', '"nowhere"') WHERE list = \(own);
      UPDATE listCommit SET sourceRevision = 0 WHERE list = \(own)
      """, "its source is not there, and it is not empty"),
    Planted(
      "its definition is that of another list", "mirror",
      "UPDATE derivedList SET definition = replace(definition, 'mirror', 'other') WHERE list = \(own)",
      #"its definition is that of list "other""#, .leftOut),
    Planted(
      "its definition is no JSON", "mirror",
      "UPDATE derivedList SET definition = '{' WHERE list = \(own)",
      "its definition can't be read: ",
      .leftOut),
    Planted(
      "its definition is lost", "mirror", "DELETE FROM derivedList WHERE list = \(own)",
      "it was derived from another list, and its definition is lost", .leftOut),
    Planted(
      "it is derived from itself", "grouped",
      """
      UPDATE derivedList SET source = 'deep', definition = replace(definition, '"s"', '"deep"')
      WHERE list = \(grouped)
      """, "it is derived from itself", .leftOut),
    Planted(
      "the hidden list of one with a limit has lost its definition", "top",
      "DELETE FROM derivedList WHERE part = 'whole'", "the hidden list of all its items is missing"),
    Planted(
      "the list with a limit has lost its definition", "top",
      "DELETE FROM derivedList WHERE part = 'first'",
      "it was derived from another list, and its definition is lost"),
    Planted(
      "a hidden list is there for none", nil, "DELETE FROM derivedList WHERE part <> 'all'",
      "a hidden list is there for the sake of no derived list", .leftOut),
  ]

  private func errors() throws -> [Finding] {
    try Inspection(of: store.file).check().filter { $0.severity == .error }
  }

  @Test(arguments: planted) func eachDifferenceIsToldAndRepaired(_ planted: Planted) throws {
    #expect(try errors() == [])
    if planted.sql.isEmpty {
      try store.commit(planted.changes, to: planted.list ?? "")
    } else {
      try store.change(planted.sql)
    }
    let errors = try errors()
    let place = planted.list.map { "list \"\($0)\"" }
    #expect(
      errors.contains {
        $0.code == .derived && $0.place == place && $0.message.hasPrefix(planted.message)
      }, "\(errors)")
    for error in errors {
      #expect(error.code == .derived && error.advice.contains("cellar repair"), "\(error)")
      #expect(!error.description.unicodeScalars.contains("\0"), "\(error)")
    }
    let plan = try RepairPlan(of: store.file, accepting: [])
    let lost = planted.outcome == .leftOut
    #expect(lost == !plan.losses.isEmpty, "\(plan.losses)")
    for line in plan.losses + plan.steps {
      #expect(!line.unicodeScalars.contains("\0"), "\(line)")
    }
    _ = try plan.apply(to: store.file)
    #expect(try self.errors() == [])
    let names = ["grouped", "deep", "top", "mirror"] as [ListID]
    let gone = names.filter { name in
      plan.losses.contains { $0.hasPrefix("list \"\(name)\": it was") }
    }
    #expect(gone.isEmpty == !lost)
    if lost, planted.list == "mirror" { #expect(gone == ["mirror"]) }
    let isRenamed = planted.message.hasSuffix(#""other""#)
    try store.expectDerived(
      names.filter { !gone.contains($0) } + (isRenamed ? ["other"] : []),
      "\(planted.testDescription)")
  }

  /// The app defines it, as it does at each launch.
  @Test func aListThatHasLostItsDefinitionCanBeDefinedAgainAfterRepair() throws {
    try store.change(
      "DELETE FROM derivedList WHERE list = (SELECT id FROM list WHERE name = 'mirror')")
    let definition = try DerivedDefinition(parsing: Array(DerivedBench.lines[3].utf8))
    let refusal = #expect(throws: StoreError.self) {
      try Repository(existing: store.file).define([(definition, 1)])
    }
    #expect(refusal?.code == .duplicateID)
    _ = try RepairPlan(of: store.file, accepting: []).apply(to: store.file)
    try Repository(existing: store.file).define([(definition, 1)])
    try store.expectDerived(["grouped", "deep", "top", "mirror"], "")
    #expect(try errors() == [])
  }

  /// A list that is not derived stays, whatever a damaged row says of it.
  @Test func aDefinitionOfAListThatIsNotDerivedDoesNotDeleteIt() throws {
    let items = try Repository(existing: store.file).tree(of: "s").sections
    try store.change(
      "UPDATE derivedList SET list = \(Self.source), part = 'all' WHERE list = \(Self.own)")
    #expect(try errors().contains { $0.place == "list \"s\"" && $0.code == .derived })
    _ = try RepairPlan(of: store.file, accepting: []).apply(to: store.file)
    #expect(try Repository(existing: store.file).tree(of: "s").sections == items)
    try store.expectDerived(["grouped", "deep", "top", "mirror"], "")
    #expect(try errors() == [])
  }

  /// Items whose rows another list has, too, without a word of a definition.
  @Test func listsThatShareItemsAreTold() throws {
    try store.change(
      """
      UPDATE listCommit SET sourceRevision = NULL WHERE list = \(Self.own);
      DELETE FROM derivedList WHERE list = \(Self.own); DELETE FROM keptContent WHERE list = \(Self.own)
      """)
    let errors = try errors()
    #expect(
      errors.map(\.message) == ["items that it has of another list, and is not derived: 8"]
        && errors[0].code == .rows && errors[0].place == "list \"mirror\"", "\(errors)")
    let lists = ["s", "mirror"] as [ListID]
    func items() throws -> [[Item]] {
      let repository = try Repository(existing: store.file)
      return try lists.flatMap { try repository.tree(of: $0).sections.map(\.items) }
    }
    let before = try items()
    _ = try RepairPlan(of: store.file, accepting: []).apply(to: store.file)
    #expect(try self.errors() == [])
    #expect(try items() == before)
  }

  /// Other systems order otherwise, and nobody is told to repair that.
  @Test func theOrderOfALocaleIsComparedOnTheSystemThatHasIt() throws {
    try Repository(existing: store.file).define([
      (
        try DerivedDefinition(
          parsing: Array(
            #"{"derived":"local","of":"s","sort":[{"path":"/k","collation":"localized"}]}"#.utf8)),
        1
      )
    ])
    #expect(try errors() == [])
    try store.commit([.moveItem("i0", to: .end)], to: "local")
    #expect(
      try errors().map(\.message) == [#"it has item "i3" at [0, 0], by its definition "i0""#])
    try store.change("UPDATE derivedList SET collation = 'another' WHERE collation IS NOT NULL")
    #expect(try errors() == [])
  }

  @Test(arguments: [
    "UPDATE derivedList SET ordinal = 9223372036854775807",
    "UPDATE listCommit SET sourceRevision = -9223372036854775808",
    "UPDATE derivedList SET part = 'x'", "DROP TABLE derivedList", "DROP TABLE keptContent",
    "UPDATE derivedList SET definition = printf('%.*c', 100000, '[')",
    """
    UPDATE derivedList SET definition = '{"' || printf('%.*c', 3000000, 'x') || char(10, 0x202E) || '":1}'
    """,
    "UPDATE derivedValue SET itemCount = 9223372036854775807",
    "UPDATE block SET members = (SELECT members FROM block WHERE list = 1 AND level = 0 AND section > 0)",
  ]) func hostileRowsEndInFindings(_ sql: String) throws {
    try store.change(sql)
    let inspection = try Inspection(of: store.file)
    let errors = inspection.check().filter { $0.severity == .error }
    #expect(!errors.isEmpty)
    #expect(
      errors.allSatisfy { $0.message.utf8.count < 2_000 }, "\(errors.map(\.message.utf8.count))")
    #expect(inspection.summary().lists.map(\.list) == ["deep", "grouped", "mirror", "s", "top"])
    #expect(throws: Never.self) { try inspection.outline() }
    _ = inspection.report()
    guard !sql.hasPrefix("DROP") else { return }
    _ = try RepairPlan(of: store.file, accepting: []).apply(to: store.file)
    #expect(try self.errors() == [])
  }
}
