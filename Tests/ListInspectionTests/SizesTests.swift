import Foundation
import GRDB
import ListInspection
import ListModel
import ListStore
import TestSupport
import Testing

/// How measured sizes are spread, and which hold no longer.
@Suite struct SizesTests {
  private let bench: InspectionBench
  private let repository: Repository
  private var file: URL { bench.file }
  private let key = SizeKey(fittingPixels: 320, environment: LayoutEnvironment())

  init() throws {
    bench = try InspectionBench()
    repository = try Repository(at: bench.file)
    try repository.commit(
      [.insertSection("s")]
        + (0..<20).map {
          .insertItem(
            Item(id: ItemID(stringLiteral: "\($0)"), cell: $0 < 15 ? "A" : "B", content: "1"),
            in: "s")
        }, to: "list")
  }

  private func measure(_ heights: [Int: Double], for key: SizeKey? = nil) throws {
    try repository.save(
      heights.map { number, height in
        MeasuredSize(
          item: ItemID(stringLiteral: "\(number)"), size: Size(width: 320, height: height),
          cell: number < 15 ? "A" : "B", contentRevision: 0)
      }, for: key ?? self.key, in: "list")
  }

  private func sizes() throws -> StoreSizes {
    let sizes = try bench.unchanged { try Inspection(of: file).sizes() }
    #expect(sizes.findings.allSatisfy { $0.severity != .error })
    return sizes
  }

  @Test func lengthsAreCountedByCellAndKey() throws {
    // 1 to 10 points, 10 points five times more.
    try measure(
      Dictionary(uniqueKeysWithValues: (0..<15).map { ($0, Double(min(10, $0 + 1))) }))
    try measure([15: 40, 16: 40])
    let sizes = try sizes()
    #expect(sizes.keys.map(\.fittingPixels) == [320])
    #expect(sizes.keys.map(\.isNewest) == [true])
    let groups = try #require(sizes.lists.first).groups
    #expect(groups.map(\.cell) == ["A", "B"])
    #expect(groups.map(\.count) == [15, 2])
    #expect(groups.map(\.distinctCount) == [10, 1])
    #expect(groups.map(\.least) == [1, 40])
    #expect(groups.map(\.median) == [8, 40])
    #expect(groups.map(\.percentile95) == [10, 40])
    #expect(groups.map(\.greatest) == [10, 40])
    #expect(groups.map(\.sum) == [105, 80])
    #expect(groups.map(\.histogram) == [[2, 1, 1, 1, 1, 1, 1, 7], [2, 0, 0, 0, 0, 0, 0, 0]])
    #expect(groups.map(\.staleCounts) == [[:], [:]])
    #expect(sizes.lists[0].estimatedError == 0)
    #expect(try Inspection(of: file).sizes(of: "list").lists == sizes.lists)
    let none = try Inspection(of: file).sizes(of: "none")
    #expect(none.findings.contains { $0.code == .unreadable })
  }

  @Test func staleSizesHaveAReasonAndAnError() throws {
    try measure([0: 10, 1: 10, 2: 14, 3: 17, 15: 40])
    try repository.commit(
      [
        .updateItem("2", ItemUpdate(content: .set("2"))),
        .updateItem("3", ItemUpdate(cell: .set("B"))),
      ], to: "list")
    var list = try #require(try sizes().lists.first)
    #expect(list.groups.map(\.staleCounts) == [[.content: 1, .cell: 1], [:]])
    // 14 instead of 10 for a cell A, 17 instead of 40 for a cell B.
    #expect(list.estimatedError == 27)
    try repository.commit(
      [.updateSection("s", SectionUpdate(layout: .set(SectionLayout(columns: 2))))], to: "list")
    list = try #require(try sizes().lists.first)
    #expect(list.groups[0].staleCounts == [.content: 1, .cell: 1, .layout: 2])
    #expect(list.estimatedError == 0, "nothing to compare with")
  }

  @Test func sizesOfAnEarlierKeyAreStaleForThatReason() throws {
    try measure([0: 10, 1: 10])
    let queue = try DatabaseQueue(path: file.path)
    try queue.write { try $0.execute(sql: "UPDATE sizeKey SET usedAt = 1") }
    try measure([0: 20], for: SizeKey(fittingPixels: 640, environment: LayoutEnvironment()))
    let sizes = try sizes()
    #expect(sizes.keys.map(\.fittingPixels) == [640, 320])
    #expect(sizes.keys.map(\.isNewest) == [true, false])
    #expect(sizes.lists[0].groups.map(\.staleCounts) == [[:], [.key: 2]])
    #expect(sizes.lists[0].estimatedError == 0)
  }

  @Test func headersAndFootersAreCountedAfterCells() throws {
    let titles = (["1", "2", "3"] as [JSON]).map { Supplementary(view: "Title", content: $0) }
    try repository.commit(
      titles.enumerated().map {
        .insertSection(
          SectionID(stringLiteral: "s\($0)"), SectionAttributes(header: $1, footer: titles[0]))
      }, to: "list")
    try measure([0: 10])
    try repository.save(
      titles.enumerated().flatMap { index, title in
        [(Supplementary.Kind.header, 20 + Double(index), title), (.footer, 5, titles[0])].map {
          MeasuredSupplementarySize(
            section: SectionID(stringLiteral: "s\(index)"), kind: $0,
            size: Size(width: 320, height: $1), supplementary: $2)
        }
      }, for: key, in: "list")
    var list = try #require(try sizes().lists.first)
    #expect(list.groups.map(\.cell) == ["A", "Title", "Title"])
    let kinds: [Supplementary.Kind?] = [nil, .footer, .header]
    #expect(list.groups.map(\.kind) == kinds.map { $0?.rawValue })
    #expect(list.groups.map(\.count) == [1, 3, 3])
    #expect(list.groups.map(\.sum) == [10, 15, 63])
    #expect(list.groups.map(\.staleCounts) == [[:], [:], [:]])
    try repository.commit(
      [.updateSection("s0", SectionUpdate(header: .set(titles[2])))], to: "list")
    list = try #require(try sizes().lists.first)
    #expect(list.groups.map(\.staleCounts) == [[:], [:], [.content: 1]])
    // 20 instead of 21.
    #expect(list.estimatedError == 1)
  }

  @Test func sizesThatNoCellCanHaveAreFound() throws {
    try measure([0: 10])
    let queue = try DatabaseQueue(path: file.path)
    try queue.writeWithoutTransaction { db in
      try db.execute(sql: "PRAGMA ignore_check_constraints = 1")
      try db.execute(sql: "UPDATE measuredSize SET height = 9e999")
    }
    let sizes = try Inspection(of: file).sizes()
    #expect(sizes.lists.isEmpty)
    #expect(sizes.findings.contains { $0.code == .size })
  }
}
