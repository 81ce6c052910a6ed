import BatchUpdates
import ListModel
import Providers
import TestSupport
import Testing

/// Between two stages of an update, things stand where the stages say.
@Suite struct InterimListTests {
  /// The ids of a list, by section.
  private func ids(_ tree: ListTree) -> [[String]] {
    tree.sections.map { section in
      [section.id.rawValue] + section.items.map(\.id.rawValue)
    }
  }

  /// The ids that a view shows between stages: by the paths that the interim list gives.
  private func ids(_ list: InterimList) -> [[String]] {
    (0..<list.numberOfSections).map { section in
      let after = list.indexAfterUpdate(ofSection: section)
      let id = after.flatMap { list.after.sectionID(at: $0)?.rawValue } ?? "no section"
      return [id]
        + (0..<list.numberOfItems(inSection: section)).map { item in
          let path = list.pathAfterUpdate(of: ItemPath(section: section, item: item))
          return path.flatMap { list.after.itemID(at: $0)?.rawValue } ?? "no item"
        }
    }
  }

  /// What a stage makes of the ids before it, all at once; `nil` where something new comes.
  private func performed(_ stage: Stage, on before: [[String]]) -> [[String?]] {
    var sections: [[String?]?] = Array(repeating: nil, count: stage.counts.count)
    var items = before.map { $0.dropFirst().map { Optional($0) } }
    var moved: [(to: ItemPath, id: String)] = []
    for move in stage.moveItems {
      if let id = items[move.from.section][move.from.item] { moved.append((move.to, id)) }
    }
    for path in (stage.moveItems.map(\.from) + stage.deleteItems).sorted(by: >) {
      items[path.section].remove(at: path.item)
    }
    for move in stage.moveSections { sections[move.to] = [before[move.from][0]] + items[move.from] }
    // A new section comes with its items, but for those that are inserted by themselves.
    for index in stage.insertSections {
      let others = (stage.moveItems.map(\.to) + stage.insertItems).filter { $0.section == index }
      sections[index] = Array(repeating: nil, count: 1 + stage.counts[index] - others.count)
    }
    let staying = before.indices.filter { index in
      !stage.deleteSections.contains(index) && !stage.moveSections.contains { $0.from == index }
    }
    var next = staying.makeIterator()
    for index in sections.indices where sections[index] == nil {
      if let old = next.next() { sections[index] = [before[old][0]] + items[old] }
    }
    var result = sections.map { $0 ?? [nil] }
    let arrivals =
      moved.map { (path: $0.to, id: Optional($0.id)) }
      + stage.insertItems.map { (path: $0, id: nil) }
    for arrival in arrivals.sorted(by: { $0.path < $1.path }) {
      result[arrival.path.section].insert(arrival.id, at: arrival.path.item + 1)
    }
    return result
  }

  private func check(_ update: BatchUpdate, from before: ListTree, to after: Provider) {
    var shown = ids(update.hidesSections ? before.shown : before)
    for (number, stage) in update.stages.enumerated() {
      guard let list = after.interim(after: number, of: update) else {
        Issue.record("no list after stage \(number) of \(update)")
        return
      }
      #expect(
        (0..<list.numberOfSections).map(list.numberOfItems(inSection:)) == Array(stage.counts))
      let now = ids(list)
      let expected = performed(stage, on: shown)
      #expect(now.map(\.count) == expected.map(\.count))
      for (found, wanted) in zip(now.joined(), expected.joined()) {
        if let wanted { #expect(found == wanted) }
      }
      shown = now
    }
    #expect(shown == ids(update.hidesSections ? after.tree.shown : after.tree))
  }

