import Foundation
import DerivedLists
import GRDB
import ListModel
import ListStore
import TestSupport
import Testing

/// The queries of the article show a list and its log to a program that knows nothing of Cellar.
@Suite struct LookingWithSQLiteTests {
  private let folder: TemporaryFolder
  private var file: URL { folder.file("store.sqlite") }
  private let repository: Repository

  init() throws {
    folder = try TemporaryFolder()
    repository = try Repository(at: folder.file("store.sqlite"))
  }

  private func article() throws -> String {
    try textOfFile("Sources/ListStore/ListStore.docc/LookingWithSQLite.md")
  }

  /// The queries in the order of the article.
  private func queries() throws -> [String] {
    try article().components(separatedBy: "```").filter { $0.hasPrefix("sql\n") }
      .map { String($0.dropFirst(4)) }
  }

  /// Rows as any program reads them that ran the file of views before.
  private func rows(_ query: String) throws -> [Row] {
    let plain = try DatabaseQueue(path: file.path)
    defer { try? plain.close() }
    return try plain.writeWithoutTransaction { db in
      try makeLookingViews(db)
      return try Row.fetchAll(db, sql: query)
    }
  }

  @Test func theArticleHasTheFileOfViews() throws {
    let file = try textOfFile("tools/looking.sql")
    let views = try #require(file.firstRange(of: "-- Every item"))
    #expect(try article().contains("```\n" + file[views.lowerBound...] + "```"))
  }

  @Test func aListOfAnyLengthIsShownInItsOrder() throws {
    var generator = SeededGenerator(seed: 7)
    var changes: [Change] = (0..<5).map { .insertSection(ItemNames.section($0), at: .start) }
    for number in 0..<15_000 {
      changes.append(
        .insertItem(
          Item(
            id: ItemNames.item(number), cell: number % 3 == 0 ? "A" : "B",
            content: try JSON(parsing: "{\"n\":\(number)}"), type: number % 2 == 0 ? "T" : nil,
            action: number % 7 == 0 ? Action(url: "u") : nil),
          in: ItemNames.section(number < 14_000 ? 0 : generator.number(1..<4)), at: .start))
    }
    try repository.commit(changes, to: "shelf")
    try repository.commit(
      [.updateItem(ItemNames.item(9), ItemUpdate(content: .set("\"9\"")))], to: "shelf")
    try repository.commit([.insertSection("other")], to: "other")
    let size = MeasuredSize(
      item: ItemNames.item(9), size: Size(width: 320, height: 44.5), cell: "A",
      contentRevision: 1)
    try repository.save(
      [size], for: SizeKey(fittingPixels: 640, environment: LayoutEnvironment()), in: "shelf")
    let found = try rows(queries()[0])
    var expected: [[DatabaseValue]] = []
    let tree = try repository.tree(of: "shelf")
    for (sectionPosition, section) in tree.sections.enumerated() {
      for (position, item) in section.items.enumerated() {
        expected.append([
          sectionPosition.databaseValue, section.id.rawValue.databaseValue,
          position.databaseValue, item.id.rawValue.databaseValue,
          item.state.cell.rawValue.databaseValue,
          item.state.type?.rawValue.databaseValue ?? .null, item.state.content.text.databaseValue,
        ])
      }
    }
    let values: [[DatabaseValue]] = found.map { $0.databaseValues.dropLast() }
    #expect(values == expected)
    let measured = found.filter { $0["sizes"] != "[]" }
    #expect(measured.map { $0["item"] as String } == [ItemNames.item(9).rawValue])
    let sizes = try JSON(parsing: try #require(measured.first?["sizes"] as String?))
    #expect(
      try sizes.isEquivalent(
        to: JSON(
          parsing: """
            [{"axis":"vertical","fittingPixels":640,"variant":"","width":320,"height":44.5}]
            """)))
  }

  private func text(_ value: DatabaseValue) -> String {
    switch value.storage {
    case .null: "NULL"
    case .int64(let number): "\(number)"
    case .string(let text): text
    default: "\(value)"
    }
  }

