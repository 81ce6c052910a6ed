import GRDB
package import ListModel
package import Providers
import StoreSchema

extension PinnedItems {
  /// The size of an item, and how far it can be trusted.
  package func size(
    of handle: Int32, at path: ItemPath, in list: Provider, for key: SizeKey, measurerVersion: Int?
  ) -> SizeAnswer {
    guard let section = list.sectionID(at: path.section) else { return .missing }
    return state.withValue { state in
      let answer = state.answer { state -> SizeAnswer? in
        let layout = try state.layout(of: section)
        if state.sizes.withPages(for: key, { $0[handle].status }) == .unknown {
          try state.loadSizes(
            path.item..<(path.item + 1), inSection: path.section, of: list, for: key)
        }
        return state.sizes.withPages(for: key) {
          $0[handle].answer(layout: layout, measurerVersion: measurerVersion)
        }
      }
      return answer ?? .missing
    }
  }

  /// Calls a closure with the sizes of a range of a section's items, in order.
  package func forEachSize(
    _ range: Range<Int>, inSection index: Int, of list: Provider, for key: SizeKey,
    measurerVersion: Int?, _ body: (Int, SizeAnswer) -> Void
  ) {
    guard let section = list.sectionID(at: index) else { return }
    // A part at a time, so that a long range takes little memory.
    let stretch = 1_024
    var entries: ContiguousArray<SizeCache.Entry> = []
    entries.reserveCapacity(min(stretch, range.count))
    for start in stride(from: range.lowerBound, to: range.upperBound, by: stretch) {
      let part = start..<min(start + stretch, range.upperBound)
      let layout = state.withValue { state in
        state.answer { state -> UInt64? in
          let layout = try state.layout(of: section)
          state.takeSizes(part, inSection: index, of: list, for: key, to: &entries)
          if entries.contains(where: { $0.status == .unknown }) {
            try state.loadSizes(part, inSection: index, of: list, for: key)
            state.takeSizes(part, inSection: index, of: list, for: key, to: &entries)
          }
          return layout
        }
      }
      guard let layout else { return }
      // Outside the lock, because the closure may ask for sizes and keep sizes.
      for (offset, entry) in entries.enumerated() {
        body(start + offset, entry.answer(layout: layout, measurerVersion: measurerVersion))
      }
    }
  }

  /// Keeps the measured size of an item: in memory at once, in the store soon.
  package func keep(
    _ size: Size, of handle: Int32, at path: ItemPath, in list: Provider, for key: SizeKey,
    measurerVersion: Int
  ) -> Bool {
    guard let section = list.sectionID(at: path.section) else { return false }
    return state.withValue { state in
      let isKept = state.answer { state -> Bool? in
        try state.loadBlock(of: handle, at: path, in: list)
        guard let entry = state.pages[handle], let id = try state.itemID(of: handle) else {
          return false
        }
        let layout = try state.layout(of: section)
        state.sizes.withPages(for: key) {
          $0[handle] = SizeCache.Entry(
            width: size.width, height: size.height, layout: layout,
            measurerVersion: measurerVersion, status: .measured)
        }
        state.sizeQueue.add(
          .init(
            list: state.list, key: key,
            size: .item(
              KnownSize(
                item: id, row: entry.row, cell: Int(entry.cell), size: size,
                contentRevision: Int(entry.contentRevision), layout: layout,
                measurerVersion: measurerVersion))))
        return true
      }
      return isKept ?? false
    }
  }

  /// Turns the kept sizes of an item into estimates: in memory at once, in the store soon.
  package func setNeedsLayout(of handle: Int32, at path: ItemPath, in list: Provider) {
    state.withValue { state in
      _ = state.answer { state -> Bool? in
        try state.loadBlock(of: handle, at: path, in: list)
        guard let entry = state.pages[handle] else { return nil }
        state.staleItems.insert(entry.row)
        state.sizes.makeEstimate(handle)
        state.sizeQueue.add(.init(list: state.list, key: nil, size: .staleItem(entry.row)))
        return true
      }
    }
  }

  /// Turns the kept sizes of a section's items and views into estimates: in memory at once, in the
  /// store soon.
  package func setNeedsLayout(ofSection index: Int, of list: Provider) {
    guard let section = list.sectionID(at: index) else { return }
    state.withValue { state in
      state.staleSections.insert(section)
      list.forEachRun(of: 0..<list.numberOfItems(inSection: index), inSection: index) {
        state.sizes.makeEstimates($0)
      }
      state.sizes.makeEstimates(of: section)
      state.sizeQueue.add(.init(list: state.list, key: nil, size: .staleSection(section)))
    }
  }

  /// How long the items of a section are together, from the sums that the store keeps.
  package func extent(
    ofSection index: Int, of list: Provider, for key: SizeKey
  ) -> SectionExtent? {
    guard let section = list.sectionID(at: index) else { return nil }
    return state.withValue { state in
      state.answer { state in
        try state.read { db, state -> SectionExtent? in
          let statements = Statements(db)
          guard let place = try state.place(of: section, statements) else { return nil }
          let sums = try ExtentReader(statements, key)
          let sum = try sums?.sum(of: place.root) ?? .init()
          return SectionExtent(
            itemCount: place.itemCount, measuredCount: sum.measured,
            measuredLength: Double(sum.length) / SizeSums.scale)
        }
      }
    }
  }

