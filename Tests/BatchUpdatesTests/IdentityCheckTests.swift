import BatchUpdates
import ListModel
import TestSupport
import Testing

/// Stages that are legal and put the wrong cells somewhere.
@Suite struct IdentityCheckTests {
  private func items(_ tree: ListTree) -> (ItemPath) -> ItemID? {
    { path in
      guard tree.sections.indices.contains(path.section),
        tree.sections[path.section].items.indices.contains(path.item)
      else { return nil }
      return tree.sections[path.section].items[path.item].id
    }
  }

  private func sections(_ tree: ListTree) -> (Int) -> SectionID? {
    { tree.sections.indices.contains($0) ? tree.sections[$0].id : nil }
  }

  private func isRight(
    _ stages: [Stage], _ old: ListTree, _ new: ListTree, _ extent: UpdatePolicy.Proof
  ) -> Bool {
    let check = IdentityCheck(of: stages, before: SectionCounts(old.itemCounts), extent: extent)
    return check.items.allSatisfy { items(old)($0.old) == items(new)($0.new) }
      && check.sections.allSatisfy { sections(old)($0.old) == sections(new)($0.new) }
  }

  @Test func rightStagesPass() throws {
    for seed in 0..<400 {
      var generator = SeededGenerator(seed: UInt64(seed))
      let changes = RandomChanges(sections: 5, items: 16, hasSectionParts: true)
      var history = RecordedHistory()
      for _ in 0..<25 { try history.apply(changes.change(for: history.tree, using: &generator)) }
      history.mark()
      for _ in 0..<10 { try history.apply(changes.change(for: history.tree, using: &generator)) }
      let (old, new) = (history.marked, history.renamed)
      #expect(isRight(history.update.stages, old, new, .touched), "seed \(seed)")
      #expect(isRight(history.update.stages, old, new, .everything), "seed \(seed)")
    }
  }

  /// Each is legal, by its counts: only identities tell.
  @Test func legalStagesThatMixCellsUpAreFound() throws {
    let old = tree(["a", "b", "c", "d"], ["e", "f"])
    var wrong: [(String, ListTree, Stage)] = []
    var stage = Stage()
    stage.counts = [4, 2]
    stage.moveItems = [
      .init(from: path(0, 0), to: path(0, 3)), .init(from: path(0, 3), to: path(0, 0)),
    ]
    wrong.append(
      ("the two moves are of each other", tree(["a", "d", "c", "b"], ["e", "f"]), stage))
    stage.moveItems = [.init(from: path(0, 1), to: path(0, 2))]
    wrong.append(("another item moves", tree(["b", "a", "c", "d"], ["e", "f"]), stage))
    stage.moveItems = [
      .init(from: path(0, 0), to: path(1, 0)), .init(from: path(1, 0), to: path(0, 0)),
    ]
    wrong.append(("swapped sections", tree(["a", "b", "c", "d"], ["f", "e"]), stage))
    stage = Stage()
    stage.counts = [3, 2]
    stage.deleteItems = [path(0, 1)]
    wrong.append(("off by one", tree(["b", "c", "d"], ["e", "f"]), stage))
    stage = Stage()
    stage.counts = [5, 2]
    stage.insertItems = [path(0, 2)]
    wrong.append(("inserted one too late", tree(["a", "n", "b", "c", "d"], ["e", "f"]), stage))
    stage = Stage()
    stage.counts = [2]
    stage.deleteSections = [0]
    wrong.append(
      ("the other section", ListTree(list: "l", sections: [old.sections[0]]), stage))
    stage = Stage()
    stage.counts = [2, 4]
    stage.moveSections = [.init(from: 0, to: 1), .init(from: 1, to: 0)]
    wrong.append(("other sections move", tree(["e", "f"], ["a", "b", "c", "d"]), stage))
    for (what, new, stage) in wrong {
      let after = SectionCounts(new.itemCounts)
      if stage.deleteSections.isEmpty {
        #expect(
          LegalityCheck.refusal(
            of: stage, before: SectionCounts(old.itemCounts), after: after) == nil, "\(what)")
      }
      #expect(!isRight([stage], old, new, .everything), "\(what)")
      #expect(!isRight([stage], old, new, .touched), "\(what)")
    }
  }

  private func path(_ section: Int, _ item: Int) -> ItemPath {
    ItemPath(section: section, item: item)
  }

  private func tree(_ sections: [ItemID]...) -> ListTree {
    ListTree(
      list: "l",
      sections: sections.enumerated().map { index, items in
        ListTree.Section(
          id: SectionID(stringLiteral: "s\(index)"),
          items: items.map { Item(id: $0, cell: "X", content: "0") })
      })
  }

  /// Random damage to one operation of a right update is found, unless it changes nothing.
  @Test func damagedStagesAreFound() throws {
    var found = 0
    for seed in 0..<600 {
      var generator = SeededGenerator(seed: UInt64(seed))
      let changes = RandomChanges(sections: 4, items: 16, hasSectionParts: true)
      var history = RecordedHistory()
      for _ in 0..<25 { try history.apply(changes.change(for: history.tree, using: &generator)) }
      history.mark()
      for _ in 0..<8 { try history.apply(changes.change(for: history.tree, using: &generator)) }
      var stages = history.update.stages
      guard let index = stages.indices.first(where: { stages[$0].moveItems.count > 1 }) else {
        continue
      }
      // Two items go where the other should.
      let first = stages[index].moveItems[0].to
      stages[index].moveItems[0].to = stages[index].moveItems[1].to
      stages[index].moveItems[1].to = first
      #expect(!isRight(stages, history.marked, history.renamed, .touched), "seed \(seed)")
      found += 1
    }
    #expect(found > 20)
  }
}
