import DerivedLists
import Foundation
import GRDB
import ListInspection
import ListModel
import ListStore
import ListTables
import StoreSchema
import TestSupport
import Testing

/// What is told of derived lists, and that hidden ones are not shown.
@Suite struct DerivedFactsTests {
  private let store: DerivedBench

  init() throws { store = try DerivedBench() }

  private func json(_ value: some Encodable) throws -> String {
    String(decoding: try JSONEncoder().encode(value), as: UTF8.self)
  }

  @Test func aSummaryHasTheDefinitions() throws {
    let lists = try Inspection(of: store.file).summary().lists
    #expect(lists.map(\.list) == ["deep", "grouped", "mirror", "s", "top"])
    #expect(lists.map { $0.derived?.source } == ["grouped", "s", "s", nil, "s"])
    // The second commit of the source has changed nothing in them.
    #expect(lists.map(\.revision) == [1, 2, 2, 3, 2])
    #expect(lists.map { $0.derived?.sourceRevision } == [1, 3, 3, nil, 3])
    #expect(lists.map(\.itemCount) == [6, 8, 8, 8, 3])
    #expect(lists.compactMap(\.derived).allSatisfy { $0.lag == 0 })
    let definitions = Dictionary(
      uniqueKeysWithValues: lists.compactMap { list in
        list.derived.map { (list.list, $0.definition) }
      })
    let lines = ["grouped", "deep", "top", "mirror"].map { definitions[$0] }
    #expect(lines == DerivedBench.lines)
  }

  @Test func anOutlineNamesTheSource() throws {
    let inspection = try Inspection(of: store.file)
    let outline = try inspection.outline()
    #expect(outline.lists.map { $0.derived?.source } == ["grouped", "s", "s", nil, "s"])
    #expect(try inspection.outline(of: "top").lists.map { $0.derived?.source } == ["s"])
    #expect(try inspection.outline(of: "top").findings.isEmpty)
  }

  @Test func noAnswerShowsHiddenLists() throws {
    let inspection = try Inspection(of: store.file)
    let report = inspection.report(.init(content: .full))
    var answers = [
      try json(inspection.summary()), try json(inspection.outline()), try json(inspection.space()),
      try json(inspection.sizes()), try json(inspection.usedNames(registry: [])), report.html,
      try json(inspection.listIDs()),
      try json(inspection.query("SELECT DISTINCT list FROM itemInOrder").rows.map { "\($0)" }),
      try json(inspection.query("SELECT DISTINCT list FROM changeInOrder").rows.map { "\($0)" }),
    ]
    let unknown = #expect(throws: StoreError.self) { try inspection.export("\u{1}whole") }
    answers.append(unknown?.message ?? "")
    let hidden = DerivedListRow.whole(of: "top").rawValue.dropFirst("\0whole ".count)
    for (index, answer) in answers.enumerated() {
      let isShown = answer.contains(hidden)
      #expect(!isShown, "\(index)")
    }
    let shows = answers.map { $0.contains("top") }
    #expect(shows.filter(\.self).count == 9, "\(shows)")
  }

  /// The contents of a derived list are its source's; what it keeps is its own, and its hidden list
  /// counts with it.
  @Test func spaceIsThatOfTheListThatItIsFor() throws {
    let space = try Inspection(of: store.file).space()
    let queue = try DatabaseQueue(path: store.file.path)
    let (all, changes) = try queue.read { db in
      (
        try Int.fetchOne(db, sql: "SELECT sum(length(content)) FROM content") ?? 0,
        try Int.fetchOne(
          db,
          sql: """
            SELECT sum(length(entries) + length(neighbours)) FROM change
            WHERE list IN (SELECT list FROM derivedList WHERE part <> 'all')
            """) ?? 0
      )
    }
    try queue.close()
    let bytes = Dictionary(
      uniqueKeysWithValues: space.lists.map { ($0.list, $0.contentByteCount ?? -1) })
    let one = #"{"k":"x","n":0}"#.utf8.count
    #expect(bytes == ["deep": 0, "grouped": one, "mirror": one, "s": 8 * one + 2, "top": one])
    #expect(space.lists.last?.changeByteCount == changes)
    #expect(space.lists.last?.commitCount == 4)
    #expect(space.lists.map(\.itemCount) == [6, 8, 8, 8, 3])
    #expect(space.loggedContentByteCount == max(0, all - (8 * one + 2) - 3 * one))
    #expect(space.tables.filter { $0.part == .other }.allSatisfy { !$0.name.hasPrefix("derived") })
  }

