public import ListModel

/// The sizes of items in order.
///
/// Consecutive equal sizes are stored once, so a million items of one size take the memory of one.
public struct ItemSizes: Hashable, Sendable {
  /// Items of one size.
  struct Run: Hashable, Sendable {
    var count: Int
    var size: Size
    /// Whether the size is a mean; means are not rounded to pixels, so that their sum stays right.
    var isMean: Bool
  }

  /// The runs in the order of the items; none is empty.
  private(set) var runs: ContiguousArray<Run> = []
  /// How many items there are.
  ///
  /// Items above 2,147,483,647 are left out.
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
  ///   - size: The size of each, in points. A length that is negative or not a number counts as 0.
  ///   - count: How many items; a negative number adds none.
  public mutating func append(_ size: Size, count: Int = 1) {
    append(Run(count: count, size: size, isMean: false))
  }

  /// Adds items at the end whose number and total length are known, but not their sizes.
  ///
  /// Each gets the mean length. Means are not rounded to pixels, so that their sum stays right.
  ///
  /// - Parameters:
  ///   - count: How many items.
  ///   - totalLength: The sum of their lengths along the direction of scrolling, in points, without
  ///     spacing.
  ///   - breadth: The length of each across the direction of scrolling, in points.
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

/// A section for the placement: its metrics and the sizes of its parts.
public struct MeasuredSection: Hashable, Sendable {
  /// How items, header and footer are placed.
  public var metrics: SectionMetrics
  /// The length of the header along the direction of scrolling, in points; `nil` if there is none.
  public var headerLength: Double?
  /// The length of the footer along the direction of scrolling, in points; `nil` if there is none.
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
