import Foundation
import GRDB
import ListModel
import ListStore
import Providers
import SuiteSupport
import TestSupport
import Testing

/// How earlier size caches went stale, event by event, and what this one answers.
@Suite struct SizeCacheTests {
  private let folder: TemporaryFolder
  private let repository: Repository
  private let portrait = SizeKey(
    fittingPixels: 1_125, environment: LayoutEnvironment(displayScale: 3))
  private let count = 200

  init() throws {
    folder = try TemporaryFolder()
    repository = try Repository(at: folder.file("store.sqlite"))
    try repository.commit(
      [.insertSection("a", .init(layout: SectionLayout(columns: 2))), .insertSection("b")]
        + (0..<count).map {
          .insertItem(Item(id: Self.id($0), cell: "Cell", content: "1"), in: "a")
        }, to: "list")
  }

  private static func id(_ number: Int) -> ItemID { ItemID(stringLiteral: "i\(number)") }
  private func path(_ item: Int) -> ItemPath { ItemPath(section: 0, item: item) }

  /// Measures every item: heights are a function of the item and the key.
  private func measure(_ provider: Provider, for key: SizeKey) {
    for item in 0..<provider.numberOfItems(inSection: 0) {
      #expect(provider.keep(size(item, key), at: path(item), for: key))
    }
  }

  private func size(_ item: Int, _ key: SizeKey) -> Size {
    Size(width: Double(key.fittingPixels) / 3, height: 40 + Double(item % 7) / 3)
  }

  /// How many items a provider would have to measure.
  private func missing(_ provider: Provider, for key: SizeKey) -> Int {
    var count = 0
    for section in 0..<provider.numberOfSections {
      provider.forEachSize(
        in: 0..<provider.numberOfItems(inSection: section), ofSection: section, for: key
      ) { _, size in
        if case .exact = size {} else { count += 1 }
      }
    }
    return count
  }

  private func why(_ provider: Provider, _ path: ItemPath, _ key: SizeKey, version: Int? = nil)
    -> SizeAnswer.EstimateReason?
  {
    guard case .estimate(_, let why) = provider.size(at: path, for: key, measurerVersion: version)
    else { return nil }
    return why
  }

  @Test func rotatingThereAndBackMeasuresNothingTwice() throws {
    var landscape = portrait
    landscape.fittingPixels = 2_436
    let provider = try repository.provider(for: "list")
    measure(provider, for: portrait)
    measure(provider, for: landscape)
    for _ in 0..<3 {
      #expect(missing(provider, for: portrait) == 0)
      #expect(missing(provider, for: landscape) == 0)
    }
  }

  @Test func afterARelaunchNothingIsMeasured() throws {
    measure(try repository.provider(for: "list"), for: portrait)
    repository.flushSizes()
    let relaunched = try Repository(existing: folder.file("store.sqlite"))
    let provider = try relaunched.provider(for: "list")
    #expect(missing(provider, for: portrait) == 0)
    for item in 0..<count {
      #expect(provider.size(at: path(item), for: portrait) == .exact(size(item, portrait)))
    }
    #expect(try relaunched.checkInvariants().isEmpty)
  }

