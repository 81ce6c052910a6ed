import ListOrder
import BatchUpdates
import ListModel

/// The items of a list that is in memory.
final class TreeItems: ItemSource, @unchecked Sendable {
  // Sendable: items change during a replay alone, and a replay begins with a copy that no other
  // Provider and no other thread has. Once the replay has ended, nothing changes any more. For the
  // same reason no access needs a check at run time.
  @exclusivity(unchecked) private var items: ItemTable

  private init(_ items: ItemTable) { self.items = items }

  convenience init(_ tree: ListTree) { self.init(ItemTable(tree)) }

  var readsFromStore: Bool { false }
  var failureCount: Int { 0 }

  // MARK: Questions

  func id(of handle: Int32, at path: ItemPath, in list: Provider) -> ItemID? {
    items.id(of: handle)
  }

  func cell(
    of handle: Int32, at path: ItemPath, in list: Provider
  ) -> (cell: CellName, contentRevision: Int)? {
    items[handle].map { ($0.state.cell, $0.state.contentRevision) }
  }

  func item(of handle: Int32, at path: ItemPath, in list: Provider) -> Item? { items[handle] }

  func items(inSection index: Int, of list: Provider) -> [Item] {
    var found: [Item] = []
    found.reserveCapacity(list.numberOfItems(inSection: index))
    list.outline.forEachRun(inSection: list.outline.section(at: index)) { run in
      for offset in 0..<Int32(run.count) {
        if let item = items[run.first + offset] { found.append(item) }
      }
    }
    return found
  }

  func path(of id: ItemID, in list: Provider) -> ItemPath? {
    items.handle(of: id).map { list.outline.path(ofItem: $0) }
  }

  /// `nil`: sections in memory have theirs.
  func attributes(of section: SectionID) -> SectionAttributes? { nil }

  func prefetch(
    _ range: Range<Int>, inSection index: Int, of list: Provider, withContents: Bool
  ) {}

  // MARK: Replay

  func canBe(_ id: ItemID, _ handle: Int32) -> Bool { items.id(of: handle) == id }

  func canHave(idHash: UInt64, _ handle: Int32) -> Bool {
    items.id(of: handle)?.stableHash == idHash
  }

  func handle(
    returning id: ItemID, to path: ItemPath, _ trace: inout ReplayTrace
  ) throws(ChangeError) -> Int32? {
    guard let handle = items.handle(of: id) else { return nil }
    guard trace.removed.remove(handle) != nil else {
      throw .logMismatch("item \"\(id)\" inserted at \(path), but it is there")
    }
    return handle
  }

  func insert(
    _ item: Item, _ handle: Int32, isReturning: Bool, _ trace: inout ReplayTrace
  ) {
    if isReturning {
      items.setState(item.state, of: handle)
    } else {
      items.insert(item, at: handle)
    }
  }

  func update(_ handle: Int32, to state: ItemState, _ trace: inout ReplayTrace) {
    items.setState(state, of: handle)
  }

  func release(_ handle: Int32) { items.remove(handle) }

  func pinned(at revision: Int) -> (any StoredSource)? { nil }

  func copy() -> any ItemSource { TreeItems(items) }

  func read(from source: any StoredSource, at chain: UInt64?, forgetting handles: Set<Int32>) {}
}

// MARK: - Sizes

/// A list that comes from no store has no sizes.
extension TreeItems {
  func size(
    of handle: Int32, at path: ItemPath, in list: Provider, for key: SizeKey, measurerVersion: Int?
  ) -> SizeAnswer { .missing }

  func forEachSize(
    _ range: Range<Int>, inSection index: Int, of list: Provider, for key: SizeKey,
    measurerVersion: Int?, _ body: (Int, SizeAnswer) -> Void
  ) {}

  func keep(
    _ size: Size, of handle: Int32, at path: ItemPath, in list: Provider, for key: SizeKey,
    measurerVersion: Int
  ) -> Bool { false }

  func setNeedsLayout(of handle: Int32, at path: ItemPath, in list: Provider) {}

  func size(
    of kind: Supplementary.Kind, in section: SectionID, for key: SizeKey, measurerVersion: Int?
  ) -> SizeAnswer { .missing }

  func keep(
    _ size: Size, of kind: Supplementary.Kind, in section: SectionID, for key: SizeKey,
    measurerVersion: Int
  ) -> Bool { false }

  func setNeedsLayout(of kind: Supplementary.Kind, in section: SectionID) {}

  func extent(ofSection index: Int, of list: Provider, for key: SizeKey) -> SectionExtent? {
    SectionExtent(
      itemCount: list.numberOfItems(inSection: index), measuredCount: 0, measuredLength: 0)
  }

  func item(
    atOffset offset: Double, inSection index: Int, of list: Provider, for key: SizeKey,
    estimate: Double
  ) -> (index: Int, offset: Double)? {
    let last = Double(list.numberOfItems(inSection: index) - 1)
    let item = estimate > 0 ? min(max(0, offset / estimate), last).rounded(.down) : 0
    return (Int(item), item * estimate)
  }
}
