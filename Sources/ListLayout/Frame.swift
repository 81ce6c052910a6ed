/// A rectangle of the content, in points; the origin is its upper left corner.
public struct Frame: Hashable, Sendable {
  /// The left edge.
  public var x: Double
  /// The upper edge.
  public var y: Double
  /// The length from the left edge to the right one.
  public var width: Double
  /// The length from the upper edge to the lower one.
  public var height: Double

  /// A rectangle of the given origin and size, in points.
  public init(x: Double, y: Double, width: Double, height: Double) {
    self.x = x
    self.y = y
    self.width = width
    self.height = height
  }
}

extension Frame {
  /// Whether the two rectangles share an area; common edges are no area.
  package func overlaps(_ other: Frame) -> Bool {
    width > 0 && height > 0 && other.width > 0 && other.height > 0
      && x < other.x + other.width && other.x < x + width
      && y < other.y + other.height && other.y < y + height
  }
}

/// A rectangle relative to the direction of scrolling: `start` and `length` along it, `acrossStart`
/// and `breadth` across it.
struct AxisFrame: Hashable, Sendable {
  var start: Double
  var length: Double
  var acrossStart: Double
  var breadth: Double
}
