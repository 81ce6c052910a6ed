public import Foundation

/// Insets of the four edges of a rectangle, in points.
public struct UIEdgeInsets: Hashable, Codable, Sendable {
  /// The inset of the top edge.
  public var top: CGFloat
  /// The inset of the left edge.
  public var left: CGFloat
  /// The inset of the bottom edge.
  public var bottom: CGFloat
  /// The inset of the right edge.
  public var right: CGFloat

  /// No insets.
  public static let zero = UIEdgeInsets()

  /// No insets.
  public init() { self.init(top: 0, left: 0, bottom: 0, right: 0) }

  /// Insets of the four edges.
  ///
  /// - Parameters:
  ///   - top: The inset of the top edge.
  ///   - left: The inset of the left edge.
  ///   - bottom: The inset of the bottom edge.
  ///   - right: The inset of the right edge.
  public init(top: CGFloat, left: CGFloat, bottom: CGFloat, right: CGFloat) {
    self.top = top
    self.left = left
    self.bottom = bottom
    self.right = right
  }
}

extension CGRect {
  /// The rectangle that is left inside of insets.
  ///
  /// - Parameter insets: The insets.
  /// - Returns: The smaller rectangle.
  public func inset(by insets: UIEdgeInsets) -> CGRect {
    CGRect(
      x: minX + insets.left, y: minY + insets.top,
      width: width - insets.left - insets.right, height: height - insets.top - insets.bottom)
  }
}

extension CGRect {
  /// Whether two rectangles have an area in common.
  ///
  /// Foundation's `intersects` is also true if they only touch.
  func overlaps(_ other: CGRect) -> Bool {
    minX < other.maxX && other.minX < maxX && minY < other.maxY && other.minY < maxY
  }
}
