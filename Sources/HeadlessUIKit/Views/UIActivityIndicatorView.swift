public import Foundation

/// A view that shows that something goes on.
open class UIActivityIndicatorView: UIView {
  /// The size of an indicator.
  public enum Style: Int, Sendable {
    /// 20 points.
    case medium = 100
    /// 37 points.
    case large
  }

  /// The size.
  open var style: Style
  /// Whether it is hidden while nothing goes on.
  open var hidesWhenStopped = true { didSet { isHidden = hidesWhenStopped && !isAnimating } }
  /// Whether something goes on.
  open private(set) var isAnimating = false

  /// An indicator that stands still.
  public init(style: Style) {
    self.style = style
    super.init(frame: CGRect(x: 0, y: 0, width: 20, height: 20))
    isHidden = true
  }

  /// Always `nil`: there are no archives of views here.
  public required init?(coder: NSCoder) { nil }

  open override var intrinsicContentSize: CGSize { sizeThatFits(.zero) }

  open override func sizeThatFits(_ size: CGSize) -> CGSize {
    style == .large ? CGSize(width: 37, height: 37) : CGSize(width: 20, height: 20)
  }

  /// Shows that something goes on.
  open func startAnimating() {
    isAnimating = true
    isHidden = false
  }

  /// Shows that nothing goes on any more.
  open func stopAnimating() {
    isAnimating = false
    isHidden = hidesWhenStopped
  }
}
