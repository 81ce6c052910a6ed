public import Foundation

/// A rectangle in a tree of views.
///
/// It draws nothing.
///
/// - Note: `UIView()` works because the frame has a default, not because there is an `init()`.
@MainActor open class UIView: UIResponder, UITraitEnvironment {
  private var origin: CGPoint
  private var isLayoutNeeded = true
  /// The traits that differ from the parent's.
  private var ownTraits: UITraitCollection?
  /// What ``traitCollection`` returned last, so that the same traits are the same object.
  private var latestTraits: (inherited: UITraitCollection, combined: UITraitCollection)?
  /// The margins that the app set; `nil`: the default ones.
  private var ownMargins: UIEdgeInsets?
  /// The constraints between this view and the views in it, in the order of their activation.
  var installedConstraints: [NSLayoutConstraint] = []
  /// The parent view.
  open private(set) weak var superview: UIView?
  /// The child views, from back to front.
  open private(set) var subviews: [UIView] = []
  /// Whether the view is hidden.
  open var isHidden = false
  /// A number that the app tells the view by.
  open var tag = 0
  /// What follows a new size of the parent: see ``AutoresizingMask``.
  open var autoresizingMask: AutoresizingMask = []
  /// The opacity, from 0 to 1.
  open var alpha: CGFloat = 1
  /// The color behind the content.
  open var backgroundColor: UIColor?

  /// Whether the view's frame takes part in Auto Layout as constraints.
  ///
  /// Without it, the constraints of the app place the view.
  open var translatesAutoresizingMaskIntoConstraints = true
  /// Whether the safe area counts in ``layoutMargins``.
  open var insetsLayoutMarginsFromSafeArea = true { didSet { insetsChanged() } }

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

  // MARK: The keyboard

  open override var isFirstResponder: Bool { window?.firstResponder === self }

  @discardableResult open override func becomeFirstResponder() -> Bool {
    guard let window, canBecomeFirstResponder else { return false }
    if isFirstResponder { return true }
    if window.firstResponder?.resignFirstResponder() == false { return false }
    window.firstResponder = self
    return true
  }

