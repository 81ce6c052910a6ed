package import ListModel
package import Providers
import StoreFiles
import ListTables
import GRDB

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
    var records: ContiguousArray<SizeRecord> = []
    records.reserveCapacity(min(stretch, range.count))
    for start in stride(from: range.lowerBound, to: range.upperBound, by: stretch) {
      let part = start..<min(start + stretch, range.upperBound)
      let layout = state.withValue { state in
        state.answer { state -> UInt64? in
          let layout = try state.layout(of: section)
          state.takeSizes(part, inSection: index, of: list, for: key, to: &records)
          if records.contains(where: { $0.status == .unknown }) {
            try state.loadSizes(part, inSection: index, of: list, for: key)
            state.takeSizes(part, inSection: index, of: list, for: key, to: &records)
          }
          return layout
        }
      }
      guard let layout else { return }
      // Outside the lock, because the closure may ask for sizes and keep sizes.
      for (offset, record) in records.enumerated() {
        body(start + offset, record.answer(layout: layout, measurerVersion: measurerVersion))
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
        guard let entry = try state.entry(of: handle, at: path, in: list) else { return false }
        let record = SizeRecord(
          size, cell: entry.cell, content: UInt64(entry.contentRevision),
          layout: try state.layout(of: section), measurerVersion: measurerVersion)
        let known = state.sizes.withPages(for: key) { pages in
          defer { pages[handle] = record }
          pages.kept.insert(handle)
          return pages[handle]
        }
        let item = SizedItem(record: record, known: known, row: entry.row, path: path)
        return state.pages.withName(of: handle) { name in
          state.sizeQueue.add(item, name: name, for: key, in: state.list, at: state.chain)
          return true
        }
      }
      return isKept ?? false
    }
  }

  /// Turns the kept sizes of an item into estimates: in memory at once, in the store soon.
  package func setNeedsLayout(of handle: Int32, at path: ItemPath, in list: Provider) {
    state.withValue { state in
      _ = state.answer { state -> Bool? in
        guard let entry = try state.entry(of: handle, at: path, in: list) else { return nil }
        state.staleItems.insert(entry.row)
        state.sizes.makeEstimate(handle)
        state.sizeQueue.makeEstimates(of: .item(entry.row), in: state.list)
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
      state.sizeQueue.makeEstimates(of: .section(section), in: state.list)
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
    to records: inout ContiguousArray<SizeRecord>
  ) {
    records.removeAll(keepingCapacity: true)
    sizes.withPages(for: key) { pages in
      list.forEachRun(of: range, inSection: index) { pages.append($0, to: &records) }
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
          var record =
            keys.isEmpty
            ? SizeRecord(.missing)
            : try sizeRows.record(
              ofItem: entry.row, cell: entry.cell, contentRevision: Int(entry.contentRevision),
              key: wanted, keys: keys)
          if isStale || state.staleItems.contains(entry.row) { record.makeEstimate() }
          state.sizes.withPages(for: key) { pages in
            if pages[handle].status == .unknown { pages[handle] = record }
          }
        }
        next = items.upperBound
      }
    }
  }
}