  @Test(arguments: 1...60 as ClosedRange<UInt64>)
  func stagesLeadFromListToList(_ seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let changes = RandomChanges(hasSectionParts: true)
    let hiddenSection = ListTree.Section(
      id: "hidden", attributes: SectionAttributes(visibility: .hidden))
    var tree = ListTree(list: "l", sections: [hiddenSection])
    var provider = Provider(tree)
    var shownProvider = provider
    var staged = 0
    var hidden = 0
    for round in 1...12 {
      let before = tree
      var entries: [LogEntry] = []
      for _ in 0..<(round * 3) {
        entries.append(try tree.apply(changes.change(for: tree, using: &generator)))
      }
      tree.revision = round
      let commit = Commit(list: "l", revision: round, author: .app, time: nil, entries: entries)
      let update = try provider.apply([commit])
      if update.stages.count > 1 { staged += 1 }
      check(update, from: before, to: provider)
      check(BatchUpdate(from: before, to: tree), from: before, to: provider)
      let policy = UpdatePolicy(proof: .everything, hidesSections: true)
      let shown = try shownProvider.apply([commit], policy: policy)
      if !shownProvider.shown.hiddenSections.isEmpty { hidden += 1 }
      check(shown, from: before, to: shownProvider)
      check(
        BatchUpdate(from: before, to: tree, hidesSections: true), from: before, to: shownProvider)
    }
    #expect(staged > 0)
    #expect(hidden > 0)
  }

  @Test func anItemThatAUserMovesIsWhereTheViewHasIt() throws {
    func section(_ id: SectionID, _ visibility: SectionAttributes.Visibility, _ items: ItemID...)
      -> ListTree.Section
    {
      ListTree.Section(
        id: id, attributes: SectionAttributes(visibility: visibility),
        items: items.map { Item(id: $0, cell: "C", content: "1") })
    }
    let provider = Provider(
      ListTree(
        list: "l",
        sections: [
          section("h", .hidden, "0"), section("a", .shown, "1", "2"),
          section("e", .hiddenWhenEmpty), section("b", .shown, "3"),
        ]))
    func path(_ section: Int, _ item: Int) -> ItemPath { ItemPath(section: section, item: item) }
    let whole = try #require(provider.interim(moving: path(1, 0), to: path(0, 1)))
    #expect(ids(whole) == [["h", "0", "1"], ["a", "2"], ["e"], ["b", "3"]])
    func shown(_ source: ItemPath, _ target: ItemPath) -> InterimList? {
      provider.interim(moving: source, to: target, hidesSections: true)
    }
    #expect(shown(path(0, 0), path(1, 1)).map(ids) == [["a", "2"], ["b", "3", "1"]])
    #expect(shown(path(0, 0), path(0, 1)).map(ids) == [["a", "2", "1"], ["b", "3"]])
    for (source, target) in [
      (path(0, 2), path(0, 0)), (path(0, -1), path(0, 0)), (path(2, 0), path(0, 0)),
      (path(-1, 0), path(0, 0)), (path(0, 0), path(2, 0)), (path(0, 0), path(0, 2)),
      (path(0, 0), path(1, 2)), (path(0, 0), path(1, -1)),
    ] { #expect(shown(source, target).map(ids) == nil) }
  }

  @Test func whatDidNotLeadHereHasNoListsBetween() throws {
    var tree = ListTree(list: "l")
    var provider = Provider(tree)
    let entries = [try tree.apply(.insertSection("a")), try tree.apply(.insertSection("b"))]
    let update = try provider.apply([
      Commit(list: "l", revision: 1, author: .app, time: nil, entries: entries)
    ])
    #expect(provider.interim(after: 0, of: update)?.numberOfSections == 2)
    #expect(provider.interim(after: update.stages.count, of: update) == nil)
    #expect(provider.interim(after: -1, of: update) == nil)
    #expect(Provider(ListTree(list: "l")).interim(after: 0, of: update) == nil)
    let list = try #require(provider.interim(after: 0, of: update))
    #expect(list.numberOfItems(inSection: 7) == 0)
    #expect(list.indexAfterUpdate(ofSection: -1) == nil)
    #expect(list.pathAfterUpdate(of: ItemPath(section: 0, item: 0)) == nil)
  }
}
