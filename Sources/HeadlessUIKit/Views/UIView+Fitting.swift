public import Foundation

/// The priority of a length.
public struct UILayoutPriority: RawRepresentable, Hashable, Comparable, Sendable {
  /// From 0 to 1,000.
  public var rawValue: Float
  /// Makes a priority from a number.
  public init(rawValue: Float) { self.rawValue = rawValue }
  /// Makes a priority from a number.
  public init(_ rawValue: Float) { self.init(rawValue: rawValue) }
  /// Whether a priority is lower than another one.
  public static func < (lhs: UILayoutPriority, rhs: UILayoutPriority) -> Bool {
    lhs.rawValue < rhs.rawValue
  }

  /// A high priority.
  public static let defaultHigh = UILayoutPriority(750)
  /// A low priority.
  public static let defaultLow = UILayoutPriority(250)
  /// The length is required.
  public static let required = UILayoutPriority(1_000)
  /// The length is as small as the content allows.
  public static let fittingSizeLevel = UILayoutPriority(50)
}

extension UIView {
  /// The size that stands for the smallest possible one.
  public class var layoutFittingCompressedSize: CGSize { .zero }

  /// A length of ``intrinsicContentSize`` that does not depend on the content.
  public class var noIntrinsicMetric: CGFloat { -1 }

  /// The best size for the view's content.
  public func systemLayoutSizeFitting(_ targetSize: CGSize) -> CGSize {
    systemLayoutSizeFitting(
      targetSize, withHorizontalFittingPriority: .fittingSizeLevel,
      verticalFittingPriority: .fittingSizeLevel)
  }
}
