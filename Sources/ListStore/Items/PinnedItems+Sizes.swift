import ListModel
import ListOrder
import ListTables
import Providers
import StoreFiles

extension PinnedItems {
  func size(
    at path: ItemPath, in list: Provider, for key: SizeKey, measurerVersion: Int?
  ) -> SizeAnswer {
    guard let section = list.sectionID(at: path.section) else { return .missing }
    let handle = list.outline.item(at: path)
    let answer = answer(in: list) { cache -> SizeAnswer? in
      let record = cache.sizes.withPages(for: key) { $0[handle] }
      guard !record.isUnknown, let layout = cache.layout(of: section) else { return nil }
      return record.answer(layout: layout, measurerVersion: measurerVersion)
    } reading: { reading, statements in
      try loadAttributes(of: section, in: list, statements)
      if cache.withValue({ $0.sizes.withPages(for: key) { $0[handle].isUnknown } }) {
        try loadSizes(
          path.item..<(path.item + 1), inSection: path.section, of: list, for: key, &reading,
          statements)
      }
    }
    return answer ?? .missing
  }

  func forEachSize(
    in range: Range<Int>, ofSection index: Int, of list: Provider, for key: SizeKey,
    measurerVersion: Int?, _ body: (Int, SizeAnswer) -> Void
  ) {
    guard let section = list.sectionID(at: index) else { return }
    // A part at a time, so that a long range takes little memory.
    let partCount = 1_024
    var records: ContiguousArray<SizeRecord> = []
    records.reserveCapacity(min(partCount, range.count))
    for start in stride(from: range.lowerBound, to: range.upperBound, by: partCount) {
      let part = start..<min(start + partCount, range.upperBound)
      var wasRead = false
      let layout = answer(in: list) { cache -> UInt64? in
        records.removeAll(keepingCapacity: true)
        cache.sizes.withPages(for: key) { pages in
          list.forEachRun(of: part, inSection: index) { pages.append($0, to: &records) }
        }
        if !wasRead, records.contains(where: \.isUnknown) { return nil }
        return cache.layout(of: section)
      } reading: { reading, statements in
        try loadAttributes(of: section, in: list, statements)
        if records.contains(where: \.isUnknown) {
          try loadSizes(part, inSection: index, of: list, for: key, &reading, statements)
        }
        wasRead = true
      }
      guard let layout else { return }
      // Outside the lock, because the closure may ask for sizes and keep sizes.
      for (offset, record) in records.enumerated() {
        body(start + offset, record.answer(layout: layout, measurerVersion: measurerVersion))
      }
    }
  }

  func keep(
    _ size: Size, at path: ItemPath, in list: Provider, for key: SizeKey, measurerVersion: Int
  ) -> Bool {
    guard let section = list.sectionID(at: path.section) else { return false }
    let handle = list.outline.item(at: path)
    let isKept = answer(in: list) { cache -> Bool? in
      guard let entry = cache.structure[handle], let layout = cache.layout(of: section) else {
        return nil
      }
      let record = SizeRecord(
        size, cell: entry.cell, content: UInt64(entry.contentRevision), layout: layout,
        measurerVersion: measurerVersion)
      let known = cache.sizes.withPages(for: key) { pages in
        defer { pages[handle] = record }
        pages.kept.insert(handle)
        return pages[handle]
      }
      let item = SizedItem(record: record, known: known, row: entry.row, path: path)
      cache.structure.withName(of: handle) { name in
        sizeQueue.add(item, name: name, for: key, in: list.list, at: list.position?.chain)
      }
      return true
    } reading: { reading, statements in
      try loadItem(at: path, in: list, &reading, statements)
      try loadAttributes(of: section, in: list, statements)
    }
    return isKept ?? false
  }

  func setNeedsLayout(at path: ItemPath, in list: Provider) {
    let handle = list.outline.item(at: path)
    _ = answer(in: list) { cache -> Bool? in
      guard let row = cache.structure[handle]?.row else { return nil }
      cache.sizes.setNeedsLayout(handle, row: row)
      sizeQueue.makeEstimates(of: .item(row), in: list.list)
      return true
    } reading: { reading, statements in
      try loadItem(at: path, in: list, &reading, statements)
    }
  }

  func setNeedsLayout(ofSection index: Int, of list: Provider) {
    guard let section = list.sectionID(at: index) else { return }
    var handles: [Range<Int32>] = []
    list.forEachRun(of: 0..<list.numberOfItems(inSection: index), inSection: index) {
      handles.append($0)
    }
    cache.withValue { $0.sizes.setNeedsLayout(of: section, handles) }
    sizeQueue.makeEstimates(of: .section(section), in: list.list)
  }

  /// Reads the sizes of the blocks that hold a range of a section's items.
  private func loadSizes(
    _ range: Range<Int>, inSection index: Int, of list: Provider, for key: SizeKey,
    _ reading: inout PinnedList.Reading, _ statements: Statements
  ) throws {
    guard let section = list.sectionID(at: index), let rows = try ListRows(statements, list.list)
    else { return }
    let sizeRows = SizeRows(rows)
    let keys = try sizeRows.keys()
    let wanted = try sizeRows.wanted(key)
    for block in try reading.blocks(holding: range, of: section, statements) {
      try load(block, inSection: index, of: list, reading.orders, statements)
      let items = cache.withValue { cache in
        var items: [(handle: Int32, entry: StructurePages.Entry)] = []
        let range = block.start..<(block.start + block.count)
        list.forEachRun(of: range, inSection: index) { run in
          for handle in run {
            if let entry = cache.structure[handle] { items.append((handle, entry)) }
          }
        }
        return items
      }
      let records = try items.map { item in
        keys.isEmpty
          ? SizeRecord(.missing)
          : try sizeRows.record(
            ofItem: item.entry.row, cell: item.entry.cell,
            contentRevision: Int(item.entry.contentRevision), key: wanted, keys: keys)
      }
      cache.withValue { cache in
        for (item, record) in zip(items, records) {
          cache.sizes.add(
            record, of: item.handle, row: item.entry.row, in: section, for: key)
        }
      }
    }
  }
}
