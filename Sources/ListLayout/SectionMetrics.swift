public import ListModel

/// How a section's items, header and footer are placed, with a value for everything.
///
/// Lengths are points. What is negative or no number counts as 0.
public struct SectionMetrics: Hashable, Sendable {
  /// The arrangement of items.
  public var kind: SectionLayout.Kind
  /// Items side by side that an item is measured for.
  ///
  /// 1 at least, and no more than can have a device pixel each, nor than 1,000. A list has one.
  public var columns: Int
  /// Between lines; in a waterfall between the items of a column.
  public var lineSpacing: Double
  /// Between items of one line, at least; in a waterfall between columns.
  public var interitemSpacing: Double
  /// Around the items.
  public var insets: Insets
  /// Around the header, where there is one.
  public var headerInsets: Insets
  /// Around the footer, where there is one.
  public var footerInsets: Insets
  /// Which column of a waterfall an item goes to.
  public var renderDirection: RenderDirection
  /// How the items of a flow's line are spread over it.
  public var lineAlignment: LineAlignment
  /// Where items of a flow stand that are shorter than their line.
  public var itemAlignment: ItemAlignment
  /// What the size of an item in a list or a waterfall says.
  public var sizing: Sizing

  /// Which column of a waterfall an item goes to.
  public enum RenderDirection: Hashable, Sendable, CaseIterable {
    /// To the shortest one; of those equally short, to the first.
    case shortestFirst
    /// One after another, from the first to the last: from the left, or from the top where the list
    /// scrolls horizontally.
    case leftToRight
    /// One after another, from the last to the first.
    case rightToLeft
  }

  /// How the items of a flow's line are spread over it.
  public enum LineAlignment: Hashable, Sendable, CaseIterable {
    /// As UIKit's flow layout does it: from edge to edge; an item alone in the middle; the last line from
    /// the left, in a section of equal items with the gaps of the lines before.
    case justified
    /// From the left edge, or from the upper one where the list scrolls horizontally.
    case leading
    /// In the middle.
    case center
    /// Up to the other edge.
    case trailing
  }

  /// Where items of a flow stand that are shorter than their line.
  public enum ItemAlignment: Hashable, Sendable, CaseIterable {
    /// At the line's beginning.
    case start
    /// In its middle, as in UIKit's flow layout.
    case center
    /// At its end.
    case end
  }

  /// What the size of an item in a list or a waterfall says; the item is as broad as its column.
  public enum Sizing: Hashable, Sendable, CaseIterable {
    /// The item was measured to fit its column: its length is taken as it is.
    case fitted
    /// Only the ratio of its sides, as of a picture: it is scaled to the column, as
    /// `CHTCollectionViewWaterfallLayout` does. An item with a side of 0 has no length.
    case proportional
  }

  /// Metrics; by default a list without spacing.
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

  /// What a section's layout says, and the app's defaults where it says nothing.
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
