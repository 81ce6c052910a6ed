import ListModel

/// Finds the net change between two trees by looking at all of both.
///
/// - Complexity: O(*n* log *n*), *n* items and sections in both trees.
struct TreeDifference {
  private let old: ListTree
  private let new: ListTree
  private let touched: Set<ItemID>
  private var oldSections: [SectionID: Int] = [:]
  private var newSections: [SectionID: Int] = [:]
  private var oldPaths: [ItemID: ItemPath] = [:]
  private var net = NetChange()

  /// Why two trees have no net change.
  struct DuplicateID: Error {
    var message: String
  }

  /// - Throws: ``DuplicateID`` if an id occurs twice in one of the trees.
  static func netChange(
    from old: ListTree, to new: ListTree, touched: Set<ItemID>
  ) throws(DuplicateID) -> NetChange {
    var difference = TreeDifference(old: old, new: new, touched: touched)
    try difference.indexIdentities()
    difference.compareSections()
    difference.compareItems()
    difference.chooseSectionMoves()
    return difference.net
  }

  private init(old: ListTree, new: ListTree, touched: Set<ItemID>) {
    self.old = old
    self.new = new
    self.touched = touched
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
    net.countsBefore = old.itemCounts
    net.countsAfter = new.itemCounts
    net.deleteSections = old.sections.indices.filter { newSections[old.sections[$0].id] == nil }
    for (index, section) in new.sections.enumerated() {
      guard let before = oldSections[section.id] else {
        net.insertSections.append(index)
        continue
      }
      net.survivors.append(NetChange.SurvivingSection(old: before, new: index))
      if !section.attributes.isEquivalent(to: old.sections[before].attributes) {
        net.updateSections.append(index)
      }
    }
  }

  private mutating func compareItems() {
    // Which surviving section an old section became; `nil` for a deleted one.
    var survivorAtOldIndex = [Int?](repeating: nil, count: old.sections.count)
    for (position, survivor) in net.survivors.enumerated() {
      survivorAtOldIndex[survivor.old] = position
    }
    // Old items that are still in a surviving section, wherever: the others were deleted.
    var isKept = old.sections.map { [Bool](repeating: false, count: $0.items.count) }
    for position in net.survivors.indices {
      compareItems(ofSurvivor: position, survivorAtOldIndex, &isKept)
    }
    for position in net.survivors.indices {
      let section = net.survivors[position].old
      net.survivors[position].deletions = isKept[section].indices.filter { !isKept[section][$0] }
    }
    net.deleteItems = net.survivors.flatMap { survivor in
      survivor.deletions.map { ItemPath(section: survivor.old, item: $0) }
    }
    net.deleteItems.sort()
    net.moveItems.sort { $0.to < $1.to }
  }

  private mutating func compareItems(
    ofSurvivor position: Int, _ survivorAtOldIndex: [Int?], _ isKept: inout [[Bool]]
  ) {
    let survivor = net.survivors[position]
    var stayers: [(old: Int, new: Int)] = []
    for (offset, item) in new.sections[survivor.new].items.enumerated() {
      let path = ItemPath(section: survivor.new, item: offset)
      guard let before = oldPaths[item.id], let source = survivorAtOldIndex[before.section] else {
        net.insertItems.append(path)
        net.survivors[position].hasInsertionsOrMoves = true
        continue
      }
      isKept[before.section][before.item] = true
      compareState(of: item, at: path, before: before)
      if source == position {
        stayers.append((before.item, offset))
      } else {
        net.moveItems.append(Stage.ItemMove(from: before, to: path))
        net.hasMovesAcrossSections = true
        net.survivors[position].hasInsertionsOrMoves = true
        net.survivors[source].hasInsertionsOrMoves = true
      }
    }
    let still = Self.itemsThatStay(stayers, bound: old.sections[survivor.old].items.count)
    guard still.count < stayers.count else { return }
    net.survivors[position].hasInsertionsOrMoves = true
    var isStill = [Bool](repeating: false, count: stayers.count)
    for index in still { isStill[index] = true }
    for (index, stayer) in stayers.enumerated() where !isStill[index] {
      net.moveItems.append(
        Stage.ItemMove(
          from: ItemPath(section: survivor.old, item: stayer.old),
          to: ItemPath(section: survivor.new, item: stayer.new)))
    }
  }

  /// The positions of a largest set that may stay; of several, one with most items whose index is
  /// the same anyway, so that the view is rarely told to move an item to where it is.
  private static func itemsThatStay(_ stayers: [(old: Int, new: Int)], bound: Int) -> [Int] {
    let indexes = stayers.map(\.old)
    if zip(indexes, indexes.dropFirst()).allSatisfy({ $0 < $1 }) { return Array(indexes.indices) }
    let weights = stayers.map { stayers.count + 1 + ($0.old == $0.new ? 1 : 0) }
    return IncreasingSubsequence.heaviest(in: indexes, weights: weights, bound: bound)
  }

  private mutating func compareState(of item: Item, at path: ItemPath, before: ItemPath) {
    let oldState = old.sections[before.section].items[before.item].state
    if oldState.cell != item.state.cell {
      net.reloadItems.append(path)
    } else if !oldState.isEquivalent(to: item.state) || touched.contains(item.id) {
      net.reconfigureItems.append(path)
    }
  }

  /// Of the smallest sets of section moves, takes one that costs the fewest stages: sections whose
  /// items change had better stay where they are.
  private mutating func chooseSectionMoves() {
    let needsDeletionsSettled = net.hasMovesAcrossSections && !net.deleteSections.isEmpty
    let weights = net.survivors.map { survivor in
      let isDirty =
        !survivor.deletions.isEmpty
        || (survivor.hasInsertionsOrMoves && !needsDeletionsSettled)
      return net.survivors.count + 1 + (isDirty ? 1 : 0)
    }
    let still = IncreasingSubsequence.heaviest(
      in: net.survivors.map(\.old), weights: weights, bound: old.sections.count)
    for position in net.survivors.indices { net.survivors[position].moves = true }
    for position in still { net.survivors[position].moves = false }
  }
}
