import ListModel
import ListOrder
import ListTables
import Providers
import StoreFiles

extension PinnedItems {
  func extent(
    ofSection index: Int, of list: Provider, for key: SizeKey
  ) -> SectionExtent? {
    withSums(ofSection: index, of: list, for: key) { _, place, sums, _ in
      try sums.extent(of: place)
    }
  }

  func item(
    atOffset offset: Double, inSection index: Int, of list: Provider, for key: SizeKey,
    estimate: Double
  ) -> (path: ItemPath, offset: Double)? {
    withSums(ofSection: index, of: list, for: key) { orders, place, sums, statements in
      let mean = try sums.extent(of: place).mean(estimate: estimate)
      let found = try orders.item(
        atOffset: offset, root: place.root, count: place.itemCount, statements,
        length: { child in
          let sum = try sums.sum(of: child.block)
          return Double(sum.length) / SizeSums.scale + Double(child.count - sum.measured) * mean
        },
        itemLength: { try sums.length(ofItem: $0) ?? mean })
      return found.map { (ItemPath(section: index, item: $0.index), $0.offset) }
    }
  }

  /// Reads the sums of sizes of a section, with those sizes that were kept since the snapshot.
  private func withSums<Value: Sendable>(
    ofSection index: Int, of list: Provider, for key: SizeKey,
    _ body: (inout OrderReader, PinnedList.SectionPlace, ExtentReader, Statements) throws -> Value?
  ) -> Value? {
    guard let section = list.sectionID(at: index) else { return nil }
    return answer {
      try pin.read(list) { reading, statements in
        guard let place = try reading.place(of: section, statements) else { return nil }
        let stored = try ExtentReader(statements, key)
        let kept = try countKeptSizes(of: list, for: key, stored, &reading, statements)
        return try body(&reading.orders, place, stored.adding(kept), statements)
      }
    }
  }

  /// Compares the sizes that were kept with those of the snapshot.
  ///
  /// - Complexity: O(*k* log *n*), *k* sizes that were kept since the last call.
  private func countKeptSizes(
    of list: Provider, for key: SizeKey, _ stored: ExtentReader,
    _ reading: inout PinnedList.Reading, _ statements: Statements
  ) throws -> KeptSizes {
    let isVertical = key.axis == .vertical
    let generation = reading.generation
    var (kept, uncounted) = cache.withValue {
      $0.sizes.withPages(for: key) { pages in
        let uncounted = pages.kept.takeUncounted(in: generation)
        return (pages.kept, uncounted)
      }
    }
    if uncounted.isEmpty { return kept }
    do {
      for handle in uncounted {
        let (record, row) = cache.withValue { cache in
          (cache.sizes.withPages(for: key) { $0[handle] }, cache.structure[handle]?.row)
        }
        guard record.isOfOwnKey, let row else { continue }
        let path = list.outline.path(ofItem: handle)
        guard let section = list.sectionID(at: path.section),
          let place = try reading.place(of: section, statements)
        else { continue }
        kept.count(
          SizeSums.Sum(record.size, isVertical: isVertical),
          insteadOf: try kept.sum(ofItem: row) ?? stored.sum(ofItem: row), ofItem: row, handle,
          in: try reading.orders.blocks(
            holding: path.item, root: place.root, count: place.itemCount, statements))
      }
    } catch {
      cache.withValue {
        $0.sizes.withPages(for: key) { pages in
          for handle in uncounted { pages.kept.insert(handle) }
        }
      }
      throw error
    }
    cache.withValue { [kept] in
      $0.sizes.withPages(for: key) { $0.kept.finishCounting(kept) }
    }
    return kept
  }
}

/// Reads the sums of sizes for one key.
private struct ExtentReader {
  private let statements: Statements
  /// The key's row; `nil` if the store has no size for the key.
  private let key: Int?
  private let isVertical: Bool
  private var kept = KeptSizes()

  init(_ statements: Statements, _ key: SizeKey) throws {
    self.statements = statements
    self.key = try SizeRows.find(key, statements)?.id
    isVertical = key.axis == .vertical
  }

  /// The sums with those sizes that the store does not have yet.
  func adding(_ kept: KeptSizes) -> ExtentReader {
    var reader = self
    reader.kept = kept
    return reader
  }

  func extent(of section: PinnedList.SectionPlace) throws -> SectionExtent {
    let sum = try sum(of: section.root)
    return SectionExtent(
      itemCount: section.itemCount, measuredCount: sum.measured,
      measuredLength: Double(sum.length) / SizeSums.scale)
  }

  func sum(of block: Int) throws -> SizeSums.Sum {
    var sum = kept.difference(ofBlock: block)
    guard let key else { return sum }
    let stored = try statements(
      "SELECT measured, length FROM blockExtent WHERE sizeKey = ? AND block = ?"
    ).first(key, block) { row in
      // A damaged file can hold any number, and these are calculated with.
      SizeSums.Sum(
        measured: min(max(0, try row.integer(0)), 1 << 40),
        length: min(max(0, try row.integer(1)), 1 << 60))
    }
    if let stored { sum += stored }
    return sum
  }

  /// One size, or none.
  func sum(ofItem row: Int) throws -> SizeSums.Sum {
    if let sum = kept.sum(ofItem: row) { return sum }
    guard let key else { return .init() }
    return try statements("SELECT width, height FROM measuredSize WHERE owner = ? AND sizeKey = ?")
      .first(row, key) { row in
        SizeSums.Sum(
          Size(width: try row.real(0), height: try row.real(1)), isVertical: isVertical)
      } ?? .init()
  }

  /// Points along the axis; `nil` for an item without a size.
  func length(ofItem row: Int) throws -> Double? {
    let sum = try sum(ofItem: row)
    return sum.measured > 0 ? Double(sum.length) / SizeSums.scale : nil
  }
}
