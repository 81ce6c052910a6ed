/// How long the items of a section are together, along the direction of scrolling.
public struct SectionExtent: Hashable, Sendable {
  /// How many items there are.
  public var itemCount: Int
  /// How many of them have a size, exact or not.
  public var measuredCount: Int
  /// What those are together, in points, without spacing.
  public var measuredLength: Double

  /// An extent of the given parts.
  public init(itemCount: Int, measuredCount: Int, measuredLength: Double) {
    self.itemCount = itemCount
    self.measuredCount = measuredCount
    self.measuredLength = measuredLength
  }

  /// The length of all items, those without a size counted with the mean of the others.
  ///
  /// - Parameter estimate: What an item counts for where none has a size, in points.
  /// - Returns: Points.
  public func length(estimate: Double) -> Double {
    measuredLength + Double(itemCount - measuredCount) * mean(estimate: estimate)
  }

  /// The mean of the sizes; `estimate` where there is none.
  public func mean(estimate: Double) -> Double {
    measuredCount > 0 ? measuredLength / Double(measuredCount) : estimate
  }
}
