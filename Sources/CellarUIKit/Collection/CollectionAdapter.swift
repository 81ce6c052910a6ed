import Foundation
import ListLayout
public import ListModel
public import ListSync
import Providers
public import ListItems

#if canImport(UIKit) && !os(watchOS)
  public import UIKit
#else
  public import HeadlessUIKit
#endif

/// Shows a list in a collection view: answers its questions from one revision, and brings it from each
/// revision to the next by what changed.
///
/// ```swift
/// let shelf = repository.liveList("shelf", items: [Book.self])
/// let adapter = try CollectionAdapter(shelf, in: collectionView)
/// adapter.handlers.on(.select, of: Book.self) { book, _ in show(book) }
/// ```
///
/// It is the view's data source and delegate as long as it lives; the view does not keep it. What it does
/// not use of the delegate's methods goes to ``delegate``.
///
/// With a ``ListCollectionLayout`` each section is placed as the store says, and only what is seen is
/// measured. With a `UICollectionViewFlowLayout`, which asks for all sizes at once, sections are lines of
/// items. Other layouts ask ``ListAdapter/size(ofItemAt:)`` and ``ListAdapter/metrics(ofSection:)``.
@MainActor public final class CollectionAdapter: ListAdapter {
  /// Is told and asked what the adapter does not need to know, and told of what it does.
  ///
  /// Sizes, menus of items that have one, and reordering stay the adapter's.
  public weak var delegate: (any UICollectionViewDelegate)? {
    didSet {
      // The view has noted what its delegate answers to.
      view?.delegate = nil
      view?.delegate = self
    }
  }

  /// The kinds of which an empty view is registered.
  var kindsOfEmptyViews: Set<String> = []
  /// Where what is seen is to stay, while an update is performed.
  private var anchor: (item: ItemID, distance: CGFloat)?

  var view: UICollectionView? { collectionHost.collectionView }
  private let collectionHost: CollectionHost

  /// Shows a list.
  ///
  /// - Parameters:
  ///   - list: The list.
  ///   - view: The view; it gets this as its data source and delegate.
  ///   - views: What names of cells, headers and footers stand for; `nil`: those of the list's types.
  ///   - handlers: What to do when users do something; `nil`: ones of its own.
  ///   - screen: Under which name the store keeps what is selected and where the list is scrolled to, for
  ///     a list that several screens show; `nil`: it does not.
  /// - Throws: ``/ListModel/StoreError`` if the list can't be read.
  public init(
    _ list: LiveList, in view: UICollectionView, views: ViewRegistry? = nil,
    handlers: ItemHandlers? = nil, screen: String? = ""
  ) throws(StoreError) {
    collectionHost = CollectionHost(view)
    try super.init(
      list, in: collectionHost,
      views: views
        ?? ViewRegistry(
          list, fallback: .type(UICollectionViewCell.self),
          supplementaryFallback: .type(UICollectionReusableView.self)),
      templates: TemplateViews(make: Self.make), handlers: handlers, screen: screen)
    view.dataSource = self
    view.delegate = self
    restoreViewState()
  }

  /// Makes a view as a collection view does.
  private static func make(_ type: AnyObject.Type, for registration: ViewRegistration) -> UIView? {
    guard let type = type as? UICollectionReusableView.Type else { return nil }
    #if canImport(UIKit) && !os(watchOS)
      return type.init(frame: .zero)
    #else
      return type.init(headlessFrame: .zero)
    #endif
  }

  /// The cell that shows an item; `nil` if none does.
  public func cell(of item: ItemID) -> UICollectionViewCell? {
    bound.cell(of: item) as? UICollectionViewCell
  }

  override var appDelegate: (any UIScrollViewDelegate)? { delegate }

  override func relayout() { view?.collectionViewLayout.invalidateLayout() }

  override func relayout(itemAt indexPath: IndexPath) {
    guard let layout = view?.collectionViewLayout as? ListCollectionLayout else {
      return relayout()
    }
    layout.forgetSize(at: indexPath)
  }

  override func relayout(sections: [Int]) {
    guard let layout = view?.collectionViewLayout as? ListCollectionLayout else {
      return relayout()
    }
    layout.updateSections(sections)
  }

  override func willPerform(_ next: Provider) {
    anchor = keepsScrollPosition ? firstInSight(among: next.shown) : nil
  }

  /// Where the visible part has to begin for the anchor to stay where it is; `nil` without one.
  func anchoredOffset(in view: UICollectionView) -> CGPoint? {
    guard let anchor, let path = indexPath(of: anchor.item), let frame = host.frame(at: path) else {
      return nil
    }
    return offset(showing: frame, at: anchor.distance, in: view)
  }

  override func didPerform() { anchor = nil }
}

extension ViewRegistry {
  /// What the types of a list need.
  init(_ list: LiveList, fallback: ViewSource, supplementaryFallback: ViewSource) {
    self.init(fallback: fallback, supplementaryFallback: supplementaryFallback)
    register(list.types.all)
    register(list.supplementaryTypes.all)
  }
}
