package import ListModel
package import Providers
import ListOrder
import StoreFiles
import ListTables
import GRDB

/// The items of a list in a store, at one revision; they are read a block at a time.
///
/// One lock guards everything, so one thread at a time reads. An answer from memory holds the lock
/// for well under a microsecond.
package final class PinnedItems: StoredItems {
  let state: Guarded<State>

  /// The items that were read, and the snapshot from which the others are read.
  struct State: Sendable {
    var snapshot: Snapshot
    /// The read transaction of the snapshot that is known to have the list at this revision.
    var generation = 0
    let list: ListID
    let listRow: Int
    /// The chain hash that identifies the list's revision after the snapshot was released.
    var chain: UInt64?
    let sizeQueue: SizeQueue
    var sizes = SizeCache()
    var pages = StructurePages()
    var contents = ContentCache()
    var orders = OrderReader()
    var sections: [SectionID: SectionPlace] = [:]
    var attributes: [SectionID: SectionAttributes] = [:]
    var layouts: [SectionID: UInt64] = [:]
    // The stored sizes of these hold no more, whether or not the store says so already.
    /// All items and views of these sections.
    var staleSections: Set<SectionID> = []
    /// Items, by their rows.
    var staleItems: Set<Int> = []
    /// Headers, footers and other views.
    var staleSupplementaries: Set<SupplementaryPlace> = []
    var cells: [Int: CellName] = [:]
    /// The handles of items whose ids were asked for lately: those on the screen are among them.
    var recentHandles: [ItemID: Int32] = [:]
    var failureCount = 0
  }

  struct SectionPlace: Sendable {
    /// The block over the section's items.
    var root: Int
    var itemCount: Int
  }

  private init(_ state: sending State) { self.state = Guarded(state) }

  convenience init(_ rows: ListRows, in snapshot: Snapshot, sizes: SizeQueue) {
    self.init(
      State(
        snapshot: snapshot, list: rows.list, listRow: rows.id, chain: rows.chain,
        sizeQueue: sizes))
  }

  /// How many reads have failed.
  package var failureCount: Int { state.withValue { $0.failureCount } }

  // MARK: Questions

  /// The id of an item.
  package func id(of handle: Int32, at path: ItemPath, in list: Provider) -> ItemID? {
    state.withValue { state in
      state.answer { state throws in
        try state.entry(of: handle, at: path, in: list)
        let id = try state.itemID(of: handle)
        if let id { state.note(id, handle) }
        return id
      }
    }
  }

  /// The cell and the content revision of an item.
  package func cell(
    of handle: Int32, at path: ItemPath, in list: Provider
  ) -> (cell: CellName, contentRevision: Int)? {
    state.withValue { state in
      state.answer { state throws in
        guard let entry = try state.entry(of: handle, at: path, in: list) else { return nil }
        return (try state.cellName(Int(entry.cell)), Int(entry.contentRevision))
      }
    }
  }

  /// An item with its content.
  package func item(of handle: Int32, at path: ItemPath, in list: Provider) -> Item? {
    state.withValue { state in
      state.answer { state throws in
        try state.entry(of: handle, at: path, in: list)
        if !state.contents.hasContent(of: handle) { try state.loadContents(around: handle) }
        guard let entry = state.pages[handle], let content = state.contents.content(of: handle),
          let id = try state.itemID(of: handle)
        else { return nil }
        return Item(
          id: id,
          state: ItemState(
            cell: try state.cellName(Int(entry.cell)), content: content.content,
            type: content.type, action: content.action,
            contentRevision: Int(entry.contentRevision)))
      }
    }
  }

  /// The path of an item, read from the store unless the item's id was asked for lately.
  package func path(of id: ItemID, in list: Provider) -> ItemPath? {
    state.withValue { state in
      if let handle = state.recentHandles[id], state.isLoaded(id, as: handle) == true {
        return list.outline.path(ofItem: handle)
      }
      return state.answer { state in
        try state.read { db, state in try ListRows(db, state.list)?.location(of: id)?.path }
      }
    }
  }

  /// The attributes of a section.
  package func attributes(of section: SectionID) -> SectionAttributes? {
    state.withValue { state in state.answer { try $0.attributes(of: section) } }
  }

  /// Reads the structure of a range of a section's items, and their contents if wanted.
  package func prefetch(
    _ range: Range<Int>, inSection index: Int, of list: Provider, withContents: Bool
  ) {
    state.withValue { state in
      _ = state.answer { state -> Bool? in
        try state.load(range, inSection: index, of: list, withContents: withContents)
        return true
      }
    }
  }

  /// The hash of an item's id; `nil` if the item was not read.
  package func loadedHash(of handle: Int32) -> UInt64? {
    state.withValue { $0.pages.withName(of: handle) { XXHash64.hash($0) } }
  }

  /// Whether an item has this id; `nil` if the item was not read.
  package func isLoaded(_ id: ItemID, as handle: Int32) -> Bool? {
    state.withValue { $0.isLoaded(id, as: handle) }
  }

  // MARK: Other revisions

  /// The store, pinned at a revision; `nil` if that is not its newest one.
  package func pinned(at revision: Int) -> (any StoredSource)? {
    state.withValue { state in
      state.answer { state in
        let snapshot = try state.snapshot.pinNewest()
        let isThere = try snapshot.read { db, _ in
          try ListRows(db, state.list)?.revision == revision
        }
        return isThere ? snapshot : nil
      }
    }
  }

  /// The same items in another object, which can go on to another revision.
  package func copy() -> any StoredItems { PinnedItems(state.withValue { $0 }) }

  /// Goes on with another snapshot.
  package func read(
    from source: any StoredSource, at chain: UInt64?, forgetting handles: Set<Int32>
  ) {
    guard let snapshot = source as? Snapshot else { return }
    defer { snapshot.scheduleTidying() }
    state.withValue { state in
      state.snapshot = snapshot
      state.generation = 0
      state.chain = chain
      state.orders = OrderReader()
      state.sections = [:]
      state.attributes = [:]
      state.layouts = [:]
      state.sizes.recountKeptSizes()
      for handle in handles {
        state.pages.forget(handle)
        state.sizes.forget(handle)
        state.contents.forget(handle)
      }
    }
  }
}

