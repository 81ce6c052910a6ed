public import Foundation

/// What owns a screen: its view is made when it is first asked for.
@MainActor open class UIViewController: UIResponder {
  private var loadedView: UIView?

  /// A view controller without a nib.
  public override nonisolated init() { super.init() }

  /// A view controller; nibs of them there are none here.
  ///
  /// - Parameters:
  ///   - nibNameOrNil: Nothing here.
  ///   - nibBundleOrNil: Nothing here.
  public init(nibName nibNameOrNil: String?, bundle nibBundleOrNil: Bundle?) { super.init() }

  /// Nothing: there are no archives of view controllers here.
  public required init?(coder: NSCoder) { nil }

  /// Whether the view was made.
  open var isViewLoaded: Bool { loadedView != nil }

  /// The view, which is made when it is first asked for.
  // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
  open var view: UIView! {
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
