public import Foundation

extension UIView {
  /// A rectangle of another view's coordinates in those of this one.
  ///
  /// - Parameters:
  ///   - rect: The rectangle.
  ///   - view: The other view, in the same window or hierarchy.
  /// - Returns: The same rectangle in the coordinates of this view.
  public func convert(_ rect: CGRect, from view: UIView?) -> CGRect {
    let (own, other) = (originInRoot, (view ?? window ?? self).originInRoot)
    return rect.offsetBy(dx: other.x - own.x, dy: other.y - own.y)
  }

  /// Where the origin of its coordinates is in those of the view around all.
  private var originInRoot: CGPoint {
    var point = CGPoint.zero
    var view = self
    while let parent = view.superview {
      point.x += view.frame.minX - view.bounds.minX
      point.y += view.frame.minY - view.bounds.minY
      view = parent
    }
    return point
  }
}
