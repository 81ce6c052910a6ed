import Foundation
import GRDB
import ListInspection
import ListModel
import ListStore
import TestSupport
import Testing

/// Of a store with damaged pages, what comes back is true, and what is missing is said.
///
/// `CELLAR_RECOVERED_FLIPS=2000`: so many flipped bytes, instead of 80.
@Suite struct RecoveryOfDamageTests {
  private let bench: RecoveryBench

  init() throws { bench = try RecoveryBench() }

  @Test(arguments: [5, 6, 7] as [UInt64])
  func pagesOfZerosCostTheirOwnRowsOnly(seed: UInt64) throws {
    try bench.makeStore(items: 1_500, seed: seed)
    let truth = try #require(try RecoveryBench.trees(of: bench.file)["shelf"])
    let bytes = try Data(contentsOf: bench.file)
    var generator = SeededGenerator(seed: seed)
    let pages = bytes.count / 4_096
    let zeroed = RecoveryBench.zero(pages: pages * 50 / 644, of: bytes, using: &generator)
    let (report, file) = try bench.recover(zeroed)
    let list = try #require(report.lists.first)
    let found = try #require(try RecoveryBench.trees(of: file)["shelf"])
    #expect(found.problems(asPartOf: truth, isOrdered: list.unorderedItemCount == 0) == [])
    #expect(!report.isComplete)
    #expect(!list.isComplete)
    // An item needs a row in each of two pages.
    #expect(list.itemCount * 100 > 9_000 * 80)
    #expect(found.placedItems.count == list.itemCount)
    #expect(list.expectedItemCount == 9_000)
    #expect(list.itemCount + list.lostItemCounts.values.reduce(0, +) == 9_000)
    for table in ["item", "content"] {
      guard let part = report.damagedTables[table] else { continue }
      // 8 % of the pages are zeros; of one table's it is by chance up to half as many more.
      #expect(part.rowCount * 100 >= 9_000 * 88, "\(table)")
    }
  }

  /// With this seed, a page has the root of a section and two of the blocks below it.
  @Test func itemsOfTheOneSectionThatHasLostItsRootStayInIt() throws {
    try bench.makeStore(items: 500, seed: 7)
    let truth = try #require(try RecoveryBench.trees(of: bench.file)["shelf"])
    // Which pages are zeroed that matter depends on where the schema's tables lie.
    for seed in 45..<105 as Range<UInt64> {
      var generator = SeededGenerator(seed: seed)
      let zeroed = RecoveryBench.zero(
        pages: 12, of: try Data(contentsOf: bench.file), using: &generator)
      let (report, file) = try bench.recover(zeroed)
      guard report.lists.first?.unorderedItemCount ?? 0 > 100 else { continue }
      let found = try #require(try RecoveryBench.trees(of: file)["shelf"])
      #expect(found.problems(asPartOf: truth, isOrdered: false) == [])
      #expect(found.sections.count == 6)
      return
    }
    Issue.record("no section has lost its root")
  }

  @Test func aTruncatedStoreGivesWhatIsThere() throws {
    try bench.makeStore(items: 1_000)
    let truth = try #require(try RecoveryBench.trees(of: bench.file)["shelf"])
    let bytes = try Data(contentsOf: bench.file)
    let left = bytes.count * 38 / 100
    let (report, file) = try bench.recover(bytes.prefix(left))
    let found = try RecoveryBench.trees(of: file)["shelf"]
    #expect(found?.problems(asPartOf: truth) == [])
    let missing = bytes.count / 4_096 - left / 4_096 - 1
    #expect(report.missingPageCount == missing)
    #expect(!report.isComplete)
    #expect(report.lists.first?.expectedItemCount == 6_000)
  }

  @Test func aContentThatIsNoJSONIsLeftOut() throws {
    try bench.makeStore(items: 50, edits: 0)
    var bytes = try Data(contentsOf: bench.file)
    let place = try #require(bytes.range(of: Data("\"number\":123,".utf8)))
    bytes[place.lowerBound] = UInt8(ascii: "!")
    let (report, file) = try bench.recover(bytes)
    #expect(report.damagedTables["content"]?.refusedRowCount == 1)
    #expect(report.lists.first?.lostItemCounts == ["content": 1])
    #expect(report.lists.first?.itemCount == 299)
    let tree = try #require(try RecoveryBench.trees(of: file)["shelf"])
    #expect(tree.placedItems["item 123"] == nil)
    let commits = try Repository(existing: file).commits(of: "shelf", after: 0)
    #expect(commits.map(\.author.name) == ["recovered"])
  }

