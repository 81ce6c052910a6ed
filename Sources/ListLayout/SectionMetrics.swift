public import ListModel

/// How a section's items, header and footer are placed.
///
/// Unlike a ``/ListModel/SectionLayout`` it has a value for everything. Lengths are in points; a
/// length that is negative or not a number counts as 0.
public struct SectionMetrics: Hashable, Sendable {
  /// The arrangement of items.
  public var kind: SectionLayout.Kind
  /// How many items are side by side.
  ///
  /// At least 1, at most 1,000, and at most as many as can have a device pixel each. A list has
  /// one.
  public var columns: Int
  /// The space between lines; in a waterfall, between the items of a column.
  public var lineSpacing: Double
  /// The least space between the items of a line; in a waterfall, the space between columns.
  public var interitemSpacing: Double
  /// The space around the items.
  public var insets: Insets
  /// The space around the header, if there is one.
  public var headerInsets: Insets
  /// The space around the footer, if there is one.
  public var footerInsets: Insets
  /// The order in which a waterfall fills its columns.
  public var renderDirection: RenderDirection
  /// How the items of a line of a flow are aligned along the line.
  public var lineAlignment: LineAlignment
  /// How the items of a flow that are shorter than their line are aligned across the line.
  public var itemAlignment: ItemAlignment
  /// How the size of an item in a list or a waterfall is used.
  public var sizing: Sizing

  /// The order in which a waterfall fills its columns.
  public enum RenderDirection: Hashable, Sendable, CaseIterable {
    /// The next item goes to the shortest column, or to the first of those equally short.
    case shortestFirst
    /// The columns are filled in turn, from the first to the last: from the left, or from the top
    /// if the list scrolls horizontally.
    case leftToRight
    /// The columns are filled in turn, from the last to the first.
    case rightToLeft
  }

  /// How the items of a line of a flow are aligned along the line.
  public enum LineAlignment: Hashable, Sendable, CaseIterable {
    /// From edge to edge, as in UIKit's flow layout.
    ///
    /// A single item is centred. The last line begins at the left; in a section of equal items it
    /// has the gaps of the other lines.
    case justified
    /// To the left edge, or to the upper one if the list scrolls horizontally.
    case leading
    /// To the middle.
    case center
    /// To the other edge.
    case trailing
  }

  /// How the items of a flow that are shorter than their line are aligned across the line.
  public enum ItemAlignment: Hashable, Sendable, CaseIterable {
    /// To the start of the line.
    case start
    /// To the middle, as in UIKit's flow layout.
    case center
    /// To the end of the line.
    case end
  }

  /// How the size of an item in a list or a waterfall is used; the item is as broad as its column.
  public enum Sizing: Hashable, Sendable, CaseIterable {
    /// The item was measured to fit its column, so it keeps its length.
    case fitted
    /// The item is scaled to its column and keeps the ratio of its sides, like a picture, as
    /// `CHTCollectionViewWaterfallLayout` does. An item with a side of 0 has no length.
    case proportional
  }

  /// Metrics; by default those of a list without spacing.
  public init(
    kind: SectionLayout.Kind = .list, columns: Int = 1, lineSpacing: Double = 0,
    interitemSpacing: Double = 0, insets: Insets = .zero, headerInsets: Insets = .zero,
    footerInsets: Insets = .zero, renderDirection: RenderDirection = .shortestFirst,
    lineAlignment: LineAlignment = .justified, itemAlignment: ItemAlignment = .center,
    sizing: Sizing = .fitted
  ) {
    self.kind = kind
    self.columns = columns
    self.lineSpacing = lineSpacing
    self.interitemSpacing = interitemSpacing
    self.insets = insets
    self.headerInsets = headerInsets
    self.footerInsets = footerInsets
    self.renderDirection = renderDirection
    self.lineAlignment = lineAlignment
    self.itemAlignment = itemAlignment
    self.sizing = sizing
  }

  /// The metrics of a section's layout, with the app's defaults for values that the layout does not
  /// set.
  public init(_ layout: SectionLayout?, defaults: SectionMetrics = SectionMetrics()) {
    self = defaults
    guard let layout else { return }
    kind = layout.kind ?? kind
    columns = layout.columns ?? columns
    lineSpacing = layout.lineSpacing ?? lineSpacing
    interitemSpacing = layout.interitemSpacing ?? interitemSpacing
    insets = layout.insets ?? insets
  }
}