  @discardableResult open override func resignFirstResponder() -> Bool {
    if isFirstResponder { window?.firstResponder = nil }
    return true
  }

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
    let oldTraits = view.traitsBelow()
    if let old = view.superview { old.subviews.removeAll { $0 === view } }
    view.willMove(toSuperview: self)
    subviews.insert(view, at: min(index, subviews.count))
    view.superview = self
    view.didMoveToSuperview()
    view.setNeedsLayout()
    if oldWindow !== window { view.windowChanged() }
    Self.reportTraits(changedFrom: oldTraits)
  }

  /// Removes the view from its parent.
  open func removeFromSuperview() {
    guard let old = superview else { return }
    let oldWindow = window
    // What leaves the window gives the keyboard up.
    if let first = oldWindow?.firstResponder, first.isDescendant(of: self) {
      first.resignFirstResponder()
    }
    willMove(toSuperview: nil)
    old.subviews.removeAll { $0 === self }
    superview = nil
    didMoveToSuperview()
    if oldWindow != nil { windowChanged() }
  }

  /// The view itself, or the first one in it, that has a tag; `nil` if there is none.
  open func viewWithTag(_ tag: Int) -> UIView? {
    if self.tag == tag { return self }
    for view in subviews {
      if let found = view.viewWithTag(tag) { return found }
    }
    return nil
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

  /// Places the children by their constraints.
  open func layoutSubviews() { placeByConstraints() }

  /// The size that the content needs if nothing limits it; `noIntrinsicMetric` for a length that
  /// does not depend on the content.
  open var intrinsicContentSize: CGSize {
    CGSize(width: UIView.noIntrinsicMetric, height: UIView.noIntrinsicMetric)
  }

  /// The height that the content needs in a width; `nil` if it does not depend on the width.
  func intrinsicHeight(inWidth width: CGFloat) -> CGFloat? { nil }

  /// The best size for the view's content by its constraints, in which required lengths are kept:
  /// see <doc:Differences>.
  ///
  /// - Parameters:
  ///   - targetSize: The available size. A length that is not required is as long as the content
  ///     needs.
  ///   - horizontalFittingPriority: Whether the width is required.
  ///   - verticalFittingPriority: Whether the height is required.
  /// - Returns: Points.
  open func systemLayoutSizeFitting(
    _ targetSize: CGSize, withHorizontalFittingPriority horizontalFittingPriority: UILayoutPriority,
    verticalFittingPriority: UILayoutPriority
  ) -> CGSize {
    ConstraintSolver(
      self, width: horizontalFittingPriority == .required ? targetSize.width : nil,
      height: verticalFittingPriority == .required ? targetSize.height : nil
    ).size
  }

  /// The best size for the content.
  ///
  /// As in UIKit, that is the current size unless a subclass overrides this method.
  open func sizeThatFits(_ size: CGSize) -> CGSize { bounds.size }

  /// Sets the size to the best size for the content.
  open func sizeToFit() { bounds.size = sizeThatFits(bounds.size) }

  // MARK: Insets

  /// How far bars and the edges of the screen reach into the view, in points.
  ///
  /// A scroll view keeps its content clear of the bars above and below, so that the views in it
  /// have safe insets at the sides only.
  open var safeAreaInsets: UIEdgeInsets {
    guard let superview else { return .zero }
    let outer = superview.safeAreaInsets
    let area = superview.bounds
    let isContent = superview is UIScrollView
    return UIEdgeInsets(
      top: isContent ? 0 : max(0, outer.top - (frame.minY - area.minY)),
      left: max(0, outer.left - (frame.minX - area.minX)),
      bottom: isContent ? 0 : max(0, outer.bottom - (area.maxY - frame.maxY)),
      right: max(0, outer.right - (area.maxX - frame.maxX)))
  }

  /// The space that content keeps from the edges, in points, with the safe area.
  open var layoutMargins: UIEdgeInsets {
    get {
      let own = ownMargins ?? defaultMargins
      guard insetsLayoutMarginsFromSafeArea else { return own }
      let safe = safeAreaInsets
      return UIEdgeInsets(
        top: own.top + safe.top, left: own.left + safe.left, bottom: own.bottom + safe.bottom,
        right: own.right + safe.right)
    }
    set {
      ownMargins = newValue
      insetsChanged()
    }
  }

  /// The margins of a view for which the app set none.
  var defaultMargins: UIEdgeInsets { UIEdgeInsets(top: 8, left: 8, bottom: 8, right: 8) }

  /// Called when the safe area changed.
  open func safeAreaInsetsDidChange() {}
  /// Called when the margins changed.
  open func layoutMarginsDidChange() {}

  /// Reports other margins, and lays the view out again.
  private func insetsChanged() {
    setNeedsLayout()
    layoutMarginsDidChange()
  }

  /// Reports another safe area to the view and all views in it.
  func safeAreaChanged() {
    safeAreaInsetsDidChange()
    insetsChanged()
    for view in subviews { view.safeAreaChanged() }
  }

  // MARK: Traits

  /// The traits: those of the parent, with the changes of ``headlessChangeTraits(_:)``.
  open var traitCollection: UITraitCollection {
    let inherited = superview?.traitCollection ?? .device
    guard let ownTraits else { return inherited }
    if let latestTraits, latestTraits.inherited === inherited { return latestTraits.combined }
    let combined = UITraitCollection(traitsFrom: [inherited, ownTraits])
    latestTraits = (inherited, combined)
    return combined
  }

  /// Called when traits changed.
  open func traitCollectionDidChange(_ previousTraitCollection: UITraitCollection?) {}

  /// Changes the traits of the view and its children: in a window as a user does in Settings, in
  /// another view as a container with overrides does.
  ///
  /// A window also posts a notification about another text size, as the system does. Not in UIKit.
  ///
  /// - Parameter traits: The traits to change; unspecified values stay.
  public func headlessChangeTraits(_ traits: UITraitCollection) {
    let before = traitsBelow()
    let old = traitCollection
    ownTraits = UITraitCollection(traitsFrom: [ownTraits, traits].compactMap(\.self))
    latestTraits = nil
    Self.reportTraits(changedFrom: before)
    if self is UIWindow,
      traitCollection.preferredContentSizeCategory != old.preferredContentSizeCategory
    {
      NotificationCenter.default.post(
        name: UIContentSizeCategory.didChangeNotification, object: nil)
    }
  }

  /// The view and all views in it, with their traits.
  private func traitsBelow() -> [(view: UIView, traits: UITraitCollection)] {
    [(self, traitCollection)] + subviews.flatMap { $0.traitsBelow() }
  }

  private static func reportTraits(changedFrom old: [(view: UIView, traits: UITraitCollection)]) {
    for (view, traits) in old where view.traitCollection != traits {
      view.traitCollectionDidChange(traits)
    }
  }
}

// MARK: - Animation

extension UIView {
  private static var isAnimating = true
  /// How many animation closures are running.
  static var animationDepth = 0

  /// Options of an animation.
  ///
  /// They have no effect here.
  public struct AnimationOptions: OptionSet, Sendable {
    /// The bits.
    public let rawValue: UInt
    /// Options of bits.
    public init(rawValue: UInt) { self.rawValue = rawValue }
    /// The user can touch the views while they move.
    public static let allowUserInteraction = AnimationOptions(rawValue: 1 << 1)
    /// The animation begins where the views are on the screen.
    public static let beginFromCurrentState = AnimationOptions(rawValue: 1 << 2)
  }

  /// Animates the changes that a closure makes.
  ///
  /// Here they happen at once.
  ///
  /// - Parameters:
  ///   - duration: Has no effect here.
  ///   - delay: Has no effect here.
  ///   - options: Has no effect here.
  ///   - animations: The closure.
  ///   - completion: Called after it.
  public class func animate(
    withDuration duration: TimeInterval, delay: TimeInterval, options: AnimationOptions = [],
    animations: @escaping () -> Void, completion: ((Bool) -> Void)? = nil
  ) {
    animationDepth += 1
    animations()
    animationDepth -= 1
    completion?(true)
  }

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
    UITraitCollection(horizontalSizeClass: .compact),
    UITraitCollection(verticalSizeClass: .regular),
  ])
}
