public import Foundation

/// The owner of a screen's view.
@MainActor open class UIViewController: UIResponder {
  private var loadedView: UIView?

  /// Makes a view controller without a nib.
  public override nonisolated init() { super.init() }

  /// Makes a view controller.
  ///
  /// There are no nib files here.
  ///
  /// - Parameters:
  ///   - nibNameOrNil: Has no effect here.
  ///   - nibBundleOrNil: Has no effect here.
  public init(nibName nibNameOrNil: String?, bundle nibBundleOrNil: Bundle?) { super.init() }

  /// Always `nil`: there are no archives of view controllers here.
  public required init?(coder: NSCoder) { nil }

  /// Whether the view was made.
  open var isViewLoaded: Bool { loadedView != nil }

  /// The view. The first access makes it.
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
