public import ListModel

/// The view that a list is placed in.
public struct LayoutContainer: Hashable, Sendable {
  /// The view's bounds, in points.
  public var size: Size
  /// The direction of scrolling.
  public var axis: SizeKey.Axis
  /// Device pixels a point; what is not a positive number counts as 1.
  public var scale: Double
  /// Whether left and right are exchanged, everything with its insets, as with UIKit's
  /// `flipsHorizontallyInOppositeLayoutDirection`.
  public var isMirrored: Bool
  /// What the scroll view puts around its content, in points: it makes the content narrower, and is no
  /// part of it.
  public var contentInsets: Insets
  /// What is left free of items at both sides of the content, in points: a safe area or margins.
  ///
  /// Headers and footers go from edge to edge. Only the lengths across the direction of scrolling count.
  public var margins: Insets
  /// The least length of the content along the direction of scrolling, in points.
  public var minimumContentLength: Double
  /// What becomes of lengths of items, headers and footers that are not whole pixels.
  public var rounding: PixelRounding

  /// A view of a size that scrolls in a direction.
  public init(
    size: Size, axis: SizeKey.Axis = .vertical, scale: Double = 1, isMirrored: Bool = false,
    contentInsets: Insets = .zero, margins: Insets = .zero, minimumContentLength: Double = 0,
    rounding: PixelRounding = .up
  ) {
    self.size = size
    self.axis = axis
    self.scale = scale
    self.isMirrored = isMirrored
    self.contentInsets = contentInsets
    self.margins = margins
    self.minimumContentLength = minimumContentLength
    self.rounding = rounding
  }

  /// A view of a size in an environment, which says the scale and whether left and right are exchanged.
  public init(size: Size, axis: SizeKey.Axis = .vertical, in environment: LayoutEnvironment) {
    self.init(
      size: size, axis: axis, scale: environment.displayScale,
      isMirrored: environment.layoutDirection == "rightToLeft")
  }
}

extension LayoutContainer {
  /// The scale that counts.
  var pixelsPerPoint: Double { scale.isFinite && scale > 0 ? min(scale, 1_000) : 1 }

  /// The length of the content across the direction of scrolling, in points.
  var breadth: Double {
    let bounds = (axis == .vertical ? size.width : size.height).sanitizedLength
    let insets = contentInsets.across(axis)
    return max(0, bounds - insets.before - insets.after)
  }
}

extension Insets {
  /// No distance anywhere.
  public static var zero: Insets { Insets(top: 0, left: 0, bottom: 0, right: 0) }

  /// The distances before and after, along the direction of scrolling.
  func along(_ axis: SizeKey.Axis) -> (before: Double, after: Double) {
    axis == .vertical
      ? (top.sanitizedLength, bottom.sanitizedLength)
      : (left.sanitizedLength, right.sanitizedLength)
  }

  /// The distances at both sides, across the direction of scrolling.
  func across(_ axis: SizeKey.Axis) -> (before: Double, after: Double) {
    along(axis == .vertical ? .horizontal : .vertical)
  }
}