// MARK: - Reading

/// The list in the store has changed, so items that were not read can't be read any more.
private struct StaleSnapshot: Error {}

extension PinnedItems.State {
  /// Remembers the handle of an item whose id was asked for.
  ///
  /// It may be another item's some day, so ``isLoaded(_:as:)`` decides whether it still holds.
  mutating func note(_ id: ItemID, _ handle: Int32) {
    // Several screens of items; what is on the screen is asked for again when it comes on display.
    if recentHandles.count >= 1_024 { recentHandles.removeAll(keepingCapacity: true) }
    recentHandles[id] = handle
  }

  /// Whether an item has this id; `nil` if the item was not read.
  func isLoaded(_ id: ItemID, as handle: Int32) -> Bool? {
    pages.withName(of: handle) { name in
      var text = id.rawValue
      return text.withUTF8 { $0.elementsEqual(name) }
    }
  }

  /// Reads from the store, if it still has the list at this revision.
  mutating func read<Value: Sendable>(
    _ body: (Database, inout Self) throws -> Value
  ) throws -> Value {
    let snapshot = snapshot
    do {
      return try snapshot.read { db, generation in
        if generation != self.generation {
          guard let rows = try ListRows(db, list), rows.chain == chain else {
            throw StaleSnapshot()
          }
          self.generation = generation
          sizes.recountKeptSizes()
        }
        return try body(db, &self)
      }
    } catch let error as StaleSnapshot {
      snapshot.release()
      throw error
    }
  }

  /// Runs a read; if it fails, the answer is `nil`, and the failure is counted and reported.
  mutating func answer<Value>(_ body: (inout Self) throws -> Value?) -> Value? {
    do { return try body(&self) } catch {
      failureCount += 1
      // That the list has changed since the app was suspended is no failure of the store.
      if !(error is StaleSnapshot) { snapshot.report(error) }
      return nil
    }
  }

  /// The id of an item; `nil` if the item was not read.
  func itemID(of handle: Int32) throws -> ItemID? {
    try pages.withName(of: handle) { try ItemID(String(decoding: $0, as: UTF8.self)) }
  }

  /// The entry of an item, whose block is read if it was not read before.
  @discardableResult
  mutating func entry(
    of handle: Int32, at path: ItemPath, in list: Provider
  ) throws -> StructurePages.Entry? {
    if let entry = pages[handle] { return entry }
    try load(
      path.item..<(path.item + 1), inSection: path.section, of: list, withContents: false)
    return pages[handle]
  }

