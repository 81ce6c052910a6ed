import Foundation
import ListModel
import ListStore
import ListSync
import TestSupport
import Testing

/// The lines of the feed name another one.
private let authors = [Author.app, .feed]

/// Undo and redo of two authors who never touch the same thing, beside a feed.
///
/// What an author has made is compared with its states before and after each of the author's steps,
/// so a step must restore exactly.
@Suite struct RandomUndoTests {
  /// What an author can see of its own: its section, and its items in the section of all.
  private struct Own: Equatable {
    var attributes: SectionAttributes?
    var items: [Item] = []
    var shared: [Item] = []
  }

  /// An author's states, and which of them is there.
  private struct Stack {
    var states: [Own]
    var now = 0

    mutating func edit(to state: Own) {
      states.removeSubrange((now + 1)...)
      states.append(state)
      now += 1
    }
  }

  private struct Bench {
    let folder: TemporaryFolder
    var shelf: LiveList
    var stacks: [Stack] = []
    var sequence = 0
    var made = 0

    init() throws {
      folder = try TemporaryFolder()
      shelf = try Repository(at: folder.file("store.sqlite")).liveList("shelf")
      try feed([.insertSection("shared")])
      stacks = try authors.indices.map { Stack(states: [try own($0)]) }
    }

    mutating func openAnew() throws {
      shelf = try Repository(at: folder.file("store.sqlite")).liveList("shelf")
    }

    func own(_ author: Int) throws -> Own {
      let tree = try shelf.tree().withoutRevisions
      let section = tree.sections.first { $0.id == Self.section(author) }
      var shared = tree.sections.first { $0.id == "shared" }?.items ?? []
      shared.removeAll { !$0.id.rawValue.hasPrefix("\(author)-") }
      return Own(
        attributes: section?.attributes, items: section?.items ?? [], shared: shared)
    }

    static func section(_ author: Int) -> SectionID { SectionID(stringLiteral: "of \(author)") }

    mutating func feed(_ changes: [Change]) throws {
      sequence += 1
      let file = try folder.write(line(sequence, changes, list: "shelf") + "\n", to: "feed.ndjson")
      try shelf.repository.apply(FeedReader(file: file))
    }

    // MARK: Changes

    private mutating func newItem(of owner: String) -> Item {
      made += 1
      return Item(id: ItemID(stringLiteral: "\(owner)-\(made)"), cell: "Cell", content: "0")
    }

    /// A line of the feed, which inserts, changes and deletes items of its own.
    mutating func followFeed(_ generator: inout SeededGenerator) throws {
      let items = try shelf.tree().sections.first { $0.id == "shared" }?.items.map(\.id) ?? []
      let place = generator.number(0..<items.count + 1)
      var changes: [Change] = [
        .insertItem(newItem(of: "feed"), in: "shared", at: .index(place))
      ]
      let own = items.filter { $0.rawValue.hasPrefix("feed") }
      if own.count > 4, let item = generator.element(of: own) { changes.append(.deleteItem(item)) }
      try feed(changes)
    }

    /// A change of what an author has.
    private mutating func change(
      by author: Int, _ generator: inout SeededGenerator
    ) throws -> Change {
      let tree = try shelf.tree()
      let section = Self.section(author)
      guard let own = tree.sections.first(where: { $0.id == section }) else {
        return .insertSection(section, at: generator.percent(50) ? .start : .end)
      }
      let shared = tree.sections.first { $0.id == "shared" }?.items ?? []
      let items = own.items + shared.filter { $0.id.rawValue.hasPrefix("\(author)-") }
      let item = generator.element(of: items.map(\.id))
      let number = JSON(stringLiteral: "\(generator.number(0..<1_000))")
      switch (generator.number(0..<10), item) {
      case (0, _) where own.items.count > 1: return .deleteSection(section)
      case (1, _): return .updateSection(section, SectionUpdate(meta: .set(number)))
      case (2...3, let item?): return .deleteItem(item)
      case (4...5, let item?): return .updateItem(item, ItemUpdate(content: .set(number)))
      case (6...7, let item?):
        return .moveItem(
          item, in: section, to: .index(generator.number(0..<max(1, own.items.count))))
      case (8, _):
        return .insertItem(
          newItem(of: "\(author)"), in: section,
          at: .index(generator.number(0..<own.items.count + 1)))
      default:
        return .insertItem(
          newItem(of: "\(author)"), in: "shared",
          at: .index(generator.number(0..<shared.count + 1)))
      }
    }

    // MARK: Steps

    mutating func edit(by author: Int, _ generator: inout SeededGenerator) throws {
      let isInterrupted = generator.percent(30)
      try shelf.repository.undoGroup(in: "shelf") {
        for _ in 0..<generator.number(1..<4) {
          try shelf.repository.commit(
            [try change(by: author, &generator)], to: "shelf", by: authors[author])
          if isInterrupted { try followFeed(&generator) }
        }
      }
      stacks[author].edit(to: try own(author))
    }

    mutating func takeBack(by author: Int, isRedo: Bool) throws {
      let other = try own(1 - author)
      let step =
        try isRedo ? shelf.redo(by: authors[author]) : shelf.undo(by: authors[author])
      stacks[author].now += step == nil ? 0 : isRedo ? 1 : -1
      #expect(try own(1 - author) == other)
      #expect(step?.keptItems ?? [] == [])
      #expect(step?.keptSections ?? [] == [])
    }

    func check(_ comment: Comment) throws {
      for author in authors.indices {
        let stack = stacks[author]
        let state = stack.states.indices.contains(stack.now) ? stack.states[stack.now] : nil
        #expect(try own(author) == state, comment)
        #expect(try shelf.canUndo(by: authors[author]) == (stack.now > 0), comment)
        #expect(
          try shelf.canRedo(by: authors[author]) == (stack.now < stack.states.count - 1), comment)
      }
    }
  }

  @Test(arguments: 0..<20) func aStepRestoresExactlyWhatItsAuthorHad(_ seed: Int) throws {
    var generator = SeededGenerator(seed: UInt64(seed))
    var bench = try Bench()
    for round in 0..<60 {
      let author = generator.number(0..<2)
      switch generator.number(0..<12) {
      case 0: try bench.openAnew()
      case 1...2: try bench.followFeed(&generator)
      case 3...5: try bench.takeBack(by: author, isRedo: false)
      case 6...7: try bench.takeBack(by: author, isRedo: true)
      default: try bench.edit(by: author, &generator)
      }
      try bench.check("seed \(seed), round \(round)")
    }
    #expect(try bench.shelf.repository.checkInvariants() == [], "seed \(seed)")
  }
}
