public import ListModel

/// The length that a view has to fit across the direction of scrolling, in whole device pixels.
///
/// Measuring, placement and the keys of stored sizes all use this number. So a size that the store
/// finds fits.
public struct FittingLength: Hashable, Sendable {
  /// Whole device pixels; 0 if nothing fits.
  public let pixels: Int
  /// Device pixels a point.
  public let scale: Double

  /// The length in points.
  public var points: Double { Double(pixels) / scale }

  /// The length of one of several columns.
  ///
  /// It is `(length - insets - (columns - 1) × spacing) / columns`, rounded down to a whole pixel.
  /// Columns that would get no pixel are left out; see ``SectionMetrics/columns``.
  ///
  /// - Parameters:
  ///   - length: The length of the content across the direction of scrolling, in points.
  ///   - before: The inset before the first column, in points.
  ///   - after: The inset after the last column, in points.
  ///   - columns: How many columns there are.
  ///   - spacing: The space between columns, in points.
  ///   - scale: Device pixels a point.
  package init(
    length: Double, before: Double = 0, after: Double = 0, columns: Int = 1, spacing: Double = 0,
    scale: Double
  ) {
    let grid = ColumnGrid(
      length: length, before: before, after: after, columns: columns, spacing: spacing,
      scale: scale)
    self = grid.column
  }

  init(pixels: Int, scale: Double) {
    self.pixels = pixels
    self.scale = scale
  }

  /// The key of stored sizes that were measured with this length.
  ///
  /// - Parameters:
  ///   - axis: The direction of scrolling.
  ///   - variant: A state of the cell that changes its size; empty for the usual one.
  ///   - environment: The environment that the sizes depend on. Its scale should be the
  ///     container's.
  /// - Returns: A key. A store keeps no sizes for a key of 0 pixels.
  public func sizeKey(
    axis: SizeKey.Axis = .vertical, variant: String = "", in environment: LayoutEnvironment
  ) -> SizeKey {
    SizeKey(axis: axis, fittingPixels: pixels, variant: variant, environment: environment)
  }
}

/// Columns of whole pixels across a section.
struct ColumnGrid: Hashable, Sendable {
  /// The start of the first column, in points.
  let start: Double
  /// The length from the start of the first column to the inset after the last one, in points.
  let breadth: Double
  /// How many columns there are, at least 1.
  let columns: Int
  /// The space between columns, in points.
  let spacing: Double
  /// The breadth of a column.
  let column: FittingLength

  init(
    length: Double, before: Double, after: Double, columns: Int, spacing: Double, scale: Double
  ) {
    let scale = scale.isFinite && scale > 0 ? min(scale, 1_000) : 1
    let length = length.sanitizedLength
    start = min(before.sanitizedLength, length)
    breadth = max(0, length - start - after.sanitizedLength)
    self.spacing = spacing.sanitizedLength
    // At most a thousand columns, so that nothing overflows; each has at least one pixel.
    let most = (breadth + self.spacing) * scale / (1 + self.spacing * scale)
    let fitting = Int(min(1_000, most + PixelRounding.tolerance))
    self.columns = max(1, min(columns, fitting))
    let pixels =
      (breadth - Double(self.columns - 1) * self.spacing) * scale / Double(self.columns)
    column = FittingLength(
      pixels: Int(max(0, pixels + PixelRounding.tolerance)), scale: scale)
  }

  /// The start of a column, in points.
  func start(ofColumn index: Int) -> Double {
    start + Double(index) * (column.points + spacing)
  }
}

extension SectionMetrics {
  /// The columns of the section in a container.
  func grid(in container: LayoutContainer) -> ColumnGrid {
    let insets = insets.across(container.axis)
    let margins = container.margins.across(container.axis)
    return ColumnGrid(
      length: container.breadth, before: insets.before + margins.before,
      after: insets.after + margins.after, columns: kind == .list ? 1 : columns,
      spacing: interitemSpacing, scale: container.pixelsPerPoint)
  }

  /// The length that the section's items have to fit in a container.
  ///
  /// - Parameters:
  ///   - container: The view.
  ///   - span: How many columns of a flow the item takes, with the spacing between them; at most as
  ///     many as the section has. Items of lists and waterfalls take one column.
  /// - Returns: The length that the placement uses; 0 pixels if nothing fits.
  public func fittingLength(
    in container: LayoutContainer, spanning span: Int = 1
  ) -> FittingLength {
    let grid = grid(in: container)
    let span = max(1, min(span, grid.columns))
    guard kind == .flow, span > 1 else { return grid.column }
    let points = Double(span) * grid.column.points + Double(span - 1) * grid.spacing
    return FittingLength(length: points, scale: container.pixelsPerPoint)
  }

  /// The length that the section's header or footer has to fit in a container.
  ///
  /// A view of another kind, which the app places, gets the whole length.
  public func fittingLength(
    of kind: Supplementary.Kind, in container: LayoutContainer
  ) -> FittingLength {
    supplementaryGrid(of: kind, in: container).column
  }

  /// The insets around a header or a footer; zero for other views.
  func insets(of kind: Supplementary.Kind) -> Insets {
    switch kind {
    case .header: headerInsets
    case .footer: footerInsets
    default: Insets(top: 0, left: 0, bottom: 0, right: 0)
    }
  }

  /// The column of a header or a footer.
  func supplementaryGrid(
    of kind: Supplementary.Kind, in container: LayoutContainer
  ) -> ColumnGrid {
    let insets = insets(of: kind).across(container.axis)
    return ColumnGrid(
      length: container.breadth, before: insets.before, after: insets.after, columns: 1,
      spacing: 0, scale: container.pixelsPerPoint)
  }
}
