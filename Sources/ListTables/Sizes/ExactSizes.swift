package import ListModel

/// For each item of a list, one size that is exact for its cell and content, whatever the key.
///
/// Of several sizes it is the one for the newest environment and the greatest fitting length.
package struct ExactSizes {
  private let rows: SizeRows
  private let keys: [SizeRows.Key]
  private let byID: [Int: SizeRows.Key]

  package init(_ list: ListRows) throws {
    rows = SizeRows(list)
    keys = try rows.keys().values.sorted {
      ($0.environment, $0.fittingPixels) > ($1.environment, $1.fittingPixels)
    }
    byID = Dictionary(uniqueKeysWithValues: keys.map { ($0.id, $0) })
  }

  /// The size of an item; `nil` if none is exact.
  ///
  /// `layout`: The hash of its section's layout.
  package func size(of member: Block.Member, layout: UInt64) throws -> Size? {
    for key in keys {
      let answer = try rows.record(of: member, key: key, keys: byID).answer(
        layout: layout, measurerVersion: nil)
      if answer == .missing { return nil }
      if case .exact(let size) = answer { return size }
    }
    return nil
  }
}