  /// The item at a distance from the first item of its section, by the sums that the store keeps.
  package func item(
    atOffset offset: Double, inSection index: Int, of list: Provider, for key: SizeKey,
    estimate: Double
  ) -> (index: Int, offset: Double)? {
    guard let section = list.sectionID(at: index) else { return nil }
    return state.withValue { state in
      state.answer { state in
        try state.read { db, state -> (index: Int, offset: Double)? in
          let statements = Statements(db)
          guard let place = try state.place(of: section, statements) else { return nil }
          let sums = try ExtentReader(statements, key)
          let total = try sums?.sum(of: place.root) ?? .init()
          let mean = SectionExtent(
            itemCount: place.itemCount, measuredCount: total.measured,
            measuredLength: Double(total.length) / SizeSums.scale
          ).mean(estimate: estimate)
          return try state.orders.item(
            atOffset: offset, root: place.root, count: place.itemCount, statements,
            length: { child in
              let sum = try sums?.sum(of: child.block) ?? .init()
              return Double(sum.length) / SizeSums.scale
                + Double(child.count - sum.measured) * mean
            },
            itemLength: { try sums?.length(ofItem: $0) ?? mean })
        }
      }
    }
  }
}

extension PinnedItems.State {
  /// The hash of a section's layout.
  mutating func layout(of section: SectionID) throws -> UInt64 {
    if let layout = layouts[section] { return layout }
    let layout = try attributes(of: section)?.layout.stableHash ?? 0
    layouts[section] = layout
    return layout
  }

  /// Takes the sizes in memory of a range of a section's items, in order.
  fileprivate mutating func takeSizes(
    _ range: Range<Int>, inSection index: Int, of list: Provider, for key: SizeKey,
    to entries: inout ContiguousArray<SizeCache.Entry>
  ) {
    entries.removeAll(keepingCapacity: true)
    sizes.withPages(for: key) { pages in
      list.forEachRun(of: range, inSection: index) { pages.append($0, to: &entries) }
    }
  }

  /// Reads the sizes of the blocks that hold a range of a section's items.
  mutating func loadSizes(
    _ range: Range<Int>, inSection index: Int, of list: Provider, for key: SizeKey
  ) throws {
    guard let section = list.sectionID(at: index) else { return }
    try read { db, state in
      let statements = Statements(db)
      guard let rows = try ListRows(db, state.list),
        let place = try state.place(of: section, statements)
      else { return }
      let sizeRows = SizeRows(rows)
      let keys = try sizeRows.keys()
      let wanted = try sizeRows.wanted(key)
      let isStale = state.staleSections.contains(section)
      var next = range.lowerBound
      while next < min(range.upperBound, place.itemCount) {
        let stretch = try state.orders.stretch(
          holding: next, root: place.root, count: place.itemCount, statements)
        guard stretch.count > 0 else { throw DatabaseError.corrupt("a block is empty") }
        let items = stretch.start..<(stretch.start + stretch.count)
        try state.load(
          items, inSection: index, of: list, withContents: false, statements)
        let handles = list.handles(at: items.map { ItemPath(section: index, item: $0) })
        for handle in handles.compactMap(\.self) {
          guard let entry = state.pages[handle] else { continue }
          var size =
            keys.isEmpty
            ? SizeCache.Entry(status: .missing)
            : try sizeRows.entry(
              ofItem: entry.row, cell: Int(entry.cell),
              contentRevision: Int(entry.contentRevision), key: wanted, keys: keys)
          if isStale || state.staleItems.contains(entry.row), size.status == .measured {
            size.status = .otherContent
          }
          state.sizes.withPages(for: key) { pages in
            if pages[handle].status == .unknown { pages[handle] = size }
          }
        }
        next = items.upperBound
      }
    }
  }
}

/// Reads the sums of sizes for one key.
struct ExtentReader {
  private let statements: Statements
  private let key: Int
  private let isVertical: Bool

  /// - Returns: `nil` if nothing was measured for the key.
  init?(_ statements: Statements, _ key: SizeKey) throws {
    guard let row = try SizeRows.find(key, statements) else { return nil }
    self.statements = statements
    self.key = row.id
    isVertical = key.axis == .vertical
  }

  func sum(of block: Int) throws -> SizeSums.Sum {
    try statements("SELECT measured, length FROM blockExtent WHERE sizeKey = ? AND block = ?")
      .first(key, block) { SizeSums.Sum(measured: try $0.integer(0), length: try $0.integer(1)) }
      ?? SizeSums.Sum()
  }

  /// Points along the axis; `nil` for an item without a size.
  func length(ofItem item: Int) throws -> Double? {
    try statements("SELECT width, height FROM measuredSize WHERE item = ? AND sizeKey = ?")
      .first(item, key) { row in try row.real(isVertical ? 1 : 0) }
  }
}
