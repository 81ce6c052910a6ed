/// What owns a screen: its view is made when it is first asked for.
@MainActor open class UIViewController: UIResponder {
  private var loadedView: UIView?

  /// A view controller without a nib.
  public override nonisolated init() { super.init() }

  /// Whether the view was made.
  open var isViewLoaded: Bool { loadedView != nil }

  /// The view, which is made when it is first asked for.
  open var view: UIView {
    get {
      if let loadedView { return loadedView }
      loadView()
      let view = loadedView ?? UIView()
      loadedView = view
      viewDidLoad()
      return view
    }
    set { loadedView = newValue }
  }

  /// Makes the view.
  open func loadView() { view = UIView() }

  /// Called after the view was made.
  open func viewDidLoad() {}
}
