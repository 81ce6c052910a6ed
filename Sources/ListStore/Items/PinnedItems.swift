import GRDB
import ListModel
import ListOrder
import ListTables
import Providers
import StoreFiles

/// The items of a list in a store, at one revision; they are read a block at a time.
///
/// What was read or measured is in memory, behind a lock that is held for well under a microsecond.
/// Reads have a lock of their own: ``PinnedList``.
final class PinnedItems: StoredItems {
  let pin: PinnedList
  let cache: Guarded<ItemCache>
  let sizeQueue: SizeQueue
  /// Whether the list is known to have no gaps.
  private let isWithoutGaps: Bool

  private init(
    _ pin: PinnedList, _ cache: ItemCache, _ sizeQueue: SizeQueue, isWithoutGaps: Bool = false
  ) {
    self.pin = pin
    self.cache = Guarded(cache)
    self.sizeQueue = sizeQueue
    self.isWithoutGaps = isWithoutGaps
  }

  convenience init(_ rows: ListRows, in snapshot: Snapshot, sizes: SizeQueue) {
    self.init(
      PinnedList(snapshot, listRow: rows.id), ItemCache(), sizes,
      isWithoutGaps: rows.hasNoGaps)
  }

  var failureCount: Int { cache.withValue { $0.failureCount } }

  // MARK: Questions

  func itemID(at path: ItemPath, in list: Provider) -> ItemID? {
    let handle = list.outline.item(at: path)
    return answer(in: list) { cache in
      guard let id = try cache.itemID(of: handle) else { return nil }
      cache.note(id, handle)
      return id
    } reading: { reading, statements in
      try loadItem(at: path, in: list, &reading, statements)
    }
  }

  func cell(
    at path: ItemPath, in list: Provider
  ) -> (cell: CellName, contentRevision: Int)? {
    let handle = list.outline.item(at: path)
    return answer(in: list) { cache in
      cache.cell(of: handle)
    } reading: { reading, statements in
      try loadItem(at: path, in: list, &reading, statements)
    }
  }

  func contentRow(at path: ItemPath, in list: Provider) -> Int? {
    let handle = list.outline.item(at: path)
    return answer(in: list) { cache in
      cache.contentRow(of: handle)
    } reading: { reading, statements in
      try loadItem(at: path, in: list, &reading, statements)
    }
  }

  func item(at path: ItemPath, in list: Provider) -> Item? {
    let handle = list.outline.item(at: path)
    return answer(in: list) { cache in
      try cache.item(of: handle)
    } reading: { reading, statements in
      try loadItem(at: path, in: list, &reading, statements)
      // A gap is asked for wherever it stands, and those around it only where they are in sight.
      let isGap = cache.withValue { $0.cell(of: handle)?.cell == Gap.cell }
      try loadContents(
        of: isGap ? handle..<(handle + 1) : ContentCache.page(of: handle), statements)
    }
  }

  func path(of id: ItemID, in list: Provider) -> ItemPath? {
    if let handle = cache.withValue({ $0.recentHandle(of: id) }) {
      return list.outline.path(ofItem: handle)
    }
    return answer {
      try pin.read(list) { _, statements in
        try ListRows(statements, list.list)?.location(of: id)?.path
      }
    }
  }

  func attributes(of section: SectionID, in list: Provider) -> SectionAttributes? {
    answer(in: list) { cache in
      cache.attributes[section]
    } reading: { _, statements in
      try loadAttributes(of: section, in: list, statements)
    }
  }

  func prefetch(
    _ range: Range<Int>, inSection index: Int, of list: Provider, withContents: Bool
  ) {
    _ = answer {
      try pin.read(list) { reading, statements -> Bool? in
        try load(range, inSection: index, of: list, &reading, statements)
        if withContents {
          // No more than the cache keeps: reading on would drop the first ones.
          var handles: [Int32] = []
          list.forEachRun(
            of: range.prefix(ContentCache.maximumItemCount), inSection: index
          ) { handles.append(contentsOf: $0) }
          try loadContents(of: handles, statements)
        }
        return true
      }
    }
  }

  func gaps(in list: Provider) -> [ItemID] {
    if isWithoutGaps { return [] }
    return answer {
      try pin.read(list) { reading, statements in
        let gaps = try ListRows(statements, list.list)?.gaps() ?? []
        // Where they stand and what they say is asked for next.
        for (gap, handle) in zip(gaps, list.handles(at: gaps.map(\.location.path))) {
          guard let handle else { continue }
          try loadItem(at: gap.location.path, in: list, &reading, statements)
          cache.withValue { $0.note(gap.id, handle) }
        }
        return gaps.map(\.id)
      }
    } ?? []
  }

  func loadedHash(of handle: Int32) -> UInt64? {
    cache.withValue { $0.structure.withName(of: handle) { XXHash64.hash($0) } }
  }

  func isLoaded(_ id: ItemID, as handle: Int32) -> Bool? {
    cache.withValue { $0.isLoaded(id, as: handle) }
  }

  // MARK: Other revisions

  func pinned(at revision: Int, in list: Provider) -> (any StoredItems)? {
    answer {
      try pin.newestSnapshot(of: list.list, at: revision).map { pinned(in: $0, sizes: sizeQueue) }
    }
  }