  /// Reads the blocks that hold a range of a section's items.
  mutating func load(
    _ range: Range<Int>, inSection index: Int, of list: Provider, withContents: Bool
  ) throws {
    try read { db, state in
      try state.load(
        range, inSection: index, of: list, withContents: withContents, Statements(db))
    }
  }

  /// Reads the blocks inside a read.
  mutating func load(
    _ range: Range<Int>, inSection index: Int, of list: Provider, withContents: Bool,
    _ statements: Statements
  ) throws {
    guard let section = list.sectionID(at: index),
      let place = try self.place(of: section, statements)
    else { return }
    let end = min(range.upperBound, place.itemCount)
    var next = max(0, range.lowerBound)
    while next < end {
      let stretch = try orders.stretch(
        holding: next, root: place.root, count: place.itemCount, statements)
      guard stretch.count > 0 else { throw DatabaseError.corrupt("a block is empty") }
      try load(stretch, inSection: index, of: list, statements)
      next = stretch.start + stretch.count
    }
    let start = max(0, range.lowerBound)
    if withContents, start < end {
      // No more than the cache keeps: reading on would drop the first ones.
      let kept = start..<min(end, start + ContentCache.maximumItemCount)
      var handles: [Int32] = []
      handles.reserveCapacity(kept.count)
      list.forEachRun(of: kept, inSection: index) { handles.append(contentsOf: $0) }
      try loadContents(of: handles, statements)
    }
  }

  /// Reads the entries of a block into the pages.
  private mutating func load(
    _ stretch: OrderReader.Stretch, inSection index: Int, of list: Provider,
    _ statements: Statements
  ) throws {
    let handles = list.handles(
      at: (0..<stretch.count).map { ItemPath(section: index, item: stretch.start + $0) })
    var next = 0
    var lastCell = 0
    try orders.forEachItem(in: stretch, statements) { row, name, state in
      defer { next += 1 }
      if state.cell != lastCell {
        lastCell = state.cell
        if cells[lastCell] == nil { try readCellName(lastCell, statements) }
      }
      guard next < handles.count, let handle = handles[next] else {
        throw DatabaseError.corrupt("block \(stretch.block) has more items than the list")
      }
      let ids = 1...Statements.greatestRowID
      guard let cell = UInt32(exactly: state.cell),
        let revision = UInt32(exactly: state.contentRevision), ids.contains(row),
        ids.contains(state.content), (1...256).contains(name.count)
      else { throw DatabaseError.corrupt("block \(stretch.block) holds an impossible item") }
      if pages[handle] != nil { return }
      pages.set(
        .init(row: row, content: state.content, contentRevision: revision, cell: cell),
        name: name, of: handle,
        expecting: name.count * min(handles.count - next, StructurePages.rest(after: handle)))
    }
  }

  mutating func place(
    of section: SectionID, _ statements: Statements
  ) throws -> PinnedItems.SectionPlace? {
    if let place = sections[section] { return place }
    let place = try statements.section(section, in: listRow).map {
      PinnedItems.SectionPlace(root: $0.root, itemCount: $0.itemCount)
    }
    sections[section] = place
    return place
  }

  mutating func attributes(of section: SectionID) throws -> SectionAttributes? {
    if let known = attributes[section] { return known }
    let attributes = try read { db, state -> SectionAttributes? in
      guard let rows = try ListRows(db, state.list), let row = try rows.sectionRow(section) else {
        return nil
      }
      return try rows.attributes(of: row.id)
    }
    self.attributes[section] = attributes
    return attributes
  }

  mutating func cellName(_ row: Int) throws -> CellName {
    if let name = cells[row] { return name }
    return try read { db, state in try state.readCellName(row, Statements(db)) }
  }

  @discardableResult
  private mutating func readCellName(
    _ row: Int, _ statements: Statements
  ) throws -> CellName {
    let name = try statements.cellName(row)
    cells[row] = name
    return name
  }

  /// Reads the contents of the items that share a page with one, of those whose blocks were read.
  fileprivate mutating func loadContents(around handle: Int32) throws {
    try read { db, state in
      try state.loadContents(of: ContentCache.page(of: handle), Statements(db))
    }
  }

  private mutating func loadContents(
    of handles: some Sequence<Int32>, _ statements: Statements
  ) throws {
    let read = try ItemContents(statements)
    for handle in handles {
      guard let entry = pages[handle], !contents.hasContent(of: handle) else { continue }
      contents.set(try read.content(entry.content), of: handle)
    }
  }
}
