/// How a section lays out its items.
///
/// What is `nil` is left to the app's default.
public struct SectionLayout: Hashable, Sendable {
  /// The arrangement of items.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    /// Rows of items, filled line by line.
    case flow
    /// Columns of items of different height; the next item goes to the shortest.
    case waterfall
    /// One item a line.
    case list
  }

  /// The arrangement of items.
  public var kind: Kind?
  /// Items side by side, 1 to 1,000.
  public var columns: Int?
  /// Between lines, in points.
  public var lineSpacing: Double?
  /// Between items of one line, in points.
  public var interitemSpacing: Double?
  /// Around the section's items, in points.
  public var insets: Insets?

  /// A layout of the values that it sets.
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

  /// What is wrong with the values, `nil` if nothing is.
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
  /// Above, in points.
  public var top: Double
  /// At the left, in points.
  public var left: Double
  /// Below, in points.
  public var bottom: Double
  /// At the right, in points.
  public var right: Double

  /// Insets in the order of the format: top, left, bottom, right.
  public init(top: Double, left: Double, bottom: Double, right: Double) {
    self.top = top
    self.left = left
    self.bottom = bottom
    self.right = right
  }

  /// What is wrong with the values, `nil` if nothing is.
  package var problem: String? {
    firstProblem(
      in: [
        ("insets.top", top), ("insets.left", left), ("insets.bottom", bottom),
        ("insets.right", right),
      ])
  }
}

/// Why the first length of several that no view could use is none.
private func firstProblem(in lengths: [(name: String, length: Double?)]) -> String? {
  for case (let name, let length?) in lengths
  where !length.isFinite || abs(length) > Size.maximumLength {
    return "\(name) is \(length); it must be a number of points within ±1,000,000"
  }
  return nil
}

extension Optional<SectionLayout> {
  /// A hash of what it says, the same everywhere and for ever; 0 for none.
  package var stableHash: UInt64 {
    guard let self else { return 0 }
    var writer = JSONWriter()
    self.write(to: &writer)
    return writer.utf8.withUnsafeBytes { XXHash64.hash($0) }
  }
}
