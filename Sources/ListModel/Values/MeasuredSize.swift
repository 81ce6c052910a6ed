/// The conditions under which a size is measured: the fixed length, the variant and the
/// environment.
public struct SizeKey: Hashable, Sendable {
  /// The direction of scrolling; sizes fit across it.
  public enum Axis: String, Hashable, Sendable {
    /// The list scrolls horizontally: items fit its height.
    case horizontal
    /// The list scrolls vertically: items fit its width.
    case vertical
  }

  /// The direction of scrolling, which is the dimension that was measured.
  public var axis: Axis
  /// The length that the item had to fit, across the direction of scrolling, in device pixels.
  public var fittingPixels: Int
  /// A state of the cell that changes its size, such as "expanded"; empty for the normal state.
  public var variant: String
  /// The environment that the size depends on.
  public var environment: LayoutEnvironment

  /// A key; by default for the normal state of a cell in a list that scrolls vertically.
  public init(
    axis: Axis = .vertical, fittingPixels: Int, variant: String = "",
    environment: LayoutEnvironment
  ) {
    self.axis = axis
    self.fittingPixels = fittingPixels
    self.variant = variant
    self.environment = environment
  }
}

extension SizeKey {
  /// Whether a size can be measured for the key.
  package var isUsable: Bool {
    fittingPixels > 0 && environment.displayScale.isFinite && environment.displayScale > 0
  }
}

/// The settings that measured sizes depend on, besides the item and the fixed length.
public struct LayoutEnvironment: Hashable, Codable, Sendable {
  /// The user's text size, as the platform calls it.
  public var contentSizeCategory: String
  /// Whether the user asked for bold text, as the platform calls it.
  public var legibilityWeight: String
  /// "leftToRight" or "rightToLeft".
  public var layoutDirection: String
  /// The identifier of the user's locale.
  public var locale: String
  /// Device pixels a point.
  public var displayScale: Double
  /// The system's name and major version: its fonts change with it.
  public var system: String

  /// An environment; by default that of a plain screen in English.
  public init(
    contentSizeCategory: String = "large", legibilityWeight: String = "regular",
    layoutDirection: String = "leftToRight", locale: String = "en", displayScale: Double = 1,
    system: String = ""
  ) {
    self.contentSizeCategory = contentSizeCategory
    self.legibilityWeight = legibilityWeight
    self.layoutDirection = layoutDirection
    self.locale = locale
    self.displayScale = displayScale
    self.system = system
  }
}

/// A measured size of an item, with the cell, content and code that it was measured with.
public struct MeasuredSize: Hashable, Sendable {
  /// The item that was measured.
  public var item: ItemID
  /// The size, in points.
  public var size: Size
  /// The cell that was measured.
  public var cell: CellName
  /// The item's content revision at that time.
  public var contentRevision: Int
  /// The version of the code that measures this cell.
  public var measurerVersion: Int

  /// A measured size.
  public init(
    item: ItemID, size: Size, cell: CellName, contentRevision: Int, measurerVersion: Int = 1
  ) {
    self.item = item
    self.size = size
    self.cell = cell
    self.contentRevision = contentRevision
    self.measurerVersion = measurerVersion
  }
}

/// A measured size of a section's header, footer or other view, with the content and code that it
/// was measured with.
public struct MeasuredSupplementarySize: Hashable, Sendable {
  /// The section whose view was measured.
  public var section: SectionID
  /// The kind of the view.
  public var kind: Supplementary.Kind
  /// The size, in points.
  public var size: Size
  /// The view and the content that were measured.
  public var supplementary: Supplementary
  /// The version of the code that measures this view.
  public var measurerVersion: Int

  /// A measured size.
  public init(
    section: SectionID, kind: Supplementary.Kind, size: Size, supplementary: Supplementary,
    measurerVersion: Int = 1
  ) {
    self.section = section
    self.kind = kind
    self.size = size
    self.supplementary = supplementary
    self.measurerVersion = measurerVersion
  }
}

/// How far a stored size can be trusted: the answer to one question.
///
/// The same stored size can be exact for one question and an estimate for another.
public enum SizeAnswer: Hashable, Sendable {
  /// It holds.
  case exact(Size)
  /// It was measured under other conditions: good for the extent of a list, not for a cell.
  case estimate(Size, why: EstimateReason)
  /// Nothing was measured for this key.
  case missing

  /// Which condition differs between the measurement and the question.
  public enum EstimateReason: Hashable, Sendable, CaseIterable {
    /// The section had another layout.
    case otherLayout
    /// Another version of the code measured it.
    case otherMeasurer
    /// The item had another cell.
    case otherCell
    /// The item had other content.
    case otherContent
    /// It was measured for another variant.
    case otherVariant
    /// It was measured in another layout environment.
    case otherEnvironment
    /// It was measured to fit another length.
    case otherLength
  }
}

extension SizeAnswer.EstimateReason: CustomStringConvertible {
  /// The reason as a clause for people.
  public var description: String {
    switch self {
    case .otherLayout: "measured in another layout of the section"
    case .otherMeasurer: "measured by another version of the cell"
    case .otherCell: "measured with another cell"
    case .otherContent: "measured before the content changed"
    case .otherVariant: "measured for another variant"
    case .otherEnvironment: "measured in another environment"
    case .otherLength: "measured for another width"
    }
  }
}
