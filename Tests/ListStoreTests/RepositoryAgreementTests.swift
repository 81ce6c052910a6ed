import Foundation
import ListModel
import ListStore
import Providers
import TestSupport
import Testing

/// The store does to its rows what ``ListTree`` defines, and refuses what it refuses.
@Suite struct RepositoryAgreementTests {
  @Test(arguments: 0..<SeededGenerator.count(6)) func rowsLogAndTreeAgreeAfterEveryCommit(
    _ seed: Int
  ) throws {
    let folder = try TemporaryFolder()
    let repository = try Repository(at: folder.file("store.sqlite"))
    var generator = SeededGenerator(seed: UInt64(seed))
    let source = RandomChanges(hasSectionParts: true)
    var tree = ListTree(list: "list")
    var history = [tree]
    for _ in 0..<60 {
      var changes: [Change] = []
      var entries: [LogEntry] = []
      for _ in 0..<generator.number(0..<7) {
        let change = source.change(for: tree, using: &generator)
        changes.append(change)
        entries.append(try tree.apply(change))
      }
      tree.revision += 1
      let commit = try repository.commit(changes, to: "list", by: "test")
      #expect(commit.entries == entries, "seed \(seed)")
      #expect(commit.revision == tree.revision, "seed \(seed)")
      #expect(try repository.tree(of: "list") == tree, "seed \(seed)")
      history.append(tree)
    }
    try checkLogAgreesWithRows(of: "list", in: repository, "seed \(seed)")
    for (revision, tree) in history.enumerated() {
      #expect(try repository.tree(of: "list", at: revision) == tree, "seed \(seed) @\(revision)")
    }
    let reopened = try Repository(at: folder.file("store.sqlite"))
    #expect(try reopened.provider(for: "list").tree == tree, "seed \(seed)")
    try checkInvariants(of: folder.file("store.sqlite"), "seed \(seed)")
  }

  @Test func refusesWhatATreeRefusesAndIsThenUnchanged() throws {
    let folder = try TemporaryFolder()
    let repository = try Repository(at: folder.file("store.sqlite"))
    try repository.commit(SmallLists.setUp, to: "list")
    let before = try repository.tree(of: "list")
    var refused = 0
    for change in SmallLists.changes {
      var tree = before
      do {
        try tree.apply(change)
        continue
      } catch {
        refused += 1
        let expected = error
        // Behind a change that fits: the whole commit must be taken back.
        let fitting = Change.updateSection("b", SectionUpdate(meta: .set("2")))
        let failure = #expect(throws: StoreError.self) {
          try repository.commit([fitting, change], to: "list")
        }
        #expect(failure?.cause as? ChangeError == expected, "\(change)")
        #expect(try repository.tree(of: "list") == before, "\(change)")
      }
    }
    #expect(refused > 100)
    try checkInvariants(of: folder.file("store.sqlite"))
  }

  @Test func everySingleChangeAndEveryPairAgreesWithTheTree() throws {
    let folder = try TemporaryFolder()
    let repository = try Repository(at: folder.file("store.sqlite"))
    var list = 0
    var agreed = 0
    func check(_ changes: [Change]) throws {
      list += 1
      let id = try ListID("list \(list)")
      var tree = ListTree(list: id)
      for change in SmallLists.tinySetUp { try tree.apply(change) }
      do {
        for change in changes { try tree.apply(change) }
      } catch {
        return
      }
      tree.revision = 2
      try repository.commit(SmallLists.tinySetUp, to: id)
      let commit = try repository.commit(changes, to: id)
      #expect(try repository.tree(of: id) == tree, "\(changes)")
      var back = tree
      try back.revert(commit)
      #expect(try repository.tree(of: id, at: 1) == back, "\(changes)")
      agreed += 1
    }
    for first in SmallLists.tinyChanges {
      try check([first])
      for second in SmallLists.tinyChanges { try check([first, second]) }
    }
    #expect(agreed > 500)
    try checkInvariants(of: folder.file("store.sqlite"))
  }
}

/// Small lists with every change to them, right and wrong.
private enum SmallLists {
  private static func item(_ id: ItemID) -> Item { Item(id: id, cell: "Cell", content: "0") }

  static let setUp: [Change] = [
    .insertSection("a"), .insertSection("b", .init(meta: "1")),
    .insertItem(item("1"), in: "a"), .insertItem(item("2"), in: "a"),
    .insertItem(item("3"), in: "b"),
  ]

  static let tinySetUp: [Change] = [
    .insertSection("a"), .insertSection("b"),
    .insertItem(item("1"), in: "a"), .insertItem(item("2"), in: "a"),
  ]

  static let changes = all(
    sections: ["a", "b", "x"], items: ["1", "2", "3", "x"], indexes: [-1, 0, 1, 2, 3, 4])

  static let tinyChanges = all(sections: ["a", "c"], items: ["1", "3"], indexes: [0, 1])

  private static func all(sections: [SectionID], items: [ItemID], indexes: [Int]) -> [Change] {
    let sectionPlaces: [Place<SectionID>] =
      [.start, .end] + sections.flatMap { [.after($0), .before($0)] } + indexes.map { .index($0) }
    let itemPlaces: [Place<ItemID>] =
      [.start, .end] + items.flatMap { [.after($0), .before($0)] } + indexes.map { .index($0) }
    var changes: [Change] = []
    for section in sections {
      changes.append(.deleteSection(section))
      changes.append(.updateSection(section, SectionUpdate(meta: .set("2"))))
      for place in sectionPlaces {
        changes.append(.insertSection(section, at: place))
        changes.append(.moveSection(section, to: place))
      }
    }
    changes.append(.updateList(meta: "3"))
    changes.append(.updateSection("a", SectionUpdate(layout: .set(SectionLayout(columns: 0)))))
    for id in items {
      changes.append(.deleteItem(id))
      changes.append(.touchItem(id))
      changes.append(.updateItem(id, ItemUpdate(content: .set("7"))))
      for place in itemPlaces {
        changes.append(.moveItem(id, to: place))
        for section in sections {
          changes.append(.moveItem(id, in: section, to: place))
          changes.append(.insertItem(item(id), in: section, at: place))
        }
      }
    }
    return changes
  }
}
