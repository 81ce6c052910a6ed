public import Foundation

/// A rectangle in a tree of views.
///
/// It draws nothing.
///
/// - Note: `UIView()` works because the frame has a default, not because there is an `init()`.
@MainActor open class UIView: UIResponder {
  private var origin: CGPoint
  private var isLayoutNeeded = true
  private var ownTraits: UITraitCollection?
  /// The view that holds it.
  open private(set) weak var superview: UIView?
  /// The views that it holds, from back to front.
  open private(set) var subviews: [UIView] = []
  /// Whether it is not shown.
  open var isHidden = false
  /// How opaque it is, from 0 to 1.
  open var alpha: CGFloat = 1

  /// Its rectangle in its own coordinates.
  open var bounds: CGRect {
    didSet { if bounds.size != oldValue.size { setNeedsLayout() } }
  }

  /// Its rectangle in the coordinates of its superview.
  open var frame: CGRect {
    get { CGRect(origin: origin, size: bounds.size) }
    set {
      origin = newValue.origin
      bounds.size = newValue.size
    }
  }

  /// A view with a frame.
  public init(frame: CGRect = .zero) {
    origin = frame.origin
    bounds = CGRect(origin: .zero, size: frame.size)
    super.init()
  }

  /// Nothing: there are no archives of views here.
  public required init?(coder: NSCoder) { nil }

  // MARK: The tree

  /// The window that it is in; `nil` if it is in none.
  open var window: UIWindow? { superview?.window }

  /// Puts a view in front of the others that it holds.
  open func addSubview(_ view: UIView) { insertSubview(view, at: subviews.count) }

  /// Puts a view among those that it holds.
  ///
  /// - Parameters:
  ///   - view: The view, which leaves the one that holds it.
  ///   - index: Where it goes, in `0...subviews.count`.
  open func insertSubview(_ view: UIView, at index: Int) {
    let oldWindow = view.window
    if let old = view.superview { old.subviews.removeAll { $0 === view } }
    view.willMove(toSuperview: self)
    subviews.insert(view, at: min(index, subviews.count))
    view.superview = self
    view.didMoveToSuperview()
    view.setNeedsLayout()
    if oldWindow !== window { view.windowChanged() }
  }

  /// Takes it out of the view that holds it.
  open func removeFromSuperview() {
    guard let old = superview else { return }
    let oldWindow = window
    willMove(toSuperview: nil)
    old.subviews.removeAll { $0 === self }
    superview = nil
    didMoveToSuperview()
    if oldWindow != nil { windowChanged() }
  }

  private func windowChanged() {
    didMoveToWindow()
    for view in subviews { view.windowChanged() }
  }

  /// Called before another view holds it.
  open func willMove(toSuperview newSuperview: UIView?) {}
  /// Called after another view holds it.
  open func didMoveToSuperview() {}
  /// Called after it came into another window, or into none.
  open func didMoveToWindow() {}

  // MARK: Layout

  /// Says that its layout is to be done anew.
  open func setNeedsLayout() { isLayoutNeeded = true }

  /// Does its layout, and that of what it holds, if that is needed.
  ///
  /// There is no display cycle: a test calls this where a device would draw.
  open func layoutIfNeeded() {
    if isLayoutNeeded {
      isLayoutNeeded = false
      layoutSubviews()
    }
    for view in subviews { view.layoutIfNeeded() }
  }

  /// Places what it holds.
  open func layoutSubviews() {}

  /// The size that fits best; its own, as in UIKit, unless a subclass says otherwise.
  open func sizeThatFits(_ size: CGSize) -> CGSize { bounds.size }

  /// Takes the size that fits best.
  open func sizeToFit() { bounds.size = sizeThatFits(bounds.size) }

  // MARK: Traits

  /// What it is shown in.
  open var traitCollection: UITraitCollection { ownTraits ?? superview?.traitCollection ?? .device }

  /// Called when traits changed.
  open func traitCollectionDidChange(_ previousTraitCollection: UITraitCollection?) {}

  /// Shows the view, and what it holds, in other traits: what a user does in Settings.
  ///
  /// Another size of text is also posted, as by the system. Not in UIKit.
  ///
  /// - Parameter traits: What changes; the rest stays.
  public func headlessChangeTraits(_ traits: UITraitCollection) {
    let old = traitCollection
    let new = UITraitCollection(traitsFrom: [old, traits])
    ownTraits = new
    guard new != old else { return }
    traitsChanged(from: old)
    if new.preferredContentSizeCategory != old.preferredContentSizeCategory {
      NotificationCenter.default.post(
        name: UIContentSizeCategory.didChangeNotification, object: nil)
    }
  }

  private func traitsChanged(from old: UITraitCollection) {
    traitCollectionDidChange(old)
    for view in subviews where view.ownTraits == nil { view.traitsChanged(from: old) }
  }
}

// MARK: - Animation

extension UIView {
  private static var isAnimating = true

  /// Whether updates take time: their completions come later.
  public class var areAnimationsEnabled: Bool { isAnimating }

  /// Says whether updates take time.
  public class func setAnimationsEnabled(_ enabled: Bool) { isAnimating = enabled }

  /// Does something whose updates take no time.
  ///
  /// - Parameter actionsWithoutAnimation: What to do.
  public class func performWithoutAnimation(_ actionsWithoutAnimation: () -> Void) {
    let old = isAnimating
    isAnimating = false
    actionsWithoutAnimation()
    isAnimating = old
  }
}

extension UITraitCollection {
  /// A telephone as it comes.
  static let device = UITraitCollection(traitsFrom: [
    UITraitCollection(preferredContentSizeCategory: .large), UITraitCollection(displayScale: 3),
    UITraitCollection(layoutDirection: .leftToRight), UITraitCollection(legibilityWeight: .regular),
  ])
}
