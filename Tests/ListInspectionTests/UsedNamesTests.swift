import Foundation
import GRDB
import ListInspection
import ListModel
import ListStore
import TestSupport
import Testing

/// The names in a store, with where they are used.
@Suite struct UsedNamesTests {
  private let bench: InspectionBench

  init() throws {
    bench = try InspectionBench()
    let repository = try Repository(at: bench.file)
    func item(_ id: ItemID, _ cell: CellName, type: TypeName? = nil) -> Change {
      .insertItem(
        Item(id: id, state: ItemState(cell: cell, content: "1", type: type)), in: "s")
    }
    let header = Supplementary(view: "Title", content: "1")
    try repository.commit(
      [
        .insertSection("s", SectionAttributes(header: header)), item("a", "A", type: "T"),
        item("b", "A"), item("c", "Gone", type: "Old"),
      ], to: "one")
    try repository.commit([.deleteItem("c")], to: "one")
    try repository.commit(
      [.insertSection("s", SectionAttributes(header: header)), item("a", "A"), item("b", "B")],
      to: "two")
  }

  @Test func usesAreCountedByList() throws {
    let names = try bench.unchanged { try Inspection(of: bench.file).usedNames() }
    #expect(names.cells.map(\.name) == ["A", "B", "Gone"])
    #expect(names.cells.map(\.uses) == [["one": 2, "two": 1], ["two": 1], [:]])
    #expect(names.types.map(\.name) == ["Old", "T"])
    #expect(names.types.map(\.uses) == [[:], ["one": 1]])
    #expect(names.views.map(\.name) == ["Title"])
    #expect(names.views.map(\.kind) == ["header"])
    #expect(names.views.map(\.uses) == [["one": 1, "two": 1]])
    #expect(names.unknownCells == nil)
    #expect(names.unusedCells == nil)
  }

  @Test func aRegistryTellsUnknownAndUnusedCells() throws {
    let names = try Inspection(of: bench.file).usedNames(registry: ["A", "New"])
    #expect(names.unknownCells == ["B", "Gone"])
    #expect(names.unusedCells == ["New"])
  }

  @Test func whatCannotBeReadHidesNothingElse() throws {
    let queue = try DatabaseQueue(path: bench.file.path)
    try queue.write { try $0.execute(sql: "UPDATE block SET members = 'x'") }
    try queue.close()
    let names = try Inspection(of: bench.file).usedNames(registry: ["A"])
    #expect(names.cells.isEmpty)
    #expect(names.unusedCells == nil, "nothing is known of them")
    #expect(names.views.count == 1)
    #expect(names.findings.contains { $0.code == .unreadable && $0.place == "the names of cells" })
  }
}
