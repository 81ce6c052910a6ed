import BatchUpdates
import ListModel
import Providers
import TestSupport
import Testing

/// Items whose drawing depends on the item before or after them.
@Suite struct NeighbourTests {
  private func item(_ id: ItemID, cell: CellName = "Plain", type: TypeName? = nil) -> Item {
    Item(id: id, cell: cell, content: "0", type: type)
  }

  private func tree(_ sections: [(SectionID, [Item])]) -> ListTree {
    ListTree(list: "l", sections: sections.map { ListTree.Section(id: $0.0, items: $0.1) })
  }

  /// The ids of the items that changes reconfigure.
  private func reconfigured(
    _ tree: ListTree, _ changes: [Change], _ neighbours: NeighbourDependencies
  ) throws -> [ItemID] {
    var next = tree
    var entries: [LogEntry] = []
    for change in changes { entries.append(try next.apply(change)) }
    next.revision += 1
    var provider = Provider(tree)
    let update = try provider.apply(
      [Commit(list: "l", revision: 1, author: .app, time: nil, entries: entries)],
      policy: UpdatePolicy(neighbours: neighbours, proof: .everything))
    var view = CheckingView(showing: tree)
    try view.perform(update, showing: next)
    return update.stages.flatMap { $0.reconfigureItems }.map { path in
      next.sections[path.section].items[path.item].id
    }
  }

  private let stamps = NeighbourDependencies(cells: ["Stamp": .previous])
  private let corners = NeighbourDependencies(cells: ["Corner": [.previous, .next]])

  @Test func aDateStampIsDrawnAgainWhenTheItemBeforeItIsAnother() throws {
    let list = tree([
      ("s", ["a", "b", "c", "d"].map { item($0, cell: "Stamp") }),
      ("t", [item("x", cell: "Stamp")]),
    ])
    func stamped(_ changes: Change...) throws -> [ItemID] {
      try reconfigured(list, changes, stamps)
    }
    #expect(try stamped(.deleteItem("b")) == ["c"])
    #expect(try stamped(.deleteItem("d")) == [])
    #expect(try stamped(.deleteItem("a")) == ["b"])
    #expect(try stamped(.insertItem(item("n"), in: "s", at: .after("b"))) == ["c"])
    #expect(try stamped(.insertItem(item("n"), in: "s", at: .end)) == [])
    #expect(try stamped(.moveItem("d", to: .start)) == ["d", "a"])
    #expect(try stamped(.moveItem("d", to: .start), .moveItem("d", to: .end)) == [])
    #expect(try stamped(.moveItem("b", in: "t", to: .end)) == ["c", "b"])
    // What it depends on changed its content: both are drawn again.
    #expect(try stamped(.updateItem("b", ItemUpdate(content: .set("1")))) == ["b", "c"])
    #expect(try stamped(.updateItem("b", ItemUpdate(content: .set("0.0")))) == [])
    // A touch changes no content.
    #expect(try stamped(.touchItem("b")) == ["b"])
    #expect(try stamped(.moveSection("t", to: .start)) == [])
    #expect(try stamped(.deleteSection("t")) == [])
    // Both keep each other as neighbours.
    #expect(
      try stamped(.moveItem("c", in: "t", to: .end), .moveItem("d", in: "t", to: .end)) == ["c"])
  }

  @Test func aCornerIsDrawnAgainWhenItBecomesOrNoLongerIsTheEnd() throws {
    let list = tree([("s", ["a", "b", "c"].map { item($0, cell: "Corner") })])
    func cornered(_ changes: Change...) throws -> [ItemID] {
      try reconfigured(list, changes, corners)
    }
    #expect(try cornered(.deleteItem("c")) == ["b"])
    #expect(try cornered(.deleteItem("a")) == ["b"])
    #expect(try cornered(.insertItem(item("n"), in: "s", at: .end)) == ["c"])
    #expect(try cornered(.insertItem(item("n"), in: "s", at: .start)) == ["a"])
    #expect(try cornered(.deleteItem("b")) == ["a", "c"])
    // Inserted and deleted again.
    #expect(
      try cornered(.insertItem(item("n"), in: "s", at: .end), .deleteItem("n")) == [])
  }

  @Test func theTypeDecidesBeforeTheCell() throws {
    let list = tree([
      ("s", [item("a"), item("b", cell: "Stamp", type: "Plain"), item("c", type: "Day")])
    ])
    let neighbours = NeighbourDependencies(
      types: ["Plain": [], "Day": .previous], cells: ["Stamp": .previous])
    #expect(try reconfigured(list, [.deleteItem("a")], neighbours) == [])
    #expect(try reconfigured(list, [.deleteItem("b")], neighbours) == ["c"])
  }

  @Test func onlyDependentItemsAreDrawnAgain() throws {
    let list = tree([("s", ["a", "b", "c"].map { item($0) })])
    #expect(try reconfigured(list, [.deleteItem("b")], corners) == [])
    #expect(try reconfigured(list, [.deleteItem("b")], NeighbourDependencies()) == [])
  }

  /// The log finds the same as a comparison of the trees, item by item.
  @Test(arguments: 0..<8) func theLogFindsWhatTheTreesShow(_ part: Int) throws {
    let neighbours = NeighbourDependencies(
      types: ["Book": .next], cells: ["PlainCell": .previous, "WideCell": [.previous, .next]])
    for seed in (part * 60)..<((part + 1) * 60) {
      var generator = SeededGenerator(seed: UInt64(seed))
      let changes = RandomChanges(sections: 4, items: 16, hasSectionParts: true)
      var tree = ListTree(list: "list")
      for _ in 0..<25 { try tree.apply(changes.change(for: tree, using: &generator)) }
      let before = tree
      var entries: [LogEntry] = []
      var touched: Set<ItemID> = []
      for _ in 0..<generator.number(1..<10) {
        let change = changes.change(for: tree, using: &generator)
        if case .deleteSection = change { continue }
        entries.append(try tree.apply(change))
        if case .touchItem(let id) = change { touched.insert(id) }
      }
      tree.revision += 1
      var provider = Provider(before)
      let update = try provider.apply(
        [Commit(list: "list", revision: 1, author: .app, time: nil, entries: entries)],
        policy: UpdatePolicy(neighbours: neighbours))
      let expected = BatchUpdate(
        from: before, to: tree, touched: touched, neighbours: neighbours)
      #expect(
        update.stages.flatMap(\.reconfigureItems) == expected.stages.flatMap(\.reconfigureItems),
        "seed \(seed)")
    }
  }
}
