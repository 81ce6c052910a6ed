import ListOrder

/// A waterfall: items in columns, each below the last item of its column.
///
/// The place of an item depends on all items before it. So a change places all items after it
/// again.
struct WaterfallSection: ItemPlacement {
  private let geometry: SectionGeometry
  private let columnStarts: ContiguousArray<Double>
  private var lengths: ContiguousArray<Double> = []
  /// The starts of the items that are placed; the others come after them.
  private var starts: ContiguousArray<Double> = []
  private var columns: ContiguousArray<UInt16> = []
  /// The items of each column, in order.
  private var itemsOfColumn: ContiguousArray<ContiguousArray<Int32>>

  init(_ sizes: ItemSizes, _ geometry: SectionGeometry) {
    self.geometry = geometry
    let count = geometry.grid.columns
    columnStarts = ContiguousArray((0..<count).map { geometry.grid.start(ofColumn: $0) })
    itemsOfColumn = ContiguousArray(repeating: [], count: count)
    replaceItems(0..<0, with: sizes)
    finish()
  }

  var itemCount: Int { lengths.count }

  private(set) var length = 0.0

  func frame(ofItem item: Int) -> AxisFrame {
    AxisFrame(
      start: starts[item], length: lengths[item], acrossStart: columnStarts[Int(columns[item])],
      breadth: geometry.grid.column.points)
  }

  func forEachItem(from low: Double, to high: Double, _ body: (Int, AxisFrame) -> Void) {
    guard low < high else { return }
    for items in itemsOfColumn {
      // The first item that ends behind `low`.
      let first = items.partitioningIndex { starts[Int($0)] + lengths[Int($0)] > low }
      for item in items[first...] {
        if starts[Int(item)] >= high { break }
        body(Int(item), frame(ofItem: Int(item)))
      }
    }
  }

  mutating func replaceItems(_ range: Range<Int>, with sizes: ItemSizes) {
    var new = ContiguousArray<Double>()
    new.reserveCapacity(sizes.count)
    for run in sizes.runs {
      new.append(contentsOf: repeatElement(geometry.size(of: run).length, count: run.count))
    }
    lengths.replaceSubrange(range, with: new)
    forgetPlaces(from: range.lowerBound)
  }

  private mutating func forgetPlaces(from item: Int) {
    guard item < starts.count else { return }
    starts.removeSubrange(item...)
    columns.removeSubrange(item...)
    for column in itemsOfColumn.indices {
      while let last = itemsOfColumn[column].last, last >= item {
        itemsOfColumn[column].removeLast()
      }
    }
  }

  mutating func finish() {
    let columnCount = geometry.grid.columns
    var heights = ColumnHeights(columns: columnCount)
    var ends = ContiguousArray(repeating: 0.0, count: columnCount)
    for (column, items) in itemsOfColumn.enumerated() {
      guard let last = items.last else { continue }
      ends[column] = starts[Int(last)] + lengths[Int(last)] + geometry.lineSpacing
      heights.fill(column, to: ends[column])
    }
    if starts.isEmpty {
      starts.reserveCapacity(lengths.count)
      columns.reserveCapacity(lengths.count)
    }
    for item in starts.count..<lengths.count {
      let column =
        switch geometry.metrics.renderDirection {
        case .shortestFirst: heights.shortest
        case .leftToRight: item % columnCount
        case .rightToLeft: columnCount - 1 - item % columnCount
        }
      starts.append(ends[column])
      columns.append(UInt16(truncatingIfNeeded: column))
      itemsOfColumn[column].append(Int32(truncatingIfNeeded: item))
      ends[column] += lengths[item]
      ends[column] += geometry.lineSpacing
      heights.fill(column, to: ends[column])
    }
    length = itemsOfColumn.reduce(0) { longest, items in
      items.last.map { max(longest, starts[Int($0)] + lengths[Int($0)]) } ?? longest
    }
  }

  var problem: String? {
    if starts.count != lengths.count || columns.count != lengths.count {
      return "\(starts.count) of \(lengths.count) items are placed"
    }
    for (column, items) in itemsOfColumn.enumerated() {
      for (item, next) in zip(items, items.dropFirst()) where item >= next {
        return "column \(column) has item \(item) before \(next)"
      }
      for item in items where Int(columns[Int(item)]) != column {
        return "column \(column) has item \(item) of another"
      }
    }
    return itemsOfColumn.reduce(0, { $0 + $1.count }) == lengths.count ? nil : "items are missing"
  }
}
