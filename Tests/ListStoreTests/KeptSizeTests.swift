import Foundation
import GRDB
import ListModel
import ListStore
import Providers
import TestSupport
import Testing

/// Sizes that a Provider has kept and the store's sums lack.
@Suite struct KeptSizeTests {
  private let folder: TemporaryFolder
  private let repository: Repository
  private let key = SizeKey(fittingPixels: 320, environment: LayoutEnvironment())
  private let count = 1_000

  /// A list of two sections, whose orders have blocks of two levels.
  init() throws {
    folder = try TemporaryFolder()
    repository = try Repository(at: folder.file("store.sqlite"))
    try repository.commit(
      ["a", "b"].flatMap { section in
        [Change.insertSection(SectionID(stringLiteral: section))]
          + (0..<count).map {
            .insertItem(
              Item(id: ItemID(stringLiteral: "\(section)\($0)"), cell: "Cell", content: "1"),
              in: SectionID(stringLiteral: section))
          }
      }, to: "list")
  }

  private func keep(_ heights: [Int: Double], _ provider: Provider, section: Int = 0) {
    for (item, height) in heights {
      let path = ItemPath(section: section, item: item)
      #expect(provider.keep(Size(width: 320, height: height), at: path, for: key))
    }
  }

  /// Compares the extents of all sections with sizes, by item.
  private func expect(
    _ heights: [[Int: Double]], in provider: Provider,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    for (section, heights) in heights.enumerated() {
      let extent = try #require(provider.extent(ofSection: section, for: key))
      #expect(extent.measuredCount == heights.count, sourceLocation: sourceLocation)
      let length = heights.values.reduce(0, +)
      #expect(extent.measuredLength == length, sourceLocation: sourceLocation)
      let mean = extent.mean(estimate: 44)
      for item in [0, 1, 500, extent.itemCount - 1] {
        let offset = (0..<item).reduce(0) { $0 + (heights[$1] ?? mean) }
        let found = provider.item(
          atOffset: offset + 0.5, inSection: section, for: key, estimate: 44)
        #expect(found?.path.item == item, sourceLocation: sourceLocation)
      }
    }
  }

  @Test func aKeptSizeCountsInTheExtentAtOnceAndOnlyOnce() throws {
    let provider = try repository.provider(for: "list")
    try expect([[:], [:]], in: provider)
    keep([0: 100, 500: 20], provider)
    keep([999: 8], provider, section: 1)
    try expect([[0: 100, 500: 20], [999: 8]], in: provider)
    // Another size for an item that has one, and a size that stays.
    keep([0: 50, 1: 30], provider)
    try expect([[0: 50, 1: 30, 500: 20], [999: 8]], in: provider)
    repository.flushSizes()
    try expect([[0: 50, 1: 30, 500: 20], [999: 8]], in: provider)
    // A Provider that has begun a new read transaction, in which the sums have the sizes.
    repository.suspend()
    try expect([[0: 50, 1: 30, 500: 20], [999: 8]], in: provider)
    try expect([[0: 50, 1: 30, 500: 20], [999: 8]], in: repository.provider(for: "list"))
    keep([1: 31], provider)
    try expect([[0: 50, 1: 31, 500: 20], [999: 8]], in: provider)
  }

  @Test func aSizeOfAnotherKeyAndAMarkChangeNoExtent() throws {
    let provider = try repository.provider(for: "list")
    keep([0: 100], provider)
    var wide = key
    wide.fittingPixels = 640
    #expect(provider.extent(ofSection: 0, for: wide)?.measuredCount == 0)
    provider.setNeedsLayout(at: ItemPath(section: 0, item: 0))
    try expect([[0: 100], [:]], in: provider)
  }

  /// A Provider replaces the size that it knows; here the store has another one by now.
  @Test func aSizeReplacesOneThatAnotherProviderHasWrittenMeanwhile() throws {
    let (provider, other) = (
      try repository.provider(for: "list"), try repository.provider(for: "list")
    )
    for (height, writer) in [(5.0, provider), (6, other), (7, provider), (7, other), (8, provider)]
    {
      keep([3: height], writer)
      repository.flushSizes()
      try expect([[3: height], [:]], in: repository.provider(for: "list"))
      #expect(try repository.checkInvariants().isEmpty)
    }
  }

  @Test func keptSizesGoAlongWithTheirItems() throws {
    var provider = try repository.provider(for: "list")
    keep([0: 100, 1: 30], provider)
    try expect([[0: 100, 1: 30], [:]], in: provider)
    let move = try repository.commit(
      [.moveItem("a0", in: "b", to: .start), .deleteItem("a1")], to: "list")
    try provider.apply([move])
    try expect([[:], [0: 100]], in: provider)
    repository.flushSizes()
    try expect([[:], [0: 100]], in: provider)
    try expect([[:], [0: 100]], in: repository.provider(for: "list"))
  }

  /// Its paths are not those that the store has by now.
  @Test func sizesThatAProviderKeepsThatIsBehindAreThoseOfItsItems() throws {
    let behind = try repository.provider(for: "list")
    // Only what was read can still be asked for.
    behind.forEachSize(in: 0..<count, ofSection: 0, for: key) { _, _ in }
    keep([998: 1], behind)
    repository.flushSizes()
    try repository.commit(
      (0..<300).map {
        .insertItem(
          Item(id: ItemID(stringLiteral: "n\($0)"), cell: "Cell", content: "1"), in: "a",
          at: .start)
      } + [.moveItem("a999", in: "b", to: .start)], to: "list")
    keep([0: 100, 700: 20, 999: 8], behind)
    repository.flushSizes()
    #expect(try repository.checkInvariants().isEmpty)
    try expect(
      [[300: 100, 1_000: 20, 1_298: 1], [0: 8]], in: repository.provider(for: "list"))
  }

  /// Another program leaves the revision as it is, and may change the order.
  @Test func sizesAreThoseOfTheirItemsAfterAnotherProgramHasWritten() throws {
    let provider = try repository.provider(for: "list")
    provider.forEachSize(in: 0..<count, ofSection: 0, for: key) { _, _ in }
    let queue = try DatabaseQueue(path: folder.file("store.sqlite").path)
    try queue.write { db in
      // Two blocks of items, each in the other's place.
      let blocks = try Row.fetchAll(
        db,
        sql: """
          SELECT id, memberCount FROM block
          WHERE level = 0 AND section = (SELECT id FROM section WHERE name = 'a')
          ORDER BY id LIMIT 2
          """)
      let counts: [Int] = blocks.map { $0["memberCount"] }
      try #require(counts.count == 2 && counts[0] == counts[1])
      let ids: [Int] = blocks.map { $0["id"] }
      try db.execute(
        sql: """
          UPDATE block SET members = swapped.members
          FROM (SELECT id, members FROM block WHERE id IN (?1, ?2)) AS swapped
          WHERE block.id IN (?1, ?2) AND swapped.id = ?1 + ?2 - block.id
          """, arguments: [ids[0], ids[1]])
      try db.execute(
        sql: "UPDATE item SET block = ?1 + ?2 - block WHERE block IN (?1, ?2)",
        arguments: [ids[0], ids[1]])
    }
    try queue.close()
    keep([0: 100, 300: 20], provider)
    repository.flushSizes()
    #expect(try repository.checkInvariants().filter { "\($0)".contains("sum") }.isEmpty)
  }
}
