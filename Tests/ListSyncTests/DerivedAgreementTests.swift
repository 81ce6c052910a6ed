import BatchUpdates
import DerivedLists
import Foundation
import ListModel
import ListStore
import ListSync
import ListTables
import Providers
import TestSupport
import Testing

/// Whatever is committed, each derived list is what its definition makes of its source, and its log
/// leads a view there.
@Suite struct DerivedAgreementTests {
  private static let seeds: Range<UInt64> = {
    let more = ProcessInfo.processInfo.environment["CELLAR_DERIVED_SEEDS"].flatMap(UInt64.init)
    return 0..<(more ?? 15)
  }()

  @Test(arguments: seeds) func randomCommits(_ seed: UInt64) throws {
    let folder = try TemporaryFolder()
    let repository = try Repository(at: folder.file("store.sqlite"))
    var world = World(seed: seed, repository)
    let early = world.generator.percent(50)
    if early { try world.define() }
    for step in 0..<40 {
      try world.commit()
      if !early, step == 8 { try world.define() }
      if step == 20, world.generator.percent(50) { try world.redefine() }
      try world.check("seed \(seed), step \(step)")
    }
    try Self.expectSound(repository, "seed \(seed)")
    try repository.truncateLog(of: "s", keeping: LogRetention(changes: 5))
    try world.check("seed \(seed), truncated")
    try Self.expectSound(repository, "seed \(seed), truncated")
    for _ in 0..<5 { try world.commit() }
    try world.check("seed \(seed), after that")
    try Self.expectSound(repository, "seed \(seed), after that")
    try repository.deleteList("s")
    #expect(try repository.lists() == [])
    try Self.expectSound(repository, "seed \(seed), deleted")
  }

  /// So many changes in a commit that lists are derived as a whole, or nearly.
  @Test(arguments: 0..<1 as Range<UInt64>) func manyChangesInACommit(_ seed: UInt64) throws {
    let folder = try TemporaryFolder()
    let repository = try Repository(at: folder.file("store.sqlite"))
    var world = World(seed: seed, repository)
    try world.define()
    try world.commitMany([.insertSection("a"), .insertSection("b")])
    try world.commitMany(
      world.items("x", 900).map { .insertItem($0, in: "a") }
        + world.items("y", 900).map { .insertItem($0, in: "b", at: .start) })
    try world.commitMany(
      (0..<700).map {
        .moveItem(ItemID(stringLiteral: "x\($0 * 7 % 900)"), in: "b", to: .index($0))
      })
    try world.commitMany([.moveSection("b", to: .start)])
    try world.commitMany(
      world.items("y", 800).map { .updateItem($0.id, ItemUpdate(content: .set($0.state.content))) })
    try world.commitMany(
      (0..<600).map { .deleteItem(ItemID(stringLiteral: "x\($0)")) } + [.touchItem("y1")])
    try world.redefine()
    try world.commitMany([.deleteSection("b")])
    try Self.expectSound(repository, "seed \(seed)")
  }

