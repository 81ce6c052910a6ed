import ListModel

/// What the placement of a section's items needs to know, every number checked.
struct SectionGeometry: Hashable, Sendable {
  let axis: SizeKey.Axis
  let metrics: SectionMetrics
  let grid: ColumnGrid
  let lineSpacing: Double
  let rounding: PixelRounding
  let scale: Double

  init(_ metrics: SectionMetrics, in container: LayoutContainer) {
    axis = container.axis
    self.metrics = metrics
    grid = metrics.grid(in: container)
    lineSpacing = metrics.lineSpacing.sanitizedLength
    rounding = container.rounding
    scale = container.pixelsPerPoint
  }

  /// Breadth and length of an item of a size.
  func size(of run: ItemSizes.Run) -> (breadth: Double, length: Double) {
    let across = axis == .vertical ? run.size.width : run.size.height
    var length = axis == .vertical ? run.size.height : run.size.width
    if metrics.kind != .flow, metrics.sizing == .proportional, !run.isMean {
      length = across > 0 ? (length * grid.column.points / across).sanitizedLength : 0
    }
    let breadth =
      metrics.kind == .flow
      ? min(rounded(across, isMean: run.isMean), grid.breadth) : grid.column.points
    return (breadth, rounded(length, isMean: run.isMean))
  }

  private func rounded(_ length: Double, isMean: Bool) -> Double {
    isMean ? length : rounding.round(length, scale: scale)
  }

  /// A position across, rounded.
  func position(_ position: Double) -> Double { rounding.position(position, scale: scale) }
}

/// The items of a section, placed from its first inset on.
protocol ItemPlacement: Sendable {
  /// How many items there are.
  var itemCount: Int { get }
  /// From the first item's beginning to the last one's end, in points.
  var length: Double { get }
  /// Where an item is that there is.
  func frame(ofItem item: Int) -> AxisFrame
  /// Calls a closure with each item that may share some length with a stretch.
  ///
  /// In the order of the items, but in a waterfall.
  func forEachItem(from low: Double, to high: Double, _ body: (Int, AxisFrame) -> Void)
  /// Puts items in the place of others that there are.
  mutating func replaceItems(_ range: Range<Int>, with sizes: ItemSizes)
  /// Places what changed.
  mutating func finish()
  /// What is wrong within; `nil` if nothing is.
  var problem: String? { get }
}
