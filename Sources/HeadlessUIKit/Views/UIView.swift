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
  /// The parent view.
  open private(set) weak var superview: UIView?
  /// The child views, from back to front.
  open private(set) var subviews: [UIView] = []
  /// Whether the view is hidden.
  open var isHidden = false
  /// What follows a new size of the parent: see ``AutoresizingMask``.
  open var autoresizingMask: AutoresizingMask = []
  /// The opacity, from 0 to 1.
  open var alpha: CGFloat = 1

  /// The view's rectangle in its own coordinates.
  open var bounds: CGRect {
    didSet {
      guard bounds.size != oldValue.size else { return }
      setNeedsLayout()
      resizeSubviews(from: oldValue.size)
    }
  }

  /// The view's rectangle in the coordinates of its superview.
  open var frame: CGRect {
    get { CGRect(origin: origin, size: bounds.size) }
    set {
      origin = newValue.origin
      bounds.size = newValue.size
    }
  }

  /// Makes a view with a frame.
  public init(frame: CGRect = .zero) {
    origin = frame.origin
    bounds = CGRect(origin: .zero, size: frame.size)
    super.init()
  }

  /// Always `nil`: there are no archives of views here.
  public required init?(coder: NSCoder) { nil }

  // MARK: The tree

  /// The window that has the view in its tree; `nil` if there is none.
  open var window: UIWindow? { superview?.window }

  /// Adds a child view in front of the others.
  open func addSubview(_ view: UIView) { insertSubview(view, at: subviews.count) }

  /// Inserts a child view at an index.
  ///
  /// - Parameters:
  ///   - view: The view. It is removed from its parent first.
  ///   - index: The index, in `0...subviews.count`.
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

  /// Removes the view from its parent.
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

  /// Called before the parent changes.
  open func willMove(toSuperview newSuperview: UIView?) {}
  /// Called after the parent changed.
  open func didMoveToSuperview() {}
  /// Called after the window changed.
  open func didMoveToWindow() {}

  // MARK: Layout

  /// Marks the layout as out of date.
  open func setNeedsLayout() { isLayoutNeeded = true }

  /// Lays out the view and its children, if necessary.
  ///
  /// There is no display cycle here: a test calls this where a device would draw.
  open func layoutIfNeeded() {
    if isLayoutNeeded {
      isLayoutNeeded = false
      layoutSubviews()
    }
    for view in subviews { view.layoutIfNeeded() }
  }

  /// Places the children.
  open func layoutSubviews() {}

  /// The best size for the content.
  ///
  /// As in UIKit, that is the current size unless a subclass overrides this method.
  open func sizeThatFits(_ size: CGSize) -> CGSize { bounds.size }

  /// Sets the size to the best size for the content.
  open func sizeToFit() { bounds.size = sizeThatFits(bounds.size) }

  // MARK: Traits

  /// The traits: those of the parent, unless ``headlessChangeTraits(_:)`` set others.
  open var traitCollection: UITraitCollection { ownTraits ?? superview?.traitCollection ?? .device }

  /// Called when traits changed.
  open func traitCollectionDidChange(_ previousTraitCollection: UITraitCollection?) {}

  /// Changes the traits of the view and its children, as a user does in Settings.
  ///
  /// A new text size is also posted as a notification, as the system does. Not in UIKit.
  ///
  /// - Parameter traits: The traits to change; unspecified values stay.
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

  /// Whether updates are animated, so that their completions are called later.
  public class var areAnimationsEnabled: Bool { isAnimating }

  /// Sets whether updates are animated.
  public class func setAnimationsEnabled(_ enabled: Bool) { isAnimating = enabled }

  /// Runs a closure whose updates are not animated.
  ///
  /// - Parameter actionsWithoutAnimation: The closure.
  public class func performWithoutAnimation(_ actionsWithoutAnimation: () -> Void) {
    let old = isAnimating
    isAnimating = false
    actionsWithoutAnimation()
    isAnimating = old
  }
}

extension UITraitCollection {
  /// The default traits of a phone.
  static let device = UITraitCollection(traitsFrom: [
    UITraitCollection(preferredContentSizeCategory: .large), UITraitCollection(displayScale: 3),
    UITraitCollection(layoutDirection: .leftToRight), UITraitCollection(legibilityWeight: .regular),
  ])
}
