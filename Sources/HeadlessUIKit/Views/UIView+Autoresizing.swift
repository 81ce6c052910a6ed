extension UIView {
  /// The lengths of a view that change with the size of its parent.
  public struct AutoresizingMask: OptionSet, Sendable {
    /// The bits.
    public let rawValue: UInt
    /// Lengths as bits.
    public init(rawValue: UInt) { self.rawValue = rawValue }
    /// The width.
    public static let flexibleWidth = AutoresizingMask(rawValue: 1 << 1)
    /// The height.
    public static let flexibleHeight = AutoresizingMask(rawValue: 1 << 4)
  }

  /// Gives the children the lengths that follow the view's size.
  func resizeSubviews(from oldSize: CGSize) {
    for view in subviews {
      var size = view.bounds.size
      if view.autoresizingMask.contains(.flexibleWidth) {
        size.width += bounds.width - oldSize.width
      }
      if view.autoresizingMask.contains(.flexibleHeight) {
        size.height += bounds.height - oldSize.height
      }
      if size != view.bounds.size { view.bounds.size = size }
    }
  }
}