  @Test func aSizeThatWasDroppedBeforeItWasReadIsAnEstimateForEveryKey() throws {
    var landscape = portrait
    landscape.fittingPixels = 2_436
    let measured = try repository.provider(for: "list")
    measure(measured, for: portrait)
    measure(measured, for: landscape)
    repository.flushSizes()
    for isAskedInOrder in [false, true] {
      let provider = try repository.provider(for: "list")
      provider.setNeedsLayout(at: path(1))
      for key in [portrait, landscape] {
        if isAskedInOrder { #expect(missing(provider, for: key) == 1) }
        #expect(why(provider, path(1), key) == .otherContent)
        #expect(provider.size(at: path(2), for: key) == .exact(size(2, key)))
      }
      // What is measured again holds again.
      for key in [portrait, landscape] {
        provider.keep(size(1, key), at: path(1), for: key)
        #expect(provider.size(at: path(1), for: key) == .exact(size(1, key)))
      }
      repository.flushSizes()
      #expect(missing(try repository.provider(for: "list"), for: portrait) == 0)
    }
  }

  @Test func anotherWidthInsetOrColumnCountIsAnotherKeyAndAnEstimateMeanwhile() throws {
    let provider = try repository.provider(for: "list")
    measure(provider, for: portrait)
    repository.flushSizes()
    var narrow = portrait
    narrow.fittingPixels = 1_093
    let fresh = try repository.provider(for: "list")
    #expect(why(fresh, path(3), narrow) == .otherLength)
  }

  @Test func textSizeBoldTextLocaleDirectionAndSystemAreOtherEnvironments() throws {
    measure(try repository.provider(for: "list"), for: portrait)
    repository.flushSizes()
    let provider = try repository.provider(for: "list")
    let changes: [(inout LayoutEnvironment) -> Void] = [
      { $0.contentSizeCategory = "accessibilityLarge" }, { $0.legibilityWeight = "bold" },
      { $0.locale = "th" }, { $0.layoutDirection = "rightToLeft" }, { $0.system = "iOS 19" },
      { $0.displayScale = 2 },
    ]
    for change in changes {
      var other = portrait
      change(&other.environment)
      #expect(why(provider, path(0), other) == .otherEnvironment)
    }
    var expanded = portrait
    expanded.variant = "expanded"
    #expect(why(provider, path(0), expanded) == .otherVariant)
  }

  @Test func anEditedItemKeepsItsOldSizeAsAnEstimateOnly() throws {
    var provider = try repository.provider(for: "list")
    measure(provider, for: portrait)
    repository.flushSizes()
    let commit = try repository.commit(
      [.updateItem(Self.id(5), ItemUpdate(content: .set("2")))], to: "list")
    try provider.apply([commit])
    #expect(why(provider, path(5), portrait) == .otherContent)
    #expect(missing(provider, for: portrait) == 1)
    provider.keep(Size(width: 375, height: 9), at: path(5), for: portrait)
    #expect(provider.size(at: path(5), for: portrait) == .exact(Size(width: 375, height: 9)))
  }

  @Test func aSizeOfAnEarlierContentThatIsKeptLateIsAnEstimate() throws {
    let behind = try repository.provider(for: "list")
    try repository.commit(
      [.updateItem(Self.id(5), ItemUpdate(content: .set("2")))], to: "list")
    // Measured what it shows, which is no more what the store has.
    behind.keep(Size(width: 375, height: 9), at: path(5), for: portrait)
    repository.flushSizes()
    #expect(behind.size(at: path(5), for: portrait) == .exact(Size(width: 375, height: 9)))
    let ahead = try repository.provider(for: "list")
    #expect(why(ahead, path(5), portrait) == .otherContent)
  }

  @Test func sizesFollowItemsThatMove() throws {
    var provider = try repository.provider(for: "list")
    measure(provider, for: portrait)
    repository.flushSizes()
    let commit = try repository.commit(
      [.moveItem(Self.id(0), to: .end), .moveItem(Self.id(150), to: .start)], to: "list")
    try provider.apply([commit])
    let fresh = try repository.provider(for: "list")
    for provider in [provider, fresh] {
      #expect(provider.size(at: path(0), for: portrait) == .exact(size(150, portrait)))
      #expect(provider.size(at: path(199), for: portrait) == .exact(size(0, portrait)))
      #expect(missing(provider, for: portrait) == 0)
    }
  }

  /// Caches by index path shifted, swapped or mixed up the sizes then.
  @Test func sizesFollowItemsWhateverIsInsertedDeletedOrMovedAroundThem() throws {
    var provider = try repository.provider(for: "list")
    measure(provider, for: portrait)
    repository.flushSizes()
    let new = Item(id: "new", cell: "Cell", content: "1")
    let commit = try repository.commit(
      [
        .deleteItem(Self.id(3)), .deleteItem(Self.id(90)), .insertItem(new, in: "a", at: .start),
        .moveItem(Self.id(10), to: .index(100)), .insertSection("first", at: .start),
        .moveSection("a", to: .end),
      ], to: "list")
    try provider.apply([commit])
    for provider in [provider, try repository.provider(for: "list")] {
      let section = try #require(provider.index(of: "a"))
      #expect(section == 2)
      #expect(provider.numberOfItems(inSection: section) == count - 1)
      var asked = 0
      provider.forEachSize(in: 0..<count, ofSection: section, for: portrait) { index, answer in
        asked += 1
        let id = provider.itemID(at: ItemPath(section: section, item: index))
        if id == "new" { return #expect(answer == .missing) }
        let number = Int(id?.rawValue.dropFirst() ?? "") ?? -1
        #expect(answer == .exact(size(number, portrait)), "item \(number) at \(index)")
      }
      #expect(asked == count - 1)
    }
  }

  /// The object that was measured is gone: nothing may be left that another one of its id finds.
  @Test func anItemOfAnIDThatWasDeletedHasNoSize() throws {
    var provider = try repository.provider(for: "list")
    measure(provider, for: portrait)
    repository.flushSizes()
    let commits = try [
      repository.commit([.deleteItem(Self.id(5))], to: "list"),
      repository.commit(
        [.insertItem(Item(id: Self.id(5), cell: "Cell", content: "1"), in: "a", at: .start)],
        to: "list"),
    ]
    try provider.apply(commits)
    for provider in [provider, try repository.provider(for: "list")] {
      #expect(provider.size(at: path(0), for: portrait) == .missing)
      #expect(missing(provider, for: portrait) == 1)
    }
  }

  @Test func aSizeOfAnItemThatIsGoneIsNotKept() throws {
    let behind = try repository.provider(for: "list")
    try repository.commit(
      [
        .deleteItem(Self.id(199)),
        .insertItem(Item(id: "new", cell: "Cell", content: "1"), in: "a"),
      ], to: "list")
    #expect(behind.keep(size(199, portrait), at: path(199), for: portrait))
    repository.flushSizes()
    #expect(try repository.sizes(of: "list", for: portrait).isEmpty)
    #expect(try repository.checkInvariants().isEmpty)
  }

  /// Two views of one list, side by side.
  @Test func twoProvidersKeepSizesOfTwoWidths() throws {
    var narrow = portrait
    narrow.fittingPixels = 960
    let providers = try [portrait, narrow].map { ($0, try repository.provider(for: "list")) }
    for (key, provider) in providers { measure(provider, for: key) }
    repository.flushSizes()
    for (key, _) in providers {
      let fresh = try repository.provider(for: "list")
      #expect(fresh.size(at: path(7), for: key) == .exact(size(7, key)))
      #expect(missing(fresh, for: key) == 0)
    }
  }

  /// The closure was once called under the lock that every question takes.
  @Test(.timeLimit) func whoTakesSizesInOrderMayAskAndKeepOthers() throws {
    let provider = try repository.provider(for: "list")
    var landscape = portrait
    landscape.fittingPixels = 2_436
    var answers: [SizeAnswer] = []
    provider.forEachSize(in: 50..<150, ofSection: 0, for: portrait) { item, answer in
      answers.append(answer)
      #expect(provider.keep(size(item, portrait), at: path(item), for: portrait))
      #expect(provider.size(at: path(item), for: portrait) == .exact(size(item, portrait)))
      #expect(provider.keep(size(item, landscape), at: path(item), for: landscape))
      provider.forEachSize(in: 0..<3, ofSection: 0, for: portrait) { _, answer in
        #expect(answer == .missing)
      }
    }
    #expect(answers == Array(repeating: .missing, count: 100))
    #expect(missing(provider, for: portrait) == count - 100)
  }

  /// Runs of handles that are cut, short and out of order, against one question each.
  @Test func sizesInOrderAreThoseThatAreAskedOneByOne() throws {
    var provider = try repository.provider(for: "list")
    var changes: [Change] = []
    for number in stride(from: 0, to: 200, by: 3) {
      changes.append(.moveItem(Self.id(number), to: .index((number * 7) % 200)))
    }
    for number in 1_000..<1_100 {
      changes.append(
        .insertItem(
          Item(id: Self.id(number), cell: "Cell", content: "1"), in: "a",
          at: .index(number * 13 % 200)))
    }
    try provider.apply([try repository.commit(changes, to: "list")])
    for item in 0..<300 where item % 4 > 0 {
      provider.keep(size(item, portrait), at: path(item), for: portrait)
    }
    for range in [0..<300, 17..<18, 63..<65, 5..<299, 290..<400, 300..<310, 40..<40] {
      var expected = range.lowerBound
      provider.forEachSize(in: range, ofSection: 0, for: portrait) { item, answer in
        #expect(item == expected)
        #expect(answer == (item % 4 > 0 ? .exact(size(item, portrait)) : .missing))
        expected += 1
      }
      #expect(expected == max(range.lowerBound, min(range.upperBound, 300)))
    }
  }

  @Test func anItemInASectionOfAnotherLayoutAndASectionWithANewOneAreEstimates() throws {
    var provider = try repository.provider(for: "list")
    measure(provider, for: portrait)
    repository.flushSizes()
    let move = try repository.commit([.moveItem(Self.id(0), in: "b", to: .end)], to: "list")
    try provider.apply([move])
    let moved = ItemPath(section: 1, item: 0)
    #expect(why(provider, moved, portrait) == .otherLayout)
    let layout = try repository.commit(
      [.updateSection("a", SectionUpdate(layout: .set(SectionLayout(columns: 3))))], to: "list")
    try provider.apply([layout])
    #expect(why(provider, path(0), portrait) == .otherLayout)
    let back = try repository.commit(
      [.updateSection("a", SectionUpdate(layout: .set(SectionLayout(columns: 2))))], to: "list")
    try provider.apply([back])
    #expect(missing(provider, for: portrait) == 1)
  }

  @Test func anotherCellOrANewVersionOfItsCodeMakesEstimates() throws {
    var provider = try repository.provider(for: "list")
    measure(provider, for: portrait)
    repository.flushSizes()
    #expect(
      why(provider, path(1), portrait, version: 2) == .otherMeasurer)
    let commit = try repository.commit(
      [.updateItem(Self.id(1), ItemUpdate(cell: .set("Other")))], to: "list")
    try provider.apply([commit])
    #expect(why(provider, path(1), portrait) == .otherCell)
  }

  @Test func whatNoMeasuringCanGiveIsRefused() throws {
    let provider = try repository.provider(for: "list")
    for bad in [
      Size(width: .nan, height: 1), Size(width: 1, height: .infinity), Size(width: -1, height: 1),
      Size(width: 1, height: 1_000_001),
    ] { #expect(!provider.keep(bad, at: path(0), for: portrait)) }
    var nothing = portrait
    nothing.fittingPixels = 0
    #expect(!provider.keep(Size(width: 1, height: 1), at: path(0), for: nothing))
    #expect(!provider.keep(Size(width: 1, height: 1), at: path(count), for: portrait))
    #expect(provider.size(at: path(0), for: portrait) == .missing)
    #expect(provider.size(at: path(count), for: portrait) == .missing)
  }

  // MARK: Sums

  @Test func theExtentAndTheItemAtAnOffsetAreThoseOfTheSizes() throws {
    let provider = try repository.provider(for: "list")
    // Every third is missing.
    for item in 0..<count where item % 3 > 0 {
      provider.keep(size(item, portrait), at: path(item), for: portrait)
    }
    repository.flushSizes()
    let fresh = try repository.provider(for: "list")
    let extent = try #require(fresh.extent(ofSection: 0, for: portrait))
    #expect(extent.itemCount == count)
    #expect(extent.measuredCount == 133)
    let measured = (0..<count).filter { $0 % 3 > 0 }.map { size($0, portrait).height }
    #expect(abs(extent.measuredLength - measured.reduce(0, +)) < 0.1)
    let mean = extent.mean(estimate: 44)
    var offset = 0.0
    for item in 0..<count {
      let length = item % 3 > 0 ? size(item, portrait).height : mean
      let found = fresh.item(atOffset: offset + 1, inSection: 0, for: portrait, estimate: 44)
      #expect(found?.path == path(item))
      #expect(abs((found?.offset ?? -1) - offset) < 0.2)
      offset += length
    }
    let beyond = fresh.item(atOffset: 1e9, inSection: 0, for: portrait, estimate: 44)
    #expect(beyond?.path == path(count - 1))
    let before = fresh.item(atOffset: -5, inSection: 0, for: portrait, estimate: 44)
    #expect(before?.path == path(0))
    #expect(fresh.item(atOffset: 0, inSection: 1, for: portrait, estimate: 44) == nil)
    #expect(fresh.extent(ofSection: 1, for: portrait)?.length(estimate: 44) == 0)
    #expect(fresh.extent(ofSection: 2, for: portrait) == nil)
  }

  /// Splits, joins, moves and deletions of blocks that have sizes, checked against all sizes.
  @Test(arguments: 0..<6) func sumsStayRightWhateverHappensToTheList(_ seed: Int) throws {
    var generator = SeededGenerator(seed: UInt64(seed))
    let source = RandomChanges(sections: 3, items: 400, hasSectionParts: true)
    var tree = try repository.tree(of: "list")
    for round in 0..<25 {
      var changes: [Change] = []
      for _ in 0..<generator.number(1..<40) {
        let change = source.change(for: tree, using: &generator)
        try tree.apply(change)
        changes.append(change)
      }
      try repository.commit(changes, to: "list")
      let provider = try repository.provider(for: "list")
      var key = portrait
      key.axis = generator.percent(30) ? .horizontal : .vertical
      for _ in 0..<30 {
        let section = generator.number(0..<max(1, provider.numberOfSections))
        let items = provider.numberOfItems(inSection: section)
        guard items > 0 else { continue }
        provider.keep(
          Size(
            width: Double(generator.number(0..<500)) / 3,
            height: Double(generator.number(0..<500)) / 7),
          at: ItemPath(section: section, item: generator.number(0..<items)), for: key)
      }
      repository.flushSizes()
      #expect(try repository.checkInvariants().isEmpty, "seed \(seed), round \(round)")
    }
  }

  // MARK: Eviction

  @Test func evictionTakesOutlivedEnvironmentsAndThenTheKeysUsedLongestAgo() throws {
    var keys = [portrait, portrait, portrait]
    keys[0].environment.system = "iOS 17"
    keys[1].fittingPixels = 1_000
    for key in keys {
      measure(try repository.provider(for: "list"), for: key)
      repository.flushSizes()
    }
    // The last one that was made is the one used longest ago.
    let queue = try DatabaseQueue(path: folder.file("store.sqlite").path)
    try queue.write { try $0.execute(sql: "UPDATE sizeKey SET usedAt = 1000 - id") }
    func kept() throws -> [Int] {
      try keys.map { key in
        try repository.sizes(of: "list", for: key).values.filter {
          if case .exact = $0 { true } else { false }
        }.count
      }
    }
    #expect(try kept() == [200, 200, 200])
    #expect(
      try repository.evictSizes(keeping: SizeRetention(environments: [portrait.environment])) == 1)
    #expect(try kept() == [0, 200, 200])
    #expect(try repository.evictSizes(keeping: SizeRetention(count: 400)) == 0)
    #expect(try repository.evictSizes(keeping: SizeRetention(count: 399)) == 1)
    #expect(try kept() == [0, 200, 0])
    #expect(try repository.checkInvariants().isEmpty)
    #expect(try repository.evictSizes(keeping: SizeRetention(count: 0)) == 1)
    #expect(try kept() == [0, 0, 0])
    #expect(try repository.checkInvariants().isEmpty)
  }
}
