package import ListModel
import ListOrder

extension Provider {
  /// Makes a Provider of items of another one, in another order and in other sections.
  ///
  /// Nothing of the items is read: they are those of the other Provider, with their sizes.
  ///
  /// `sections`: Where their items stand in the other list, counted through its sections.
  /// `number`: Says what was selected.
  /// - Complexity: O(*n* log *n*), *n* items.
  package init(
    selecting sections: [(id: SectionID, attributes: SectionAttributes, places: [Int])],
    of source: Provider, number: Int
  ) {
    var visibilities: [SectionID: SectionAttributes.Visibility] = [:]
    for section in sections where section.attributes.visibility != .shown {
      visibilities[section.id] = section.attributes.visibility
    }
    self.init(
      list: source.list, revision: source.revision, meta: source.meta,
      sections: sections.map { ($0.id, $0.places.count) }, visibilities: visibilities,
      items: SelectedItems(sections, of: source, number: number), position: source.position)
  }

  /// Which items are selected of another Provider's; `nil` if none are.
  package var selection: Int? { (stored as? SelectedItems)?.number }

  /// This list and another selection of the same items, to be compared.
  ///
  /// The places of the items in the list that both are selected from stand for their ids. An item is the
  /// same in both.
  ///
  /// - Returns: `nil` if they are selected from lists that differ.
  package func placeTrees(with other: Provider) -> (own: ListTree, other: ListTree)? {
    guard let own = stored as? SelectedItems, let others = other.stored as? SelectedItems,
      own.isOfSameSource(as: others), let tree = own.placeTree(of: self),
      let otherTree = others.placeTree(of: other)
    else { return nil }
    return (tree, otherTree)
  }
}

/// Items of another Provider, in another order.
private final class SelectedItems: StoredItems {
  let number: Int
  private let source: Provider
  /// The path in the source of each item, in order.
  private let paths: [ItemPath]
  /// At which item each section begins.
  private let starts: [Int]
  /// The index in ``paths`` of each item of the source, -1: it is not selected; `nil` if they have the
  /// order of the source.
  private let indexes: [Int32]?
  /// At which item each section of the source begins.
  private let sourceStarts: [Int]
  private let attributes: [SectionID: SectionAttributes]

  init(
    _ sections: [(id: SectionID, attributes: SectionAttributes, places: [Int])],
    of source: Provider, number: Int
  ) {
    self.number = number
    self.source = source
    sourceStarts = Self.starts((0..<source.numberOfSections).map(source.numberOfItems))
    var paths: [ItemPath] = []
    paths.reserveCapacity(sections.reduce(0) { $0 + $1.places.count })
    var section = 0
    var isSorted = true
    var last = -1
    for selected in sections {
      for place in selected.places {
        if sourceStarts[section] > place { section = 0 }
        while section + 1 < sourceStarts.count, sourceStarts[section + 1] <= place { section += 1 }
        paths.append(ItemPath(section: section, item: place - sourceStarts[section]))
        if place < last { isSorted = false }
        last = place
      }
    }
    self.paths = paths
    starts = Self.starts(sections.map(\.places.count))
    indexes = isSorted ? nil : Self.indexes(of: sections.map(\.places), among: source.numberOfItems)
    attributes = Dictionary(sections.map { ($0.id, $0.attributes) }) { first, _ in first }
  }

  /// At which item each section begins, of so many items each.
  private static func starts(_ counts: [Int]) -> [Int] {
    var start = 0
    return counts.map { count in
      defer { start += count }
      return start
    }
  }

  /// The index of each of so many items among those that are selected; -1: it is not.
  private static func indexes(of places: [[Int]], among count: Int) -> [Int32] {
    var indexes = [Int32](repeating: -1, count: count)
    var next: Int32 = 0
    for places in places {
      for place in places {
        indexes[place] = next
        next += 1
      }
    }
    return indexes
  }

  /// The path in the source.
  private func sourcePath(_ path: ItemPath) -> ItemPath { paths[starts[path.section] + path.item] }

  func isOfSameSource(as other: SelectedItems) -> Bool {
    source.list == other.source.list && source.position != nil
      && source.position == other.source.position
  }

  /// The list with the items' places in the source for ids.
  func placeTree(of list: Provider) -> ListTree? {
    let state = ItemState(cell: "cell", content: .null)
    var sections: [ListTree.Section] = []
    for (index, start) in starts.enumerated() {
      guard let id = list.sectionID(at: index), let attributes = attributes[id] else { return nil }
      let end = index + 1 < starts.count ? starts[index + 1] : paths.count
      var items: [Item] = []
      items.reserveCapacity(end - start)
      for path in paths[start..<end] {
        guard let id = try? ItemID("\(path.section):\(path.item)") else { return nil }
        items.append(Item(id: id, state: state))
      }
      sections.append(ListTree.Section(id: id, attributes: attributes, items: items))
    }
    return ListTree(list: list.list, revision: list.revision, sections: sections)
  }

  var failureCount: Int { source.failedReadCount }

  func itemID(at path: ItemPath, in list: Provider) -> ItemID? {
    source.itemID(at: sourcePath(path))
  }

  func cell(at path: ItemPath, in list: Provider) -> (cell: CellName, contentRevision: Int)? {
    source.cell(at: sourcePath(path))
  }

  func contentRow(at path: ItemPath, in list: Provider) -> Int? {
    source.contentRow(at: sourcePath(path))
  }

  func item(at path: ItemPath, in list: Provider) -> Item? {
    source.item(at: sourcePath(path))
  }

