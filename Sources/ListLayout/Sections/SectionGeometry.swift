import ListModel

/// The metrics of a section in a container, with all numbers checked, for placing its items.
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

  /// The breadth and the length of an item of a run.
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

  /// A position across the direction of scrolling, rounded.
  func position(_ position: Double) -> Double { rounding.position(position, scale: scale) }
}

/// The items of a section, placed from its first inset on.
protocol ItemPlacement: Sendable {
  /// How many items there are.
  var itemCount: Int { get }
  /// The length from the start of the first item to the end of the last one, in points.
  var length: Double { get }
  /// The frame of an item that exists.
  func frame(ofItem item: Int) -> AxisFrame
  /// Calls a closure with each item that may overlap a range.
  ///
  /// Except in a waterfall, the items come in order.
  func forEachItem(from low: Double, to high: Double, _ body: (Int, AxisFrame) -> Void)
  /// Replaces items that exist by others.
  mutating func replaceItems(_ range: Range<Int>, with sizes: ItemSizes)
  /// Places the items that changed.
  mutating func finish()
  /// The first broken invariant; `nil` if there is none.
  var problem: String? { get }
}