  @Test func theLogIsShownFromItsBeginning() throws {
    try repository.commit(
      [
        .insertSection("s"), .insertSection("t", SectionAttributes(meta: "1")),
        .insertItem(Item(id: "a", cell: "A", content: "\"one\""), in: "s"),
        .insertItem(Item(id: "b", cell: "A", content: "2"), in: "t"),
      ], to: "shelf", by: "editor")
    try repository.commit(
      [
        .updateItem("a", ItemUpdate(cell: .set("B"), content: .set("[1]"))),
        .moveItem("a", in: "t", to: .end), .touchItem("b"), .moveSection("t", to: .start),
        .updateSection("s", SectionUpdate(meta: .set("7"))), .updateList(meta: "{}"),
        .deleteItem("b"), .deleteSection("t"),
      ], to: "shelf")
    let found = try rows(queries()[1])
    let lines = found.map { row in
      row.databaseValues.enumerated().filter { $0.offset != 2 }.map { text($0.element) }
        .joined(separator: " ")
    }
    #expect(
      lines == [
        "1 editor insertSection NULL s NULL 0 NULL {}",
        "1 editor insertSection NULL t NULL 1 NULL {\"meta\":1}",
        "1 editor insertItem a NULL NULL 0.0 NULL \"one\"",
        "1 editor insertItem b NULL NULL 1.0 NULL 2",
        "2 app updateItem a NULL 0.0 NULL \"one\" [1]",
        "2 app moveItem a NULL 0.0 1.1 NULL NULL",
        "2 app touchItem b NULL 1.0 NULL NULL NULL",
        "2 app moveSection NULL t 1 0 NULL NULL",
        "2 app updateSection NULL s 1 NULL {} {\"meta\":7}",
        "2 app updateList NULL NULL NULL NULL NULL {}",
        "2 app deleteItem b NULL 0.0 NULL 2 NULL",
        "2 app deleteSection NULL t 0 NULL {\"meta\":1} NULL",
      ])
    let time: String = try #require(found.first?["time"])
    #expect(time.count == "2026-01-01 00:00:00.000".count)
    let cells = try rows(
      "SELECT cellBefore, cellAfter FROM changeInOrder WHERE cellBefore <> cellAfter")
    #expect(cells.map { [$0[0] as String, $0[1] as String] } == [["A", "B"]])
  }

  @Test func contentsAreFoundByTheirBlocksToo() throws {
    try repository.commit(
      [.insertSection("s"), .insertItem(Item(id: "a", cell: "A", content: "1"), in: "s")],
      to: "shelf")
    try repository.commit([.updateItem("a", ItemUpdate(content: .set("2")))], to: "shelf")
    #expect(try queries().count == 4)
    #expect(try rows(queries()[2]).map { [$0[0] as String, $0[1] as String] } == [["a", "2"]])
  }

  @Test func itemsAreFoundByTheirWords() throws {
    try repository.commit(
      [.insertSection("s")]
        + ["Emmas", "Mansfield", "Ëmma"].map {
          .insertItem(
            Item(
              id: ItemID(stringLiteral: $0), cell: "A",
              content: JSON(stringLiteral: "{\"t\":\"The \($0)\"}")),
            in: "s")
        }, to: "shelf")
    #expect(try rows(queries()[3]).isEmpty)
    try repository.keepSearchIndex(of: "shelf", at: [ValuePath("/t")])
    #expect(try rows(queries()[3]).map { $0[0] as String } == ["Emmas", "Ëmma"])
  }
}

/// Makes the views that show a list and its log, as any program can.
func makeLookingViews(_ db: Database) throws {
  try db.execute(sql: textOfFile("tools/looking.sql"))
}

private func textOfFile(_ path: String) throws -> String {
  try String(contentsOf: PackageFiles.root.appendingPathComponent(path), encoding: .utf8)
}

private enum ItemNames {
  static func item(_ number: Int) -> ItemID { ItemID(stringLiteral: "item \(number)") }
  static func section(_ number: Int) -> SectionID { SectionID(stringLiteral: "section \(number)") }
}