  @Test func anotherContentMeansThatTheListIsNotVouchedFor() throws {
    try bench.makeStore(items: 50, edits: 0)
    var bytes = try Data(contentsOf: bench.file)
    let place = try #require(bytes.range(of: Data("\"number\":123,".utf8)))
    bytes[place.upperBound - 2] = UInt8(ascii: "4")
    let (report, _) = try bench.recover(bytes)
    #expect(report.lists.map(\.isComplete) == [false])
    #expect(!report.isComplete)
  }

  @Test func aListWhoseItemRowsAreLostKeepsItsLog() throws {
    try bench.makeStore(items: 300)
    let bytes = try Data(contentsOf: bench.file)
    let truth = try RecoveryBench.exports(of: bench.file)
    // A page of the table `item`: a leaf of a tree of keys with names of items.
    let page = try #require(
      (1..<bytes.count / 4_096).first { page in
        let page = bytes[(page * 4_096)..<((page + 1) * 4_096)]
        return page.first == 10 && page.range(of: Data("item 12".utf8)) != nil
      })
    var damaged = bytes
    damaged.replaceSubrange(page * 4_096..<(page + 1) * 4_096, with: Data(count: 4_096))
    let (report, file) = try bench.recover(damaged)
    #expect(report.damagedTables.keys.sorted() == ["item"])
    #expect(report.lists.map(\.isComplete) == [true])
    #expect(report.lists.map(\.logFloor) == [0])
    #expect(try RecoveryBench.exports(of: file) == truth)
  }

  @Test func aListWhoseOwnRowIsLostIsToldFromItsLastCommit() throws {
    try bench.makeStore(items: 50)
    let queue = try DatabaseQueue(path: bench.file.path)
    let root = try queue.read { db in
      try Int.fetchOne(db, sql: "SELECT rootpage FROM sqlite_schema WHERE name = 'list'")
    }
    try queue.close()
    let truth = try #require(try RecoveryBench.trees(of: bench.file)["shelf"])
    var bytes = try Data(contentsOf: bench.file)
    let start = try #require(root) * 4_096 - 4_096
    bytes.replaceSubrange(start..<start + 4_096, with: Data(count: 4_096))
    let (report, file) = try bench.recover(bytes)
    let found = try #require(try RecoveryBench.trees(of: file)["shelf"])
    #expect(report.damagedTables.keys.sorted() == ["list"])
    #expect(found.sections == truth.sections)
    #expect(found.meta == nil)
    // The list's own data is lost, and the digest says so.
    #expect(report.lists.map(\.isComplete) == [false])
    #expect(report.lists.map(\.revision) == [21])
  }

  /// `loses`: Whether a change is lost, after which an item may have been updated.
  @Test(arguments: [false, true])
  func itemsWhosePlaceIsLostComeFromAWholeLog(loses: Bool) throws {
    try bench.makeStore(sections: 2, items: 400, edits: 10)
    let truth = try #require(try RecoveryBench.trees(of: bench.file)["shelf"])
    let queue = try DatabaseQueue(path: bench.file.path)
    let root = try queue.write { db in
      if loses { try db.execute(sql: "DELETE FROM change WHERE revision = 11") }
      return try Int.fetchOne(db, sql: "SELECT rootpage FROM sqlite_schema WHERE name = 'block'")
    }
    try queue.close()
    var bytes = try Data(contentsOf: bench.file)
    let start = (try #require(root) - 1) * 4_096
    #expect(bytes[start] == 5)
    let leaf = bytes[(start + 8)..<(start + 12)].reduce(0) { $0 << 8 | Int($1) }
    bytes.replaceSubrange((leaf - 1) * 4_096..<leaf * 4_096, with: Data(count: 4_096))
    let (report, file) = try bench.recover(bytes)
    let list = try #require(report.lists.first)
    let found = try #require(try RecoveryBench.trees(of: file)["shelf"])
    #expect(found.problems(asPartOf: truth, isOrdered: false) == [])
    if loses {
      #expect(list.lostItemCounts["place"] ?? 0 > 0)
      #expect(list.itemCount + (list.lostItemCounts["place"] ?? 0) == 800)
    } else {
      #expect(list.lostItemCounts == [:])
      #expect(found.placedItems.count == 800)
      #expect(list.unorderedItemCount > 0)
    }
  }

  @Test func anyLostPageLeavesTheRest() throws {
    try bench.makeStore(sections: 3, items: 60, edits: 4)
    let truth = try #require(try RecoveryBench.trees(of: bench.file)["shelf"])
    let original = try Data(contentsOf: bench.file)
    var found = 0
    // Every page where more than the usual is asked for.
    let pages = Array(
      stride(from: 0, to: original.count / 4_096, by: SeededGenerator.asksForMore ? 1 : 4))
    for page in pages {
      var bytes = original
      bytes.replaceSubrange(page * 4_096..<(page + 1) * 4_096, with: Data(count: 4_096))
      let (report, file) = try bench.recover(bytes)
      for (id, tree) in try RecoveryBench.trees(of: file) {
        let list = try #require(report.lists.first { $0.list == id.rawValue })
        if list.isComplete { #expect(tree.sections == truth.sections, "page \(page + 1)") }
        found += list.itemCount
      }
      try FileManager.default.removeItem(at: file)
    }
    #expect(found * 10 > pages.count * 180 * 9)
  }

  /// What looks at each item for each would take longer than the limit.
  @Test(.timeLimit(.minutes(5)))
  func twentyThousandItemsAreRecoveredInTime() throws {
    try bench.makeStore(sections: 10, items: 2_000, edits: 0)
    var bytes = try Data(contentsOf: bench.file)
    bytes.replaceSubrange(0..<100, with: Data(count: 100))
    let (report, _) = try bench.recover(bytes)
    #expect(report.isComplete)
    #expect(report.lists.map(\.itemCount) == [20_000])
  }

  @Test func theLogIsKeptBehindItsLastDamage() throws {
    try bench.makeStore(items: 50, edits: 20)
    let bytes = try Data(contentsOf: bench.file)
    let truth = try RecoveryBench.exports(of: bench.file)
    var damaged = bytes
    let commit = try #require(
      try Repository(existing: bench.file).commits(of: "shelf", after: 11).first)
    guard case .updateItem(let item, let path, _, _) = commit.entries[0] else {
      Issue.record("no update")
      return
    }
    let entry = Data("[4,\"\(item)\",\(path.section),\(path.item),".utf8)
    let found = try #require(damaged.range(of: entry))
    damaged[found.upperBound - 2] ^= 1
    let (report, file) = try bench.recover(damaged)
    #expect(report.lists.map(\.isComplete) == [true])
    #expect(report.lists.map(\.logFloor) == [12])
    #expect(try RecoveryBench.exports(of: file) == truth)
    #expect(try Repository(existing: file).commits(of: "shelf", after: 12).count == 9)
  }

  @Test func aFlippedByteIsHarmlessOrReported() throws {
    try bench.makeStore(sections: 3, items: 60, edits: 6)
    let truth = try RecoveryBench.trees(of: bench.file)
    let original = try Data(contentsOf: bench.file)
    let offsets = original.indices.filter { original[$0] != 0 }
    let environment = ProcessInfo.processInfo.environment["CELLAR_RECOVERED_FLIPS"]
    let count = environment.flatMap { Int($0) } ?? 25
    var generator = SeededGenerator(seed: 17)
    var (complete, refused) = (0, 0)
    for _ in 0..<count {
      let offset = generator.element(of: offsets) ?? 0
      let flip = UInt8(1) << UInt8(generator.number(0..<8))
      var bytes = original
      bytes[offset] ^= flip
      do {
        let (report, file) = try bench.recover(bytes)
        let found = try RecoveryBench.trees(of: file)
        for list in report.lists where list.isComplete {
          complete += 1
          let id = try ListID(list.list)
          #expect(found[id]?.sections == truth[id]?.sections, "byte \(offset) ^ \(flip)")
        }
        try FileManager.default.removeItem(at: file)
      } catch is StoreError {
        refused += 1
      }
    }
    #expect(complete * 2 > count)
    #expect(refused * 20 < count)
  }
}
