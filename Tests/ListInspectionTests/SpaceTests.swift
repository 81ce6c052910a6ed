import Foundation
import GRDB
import ListInspection
import ListModel
import ListStore
import TestSupport
import Testing
import ListTables

/// The bytes of a store are all accounted for.
@Suite struct SpaceTests {
  private let bench: InspectionBench
  private var file: URL { bench.file }

  init() throws { bench = try InspectionBench() }

  @Test func tablesAndFreePagesAreTheWholeFile() throws {
    try bench.makeStore()
    let queue = try DatabaseQueue(path: file.path)
    // Pages that become free.
    try queue.write { db in
      try db.execute(sql: "CREATE TABLE other (value)")
      try db.execute(sql: "INSERT INTO other VALUES (randomblob(100000))")
      try db.execute(sql: "DROP TABLE other")
    }
    let hasPageCounts = try queue.read {
      try Bool.fetchOne($0, sql: "SELECT 1 FROM pragma_module_list WHERE name = 'dbstat'") ?? false
    }
    try queue.close()
    let space = try bench.unchanged { try Inspection(of: file).space() }
    #expect(space.findings.allSatisfy { $0.severity != .error })
    #expect(space.freeByteCount >= 24 * 4_096)
    guard hasPageCounts else { return }
    #expect(space.method == .pages)
    let tables = space.tables.reduce(0) { $0 + $1.byteCount }
    #expect(tables + space.freeByteCount == space.byteCount)
    let parts = space.parts.values.reduce(0, +)
    #expect(parts == tables)
    #expect(space.tables.first { $0.name == "content" }?.part == .contents)
    // The index of a table is part of it.
    #expect(!space.tables.contains { $0.name.hasPrefix("sqlite_autoindex") })
    let unused = try #require(space.unusedByteCount)
    #expect(unused > 0 && unused < tables)
  }

  @Test func valuesAreAddedUpWhereSQLiteDoesNotCountPages() throws {
    try bench.makeStore()
    let inspection = try Inspection(of: file)
    let (pages, values) = (inspection.space(), inspection.space(by: .values))
    #expect(values.method == .values)
    #expect(values.unusedByteCount == nil)
    #expect(values.lists == pages.lists)
    for table in values.tables {
      let measured = try #require(pages.tables.first { $0.name == table.name })
      #expect(table.part == measured.part)
      #expect(table.byteCount <= measured.byteCount * 2, "\(table.name)")
    }
    #expect(try #require(values.parts[.contents]) > 0)
  }

  @Test func contentsThatOnlyTheLogNamesAreToldApart() throws {
    let repository = try Repository(at: file)
    let (short, long) = ("\"1\"", "\"" + String(repeating: "x", count: 998) + "\"")
    try repository.commit(
      [
        .insertSection("s"),
        .insertItem(Item(id: "a", cell: "C", content: JSON(stringLiteral: short)), in: "s"),
        .insertItem(Item(id: "b", cell: "C", content: JSON(stringLiteral: long)), in: "s"),
      ], to: "list")
    var space = try Inspection(of: file).space()
    #expect(space.lists.map(\.contentByteCount) == [1_003])
    #expect(space.lists.map(\.itemCount) == [2])
    #expect(space.loggedContentByteCount == 0)
    try repository.commit([.deleteItem("b")], to: "list")
    space = try Inspection(of: file).space()
    #expect(space.lists.map(\.contentByteCount) == [3])
    #expect(space.loggedContentByteCount == 1_000)
    #expect(space.lists.map(\.commitCount) == [2])
    try repository.truncateLog(of: "list", keeping: LogRetention(changes: 0))
    #expect(try Inspection(of: file).space().loggedContentByteCount == 0)
  }

  @Test func whatCannotBeReadHidesNothingElse() throws {
    try bench.makeStore()
    let queue = try DatabaseQueue(path: file.path)
    try queue.write { try $0.execute(sql: "UPDATE block SET members = 'x' WHERE list = 1") }
    try queue.close()
    let space = try Inspection(of: file).space()
    #expect(
      space.findings.contains { $0.code == .unreadable && $0.place?.contains("first") == true })
    let areUnread = space.lists.map { $0.contentByteCount == nil }
    #expect(areUnread == [true, false])
    #expect(space.lists.allSatisfy { ($0.commitCount ?? 0) > 0 })
    #expect(space.loggedContentByteCount == nil)
    #expect(!space.tables.isEmpty)
  }
}
