public import Foundation

/// The priority of a length.
public struct UILayoutPriority: RawRepresentable, Hashable, Sendable {
  /// From 0 to 1,000.
  public var rawValue: Float
  /// Makes a priority from a number.
  public init(rawValue: Float) { self.rawValue = rawValue }
  /// Makes a priority from a number.
  public init(_ rawValue: Float) { self.init(rawValue: rawValue) }
  /// The length is required.
  public static let required = UILayoutPriority(1_000)
  /// The length is as small as the content allows.
  public static let fittingSizeLevel = UILayoutPriority(50)
}

extension UIView {
  /// The size that stands for the smallest possible one.
  public class var layoutFittingCompressedSize: CGSize { .zero }

  /// The best size for the view's content.
  public func systemLayoutSizeFitting(_ targetSize: CGSize) -> CGSize {
    systemLayoutSizeFitting(
      targetSize, withHorizontalFittingPriority: .fittingSizeLevel,
      verticalFittingPriority: .fittingSizeLevel)
  }

  /// The best size for the view's content, in which required lengths are kept.
  ///
  /// There is no Auto Layout here: `sizeThatFits(_:)` stands for the constraints.
  ///
  /// - Parameters:
  ///   - targetSize: The available size. A length of 0 that is not required is as long as the
  ///     content needs.
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
