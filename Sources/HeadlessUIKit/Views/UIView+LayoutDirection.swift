/// The direction in which a view is laid out.
public enum UIUserInterfaceLayoutDirection: Int, Sendable {
  /// From left to right.
  case leftToRight = 0
  /// From right to left.
  case rightToLeft = 1
}

extension UIView {
  /// The direction in which the content of the view is laid out, from its traits.
  public var effectiveUserInterfaceLayoutDirection: UIUserInterfaceLayoutDirection {
    traitCollection.layoutDirection == .rightToLeft ? .rightToLeft : .leftToRight
  }
}