  private static func expectSound(_ repository: Repository, _ when: String) throws {
    let problems = try repository.checkInvariants()
    #expect(
      problems.isEmpty, "\(when): \(problems.map { "\($0.list?.rawValue ?? "") \($0.message)" })")
  }

  private struct World {
    var generator: SeededGenerator
    let repository: Repository
    var source = ListTree(list: "s")
    var shown: [(line: String, oracle: DerivedOracle, tree: ListTree, provider: Provider)] = []
    private let changes = RandomChanges(sections: 5, items: 20)
    private let definitions: RandomDefinitions
    /// Lists that have another source since the last look: their logs began anew.
    private var movedLists: Set<ListID> = []
    /// The items that the last commit asks to redraw.
    var touched: Set<ItemID> = []

    init(seed: UInt64, _ repository: Repository) {
      generator = SeededGenerator(seed: seed)
      self.repository = repository
      definitions = RandomDefinitions(oddPart: seed % 3 == 0 ? 15 : 0)
    }

    mutating func define() throws {
      var lines: [String] = []
      for index in 0..<4 {
        let of: ListID = index == 3 ? "d1" : "s"
        lines.append(
          definitions.definition(ListID(stringLiteral: "d\(index)"), of: of, using: &generator))
      }
      try define(lines)
      for line in lines {
        let oracle = try DerivedOracle(line)
        shown.append(
          (
            line, oracle, ListTree(list: oracle.derived),
            Provider(ListTree(list: oracle.derived))
          ))
      }
      try catchUp("defined", isRevisionKnown: false)
    }

    mutating func redefine() throws {
      guard !shown.isEmpty else { return }
      let index = generator.number(0..<shown.count)
      let (before, oracle, tree, provider) = shown[index]
      // Also of another source; not so that there is a circle.
      let of: ListID =
        switch oracle.derived {
        case "d3" where generator.percent(50): generator.element(of: ["s", "d0", "d2"]) ?? "s"
        case "d1" where generator.percent(50): generator.element(of: ["s", "d0", "d2"]) ?? "s"
        default: oracle.source
        }
      let line = definitions.definition(oracle.derived, of: of, using: &generator)
      try define([line])
      shown[index] = (line, try DerivedOracle(line), tree, provider)
      // The log of one with a limit names what is kept for the hidden list of all its items.
      if of != oracle.source || before.contains("\"limit\"") {
        movedLists.insert(oracle.derived)
        for (_, other, _, _) in shown where other.source == oracle.derived {
          movedLists.insert(other.derived)
        }
      }
      try catchUp("redefined", isRevisionKnown: true)
    }

    private func define(_ lines: [String]) throws {
      try repository.define(
        lines.enumerated().map {
          (try DerivedDefinition(parsing: Array($1.utf8)), $0 + 1)
        })
    }

    mutating func commit() throws {
      var list: [Change] = []
      var new = source
      touched = []
      for _ in 0..<(generator.percent(70) ? 1 : generator.number(1..<12)) {
        var change = changes.change(for: new, using: &generator)
        switch change {
        case .insertItem(let item, let section, let place):
          var item = item
          item.state.content = definitions.content(using: &generator)
          change = .insertItem(item, in: section, at: place)
        case .updateItem(let id, var update) where generator.percent(80):
          update.content = .set(definitions.content(using: &generator))
          if generator.oneIn(4), let item = new.item(id) {
            // The same, written otherwise.
            update = ItemUpdate(
              content: .set(JSON(stringLiteral: otherwise(item.state.content.text))))
          }
          change = .updateItem(id, update)
        case .touchItem(let id): touched.insert(id)
        default: break
        }
        try new.apply(change)
        list.append(change)
        if case .deleteItem(let id) = change, generator.percent(30),
          let item = source.item(id), let section = new.sections.randomElement(using: &generator)
        {
          // It comes back in the same commit.
          let back = Change.insertItem(item, in: section.id, at: .start)
          try new.apply(back)
          list.append(back)
        }
      }
      try repository.commit(list, to: "s")
      source = new
      source.revision += 1
      try catchUp("commit \(list)", isRevisionKnown: true)
    }

    /// Items of random contents.
    mutating func items(_ name: String, _ count: Int) -> [Item] {
      (0..<count).map { number in
        Item(
          id: ItemID(stringLiteral: "\(name)\(number)"), cell: "PlainCell",
          content: definitions.content(using: &generator))
      }
    }

    /// Makes one commit of changes that fit.
    mutating func commitMany(_ changes: [Change]) throws {
      for change in changes {
        try source.apply(change)
        if case .touchItem(let id) = change { touched.insert(id) }
      }
      try repository.commit(changes, to: "s")
      source.revision += 1
      try catchUp("\(changes.count) changes", isRevisionKnown: true)
    }

    private func otherwise(_ text: String) -> String {
      text.replacingOccurrences(of: ":1,", with: ":1.0,")
        .replacingOccurrences(of: "\"abc\"", with: "\"\\u0061bc\"")
    }

    /// Compares each list with the oracle's, and brings each Provider to it by the log.
    mutating func catchUp(_ what: String, isRevisionKnown: Bool) throws {
      for index in shown.indices {
        let (line, oracle, before, _) = shown[index]
        let revision = try repository.revision(of: oracle.derived)
        let wanted = try wanted(oracle)
        let isRedrawn = before.sections.contains { section in
          section.items.contains { touched.contains($0.id) && wanted.item($0.id) != nil }
        }
        let hasChanged = !before.isSame(as: wanted) || isRedrawn
        let stored =
          revision == 0 ? ListTree(list: oracle.derived) : try repository.tree(of: oracle.derived)
        #expect(
          stored.isSame(as: wanted),
          "\(line)\n\(what)\nsource \(source)\nfound \(stored)\nwanted \(wanted)")
        if isRevisionKnown {
          #expect(
            revision == before.revision + (hasChanged ? 1 : 0),
            "\(line)\n\(what)\n\(before)\n\(wanted)")
        }
        let update = try repository.advance(
          &shown[index].provider, policy: UpdatePolicy(budget: .unlimited))
        if case .reload(let why) = update.mode, before.revision > 0,
          !movedLists.contains(oracle.derived)
        {
          Issue.record("\(why) \(line)")
        }
        let tree = try ListTree(shown[index].provider, of: repository)
        #expect(tree.isSame(as: wanted))
        shown[index].tree = stored
      }
      touched = []
      movedLists = []
    }

    private func wanted(_ oracle: DerivedOracle) throws -> ListTree {
      if oracle.source == "s" { return oracle.tree(of: source) }
      guard let other = shown.first(where: { $0.oracle.derived == oracle.source }) else {
        return ListTree(list: oracle.derived)
      }
      return oracle.tree(
        of: try wanted(other.oracle), exists: try repository.revision(of: oracle.source) > 0)
    }

    func check(_ what: String) throws {
      for (line, oracle, _, _) in shown where try repository.revision(of: oracle.derived) > 0 {
        let stored = try repository.tree(of: oracle.derived)
        #expect(stored.isSame(as: try wanted(oracle)), "\(what): \(line)")
      }
    }
  }
}

extension ListTree {
  fileprivate init(_ provider: Provider, of repository: Repository) throws {
    self.init(list: provider.list, revision: provider.revision)
    for section in 0..<provider.numberOfSections {
      var items: [Item] = []
      for item in 0..<provider.numberOfItems(inSection: section) {
        if let item = provider.item(at: ItemPath(section: section, item: item)) {
          items.append(item)
        }
      }
      guard let id = provider.sectionID(at: section),
        let attributes = provider.attributes(ofSection: section)
      else { continue }
      sections.append(ListTree.Section(id: id, attributes: attributes, items: items))
    }
  }

  fileprivate func item(_ id: ItemID) -> Item? {
    for section in sections {
      if let item = section.items.first(where: { $0.id == id }) { return item }
    }
    return nil
  }

  /// Whether both show the same.
  fileprivate func isSame(as other: ListTree) -> Bool {
    sections.map(\.id) == other.sections.map(\.id)
      && zip(sections, other.sections).allSatisfy { lhs, rhs in
        SectionUpdate(from: lhs.attributes, to: rhs.attributes) == SectionUpdate()
          && lhs.items.map(\.id) == rhs.items.map(\.id)
          && zip(lhs.items, rhs.items).allSatisfy { $0.state.isEquivalent(to: $1.state) }
      }
  }
}
