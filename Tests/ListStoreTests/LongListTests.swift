import Foundation
import ListModel
import ListStore
import Providers
import TestSupport
import Testing

/// A long list is edited everywhere, and stays what a tree says that it is.
@Suite struct LongListTests {
  /// `CELLAR_ITEMS=1000000` makes as many items and 10,000 edits: in a release build, a few
  /// minutes.
  private static let wantedItems =
    ProcessInfo.processInfo.environment["CELLAR_ITEMS"].flatMap(Int.init)
  private static let itemCount = wantedItems ?? 12_000
  private static let editCount = wantedItems == nil ? 800 : 10_000

  @Test func aLongListIsWhatItsEditsMakeOfIt() throws {
    let folder = try TemporaryFolder()
    let file = folder.file("store.sqlite")
    let repository = try Repository(at: file)
    let clock = ContinuousClock()
    var filled: ListTree?
    let filling = try clock.measure { filled = try fill(repository) }
    var edits = LongListEdits(try #require(filled), seed: 1)
    filled = nil
    try check(repository, against: edits.tree)

    var generator = SeededGenerator(seed: 2)
    var made = 0
    var checked = 0
    var committing = Duration.zero
    while made < Self.editCount {
      let count = min(
        generator.element(of: [1, 1, 1, 2, 5, 20, 100, 400]) ?? 1, Self.editCount - made)
      let wanted = try edits.commit(count)
      let start = clock.now
      let commit = try repository.commit(wanted.changes, to: "list")
      committing += clock.now - start
      #expect(commit.entries == wanted.entries, "after \(made) edits")
      #expect(commit.revision == edits.tree.revision)
      made += count
      if made - checked >= Self.editCount / 4 {
        checked = made
        try check(repository, against: edits.tree)
      }
    }
    if Self.wantedItems != nil {
      print("filled in \(filling); \(made) edits, \(edits.tree.revision) commits in \(committing)")
    }
    #expect(try repository.tree(of: "list") == edits.tree)
    let reopened = try Repository(existing: file)
    #expect(try reopened.tree(of: "list") == edits.tree)
    try checkInvariants(of: file)
  }

  /// Puts the items into one long section, four short ones and an empty one.
  ///
  /// - Returns: The list.
  private func fill(_ repository: Repository) throws -> ListTree {
    var tree = ListTree(list: "list", revision: 1)
    for section in 0..<6 {
      tree.sections.append(ListTree.Section(id: try SectionID("s\(section)")))
    }
    try repository.commit(tree.sections.map { .insertSection($0.id) }, to: "list")
    var number = 0
    while number < Self.itemCount {
      var changes: [Change] = []
      let end = min(number + 20_000, Self.itemCount)
      while number < end {
        let section = number % 10 < 8 ? 2 : number % 4 == 0 ? 0 : number % 5
        let item = Item(
          id: try ItemID("i\(number)"), cell: number % 3 == 0 ? "A" : "B",
          content: JSON(stringLiteral: "\(number)"))
        tree.sections[section].items.append(item)
        changes.append(.insertItem(item, in: tree.sections[section].id))
        number += 1
      }
      try repository.commit(changes, to: "list")
      tree.revision += 1
    }
    return tree
  }

  /// Checks all that is counted, and items here and there.
  private func check(_ repository: Repository, against tree: ListTree) throws {
    #expect(try repository.checkInvariants().isEmpty)
    let provider = try repository.provider(for: "list")
    #expect(provider.revision == tree.revision)
    #expect((0..<provider.numberOfSections).map(provider.sectionID(at:)) == tree.sections.map(\.id))
    #expect(
      (0..<provider.numberOfSections).map(provider.numberOfItems(inSection:)) == tree.itemCounts)
    var generator = SeededGenerator(seed: UInt64(tree.revision))
    for _ in 0..<200 {
      let section = generator.number(0..<tree.sections.count)
      let items = tree.sections[section].items
      guard !items.isEmpty else { continue }
      let path = ItemPath(section: section, item: generator.number(0..<items.count))
      #expect(provider.item(at: path) == items[path.item], "\(path) @\(tree.revision)")
      #expect(provider.path(of: items[path.item].id) == path, "\(path) @\(tree.revision)")
    }
  }
}
