public import ListModel

/// The sizes of items one after another, equal ones written once.
///
/// A million items of one size take the memory of one.
public struct ItemSizes: Hashable, Sendable {
  /// Items of one size.
  struct Run: Hashable, Sendable {
    var count: Int
    var size: Size
    /// Whether the size is a mean, which is not rounded: the sum is what counts.
    var isMean: Bool
  }

  /// In the order of the items; none is empty.
  private(set) var runs: ContiguousArray<Run> = []
  /// How many items there are; never above 2,147,483,647, what is beyond is left out.
  public private(set) var count = 0

  /// No items.
  public init() {}

  /// Items of one size.
  public init(repeating size: Size, count: Int) { append(size, count: count) }

  /// Items of the given sizes.
  public init(_ sizes: [Size]) {
    for size in sizes { append(size) }
  }

  /// Adds items of one size at the end.
  ///
  /// - Parameters:
  ///   - size: Of each, in points. A length that is negative or no number counts as 0.
  ///   - count: How many; none if negative.
  public mutating func append(_ size: Size, count: Int = 1) {
    append(Run(count: count, size: size, isMean: false))
  }

  /// Adds items at the end of which only their number and the sum of their lengths are known.
  ///
  /// Each counts for the mean, which is not rounded to pixels, so that the sum holds.
  ///
  /// - Parameters:
  ///   - count: How many items.
  ///   - totalLength: Of all of them along the direction of scrolling, in points, without spacing.
  ///   - breadth: Of each across it, in points: the length that they have to fit.
  ///   - axis: The direction of scrolling.
  public mutating func append(
    count: Int, totalLength: Double, breadth: Double, axis: SizeKey.Axis = .vertical
  ) {
    guard count > 0 else { return }
    let mean = totalLength / Double(count)
    let size =
      axis == .vertical ? Size(width: breadth, height: mean) : Size(width: mean, height: breadth)
    append(Run(count: count, size: size, isMean: true))
  }

  private mutating func append(_ run: Run) {
    var run = run
    run.count = min(run.count, Int(Int32.max) - count)
    guard run.count > 0 else { return }
    run.size = Size(
      width: run.size.width.sanitizedLength, height: run.size.height.sanitizedLength)
    count += run.count
    if let last = runs.last, last.size == run.size, last.isMean == run.isMean {
      runs[runs.count - 1].count += run.count
    } else {
      runs.append(run)
    }
  }
}

/// A section to be placed: how, and how large its parts are.
public struct MeasuredSection: Hashable, Sendable {
  /// How its parts are placed.
  public var metrics: SectionMetrics
  /// How long its header is along the direction of scrolling, in points; without a length there is none.
  public var headerLength: Double?
  /// How long its footer is, in points; without a length there is none.
  public var footerLength: Double?
  /// The sizes of its items.
  public var items: ItemSizes

  /// A section of the given parts.
  public init(
    metrics: SectionMetrics, headerLength: Double? = nil, footerLength: Double? = nil,
    items: ItemSizes = ItemSizes()
  ) {
    self.metrics = metrics
    self.headerLength = headerLength
    self.footerLength = footerLength
    self.items = items
  }
}
