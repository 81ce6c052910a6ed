import Foundation
import ListLayout
public import ListModel
public import ListSync
public import Providers
public import StoreSchema

#if canImport(UIKit)
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
  /// Whether the user may move an item to another place; `nil`: nobody may move any.
  public var canMove: ((ItemID) -> Bool)?

  /// Where what is seen is to stay, while an update is performed.
  var anchor: Anchor?

  var view: UICollectionView? { collectionHost.collectionView }
  private let collectionHost: CollectionHost

  /// An item that is to stay where it is.
  struct Anchor {
    var item: ItemID
    /// From the beginning of what is seen to the item's, in points.
    var distance: CGFloat
  }

  /// Shows a list.
  ///
  /// - Parameters:
  ///   - list: The list.
  ///   - view: The view; it gets this as its data source and delegate.
  ///   - views: What names of cells, headers and footers stand for; `nil`: those of the list's types.
  ///   - handlers: What to do when users do something; `nil`: ones of its own.
  /// - Throws: ``StoreError`` if the list can't be read.
  public init(
    _ list: LiveList, in view: UICollectionView, views: ViewRegistry? = nil,
    handlers: ItemHandlers? = nil
  ) throws(StoreError) {
    collectionHost = CollectionHost(view)
    let templates = TemplateViews { type, _ in
      (type as? UICollectionReusableView.Type).map { $0.init(frame: .zero) }
    }
    try super.init(
      list, in: collectionHost,
      views: views
        ?? ViewRegistry(
          list, fallback: .type(UICollectionViewCell.self),
          supplementaryFallback: .type(UICollectionReusableView.self)),
      templates: templates, handlers: handlers)
    view.dataSource = self
    view.delegate = self
  }

  /// The cell that shows an item; `nil` if none does.
  public func cell(of item: ItemID) -> UICollectionViewCell? {
    bound.cell(of: item) as? UICollectionViewCell
  }

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

  override func willPerform(_ next: Provider) { anchor = makeAnchor(for: next) }

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
