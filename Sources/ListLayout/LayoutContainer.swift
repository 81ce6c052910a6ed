public import ListModel

/// The measures of the view that a list is placed in.
public struct LayoutContainer: Hashable, Sendable {
  /// The view's bounds, in points.
  public var size: Size
  /// The direction of scrolling.
  public var axis: SizeKey.Axis
  /// Device pixels a point; a value that is not a positive number counts as 1.
  public var scale: Double
  /// Whether the layout is mirrored: left and right are exchanged, for insets too.
  ///
  /// It is the same as UIKit's `flipsHorizontallyInOppositeLayoutDirection`.
  public var isMirrored: Bool
  /// The scroll view's insets around the content, in points.
  ///
  /// They make the content narrower and are no part of it.
  public var contentInsets: Insets
  /// The space at both sides of the content that items keep free, in points: a safe area or
  /// margins.
  ///
  /// Headers and footers ignore it. Only the lengths across the direction of scrolling count.
  public var margins: Insets
  /// The least length of the content along the direction of scrolling, in points.
  public var minimumContentLength: Double
  /// How lengths of items, headers and footers are rounded to device pixels.
  public var rounding: PixelRounding

  /// A view of a size, in points; by default it scrolls vertically.
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

  /// A view of a size in an environment, from which it takes the scale and the layout direction.
  public init(size: Size, axis: SizeKey.Axis = .vertical, in environment: LayoutEnvironment) {
    self.init(
      size: size, axis: axis, scale: environment.displayScale,
      isMirrored: environment.layoutDirection == "rightToLeft")
  }
}

extension LayoutContainer {
  /// The scale, replaced by 1 if it is invalid.
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
