import Foundation
import GRDB
import ListModel
import ListStore
import TestSupport
import Testing

/// Orders become higher and lower, back and forth, and stay what a plain array says.
///
/// A block takes 64 members, a block above it 200 blocks: three levels begin with 12,800 members in
/// full blocks, with fewer where blocks have room.
@Suite struct BlockHeightTests {
  private let folder: TemporaryFolder
  private let repository: Repository

  init() throws {
    folder = try TemporaryFolder()
    repository = try Repository(at: folder.file("store.sqlite"))
  }

  /// Where an order is to go next.
  private static let journey = [1, 2, 1, 0]

  @Test func aSectionGrowsAndShrinksThroughThreeLevels() throws {
    let seed: UInt64 = 1
    try repository.commit([.insertSection("s")], to: "list")
    var edits = LongListEdits(
      ListTree(list: "list", revision: 1, sections: [ListTree.Section(id: "s")]), seed: seed)
    var generator = SeededGenerator(seed: seed)
    for target in Self.journey {
      let before = try level(ofItems: true)
      var steps = 0
      while try level(ofItems: true) != target {
        let wanted = try edits.commit(
          generator.number(1..<800), growth: (of: 90, inserts: target > before ? 97 : 3),
          longestBurst: 60)
        let commit = try repository.commit(wanted.changes, to: "list")
        #expect(commit.entries == wanted.entries, "seed \(seed)")
        steps += 1
        if steps % 16 == 0 { try check(edits.tree, "seed \(seed)") }
        try #require(steps < 500, "the order does not come to level \(target)")
      }
      try check(edits.tree, "seed \(seed), level \(target)")
    }
  }

  /// The order of a list's sections is a tree of the same kind.
  @Test func sectionsGrowAndShrinkThroughThreeLevels() throws {
    try repository.commit([], to: "list")
    var tree = ListTree(list: "list", revision: 1)
    var generator = SeededGenerator(seed: 1)
    var inserted = 0
    for target in Self.journey {
      let isGrowing = try level(ofItems: false) < target
      var steps = 0
      while try level(ofItems: false) != target {
        var changes: [Change] = []
        let spot = generator.number(0..<(tree.sections.count + 1))
        for _ in 0..<generator.number(1..<800) {
          let count = tree.sections.count
          if generator.percent(5), count > 1 {
            let (from, to) = (generator.number(0..<count), generator.number(0..<count))
            changes.append(.moveSection(tree.sections[from].id, to: .index(to)))
            tree.sections.insert(tree.sections.remove(at: from), at: to)
          } else if isGrowing {
            inserted += 1
            let index = generator.percent(50) ? min(spot, count) : generator.number(0..<(count + 1))
            let item = Item(id: try ItemID("i\(inserted)"), cell: "Cell", content: "1")
            tree.sections.insert(
              ListTree.Section(
                id: try SectionID("s\(inserted)"), items: inserted % 50 == 0 ? [item] : []),
              at: index)
            changes.append(.insertSection(tree.sections[index].id, at: .index(index)))
            if inserted % 50 == 0 {
              changes.append(.insertItem(item, in: tree.sections[index].id))
            }
          } else if count > 0 {
            let index = generator.percent(50) ? min(spot, count - 1) : generator.number(0..<count)
            changes.append(.deleteSection(tree.sections.remove(at: index).id))
          }
        }
        try repository.commit(changes, to: "list")
        tree.revision += 1
        steps += 1
        if steps % 16 == 0 { try check(tree, "sections") }
        try #require(steps < 500, "the order does not come to level \(target)")
      }
      try check(tree, "sections, level \(target)")
    }
  }

  private func check(_ tree: ListTree, _ hint: String) throws {
    #expect(try repository.checkInvariants().isEmpty, "\(hint) @\(tree.revision)")
    #expect(try repository.tree(of: "list") == tree, "\(hint) @\(tree.revision)")
  }

  /// The level of the highest block that orders items, or sections.
  private func level(ofItems: Bool) throws -> Int {
    let level = try repository.read("read the height") { db in
      try Int.fetchOne(
        db, sql: "SELECT max(level) FROM block WHERE (section IS NOT NULL) = ?",
        arguments: [ofItems])
    }
    return try #require(level)
  }
}