  @Test func aLongDefinitionIsCutAndEscaped() throws {
    let long = String(repeating: "<", count: 3_000) + "\u{202E}"
    let text = #"{"derived":"long","of":"s","where":[{"path":"/k","contains":"\#(long)"}]}"#
    try Repository(existing: store.file).define([
      (
        try DerivedDefinition(
          parsing: Array(text.utf8)), 1
      )
    ])
    let inspection = try Inspection(of: store.file)
    let facts = try #require(inspection.summary().lists.first { $0.list == "long" }?.derived)
    #expect(facts.definition.hasPrefix(#"{"derived":"long","of":"s","where":"#))
    #expect(
      facts.definition.hasSuffix("<… (\(text.utf8.count) bytes)") && facts.definition.count < 2_100)
    let html = inspection.report().html
    #expect(!html.contains("<<") && !html.contains("\u{202E}"))
    #expect(html.contains("derived from s, 0 commits behind"))
  }

  @Test func aDefinitionThatCanNotBeReadIsShownAsItIs() throws {
    try store.change("UPDATE derivedList SET definition = '{\"derived\":' || char(10)")
    let summary = try Inspection(of: store.file).summary()
    #expect(
      summary.lists.compactMap(\.derived).map(\.definition)
        == Array(repeating: "{\"derived\":\n", count: 4))
    #expect(summary.lists.map { $0.derived?.source } == ["grouped", "s", "s", nil, "s"])
    #expect(summary.findings.filter { $0.code == .derived }.count == 5)
  }

  @Test func aStoreOfVersionOneHasNone() throws {
    let file = store.bench.folder.file("one.sqlite")
    try FileManager.default.copyItem(at: PackageFiles.fixture("v0001.sqlite"), to: file)
    let inspection = try Inspection(of: file)
    #expect(inspection.check().allSatisfy { $0.severity == .notice })
    #expect(inspection.summary().lists.allSatisfy { $0.derived == nil })
    #expect(try inspection.outline().findings.isEmpty)
    #expect(inspection.space().findings.allSatisfy { $0.severity == .notice })
  }

  // MARK: The page

  private func page() throws -> ReportedPage {
    ReportedPage(try Inspection(of: store.file).report().html)
  }

  @Test func thePageNamesTheSourceWithoutAScript() throws {
    let plain = try page().plain()
    #expect(
      plain.contains(
        #"mirror<br><small class="muted">derived from s, 0 commits behind</small></th>"#))
    #expect(plain.contains("<th scope=\"row\">s</th>"))
  }

  @Test(.enabled(if: ReportedPage.hasNode, "needs node on the path"))
  func thePageShowsTheDefinitionAndLeadsToTheSource() throws {
    let shown =
      try page().run(
        """
        globalThis.Node = class {
          constructor(tag) { this.parts = tag === 'button' ? ['→ '] : []; }
          setAttribute() {}
          addEventListener(name, open) { open(); }
          append(part) { this.parts.push(part.parts ? part.parts.join('') : part); }
        };
        globalThis.document = { createElement: (tag) => new Node(tag) };
        return ['mirror', 's'].map((name) => {
          const opened = [];
          const explorer = { value, open: (index) => opened.push(value.lists[index].list) };
          const shown = make('p', {}, Explorer.prototype.derivation.call(explorer, name));
          return [shown.parts.join(''), ...opened];
        });
        """) as? [[String]]
    #expect(
      shown == [
        [
          "Derived from → s, follows its revision 3, 0 commits behind: " + DerivedBench.lines[3],
          "s",
        ], [""],
      ])
  }
}
