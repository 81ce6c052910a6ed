import BatchUpdates
import Foundation
import ListLayout
import ListModel
import ListItems

#if canImport(UIKit) && !os(watchOS)
  import UIKit
#else
  import HeadlessUIKit
#endif

/// A view that shows a list, as far as collection and table views are alike.
@MainActor protocol ListHost: AnyObject {
  /// The view; `nil` once it has gone.
  var view: UIScrollView? { get }
  /// Whether the user drags something out of the view or into it.
  var hasActiveDrag: Bool { get }
  /// The direction of scrolling.
  var axis: SizeKey.Axis { get }
  /// How the view places sections that say nothing.
  var defaultMetrics: SectionMetrics { get }
  var allowsMultipleSelection: Bool { get }
  var selectedPaths: [IndexPath] { get }
  /// The paths of the cells in sight.
  var visiblePaths: [IndexPath] { get }
  /// How large the content is as it is placed now.
  var contentSize: CGSize { get }

  /// Where an item is in the content.
  func frame(at path: IndexPath) -> CGRect?

  func register(_ registration: ViewRegistration)
  /// Under what it registers something.
  func identifier(of registration: ViewRegistration) -> String
  func reloadData()
  func perform(_ updates: @escaping () -> Void, completion: @escaping () -> Void)
  /// Tells what a stage changes; inside of the closure of ``perform(_:completion:)``.
  func tell(_ stage: Stage)
  /// The view of a section that is on display; `nil` if there is none.
  func visibleView(of kind: Supplementary.Kind, inSection index: Int) -> UIView?
  /// Under what it was registered.
  func reuseIdentifier(of view: UIView) -> String?
  func select(_ path: IndexPath)
  func deselect(_ path: IndexPath)
}

extension ListHost {
  /// Whether anybody can see what the view does.
  var isOnScreen: Bool { view?.window != nil }
}