  /// The items in another snapshot.
  func pinned(in snapshot: Snapshot, sizes: SizeQueue) -> PinnedItems {
    PinnedItems(pin.pinned(in: snapshot), cache.withValue { $0 }, sizes)
  }

  func begin(forgetting handles: Set<Int32>) {
    cache.withValue { $0.begin(forgetting: handles) }
    pin.scheduleTidying()
  }
}

// MARK: - Answers

extension PinnedItems {
  /// Runs a read; if it fails, the answer is `nil`, and the failure is counted and reported.
  func answer<Value>(_ body: () throws -> Value?) -> Value? {
    do { return try body() } catch {
      cache.withValue { $0.failureCount += 1 }
      pin.report(error)
      return nil
    }
  }

  /// Answers from memory; if that can't be, reads, and answers then.
  ///
  /// Only reads add items to the cache, and drop others from it. So what was read is there as long
  /// as the read lasts.
  ///
  /// `known`: The answer; `nil` if something was not read yet.
  /// `load`: Reads what is missing.
  func answer<Value: Sendable>(
    in list: Provider, _ known: (inout ItemCache) throws -> Value?,
    reading load: (inout PinnedList.Reading, Statements) throws -> Void
  ) -> Value? {
    answer {
      if let value = try cache.withValue({ try known(&$0) }) { return value }
      return try pin.read(list) { reading, statements in
        // Another thread may have read it meanwhile.
        if let value = try cache.withValue({ try known(&$0) }) { return value }
        try load(&reading, statements)
        return try cache.withValue { try known(&$0) }
      }
    }
  }
}

// MARK: - Reading

extension PinnedItems {
  /// Reads the block of an item, unless it was read before.
  func loadItem(
    at path: ItemPath, in list: Provider, _ reading: inout PinnedList.Reading,
    _ statements: Statements
  ) throws {
    let handle = list.outline.item(at: path)
    if cache.withValue({ $0.structure[handle] != nil }) { return }
    try load(
      path.item..<(path.item + 1), inSection: path.section, of: list, &reading, statements)
  }

  /// Reads the blocks that hold a range of a section's items.
  private func load(
    _ range: Range<Int>, inSection index: Int, of list: Provider,
    _ reading: inout PinnedList.Reading, _ statements: Statements
  ) throws {
    guard let section = list.sectionID(at: index) else { return }
    for block in try reading.blocks(holding: range, of: section, statements) {
      try load(block, inSection: index, of: list, reading.orders, statements)
    }
  }

  /// Reads a block of items into memory.
  func load(
    _ block: OrderReader.PlacedBlock, inSection index: Int, of list: Provider,
    _ orders: OrderReader,
    _ statements: Statements
  ) throws {
    let handles = list.handles(
      at: (0..<block.count).map { ItemPath(section: index, item: block.start + $0) })
    var cells = cache.withValue { $0.cells }
    let cellCount = cells.count
    var lastCell = 0
    var read = StructurePages.Items(count: block.count)
    // Also those before one that can't be read.
    defer {
      cache.withValue { cache in
        if cells.count > cellCount { cache.cells = cells }
        cache.structure.add(read)
      }
    }
    try orders.forEachItem(in: block, statements) { row, name, state in
      if state.cell != lastCell {
        lastCell = state.cell
        if cells[lastCell] == nil { cells[lastCell] = try statements.cellName(lastCell) }
      }
      guard read.count < handles.count, let handle = handles[read.count] else {
        throw DatabaseError.corrupt("block \(block.block) has more items than the list")
      }
      let ids = 1...Statements.greatestRowID
      guard let cell = UInt32(exactly: state.cell),
        let revision = UInt32(exactly: state.contentRevision), ids.contains(row),
        ids.contains(state.content), (1...256).contains(name.count)
      else { throw DatabaseError.corrupt("block \(block.block) holds an impossible item") }
      read.append(
        .init(row: row, content: state.content, contentRevision: revision, cell: cell),
        name: name, of: handle)
    }
  }

  /// Reads the contents of items whose blocks were read.
  private func loadContents(of handles: some Sequence<Int32>, _ statements: Statements) throws {
    let missing = cache.withValue { cache in
      handles.compactMap { handle in
        cache.contents.hasContent(of: handle)
          ? nil : cache.structure[handle].map { (handle: handle, row: $0.content) }
      }
    }
    var read: [(handle: Int32, content: ContentCache.Content)] = []
    read.reserveCapacity(missing.count)
    // Also those before one that can't be read.
    defer {
      cache.withValue { cache in
        for item in read { cache.contents.set(item.content, of: item.handle) }
      }
    }
    let contents = try ItemContents(statements)
    for item in missing { read.append((item.handle, try contents.content(item.row))) }
  }

  /// Reads the attributes of a section, unless they were read before.
  func loadAttributes(
    of section: SectionID, in list: Provider, _ statements: Statements
  ) throws {
    if cache.withValue({ $0.attributes[section] != nil }) { return }
    guard let rows = try ListRows(statements, list.list),
      let row = try rows.sectionRow(section)
    else { return }
    let attributes = try rows.attributes(of: row.id)
    cache.withValue { $0.attributes[section] = attributes }
  }
}
