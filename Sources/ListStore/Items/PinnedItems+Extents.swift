package import ListModel
import ListOrder
package import Providers
import StoreSchema
import StoreFiles
import ListTables

extension PinnedItems {
  /// How long the items of a section are together, from the sums that the store keeps
  /// and the sizes that were kept here since.
  package func extent(
    ofSection index: Int, of list: Provider, for key: SizeKey
  ) -> SectionExtent? {
    guard let section = list.sectionID(at: index) else { return nil }
    return state.withValue { state in
      state.answer { state in
        try state.read { db, state -> SectionExtent? in
          let statements = Statements(db)
          guard let place = try state.place(of: section, statements) else { return nil }
          let sums = try state.extents(of: list, for: key, statements)
          let sum = try sums.sum(of: place.root)
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
          let sums = try state.extents(of: list, for: key, statements)
          let total = try sums.sum(of: place.root)
          let mean = SectionExtent(
            itemCount: place.itemCount, measuredCount: total.measured,
            measuredLength: Double(total.length) / SizeSums.scale
          ).mean(estimate: estimate)
          return try state.orders.item(
            atOffset: offset, root: place.root, count: place.itemCount, statements,
            length: { child in
              let sum = try sums.sum(of: child.block)
              return Double(sum.length) / SizeSums.scale
                + Double(child.count - sum.measured) * mean
            },
            itemLength: { try sums.length(ofItem: $0) ?? mean })
        }
      }
    }
  }
}

extension PinnedItems.State {
  /// The sums of sizes for a key, with those sizes that were kept since the snapshot.
  fileprivate mutating func extents(
    of list: Provider, for key: SizeKey, _ statements: Statements
  ) throws -> ExtentReader {
    let stored = try ExtentReader(statements, key)
    return stored.adding(try countKeptSizes(of: list, for: key, stored, statements))
  }

  /// Compares the sizes that were kept with those of the snapshot.
  ///
  /// - Complexity: O(*k* log *n*), *k* sizes that were kept since the last call.
  private mutating func countKeptSizes(
    of list: Provider, for key: SizeKey, _ stored: ExtentReader, _ statements: Statements
  ) throws -> KeptSizes {
    let isVertical = key.axis == .vertical
    var kept = sizes.withPages(for: key) { $0.kept }
    for handle in kept.uncounted {
      let record = sizes.withPages(for: key) { $0[handle] }
      guard record.isOfOwnKey, let row = pages[handle]?.row else { continue }
      let path = list.outline.path(ofItem: handle)
      guard let section = list.sectionID(at: path.section),
        let place = try place(of: section, statements)
      else { continue }
      kept.count(
        SizeSums.Sum(record.size, isVertical: isVertical),
        insteadOf: try kept.sum(ofItem: row) ?? stored.sum(ofItem: row), ofItem: row, handle,
        in: try orders.blocks(
          holding: path.item, root: place.root, count: place.itemCount, statements))
    }
    kept.finishCounting()
    sizes.withPages(for: key) { $0.kept = kept }
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
