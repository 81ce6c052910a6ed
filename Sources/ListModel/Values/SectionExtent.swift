/// The total length of a section's items, along the direction of scrolling.
public struct SectionExtent: Hashable, Sendable {
  /// How many items there are.
  public var itemCount: Int
  /// How many of them have a stored size, exact or estimated.
  public var measuredCount: Int
  /// The sum of those lengths, in points, without spacing.
  public var measuredLength: Double

  /// An extent of the given parts.
  public init(itemCount: Int, measuredCount: Int, measuredLength: Double) {
    self.itemCount = itemCount
    self.measuredCount = measuredCount
    self.measuredLength = measuredLength
  }

  /// The length of all items; an item without a size counts as the mean of the others.
  ///
  /// - Parameter estimate: The length of an item if no item has a size, in points.
  /// - Returns: The length in points.
  public func length(estimate: Double) -> Double {
    measuredLength + Double(itemCount - measuredCount) * mean(estimate: estimate)
  }

  /// The mean length, or `estimate` if no item has a size.
  public func mean(estimate: Double) -> Double {
    measuredCount > 0 ? measuredLength / Double(measuredCount) : estimate
  }
}
