import BatchUpdates
import Foundation
import ListItems
import ListLayout
import ListModel
import ListViews

/// The collection view or table view of an adapter.
///
/// Everything in which the two differ for the parts of an adapter is behind this protocol. The adapters
/// themselves only answer the methods of UIKit's protocols, whose signatures differ.
@MainActor protocol ListHost: AnyObject {
  /// The view; `nil` after it was released.
  var view: UIScrollView? { get }
  /// Whether the view has its data source.
  ///
  /// Until then it shows nothing.
  var isConnected: Bool { get }
  /// Gives the view its data source.
  func connect()
  /// Takes the data source away from the view.
  func disconnect()
  /// Whether the user drags something out of the view or into it, or moves an item in it.
  var hasActiveDrag: Bool { get }

  // MARK: Placement

  var axis: SizeKey.Axis { get }
  /// The layout of sections for which the store has none.
  var defaultMetrics: SectionMetrics { get }
  var contentSize: CGSize { get }
  var visiblePaths: [IndexPath] { get }
  /// Whether the view asks its delegate for the content offset after an update. Any other view is
  /// scrolled by the adapter.
  var asksForContentOffset: Bool { get }

  /// What tells the sizes of cells in this kind of view from those in others, as the variant of size
  /// keys has it.
  var sizeVariant: String { get }
  var letsCellsSizeThemselves: Bool { get }
  /// Whether sections have the insets, spacing and columns that are stored with them.
  var placesSections: Bool { get }
  /// What is beside the contents of cells, in points: insets, margins, the safe area.
  var contentInsets: UIEdgeInsets { get }
  /// How much narrower the content of a cell is for the controls of editing mode, in points.
  func indentation(at path: IndexPath) -> Double
  /// The part of a cell's length that its content does not get, in points: a separator.
  var separatorLength: Double { get }
  /// Whether a batch update can add and remove headers and footers of sections that stay. Any other
  /// view gets them after the update.
  var changesSupplementariesInUpdates: Bool { get }

  /// The lengths that the visible cells have, in points; empty for a view whose layout reports the
  /// sizes that cells give themselves.
  var lengthsOnDisplay: [(path: IndexPath, length: Double)] { get }

  /// The frame of an item in the content; `nil` if the view has no such item.
  func frame(at path: IndexPath) -> CGRect?
  /// The size of the content before the view's first layout, by mean sizes where the view can do with
  /// them.
  var assumedContentSize: CGSize { get }
  /// As ``assumedContentSize``, the frame of an item; `nil` if the view has no such item.
  func assumedFrame(at path: IndexPath) -> CGRect?
  /// Makes the view place everything again.
  func relayout()
  /// Makes the view ask for the size of an item again.
  func relayout(itemAt path: IndexPath)
  /// Makes the view place the headers and footers of sections again.
  func relayout(sections: [Int])

  // MARK: Selection

  var isEditing: Bool { get }
  /// Whether the user can select several items now, in editing mode or outside of it.
  var allowsMultipleSelection: Bool { get }
  var selectedPaths: [IndexPath] { get }
  func select(_ path: IndexPath)
  func deselect(_ path: IndexPath)

  // MARK: Cells and supplementary views

  func register(_ registration: ViewRegistration)
  /// The cell of gaps that the app has none for.
  var gapCell: ViewRegistration { get }
  /// The reuse identifier that a registration gets in the view.
  func identifier(of registration: ViewRegistration) -> String
  func reuseIdentifier(of view: UIView) -> String?
  /// Whether a view stands for the supplementary view that a section does not have.
  func isEmpty(_ view: UIView) -> Bool
  /// The supplementary view of a section on display; `nil` if there is none.
  func visibleView(of kind: Supplementary.Kind, inSection index: Int) -> UIView?
  /// A prototype's cell to measure with; `nil` if the view gives none that it does not show.
  func dequeueTemplate(for registration: ViewRegistration) -> UIView?
  /// Makes a view of a class in the same way as the view itself does; `nil` for a class that it
  /// can't show.
  func makeView(of type: AnyObject.Type, for registration: ViewRegistration) -> UIView?

  // MARK: Updates

  func reloadData()
  /// Runs a closure whose changes of the content offset belong to the animation of an update.
  func animate(_ changes: @escaping () -> Void)
  func perform(_ updates: @escaping () -> Void, completion: @escaping () -> Void)
  /// Calls the view's methods for the operations of a stage, inside the closure of
  /// ``perform(_:completion:)``.
  func apply(_ stage: Stage)
  /// Notes that the view moves an item by itself, because the user dropped it.
  ///
  /// `stage`: The move.
  func willMove(_ stage: Stage)
}

extension ListHost {
  /// Whether the view shows its data in a window.
  ///
  /// Otherwise nobody sees an animation.
  var isOnScreen: Bool { view?.window != nil && isConnected }
  /// Whether the view has a size in which it can show anything.
  var hasSize: Bool { view.map { $0.bounds.width > 0 && $0.bounds.height > 0 } ?? false }

  // What only tables have.
  var sizeVariant: String { "" }
  var placesSections: Bool { true }
  var contentInsets: UIEdgeInsets { view?.adjustedContentInset ?? .zero }
  func indentation(at path: IndexPath) -> Double { 0 }
  var separatorLength: Double { 0 }

  var lengthsOnDisplay: [(path: IndexPath, length: Double)] { [] }

  // A table takes `nil` where a section has no header.
  func isEmpty(_ view: UIView) -> Bool { false }

  // A collection view asks for the offset within its animation.
  func animate(_ changes: @escaping () -> Void) { changes() }
  var changesSupplementariesInUpdates: Bool { true }

  // Only a layout of ours wants to know.
  func willMove(_ stage: Stage) {}

  // A view that can't place a part again places everything.
  func relayout(itemAt path: IndexPath) { relayout() }
  func relayout(sections: [Int]) { relayout() }
}
