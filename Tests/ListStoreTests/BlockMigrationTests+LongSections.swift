import Foundation
import GRDB
import ListModel
import ListStore
import TestSupport
import Testing

/// Long sections, and sizes with their sums.
extension BlockMigrationTests {
  /// Sizes for some items of a tree; some of them of another cell, content or measurer.
  private func sizes(
    of tree: ListTree, _ generator: inout SeededGenerator
  ) -> [MeasuredSize] {
    tree.sections.flatMap(\.items).compactMap { item in
      guard generator.percent(40) else { return nil }
      let length = Double(generator.number(0..<4_000_000)) / 3_000
      return MeasuredSize(
        item: item.id, size: Size(width: 375.25 + length / 7, height: length),
        cell: generator.percent(10) ? "Other" : item.state.cell,
        contentRevision: item.state.contentRevision + (generator.percent(10) ? 1 : 0),
        measurerVersion: generator.percent(10) ? 2 : 1)
    }
  }

  /// What version 1 answers.
  private func answers(_ sizes: [MeasuredSize], of tree: ListTree) -> [ItemID: SizeAnswer] {
    let states = Dictionary(
      uniqueKeysWithValues: tree.sections.flatMap(\.items).map { ($0.id, $0.state) })
    return Dictionary(
      uniqueKeysWithValues: sizes.map { size in
        let why: SizeAnswer.EstimateReason? =
          if states[size.item]?.cell != size.cell {
            .otherCell
          } else if states[size.item]?.contentRevision != size.contentRevision {
            .otherContent
          } else if size.measurerVersion != 1 {
            .otherMeasurer
          } else {
            nil
          }
        return (size.item, why.map { .estimate(size.size, why: $0) } ?? .exact(size.size))
      })
  }

  /// The sums over whole sections: key, section, items measured, length in 1/1,024 points.
  private func sums(_ file: URL) throws -> [[String]: [Int]] {
    let database = try DatabaseQueue(path: file.path)
    return try database.read { db in
      let rows = try Row.fetchAll(
        db,
        sql: """
          SELECT axis, section.name, measured, length FROM blockExtent
          JOIN section ON section.root = blockExtent.block JOIN sizeKey ON sizeKey.id = sizeKey
          """)
      return Dictionary(uniqueKeysWithValues: rows.map { ([$0[0], $0[1]], [$0[2], $0[3]]) })
    }
  }

  /// Blocks hold 48 items, and blocks above them 150 blocks: 7,200 items in two levels.
  @Test(arguments: [[0, 1, 47, 48, 49, 0], [96, 7_201]])
  func sectionsOfAnyLengthComeUpWithTheirSizesAndSums(_ counts: [Int]) throws {
    var generator = SeededGenerator(seed: UInt64(counts.count))
    var changes: [Change] = []
    for (number, count) in counts.enumerated() {
      changes.append(.insertSection(try SectionID("s\(number)")))
      for item in 0..<count {
        changes.append(
          .insertItem(
            Item(
              id: try ItemID("\(number)-\(item)"), cell: item % 3 == 0 ? "Wide" : "Plain",
              content: "0"), in: try SectionID("s\(number)"),
            at: item % 50 == 49 ? .index(generator.number(0..<item)) : .end))
      }
    }
    try today.commit(changes, to: "list")
    let tree = try today.tree(of: "list")
    #expect(tree.itemCounts == counts)
    let measured = keys.map { _ in sizes(of: tree, &generator) }
    try makeOldStore { old in
      for (key, sizes) in zip(keys, measured) { try old.save(sizes, for: key, in: "list") }
    }
    let migrated = try expectSame("\(counts)")

    var expected: [[String]: [Int]] = [:]
    for (key, sizes) in zip(keys, measured) {
      try today.save(sizes, for: key, in: "list")
      #expect(
        try migrated.sizes(of: "list", for: key, measurerVersion: 1) == answers(sizes, of: tree))
      #expect(try migrated.sizes(of: "list", for: key) == today.sizes(of: "list", for: key))
      for size in sizes {
        let section = "s\(size.item.rawValue.prefix { $0 != "-" })"
        let length = key.axis == .vertical ? size.size.height : size.size.width
        let sum = expected[[key.axis.rawValue, section]] ?? [0, 0]
        expected[[key.axis.rawValue, section]] = [
          sum[0] + 1, sum[1] + Int((length * 1_024).rounded()),
        ]
      }
    }
    #expect(try sums(file) == expected)
    #expect(try sums(today.file) == expected)
    #expect(try migrated.someExactSizes(of: "list") == today.someExactSizes(of: "list"))

    // Full and half-full blocks split, join and go; sizes go with their items.
    let items = tree.sections.flatMap { $0.items.map(\.id) }
    for round in 0..<6 {
      var changes: [Change] = []
      for number in 0..<20 {
        changes.append(
          .moveItem(
            items[generator.number(0..<items.count)], in: generator.element(of: tree.sections)?.id,
            to: .start))
        changes.append(
          .insertItem(
            Item(id: try ItemID("new \(round) \(number)"), cell: "Plain", content: "1"), in: "s0",
            at: .start))
      }
      for repository in [today, migrated] { try repository.write(changes, to: "list") }
    }
    try expectSame("\(counts) after changes")
    #expect(try sums(file) == sums(today.file))
  }

  /// The level of the highest block that orders items.
  private func level(_ repository: Repository) throws -> Int {
    let level = try repository.read("read the height") { db in
      try Int.fetchOne(db, sql: "SELECT max(level) FROM block WHERE section IS NOT NULL")
    }
    return try #require(level)
  }

  @Test func aSectionOfThreeLevelsIsEditedLikeTodays() throws {
    var tree = ListTree(list: "list", revision: 1, sections: [ListTree.Section(id: "s")])
    for number in 0..<8_000 {
      tree.sections[0].items.append(
        Item(id: try ItemID("i\(number)"), cell: "A", content: "0"))
    }
    try today.commit(
      [.insertSection("s")] + tree.sections[0].items.map { .insertItem($0, in: "s") }, to: "list")
    try makeOldStore()
    let migrated = try Repository(existing: file)
    #expect(try migrated.tree(of: "list") == tree)
    #expect(try level(migrated) == 2)
    try checkInvariants(of: file)

    // Once more higher, then lower: from full blocks and from those that the migration left room
    // in.
    var edits = LongListEdits(tree, seed: 1)
    func edit(_ inserts: Int) throws {
      let wanted = try edits.commit(600, growth: (of: 90, inserts: inserts))
      for repository in [today, migrated] { try repository.write(wanted.changes, to: "list") }
    }
    for _ in 0..<4 { try edit(90) }
    try checkInvariants(of: file, "grown")
    #expect(try migrated.tree(of: "list") == edits.tree)
    var rounds = 0
    while try level(migrated) == 2 || level(today) == 2 {
      try edit(5)
      rounds += 1
      if rounds % 8 == 0 { try checkInvariants(of: file, "after \(rounds) rounds") }
      try #require(rounds < 60)
    }
    for (repository, file) in [(today, today.file), (migrated, file)] {
      #expect(try repository.tree(of: "list") == edits.tree)
      try checkInvariants(of: file, "shrunk")
    }
    #expect(try provenLog(file) == provenLog(today.file))
  }
}
