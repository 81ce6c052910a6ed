public import Foundation

/// How strongly a length is wanted.
public struct UILayoutPriority: RawRepresentable, Hashable, Sendable {
  /// From 0 to 1,000.
  public var rawValue: Float
  /// A priority of a number.
  public init(rawValue: Float) { self.rawValue = rawValue }
  /// A priority of a number.
  public init(_ rawValue: Float) { self.init(rawValue: rawValue) }
  /// Must hold.
  public static let required = UILayoutPriority(1_000)
  /// As small as it can be.
  public static let fittingSizeLevel = UILayoutPriority(50)
}

extension UIView {
  /// Stands for as small as it can be.
  public class var layoutFittingCompressedSize: CGSize { .zero }

  /// The size that fits best, in no particular room.
  public func systemLayoutSizeFitting(_ targetSize: CGSize) -> CGSize {
    systemLayoutSizeFitting(
      targetSize, withHorizontalFittingPriority: .fittingSizeLevel,
      verticalFittingPriority: .fittingSizeLevel)
  }

  /// The size that fits best, with lengths that are required kept.
  ///
  /// There is no Auto Layout here: `sizeThatFits(_:)` says what constraints would.
  ///
  /// - Parameters:
  ///   - targetSize: The room; a length that is not required and 0 is as long as it likes.
  ///   - horizontalFittingPriority: Whether the width is required.
  ///   - verticalFittingPriority: Whether the height is required.
  /// - Returns: Points.
  public func systemLayoutSizeFitting(
    _ targetSize: CGSize, withHorizontalFittingPriority horizontalFittingPriority: UILayoutPriority,
    verticalFittingPriority: UILayoutPriority
  ) -> CGSize {
    func room(_ length: CGFloat, _ priority: UILayoutPriority) -> CGFloat {
      priority == .required || length > 0 ? length : .greatestFiniteMagnitude
    }
    var size = sizeThatFits(
      CGSize(
        width: room(targetSize.width, horizontalFittingPriority),
        height: room(targetSize.height, verticalFittingPriority)))
    if horizontalFittingPriority == .required { size.width = targetSize.width }
    if verticalFittingPriority == .required { size.height = targetSize.height }
    return size
  }
}
