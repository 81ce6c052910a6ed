import Foundation
public import ListItems
public import ListModel
public import ListSync
public import ListViews

/// Shows a list in a collection view, and performs a batch update after each commit.
///
/// ```swift
/// let shelf = repository.liveList("shelf", items: [Book.self])
/// let adapter = try CollectionAdapter(shelf, in: collectionView)
/// adapter.handlers.on(.select, of: Book.self) { book, _ in show(book) }
/// ```
///
/// The adapter is the view's data source and delegate. The view does not retain it: keep it as long
/// as the view shows the list. Calls that it does not handle go to ``delegate``.
///
/// With a ``ListCollectionLayout`` each section has the layout that is stored with it, and only
/// visible items are measured. With a `UICollectionViewFlowLayout`, which asks for all sizes at
/// once, each section is placed in lines; the adapter turns its estimated sizes off. In the
/// delegate of another layout, use ``ListAdapter/size(ofItemAt:)`` and
/// ``ListAdapter/metrics(ofSection:)``.
@MainActor public final class CollectionAdapter: ListAdapter {
  /// Receives the delegate calls that the adapter does not handle, and copies of those it does.
  ///
  /// The adapter answers itself for sizes, for reordering, and for the menus of items whose types
  /// have one.
  public weak var delegate: (any UICollectionViewDelegate)? {
    didSet {
      appDelegate = delegate
      // The view has noted which methods its delegate has. Setting it anew makes it look again.
      view?.delegate = nil
      view?.delegate = self
    }
  }
  /// Receives copies of the calls for items that will be visible soon.
  ///
  /// The adapter is the view's own prefetch data source: it reads these items from the store, on
  /// another thread.
  public weak var prefetchDataSource: (any UICollectionViewDataSourcePrefetching)?

  var view: UICollectionView? { collectionHost.collectionView }
  let collectionHost: CollectionHost

  /// Shows a list.
  ///
  /// - Parameters:
  ///   - list: The list.
  ///   - view: The view. The adapter becomes its data source and delegate.
  ///   - views: The classes for the names of cells, headers and footers; `nil`: those of the list's
  ///     types. To add one to these, begin with `ViewRegistry(of:for:)`.
  ///   - handlers: What to do when users do something; `nil`: the adapter makes its own.
  ///   - screen: The name under which the store keeps the selection and the scroll position, if
  ///     several screens show the list; `nil`: it does not keep them.
  /// - Throws: ``/ListModel/StoreError`` if the list can't be read.
  public init(
    _ list: some ShowableList, in view: UICollectionView, views: ViewRegistry? = nil,
    handlers: ItemHandlers? = nil, screen: String? = ""
  ) throws(StoreError) {
    collectionHost = CollectionHost(view)
    let list = list.shown
    let views = views ?? ViewRegistry(of: list, for: .collectionView)
    try super.init(
      list, in: collectionHost, views: views.sources(for: .collectionView), handlers: handlers,
      screen: screen)
    // Storyboards let cells size themselves. The sizes of this list are those that are stored.
    (view.collectionViewLayout as? UICollectionViewFlowLayout)?.estimatedItemSize = .zero
    collectionHost.dataSource = self
    view.delegate = self
    view.prefetchDataSource = self
    restore()
  }

  override func registry(of list: LiveList) -> ViewRegistry {
    ViewRegistry(of: list, for: .collectionView)
  }

  override func sizeOfApp(at indexPath: IndexPath) -> CGSize? {
    guard let view, let layout = collectionHost.layout else { return nil }
    let flowDelegate = delegate as? any UICollectionViewDelegateFlowLayout
    return (flowDelegate?.collectionView(_:layout:sizeForItemAt:))?(view, layout, indexPath)
      ?? (layout as? UICollectionViewFlowLayout)?.itemSize
  }

  // Has a layout that keeps the sizes of items ask for them again.
  override func viewSizeChanged() {
    if !(view?.collectionViewLayout is ListCollectionLayout) { updates.sizesChanged() }
    super.viewSizeChanged()
  }

  /// The cell that shows an item; `nil` if none does.
  public func cell(of item: ItemID) -> UICollectionViewCell? {
    views.cells.view(of: item) as? UICollectionViewCell
  }
}
