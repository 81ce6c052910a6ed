/// The root of a tree of views on a screen.
///
/// A view without a window has no animations, and its updates are reloads.
open class UIWindow: UIView {
  open override var window: UIWindow? { self }
}
