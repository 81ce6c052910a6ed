import ListModel
import ListOrder

/// The items of a Provider: in memory, or in a store that is read when an item is asked for.
///
/// A Provider knows its sections and the order of its items, by handle, and asks its item source
/// for everything else about items. This is the only type that tells the two kinds apart. If a read
/// from the store fails, the answer is `nil` and ``failureCount`` grows.
///
/// It holds the table of items itself. Behind an existential, `path(of:)` of a list in memory took
/// 1.3 times as long, and `item(at:)` 1.1 times.
struct ItemSource: Sendable {
  /// The items in memory; empty if they are in a store.
  private var table: ItemTable
  private var stored: (any StoredItems)?

  /// The items of a list in memory.
  init(_ tree: ListTree) { table = ItemTable(tree) }

  /// The items of a list in a store.
  init(_ stored: any StoredItems) {
    table = ItemTable()
    self.stored = stored
  }

  /// Whether items are read from a store when they are asked for.
  var readsFromStore: Bool { stored != nil }
  /// How many reads have failed.
  var failureCount: Int { stored?.failureCount ?? 0 }

  // MARK: Questions

  /// The id of the item at a path, which has the handle.
  func id(of handle: Int32, at path: ItemPath, in list: Provider) -> ItemID? {
    guard let stored else { return table.id(of: handle) }
    return stored.id(of: handle, at: path, in: list)
  }

  /// The cell and the content revision of the item at a path, which has the handle.
  func cell(
    of handle: Int32, at path: ItemPath, in list: Provider
  ) -> (cell: CellName, contentRevision: Int)? {
    guard let stored else { return table[handle].map { ($0.state.cell, $0.state.contentRevision) } }
    return stored.cell(of: handle, at: path, in: list)
  }

  /// The item at a path, which has the handle, with its content.
  func item(of handle: Int32, at path: ItemPath, in list: Provider) -> Item? {
    guard let stored else { return table[handle] }
    return stored.item(of: handle, at: path, in: list)
  }

  /// The items of a section, in order; those that can't be read are missing.
  func items(inSection index: Int, of list: Provider) -> [Item] {
    let count = list.numberOfItems(inSection: index)
    if stored != nil {
      return (0..<count).compactMap { list.item(at: ItemPath(section: index, item: $0)) }
    }
    var found: [Item] = []
    found.reserveCapacity(count)
    list.outline.forEachRun(inSection: list.outline.section(at: index)) { run in
      for offset in 0..<Int32(run.count) {
        if let item = table[run.first + offset] { found.append(item) }
      }
    }
    return found
  }

  /// The path of an item; `nil` if the list does not have it.
  func path(of id: ItemID, in list: Provider) -> ItemPath? {
    guard let stored else { return table.handle(of: id).map { list.outline.path(ofItem: $0) } }
    return stored.path(of: id, in: list)
  }

  /// The attributes of a section in a store; `nil` for a list in memory, whose sections have
  /// theirs.
  func attributes(of section: SectionID) -> SectionAttributes? {
    stored?.attributes(of: section)
  }

  /// Reads the structure of a range of a section's items at once, and their contents if wanted.
  func prefetch(
    _ range: Range<Int>, inSection index: Int, of list: Provider, withContents: Bool
  ) {
    stored?.prefetch(range, inSection: index, of: list, withContents: withContents)
  }

  // MARK: Replay

  /// Makes changes possible that other copies of the Provider do not see.
  mutating func beginReplay() { stored = stored?.copy() }

  /// Whether an item has this id; one in a store that was not read can have any.
  func canBe(_ id: ItemID, _ handle: Int32) -> Bool {
    guard let stored else { return table.id(of: handle) == id }
    return stored.isLoaded(id, as: handle) ?? true
  }

  /// Whether the id of an item has this hash; one in a store that was not read can have any.
  func canHave(idHash: UInt64, _ handle: Int32) -> Bool {
    guard let stored else { return table.id(of: handle)?.stableHash == idHash }
    return stored.loadedHash(of: handle).map { $0 == idHash } ?? true
  }

  /// The handle of an item that was removed in the same replay and returns; `nil` for a new item.
  ///
  /// If the list is in a store, it is not known here whether it has the item already. The list's
  /// digest shows it when the commit is complete.
  ///
  /// - Throws: ``/ListModel/ChangeError/logMismatch(_:)`` if the list in memory has the item.
  func handle(
    returning id: ItemID, to path: ItemPath, _ trace: inout ReplayTrace
  ) throws(ChangeError) -> Int32? {
    if stored != nil { return trace.takeBackRemoval(of: id) }
    guard let handle = table.handle(of: id) else { return nil }
    guard trace.removed.remove(handle) != nil else {
      throw .logMismatch("item \"\(id)\" inserted at \(path), but it is there")
    }
    return handle
  }

