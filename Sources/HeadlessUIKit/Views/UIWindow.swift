/// The root of a tree of views on a screen.
///
/// A view without a window has no animations, and its updates are reloads.
open class UIWindow: UIView {
  private var safeArea = UIEdgeInsets.zero
  /// The view that has the keyboard.
  weak var firstResponder: UIView?

  open override var window: UIWindow? { self }
  open override var safeAreaInsets: UIEdgeInsets { safeArea }

  /// Changes how far bars and the edges of the screen reach into the window, as a rotation does.
  ///
  /// Not in UIKit.
  ///
  /// - Parameter insets: The new insets, in points.
  public func headlessChangeSafeArea(_ insets: UIEdgeInsets) {
    guard insets != safeArea else { return }
    safeArea = insets
    safeAreaChanged()
  }
}