  func path(of id: ItemID, in list: Provider) -> ItemPath? {
    guard let path = source.path(of: id) else { return nil }
    let item =
      indexes.map { Int($0[sourceStarts[path.section] + path.item]) }
      ?? paths.halvingIndex { !($0 < path) }
    guard let item, item >= 0, paths[item] == path else { return nil }
    let after = starts.halvingIndex { $0 > item }
    // Sections without items begin where the next one does.
    let section = (after ?? starts.count) - 1
    return ItemPath(section: section, item: item - starts[section])
  }

  func attributes(of section: SectionID, in list: Provider) -> SectionAttributes? {
    attributes[section]
  }

  func prefetch(
    _ range: Range<Int>, inSection index: Int, of list: Provider, withContents: Bool
  ) {
    for item in range {
      let path = sourcePath(ItemPath(section: index, item: item))
      source.prefetch(
        path.item..<(path.item + 1), inSection: path.section, withContents: withContents)
    }
  }

  // MARK: Other revisions

  // No commit is replayed into a selection: it is made anew.
  // They are left out.
  func gaps(in list: Provider) -> [ItemID] { [] }

  func loadedHash(of handle: Int32) -> UInt64? { nil }
  func isLoaded(_ id: ItemID, as handle: Int32) -> Bool? { nil }
  func pinned(at revision: Int, in list: Provider) -> (any StoredItems)? { nil }
  func begin(forgetting handles: Set<Int32>) {}

  // MARK: Sizes

  func size(
    at path: ItemPath, in list: Provider, for key: SizeKey, measurerVersion: Int?
  ) -> SizeAnswer {
    source.size(at: sourcePath(path), for: key, measurerVersion: measurerVersion)
  }

  func forEachSize(
    in range: Range<Int>, ofSection index: Int, of list: Provider, for key: SizeKey,
    measurerVersion: Int?, _ body: (Int, SizeAnswer) -> Void
  ) {
    for item in range {
      body(
        item,
        size(
          at: ItemPath(section: index, item: item), in: list, for: key,
          measurerVersion: measurerVersion))
    }
  }

  func keep(
    _ size: Size, at path: ItemPath, in list: Provider, for key: SizeKey, measurerVersion: Int
  ) -> Bool {
    source.keep(size, at: sourcePath(path), for: key, measurerVersion: measurerVersion)
  }

  func setNeedsLayout(at path: ItemPath, in list: Provider) {
    source.setNeedsLayout(at: sourcePath(path))
  }

  func setNeedsLayout(ofSection index: Int, of list: Provider) {
    for item in 0..<list.numberOfItems(inSection: index) {
      setNeedsLayout(at: ItemPath(section: index, item: item), in: list)
    }
  }

  /// The source's section with the same views, whose sizes hold.
  private func sourceSection(_ index: Int, _ list: Provider) -> Int? {
    guard let id = list.sectionID(at: index), let found = source.index(of: id),
      source.attributes(ofSection: found) == attributes[id]
    else { return nil }
    return found
  }

  func size(
    of kind: Supplementary.Kind, inSection index: Int, of list: Provider, for key: SizeKey,
    measurerVersion: Int?
  ) -> SizeAnswer {
    sourceSection(index, list).map {
      source.size(of: kind, inSection: $0, for: key, measurerVersion: measurerVersion)
    } ?? .missing
  }

  func keep(
    _ size: Size, of kind: Supplementary.Kind, inSection index: Int, of list: Provider,
    for key: SizeKey, measurerVersion: Int
  ) -> Bool {
    sourceSection(index, list).map {
      source.keep(size, of: kind, inSection: $0, for: key, measurerVersion: measurerVersion)
    } ?? false
  }

  func setNeedsLayout(of kind: Supplementary.Kind, inSection index: Int, of list: Provider) {
    if let section = sourceSection(index, list) {
      source.setNeedsLayout(of: kind, inSection: section)
    }
  }

  // O(n): the source's sums are of other sections.
  func extent(ofSection index: Int, of list: Provider, for key: SizeKey) -> SectionExtent? {
    let count = list.numberOfItems(inSection: index)
    var extent = SectionExtent(itemCount: count, measuredCount: 0, measuredLength: 0)
    forEachSize(in: 0..<count, ofSection: index, of: list, for: key, measurerVersion: nil) {
      _, size in
      guard let length = size.length(along: key.axis) else { return }
      extent.measuredCount += 1
      extent.measuredLength += length
    }
    return extent
  }

  func item(
    atOffset offset: Double, inSection index: Int, of list: Provider, for key: SizeKey,
    estimate: Double
  ) -> (path: ItemPath, offset: Double)? {
    var begin = 0.0
    var found: (path: ItemPath, offset: Double)?
    for item in 0..<list.numberOfItems(inSection: index) {
      let path = ItemPath(section: index, item: item)
      found = (path, begin)
      begin +=
        size(at: path, in: list, for: key, measurerVersion: nil).length(along: key.axis) ?? estimate
      if begin > offset { break }
    }
    return found
  }
}

extension SizeAnswer {
  /// The length in the direction of scrolling; `nil` without a size.
  fileprivate func length(along axis: SizeKey.Axis) -> Double? {
    switch self {
    case .exact(let size), .estimate(let size, _): axis == .vertical ? size.height : size.width
    case .missing: nil
    }
  }
}

extension Array {
  /// The first index from which on a condition holds, found by halving; `nil` if it holds nowhere.
  fileprivate func halvingIndex(where holds: (Element) -> Bool) -> Int? {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if holds(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low < count ? low : nil
  }
}
