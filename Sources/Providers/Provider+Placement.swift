public import ListLayout
public import ListModel

extension Provider {
  /// Approximate sizes of a section's items, from sums that the store keeps; no item is read.
  ///
  /// Use them to place a long section at once. Then replace the sizes of the visible items with
  /// those of ``itemSizes(in:ofSection:for:measurerVersion:estimate:)``. If all items of a part
  /// were measured, the parts after it do not move.
  ///
  /// - Parameters:
  ///   - index: The section's index.
  ///   - key: The key that the sizes were measured for.
  ///   - estimate: The length of an item if none was measured, in points.
  ///   - parts: The number of parts of about equal length that the section is divided into.
  ///     Where a part begins is as exact as the measured sizes; within a part all items have its
  ///     mean length.
  /// - Returns: As many sizes as the section has items; none if there is no such section.
  /// - Complexity: One query of the store for each part.
  public func itemSizes(
    ofSection index: Int, for key: SizeKey, estimate: Double, parts: Int = 1
  ) -> ItemSizes {
    var sizes = ItemSizes()
    guard let extent = extent(ofSection: index, for: key) else { return sizes }
    let total = extent.length(estimate: estimate)
    var (count, length) = (0, 0.0)
    func take(until item: Int, at offset: Double) {
      guard item > count, offset >= length else { return }
      sizes.append(
        count: item - count, totalLength: offset - length, breadth: key.fittingLength,
        axis: key.axis)
      (count, length) = (item, offset)
    }
    for part in 1..<max(1, min(parts, extent.itemCount)) {
      let offset = total * Double(part) / Double(parts)
      let item = item(atOffset: offset, inSection: index, for: key, estimate: estimate)
      if let item { take(until: item.path.item, at: item.offset) }
    }
    take(until: extent.itemCount, at: max(total, length))
    return sizes
  }

  /// The stored sizes of a range of a section's items, exact or not.
  ///
  /// - Parameters:
  ///   - range: Indexes of items; those beyond the section are left out.
  ///   - index: The section's index.
  ///   - key: The key that the sizes must hold for.
  ///   - measurerVersion: The version of the code that measures now; `nil` for any.
  ///   - estimate: The length of an item without a size, in points.
  /// - Returns: As many sizes as there are items in the range.
  /// - Complexity: O(*m*), *m* items in the range.
  public func itemSizes(
    in range: Range<Int>, ofSection index: Int, for key: SizeKey, measurerVersion: Int? = nil,
    estimate: Double
  ) -> ItemSizes {
    var sizes = ItemSizes()
    let range = range.clamped(to: 0..<numberOfItems(inSection: index))
    forEachSize(in: range, ofSection: index, for: key, measurerVersion: measurerVersion) {
      switch $1 {
      case .exact(let size), .estimate(let size, _): sizes.append(size)
      case .missing:
        sizes.append(
          count: 1, totalLength: estimate, breadth: key.fittingLength, axis: key.axis)
      }
    }
    // A list that comes from no store has no sizes.
    sizes.append(
      count: range.count - sizes.count, totalLength: estimate * Double(range.count - sizes.count),
      breadth: key.fittingLength, axis: key.axis)
    return sizes
  }
}

extension SizeKey {
  /// The length that was fixed, in points.
  fileprivate var fittingLength: Double {
    isUsable ? Double(fittingPixels) / environment.displayScale : 0
  }
}
