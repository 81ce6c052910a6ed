import ListModel

/// Finds the net change between two trees by comparing all of their sections and items.
///
/// - Complexity: O(*n* log *n*), *n* items and sections in both trees.
struct TreeDifference {
  private let old: ListTree
  private let new: ListTree
  private let touched: Set<ItemID>
  private var oldSections: [SectionID: Int] = [:]
  private var newSections: [SectionID: Int] = [:]
  private var oldPaths: [ItemID: ItemPath] = [:]
  /// The sections that are in both trees, in their order after.
  private var survivors: [NetChange.SurvivingSection] = []
  private var net: NetChange

  /// An id occurs twice in a tree.
  struct DuplicateID: Error {
    var message: String
  }

  /// - Throws: ``DuplicateID`` if an id occurs twice in one of the trees.
  static func netChange(
    from old: ListTree, to new: ListTree, touched: Set<ItemID>, findsNeighbours: Bool
  ) throws(DuplicateID) -> NetChange {
    var difference = TreeDifference(old: old, new: new, touched: touched)
    try difference.indexIdentities()
    difference.compareSections()
    difference.compareItems()
    difference.chooseSectionMoves()
    difference.writeSections()
    if findsNeighbours { difference.findNeighbours() }
    return difference.net
  }

  private init(old: ListTree, new: ListTree, touched: Set<ItemID>) {
    self.old = old
    self.new = new
    self.touched = touched
    net = NetChange(before: SectionCounts(old.itemCounts))
  }

  private mutating func indexIdentities() throws(DuplicateID) {
    oldSections = try Self.sectionIndexes(old)
    newSections = try Self.sectionIndexes(new)
    oldPaths = try Self.itemPaths(old)
    _ = try Self.itemPaths(new)
  }

  private static func sectionIndexes(_ tree: ListTree) throws(DuplicateID) -> [SectionID: Int] {
    var indexes: [SectionID: Int] = [:]
    indexes.reserveCapacity(tree.sections.count)
    for (index, section) in tree.sections.enumerated()
    where indexes.updateValue(index, forKey: section.id) != nil {
      throw DuplicateID(message: "section \"\(section.id)\" occurs twice")
    }
    return indexes
  }

  private static func itemPaths(_ tree: ListTree) throws(DuplicateID) -> [ItemID: ItemPath] {
    var paths: [ItemID: ItemPath] = [:]
    paths.reserveCapacity(tree.sections.reduce(0) { $0 + $1.items.count })
    for (index, section) in tree.sections.enumerated() {
      for (offset, item) in section.items.enumerated()
      where paths.updateValue(ItemPath(section: index, item: offset), forKey: item.id) != nil {
        throw DuplicateID(message: "item \"\(item.id)\" occurs twice")
      }
    }
    return paths
  }

  private mutating func compareSections() {
    net.deleteSections = old.sections.indices.filter { newSections[old.sections[$0].id] == nil }
    for (index, section) in new.sections.enumerated() {
      guard let before = oldSections[section.id] else {
        net.insertSections.append(index)
        continue
      }
      survivors.append(
        NetChange.SurvivingSection(old: before, new: index, countAfter: section.items.count))
      if !section.attributes.looksTheSame(as: old.sections[before].attributes) {
        net.updateSections.append(index)
      }
    }
  }

  private mutating func compareItems() {
    // The position in `survivors` of each old section; `nil` for a deleted one.
    var survivorAtOldIndex = [Int?](repeating: nil, count: old.sections.count)
    for (position, survivor) in survivors.enumerated() {
      survivorAtOldIndex[survivor.old] = position
    }
    // Whether each old item is still in a surviving section; the other items were deleted.
    var isKept = old.sections.map { [Bool](repeating: false, count: $0.items.count) }
    for position in survivors.indices {
      compareItems(ofSurvivor: position, survivorAtOldIndex, &isKept)
    }
    for position in survivors.indices {
      let section = survivors[position].old
      survivors[position].deletions = isKept[section].indices.filter { !isKept[section][$0] }
    }
    net.deleteItems = survivors.flatMap { survivor in
      survivor.deletions.map { ItemPath(section: survivor.old, item: $0) }
    }
    net.deleteItems.sort()
    net.moveItems.sort { $0.to < $1.to }
  }

