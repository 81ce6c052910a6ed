/// The root of a tree of views that is on a screen.
///
/// A view that is in none has no animations, and its updates are reloads.
open class UIWindow: UIView {
  open override var window: UIWindow? { self }
}
