public import Foundation

/// A color; nothing is drawn with it here.
public final class UIColor: NSObject, Sendable {
  private let name: String
  private let alpha: CGFloat

  private init(_ name: String, alpha: CGFloat = 1) {
    self.name = name
    self.alpha = alpha
  }

  /// A grey of the system.
  public static let systemGray = UIColor("systemGray")
  /// The color of texts that matter less.
  public static let secondaryLabel = UIColor("secondaryLabel")

  /// The same color, as opaque as said.
  public func withAlphaComponent(_ alpha: CGFloat) -> UIColor { UIColor(name, alpha: alpha) }

  /// Whether both are equal.
  public override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? UIColor else { return false }
    return name == other.name && alpha == other.alpha
  }

  /// A hash of the color.
  public override var hash: Int { name.hashValue }
}
