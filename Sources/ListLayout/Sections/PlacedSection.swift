import ListModel

/// A placed section: header, items and footer, with positions from the section's start on.
struct PlacedSection: Sendable {
  private let metrics: SectionMetrics
  private let container: LayoutContainer
  private var headerLength: Double?
  private var footerLength: Double?
  private(set) var items: any ItemPlacement

  init(_ section: MeasuredSection, in container: LayoutContainer) {
    metrics = section.metrics
    self.container = container
    let geometry = SectionGeometry(metrics, in: container)
    items =
      switch metrics.kind {
      case .list: SingleColumnSection(section.items, geometry)
      case .flow: FlowSection(section.items, geometry)
      case .waterfall: WaterfallSection(section.items, geometry)
      }
    setLength(section.headerLength, of: .header)
    setLength(section.footerLength, of: .footer)
  }

  private var insets: (before: Double, after: Double) { metrics.insets.along(container.axis) }

  private func insets(of kind: Supplementary.Kind) -> (before: Double, after: Double) {
    metrics.insets(of: kind).along(container.axis)
  }

  /// The length of a view; `nil` if there is none.
  private func length(of kind: Supplementary.Kind) -> Double? {
    switch kind {
    case .header: headerLength
    case .footer: footerLength
    default: nil
    }
  }

  mutating func setLength(_ length: Double?, of kind: Supplementary.Kind) {
    var length = length?.sanitizedLength
    length = length.map { container.rounding.round($0, scale: container.pixelsPerPoint) }
    if length == 0 { length = nil }
    switch kind {
    case .header: headerLength = length
    case .footer: footerLength = length
    // The app's own layout places views of other kinds.
    default: break
    }
  }

  mutating func replaceItems(_ range: Range<Int>, with sizes: ItemSizes) {
    items.replaceItems(range, with: sizes)
  }

  mutating func finish() { items.finish() }

  // MARK: Frames

  /// The length of a view with its insets, in points.
  private func extent(of kind: Supplementary.Kind) -> Double {
    guard let length = length(of: kind) else { return 0 }
    let insets = insets(of: kind)
    return insets.before + length + insets.after
  }

  /// The start of the first item, in points.
  private var itemsStart: Double { extent(of: .header) + insets.before }

  /// The length of the section, in points.
  var length: Double { itemsStart + items.length + insets.after + extent(of: .footer) }

  func frame(of kind: Supplementary.Kind) -> AxisFrame? {
    guard let length = length(of: kind) else { return nil }
    let grid = metrics.supplementaryGrid(of: kind, in: container)
    let start = kind == .header ? 0 : itemsStart + items.length + insets.after
    return AxisFrame(
      start: start + insets(of: kind).before, length: length, acrossStart: grid.start,
      breadth: grid.column.points)
  }

  /// The rectangle between header and footer, from edge to edge of the content.
  var itemsFrame: AxisFrame {
    AxisFrame(
      start: extent(of: .header), length: insets.before + items.length + insets.after,
      acrossStart: 0, breadth: container.breadth)
  }

  func frame(ofItem item: Int) -> AxisFrame {
    var frame = items.frame(ofItem: item)
    frame.start += itemsStart
    return frame
  }

  func forEachItem(from low: Double, to high: Double, _ body: (Int, AxisFrame) -> Void) {
    let start = itemsStart
    items.forEachItem(from: low - start, to: high - start) { item, frame in
      var frame = frame
      frame.start += start
      body(item, frame)
    }
  }
}
