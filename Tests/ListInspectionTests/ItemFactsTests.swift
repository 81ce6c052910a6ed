import Foundation
import ListInspection
import ListModel
import ListStore
import TestSupport
import Testing

/// What is known of one item or section, and why its sizes hold or not.
@Suite struct ItemFactsTests {
  private let bench: InspectionBench
  private let repository: Repository
  private var file: URL { bench.file }
  private let key = SizeKey(
    fittingPixels: 640, environment: LayoutEnvironment(displayScale: 2, system: "iOS 18"))

  init() throws {
    bench = try InspectionBench()
    repository = try Repository(at: bench.file)
    try repository.commit(
      [
        .insertSection("s", SectionAttributes(header: Supplementary(view: "Title", content: "1"))),
        .insertItem(Item(id: "a", cell: "C", content: #"{"n":1}"#, type: "Book"), in: "s"),
        .insertItem(Item(id: "b", cell: "C", content: "2"), in: "s"),
      ], to: "list", by: "server")
    try repository.save(
      [
        MeasuredSize(
          item: "a", size: Size(width: 320, height: 480.5), cell: "C", contentRevision: 0,
          measurerVersion: 3)
      ], for: key, in: "list")
    try repository.save(
      [
        MeasuredSupplementarySize(
          section: "s", kind: .header, size: Size(width: 320, height: 20),
          supplementary: Supplementary(view: "Title", content: "1"), measurerVersion: 3)
      ], for: key, in: "list")
  }

  private func facts(_ item: ItemID, measurer: Int? = nil) throws -> Inspection.ItemFacts {
    let facts = try bench.unchanged {
      try Inspection(of: file).facts(ofItem: item, in: "list", measurerVersion: measurer)
    }
    #expect(facts.findings == [])
    return facts
  }

  @Test func everythingOfAnItemIsTold() throws {
    try repository.commit([.moveItem("a", to: .end)], to: "list")
    let facts = try facts("a")
    #expect(facts.isThere)
    #expect(facts.place?.path == [0, 1])
    #expect(facts.place?.section == "s")
    #expect(facts.cell == "C")
    #expect(facts.type == "Book")
    #expect(facts.contentRevision == 0)
    #expect(facts.content?.byteCount == 7)
    #expect(facts.row != nil && facts.block != nil)
    #expect(facts.history?.commits.map(\.revision) == [1, 2])
    #expect(facts.history?.commits.map(\.author) == ["server", "app"])
    let move = try #require(facts.history?.commits.last?.entries.first)
    #expect(move.operation == "moveItem")
    #expect(move.from?.path == [0, 0])
    #expect(move.to?.path == [0, 1])
  }

  @Test func anExactSizeSaysWhatItWasMeasuredWith() throws {
    let size = try #require(try facts("a").sizes.first)
    #expect(size.isExact)
    #expect(size.reasons == [])
    #expect(size.width == 320)
    #expect(size.height == 480.5)
    #expect(size.axis == "vertical")
    #expect(size.fittingPixels == 640)
    #expect(size.environment.displayScale == 2)
    #expect(size.environment.system == "iOS 18")
    #expect(size.cell == "C")
    #expect(size.contentRevision == 0)
    #expect(size.measurerVersion == 3)
    #expect(try facts("b").sizes.isEmpty)
    #expect(try facts("a", measurer: 3).sizes[0].isExact)
  }

  @Test func anEstimateSaysAllReasons() throws {
    #expect(try facts("a", measurer: 4).sizes[0].reasons == [.measurer])
    try repository.commit([.updateItem("a", ItemUpdate(content: .set("7")))], to: "list")
    #expect(try facts("a").sizes[0].reasons == [.content])
    try repository.commit([.updateItem("a", ItemUpdate(cell: .set("D")))], to: "list")
    #expect(try facts("a").sizes[0].reasons == [.cell, .content])
    #expect(try facts("a").cell == "D")
    #expect(try facts("a").sizes[0].cell == "C")
    try repository.commit(
      [.updateSection("s", SectionUpdate(layout: .set(SectionLayout(columns: 2))))], to: "list")
    let facts = try facts("a", measurer: 4)
    #expect(facts.sizes[0].reasons == [.cell, .content, .layout, .measurer])
    #expect(!facts.sizes[0].isExact)
    #expect(facts.layout?.columns == 2)
  }

  @Test func aDeletedItemIsKnownByItsHistory() throws {
    try repository.commit([.deleteItem("a")], to: "list")
    let facts = try facts("a")
    #expect(!facts.isThere)
    #expect(facts.place == nil && facts.cell == nil)
    #expect(facts.history?.commits.map(\.revision) == [1, 2])
    #expect(facts.history?.commits.last?.entries.first?.before?.cell == "C")
    let failure = #expect(throws: StoreError.self) { try self.facts("c") }
    #expect(failure?.code == .itemNotFound)
    #expect(failure?.file == file.path)
    #expect(failure?.message.contains("\"b\"") == true)
  }

  @Test func aSectionIsToldWithItsViewsAndTheirSizes() throws {
    func facts() throws -> Inspection.SectionFacts {
      try bench.unchanged { try Inspection(of: file).facts(ofSection: "s", in: "list") }
    }
    let before = try facts()
    #expect(before.isThere)
    #expect(before.index == 0)
    #expect(before.itemCount == 2)
    #expect(before.visibility == "shown")
    #expect(before.views.map(\.view) == ["Title"])
    #expect(before.views[0].sizes.map(\.isExact) == [true])
    #expect(before.history?.commits.map(\.changeCount) == [3])
    let other = Supplementary(view: "Title", content: "2")
    try repository.commit(
      [.insertSection("t", at: .start), .updateSection("s", SectionUpdate(header: .set(other)))],
      to: "list")
    let after = try facts()
    #expect(after.index == 1)
    #expect(after.views[0].sizes.map(\.reasons) == [[.content]])
    #expect(after.history?.commits.map(\.revision) == [1, 2])
    #expect(after.history?.commits.last?.entries.map(\.operation) == ["updateSection"])
    let failure = #expect(throws: StoreError.self) {
      try Inspection(of: file).facts(ofSection: "u", in: "list")
    }
    #expect(failure?.code == .sectionNotFound)
  }
}
