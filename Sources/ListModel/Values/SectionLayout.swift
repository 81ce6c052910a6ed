/// How a section lays out its items.
///
/// A value that is `nil` is the app's default.
public struct SectionLayout: Hashable, Sendable {
  /// The arrangement of items.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    /// Items in lines, each line with as many as fit.
    case flow
    /// Items in columns; the next item goes to the shortest column.
    case waterfall
    /// One item a line.
    case list
  }

  /// The arrangement of items.
  public var kind: Kind?
  /// How many items are side by side, 1 to 1,000.
  public var columns: Int?
  /// The space between lines, in points.
  public var lineSpacing: Double?
  /// The space between the items of a line, in points.
  public var interitemSpacing: Double?
  /// The space around the section's items, in points.
  public var insets: Insets?

  /// A layout of the given values.
  public init(
    kind: Kind? = nil, columns: Int? = nil, lineSpacing: Double? = nil,
    interitemSpacing: Double? = nil, insets: Insets? = nil
  ) {
    self.kind = kind
    self.columns = columns
    self.lineSpacing = lineSpacing
    self.interitemSpacing = interitemSpacing
    self.insets = insets
  }

  /// The first invalid value, as a clause; `nil` if all are valid.
  package var problem: String? {
    if let columns, !(1...1_000).contains(columns) {
      return "columns is \(columns); it must be in 1...1,000"
    }
    return firstProblem(
      in: [("lineSpacing", lineSpacing), ("interitemSpacing", interitemSpacing)])
      ?? insets?.problem
  }
}

/// Distances from the four edges of a rectangle, in points.
public struct Insets: Hashable, Sendable {
  /// The distance from the upper edge, in points.
  public var top: Double
  /// The distance from the left edge, in points.
  public var left: Double
  /// The distance from the lower edge, in points.
  public var bottom: Double
  /// The distance from the right edge, in points.
  public var right: Double

  /// Insets, in the order of the formats: top, left, bottom, right.
  public init(top: Double, left: Double, bottom: Double, right: Double) {
    self.top = top
    self.left = left
    self.bottom = bottom
    self.right = right
  }

  /// The first invalid value, as a clause; `nil` if all are valid.
  package var problem: String? {
    firstProblem(
      in: [
        ("insets.top", top), ("insets.left", left), ("insets.bottom", bottom),
        ("insets.right", right),
      ])
  }
}

/// The first invalid length of several, as a clause; `nil` if all are valid.
private func firstProblem(in lengths: [(name: String, length: Double?)]) -> String? {
  for case (let name, let length?) in lengths
  where !length.isFinite || abs(length) > Size.maximumLength {
    return "\(name) is \(length); it must be a number of points within ±1,000,000"
  }
  return nil
}

extension Optional<SectionLayout> {
  /// A hash of the layout; it is the same on every machine and in every version.
  package var stableHash: UInt64 {
    guard let self else { return 0 }
    var writer = JSONWriter()
    self.write(to: &writer)
    return writer.utf8.withUnsafeBytes { XXHash64.hash($0) }
  }
}
