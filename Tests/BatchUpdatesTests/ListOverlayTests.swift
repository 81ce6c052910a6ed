import BatchUpdates
import ListModel
import TestSupport
import Testing

/// The net change of changes that are taken back and made again, in a list that does not change.
@Suite struct ListOverlayTests {
  /// A list, and what some changes make of it.
  private func check(
    _ list: ListTree, _ changes: [Change], _ hint: String,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    var overlay = ListOverlay(list)
    var wanted = list
    for change in changes {
      let entry = try wanted.apply(change)
      let found = try overlay.apply(change).get()
      #expect(found == entry, "\(hint)", sourceLocation: sourceLocation)
    }
    #expect(
      overlay.tree(list.list, revision: list.revision) == wanted, "\(hint)",
      sourceLocation: sourceLocation)
    try expect(overlay.changes(), make: wanted, of: list, hint, sourceLocation)
  }

  private func expect(
    _ net: [Change], make wanted: ListTree, of list: ListTree, _ hint: String,
    _ sourceLocation: SourceLocation
  ) throws {
    var found = list
    var entries: [LogEntry] = []
    for change in net { entries.append(try found.apply(change)) }
    #expect(
      found.withoutRevisions == wanted.withoutRevisions, "\(hint)", sourceLocation: sourceLocation)
    let touched = Set(net.compactMap { if case .touchItem(let id) = $0 { id } else { nil } })
    let update = BatchUpdate(
      list: "list", from: 0, to: 1, replaying: entries, on: SectionCounts(list.itemCounts))
    #expect(
      MinimalOperations(of: update) == MinimalOperations(from: list, to: found, touched: touched),
      "\(hint)", sourceLocation: sourceLocation)
    var view = CheckingView(showing: list)
    try view.perform(update, showing: found)
  }

  private static let source = RandomChanges(sections: 5, items: 14, hasSectionParts: true)

  private func randomList(_ generator: inout SeededGenerator) throws -> ListTree {
    var list = ListTree(list: "list")
    for _ in 0..<generator.number(4..<30) {
      try list.apply(Self.source.change(for: list, using: &generator))
    }
    return list.withoutRevisions
  }

  @Test(arguments: 0..<SeededGenerator.count(4))
  func changesInAnOverlayAreThoseInATreeAndTheNetChangeIsMinimal(_ part: Int) throws {
    for seed in (part * 250)..<((part + 1) * 250) {
      var generator = SeededGenerator(seed: UInt64(seed))
      let list = try randomList(&generator)
      var tree = list
      var changes: [Change] = []
      for _ in 0..<generator.number(0..<16) {
        changes.append(Self.source.change(for: tree, using: &generator))
        try tree.apply(changes[changes.count - 1])
      }
      try check(list, changes, "seed \(seed)")
    }
  }

  /// What an edit did, taken back, is nothing; made again, it is nothing either.
  @Test(arguments: 0..<SeededGenerator.count(4))
  func whatIsTakenBackAndMadeAgainChangesNothing(_ part: Int) throws {
    for seed in (part * 250)..<((part + 1) * 250) {
      var generator = SeededGenerator(seed: UInt64(seed) &+ 1_000_000)
      let base = try randomList(&generator)
      var list = base
      var edit: [EditedChange] = []
      var undo: [Change] = []
      for _ in 0..<generator.number(1..<10) {
        let change = Self.source.change(for: list, using: &generator)
        let entry = try list.apply(change)
        edit.append(list.edited(change, as: entry))
        undo.insert(contentsOf: list.changes(takingBack: entry), at: 0)
      }
      var overlay = ListOverlay(list)
      let hint: Comment = "seed \(seed): \(edit)"
      let isTakenBack = overlay.revert(undo)
      #expect(isTakenBack, hint)
      let before = overlay.tree("list", revision: 0)
      #expect(before.withoutRevisions == base, hint)
      if case .failure(let conflict) = overlay.reapply(edit) {
        Issue.record("\(conflict), \(hint)")
      }
      #expect(overlay.changes() == [], hint)
    }
  }

  @Test func anEditThatDoesNotFitLeavesNothing() throws {
    let list = ListTree(
      list: "list",
      sections: [ListTree.Section(id: "s", items: [Item(id: "a", cell: "C", content: .null)])])
    var overlay = ListOverlay(list)
    let edit = [
      EditedChange(.moveItem("a", in: "s", to: .start), index: 0),
      EditedChange(.deleteItem("gone")),
      EditedChange(.insertItem(Item(id: "b", cell: "C", content: .null), in: "s"), index: 1),
      EditedChange(.updateItem("gone", ItemUpdate(cell: .set("D")))),
    ]
    guard case .failure(let conflict) = overlay.reapply(edit) else {
      Issue.record("it fits")
      return
    }
    #expect(conflict.index == 3)
    #expect(conflict.error == .unknownItem("gone"))
    #expect(overlay.changes() == [])
    #expect(overlay.tree("list", revision: 0) == list)
  }

  /// A long list: as many pieces as it takes.
  @Test func thousandsOfChangesOfOneOrderAreFound() throws {
    var list = ListTree(list: "list", sections: [ListTree.Section(id: "s")])
    for index in 0..<4_000 {
      let item = Item(id: ItemID(stringLiteral: "i\(index)"), cell: "C", content: .null)
      list.sections[0].items.append(item)
    }
    var generator = SeededGenerator(seed: 7)
    var overlay = ListOverlay(list)
    var model = list.sections[0].items.map(\.id)
    for step in 0..<2_500 {
      let from = generator.number(0..<model.count)
      let id = model.remove(at: from)
      if generator.percent(20) {
        _ = try overlay.apply(.deleteItem(id)).get()
        continue
      }
      let anchor = generator.element(of: model)
      let target = anchor.flatMap { model.firstIndex(of: $0) } ?? 0
      model.insert(id, at: target)
      _ = try overlay.apply(.moveItem(id, to: anchor.map { .before($0) } ?? .end)).get()
      if generator.percent(30) {
        let new = Item(id: ItemID(stringLiteral: "n\(step)"), cell: "C", content: .null)
        model.insert(new.id, at: target)
        _ = try overlay.apply(.insertItem(new, in: "s", at: .index(target))).get()
      }
    }
    #expect(overlay.tree("list", revision: 0).sections[0].items.map(\.id) == model)
    for change in overlay.changes() { try list.apply(change) }
    #expect(list.sections[0].items.map(\.id) == model)
  }
}