  private mutating func compareItems(
    ofSurvivor position: Int, _ survivorAtOldIndex: [Int?], _ isKept: inout [[Bool]]
  ) {
    let survivor = survivors[position]
    var stayers: [(old: Int, new: Int)] = []
    for (offset, item) in new.sections[survivor.new].items.enumerated() {
      let path = ItemPath(section: survivor.new, item: offset)
      guard let before = oldPaths[item.id], let source = survivorAtOldIndex[before.section] else {
        net.insertItems.append(path)
        survivors[position].hasInsertionsOrMoves = true
        continue
      }
      isKept[before.section][before.item] = true
      compareState(of: item, at: path, before: before)
      if source == position {
        stayers.append((before.item, offset))
      } else {
        net.moveItems.append(Stage.Move(from: before, to: path))
        net.hasMovesAcrossSections = true
        survivors[position].hasInsertionsOrMoves = true
        survivors[source].hasInsertionsOrMoves = true
      }
    }
    // Of the largest sets that may stay, one with the most items whose index is the same after, so
    // that few items move onto their own index.
    guard
      let stays = IncreasingSubsequence.stays(
        stayers.map { .init(old: $0.old, count: 1, preference: $0.old == $0.new ? 1 : 0) })
    else { return }
    survivors[position].hasInsertionsOrMoves = true
    for (index, stayer) in stayers.enumerated() where !stays[index] {
      net.moveItems.append(
        Stage.Move(
          from: ItemPath(section: survivor.old, item: stayer.old),
          to: ItemPath(section: survivor.new, item: stayer.new)))
    }
  }

  private mutating func compareState(of item: Item, at path: ItemPath, before: ItemPath) {
    let oldState = old.sections[before.section].items[before.item].state
    if oldState.cell != item.state.cell {
      net.reloadItems.append(path)
    } else if !oldState.isEquivalent(to: item.state) || touched.contains(item.id) {
      net.reconfigureItems.append(path)
    }
  }

  /// Chooses the sections that move: of the smallest sets, one with the fewest sections whose items
  /// change, because moving those takes another stage.
  private mutating func chooseSectionMoves() {
    let needsDeletionsSettled = net.hasMovesAcrossSections && !net.deleteSections.isEmpty
    let candidates = survivors.map { survivor in
      IncreasingSubsequence.Candidate(
        old: survivor.old, count: 1,
        preference: survivor.isDirty(deletionsSettled: needsDeletionsSettled) ? 1 : 0)
    }
    guard let stays = IncreasingSubsequence.stays(candidates) else { return }
    for position in survivors.indices { survivors[position].moves = !stays[position] }
  }

  private mutating func writeSections() {
    var unwritten = survivors[...]
    for (index, section) in new.sections.enumerated() {
      guard let survivor = unwritten.first, survivor.new == index else {
        net.sections.append(.inserted(itemCount: section.items.count))
        continue
      }
      unwritten.removeFirst()
      if survivor.moves || survivor.hasItemChanges {
        net.sections.append(.survivor(net.survivors.count))
        net.survivors.append(survivor)
      } else {
        net.sections.append(.unchanged(from: survivor.old, count: 1))
      }
    }
  }

  /// Finds the items with a neighbour that is another one or changed.
  private mutating func findNeighbours() {
    for survivor in survivors {
      let items = new.sections[survivor.new].items
      for (offset, item) in items.enumerated() {
        guard let before = oldPaths[item.id], newSections[old.sections[before.section].id] != nil
        else { continue }
        let oldItems = old.sections[before.section].items
        func isSame(_ step: Int) -> Bool {
          let here = items.indices.contains(offset + step) ? items[offset + step] : nil
          let there =
            oldItems.indices.contains(before.item + step) ? oldItems[before.item + step] : nil
          guard let here, let there else { return here == nil && there == nil }
          return here.id == there.id && here.state.isEquivalent(to: there.state)
        }
        var changed: NeighbourDependency = []
        if !isSame(-1) { changed.insert(.previous) }
        if !isSame(1) { changed.insert(.next) }
        if changed.isEmpty { continue }
        net.neighbours.append(
          .init(path: ItemPath(section: survivor.new, item: offset), changed: changed))
      }
    }
  }
}