  /// Takes an item under a handle; `isReturning`: which it had before.
  ///
  /// An item in a store is read again if it returns, and else when it is asked for.
  mutating func insert(
    _ item: Item, _ handle: Int32, isReturning: Bool, _ trace: inout ReplayTrace
  ) {
    if stored != nil {
      if isReturning { trace.changed.insert(handle) }
    } else if isReturning {
      table.setState(item.state, of: handle)
    } else {
      table.insert(item, at: handle)
    }
  }

  /// Gives an item another state; one in a store is read again.
  mutating func update(_ handle: Int32, to state: ItemState, _ trace: inout ReplayTrace) {
    if stored != nil { trace.changed.insert(handle) } else { table.setState(state, of: handle) }
  }

  /// Forgets an item in memory whose handle becomes free.
  ///
  /// Of items in a store, ``read(from:at:forgetting:)`` gets the handles.
  mutating func release(_ handle: Int32) { if stored == nil { table.remove(handle) } }

  /// The store, pinned at a revision; `nil` if the list is in memory, or its revision in the store
  /// is another one by now.
  func pinned(at revision: Int) -> (any StoredSource)? { stored?.pinned(at: revision) }

  /// Goes on to another revision of the store.
  ///
  /// `source`: The store at that revision.
  /// `chain`: The revision's chain hash.
  /// `handles`: The items that have changed or are gone.
  func read(from source: any StoredSource, at chain: UInt64?, forgetting handles: Set<Int32>) {
    stored?.read(from: source, at: chain, forgetting: handles)
  }
}

// MARK: - Sizes

/// A list that comes from no store has no sizes.
extension ItemSource {
  /// The stored size of the item at a path, which has the handle, and how far it can be trusted.
  func size(
    of handle: Int32, at path: ItemPath, in list: Provider, for key: SizeKey, measurerVersion: Int?
  ) -> SizeAnswer {
    guard let stored else { return .missing }
    return stored.size(of: handle, at: path, in: list, for: key, measurerVersion: measurerVersion)
  }

  /// Calls a closure with the stored sizes of a range of a section's items, in order.
  func forEachSize(
    _ range: Range<Int>, inSection index: Int, of list: Provider, for key: SizeKey,
    measurerVersion: Int?, _ body: (Int, SizeAnswer) -> Void
  ) {
    stored?.forEachSize(
      range, inSection: index, of: list, for: key, measurerVersion: measurerVersion, body)
  }

  /// Keeps the measured size of an item.
  ///
  /// - Returns: Whether it is kept.
  func keep(
    _ size: Size, of handle: Int32, at path: ItemPath, in list: Provider, for key: SizeKey,
    measurerVersion: Int
  ) -> Bool {
    stored?.keep(
      size, of: handle, at: path, in: list, for: key, measurerVersion: measurerVersion) ?? false
  }

  /// Turns the kept sizes of an item into estimates.
  func setNeedsLayout(of handle: Int32, at path: ItemPath, in list: Provider) {
    stored?.setNeedsLayout(of: handle, at: path, in: list)
  }

  /// Turns the kept sizes of a section's items and views into estimates.
  func setNeedsLayout(ofSection index: Int, of list: Provider) {
    stored?.setNeedsLayout(ofSection: index, of: list)
  }

  /// The stored size of a section's header, footer or other view.
  func size(
    of kind: Supplementary.Kind, in section: SectionID, for key: SizeKey, measurerVersion: Int?
  ) -> SizeAnswer {
    stored?.size(of: kind, in: section, for: key, measurerVersion: measurerVersion) ?? .missing
  }

  /// Keeps the measured size of a section's header, footer or other view.
  ///
  /// - Returns: Whether it is kept.
  func keep(
    _ size: Size, of kind: Supplementary.Kind, in section: SectionID, for key: SizeKey,
    measurerVersion: Int
  ) -> Bool {
    stored?.keep(size, of: kind, in: section, for: key, measurerVersion: measurerVersion) ?? false
  }

  /// Turns the kept sizes of a section's view into estimates.
  func setNeedsLayout(of kind: Supplementary.Kind, in section: SectionID) {
    stored?.setNeedsLayout(of: kind, in: section)
  }

  /// How long the items of a section are together, as far as they were measured.
  func extent(ofSection index: Int, of list: Provider, for key: SizeKey) -> SectionExtent? {
    guard let stored else {
      return SectionExtent(
        itemCount: list.numberOfItems(inSection: index), measuredCount: 0, measuredLength: 0)
    }
    return stored.extent(ofSection: index, of: list, for: key)
  }

  /// The item at a distance from the first item of its section, which has items.
  ///
  /// `offset`: In points, along the direction of scrolling.
  /// `estimate`: The length of an item without a size, in points; at least 0.
  func item(
    atOffset offset: Double, inSection index: Int, of list: Provider, for key: SizeKey,
    estimate: Double
  ) -> (index: Int, offset: Double)? {
    if let stored {
      return stored.item(
        atOffset: offset, inSection: index, of: list, for: key, estimate: estimate)
    }
    let last = Double(list.numberOfItems(inSection: index) - 1)
    let item = estimate > 0 ? min(max(0, offset / estimate), last).rounded(.down) : 0
    return (Int(item), item * estimate)
  }
}
