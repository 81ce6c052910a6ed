import BatchUpdates
import Foundation
import ListItems
import ListLayout
import ListModel
import ListViews

@MainActor final class CollectionHost: ListHost {
  weak var collectionView: UICollectionView?
  /// What the view shows once it is connected.
  weak var dataSource: (any UICollectionViewDataSource)?
  /// The kinds for which an empty view is registered.
  private var kindsOfEmptyViews: Set<String> = []

  /// The cell that the view asked for last: it sizes itself before it is on display.
  var latestCell: (cell: UICollectionViewCell, path: IndexPath)?
  /// The layout whose question is being answered.
  private var askingLayout: UICollectionViewLayout?

  init(_ view: UICollectionView) { collectionView = view }

  var view: UIScrollView? { collectionView }

  var isConnected: Bool { dataSource != nil && collectionView?.dataSource === dataSource }
  func connect() { collectionView?.dataSource = dataSource }
  func disconnect() { collectionView?.dataSource = nil }

  var hasActiveDrag: Bool {
    guard let collectionView else { return false }
    if collectionView.hasUncommittedUpdates { return true }
    #if os(tvOS)
      // tvOS has no drag and drop.
      return false
    #else
      return collectionView.hasActiveDrag || collectionView.hasActiveDrop
    #endif
  }

  // MARK: Layouts

  /// Answers the question of a layout, which need not be the view's: in a transition between two
  /// layouts each of them asks.
  func answering<Answer>(_ layout: UICollectionViewLayout, _ answer: () -> Answer) -> Answer {
    let outer = askingLayout
    askingLayout = layout
    defer { askingLayout = outer }
    return answer()
  }

  /// The layout that asks; otherwise the view's, or the one that it had before a transition.
  var layout: UICollectionViewLayout? {
    let layout = askingLayout ?? collectionView?.collectionViewLayout
    return (layout as? UICollectionViewTransitionLayout)?.currentLayout ?? layout
  }

  var axis: SizeKey.Axis {
    switch layout {
    case let layout as UICollectionViewFlowLayout:
      layout.scrollDirection == .horizontal ? .horizontal : .vertical
    case let layout as ListCollectionLayout:
      layout.scrollDirection == .horizontal ? .horizontal : .vertical
    default: .vertical
    }
  }

  var letsCellsSizeThemselves: Bool { layout is ListCollectionLayout }

  var defaultMetrics: SectionMetrics {
    guard let layout = layout as? UICollectionViewFlowLayout else { return SectionMetrics() }
    return SectionMetrics(
      kind: .flow, lineSpacing: layout.minimumLineSpacing,
      interitemSpacing: layout.minimumInteritemSpacing, insets: Insets(layout.sectionInset))
  }

  // The view's own content size is up to date only after its layout.
  var contentSize: CGSize {
    collectionView?.collectionViewLayout.collectionViewContentSize ?? .zero
  }

  var visiblePaths: [IndexPath] { collectionView?.indexPathsForVisibleItems ?? [] }
  var asksForContentOffset: Bool { true }
  // A flow layout does not name the headers that go, and UIKit raises an exception for them. Nobody
  // knows about the app's layouts.
  var changesSupplementariesInUpdates: Bool { listLayout != nil }

  func frame(at path: IndexPath) -> CGRect? {
    collectionView?.layoutAttributesForItem(at: path)?.frame
  }

  // Any other layout may need all sizes to place one item, as a flow layout does.
  var assumedContentSize: CGSize {
    if let listLayout { return listLayout.assumedContentSize }
    // Asked for any item, the view has its layout place all.
    let view = collectionView
    let sections = 0..<(view?.numberOfSections ?? 0)
    if let section = sections.first(where: { view?.numberOfItems(inSection: $0) ?? 0 > 0 }) {
      _ = frame(at: IndexPath(item: 0, section: section))
    }
    return contentSize
  }
  func assumedFrame(at path: IndexPath) -> CGRect? {
    listLayout?.assumedFrame(ofItemAt: path) ?? frame(at: path)
  }

  func relayout() { collectionView?.collectionViewLayout.invalidateLayout() }

  func relayout(itemAt path: IndexPath) {
    if let listLayout { listLayout.forgetSize(at: path) } else { relayout() }
  }

  func relayout(sections: [Int]) {
    if let listLayout { listLayout.updateSections(sections) } else { relayout() }
  }

  private var listLayout: ListCollectionLayout? {
    collectionView?.collectionViewLayout as? ListCollectionLayout
  }

  // MARK: Selection

  var isEditing: Bool { collectionView?.isEditing ?? false }
  var allowsMultipleSelection: Bool {
    guard let collectionView else { return false }
    return isEditing
      ? collectionView.allowsMultipleSelectionDuringEditing : collectionView.allowsMultipleSelection
  }
  var selectedPaths: [IndexPath] { collectionView?.indexPathsForSelectedItems ?? [] }

  func select(_ path: IndexPath) {
    collectionView?.selectItem(at: path, animated: false, scrollPosition: [])
  }

  func deselect(_ path: IndexPath) { collectionView?.deselectItem(at: path, animated: false) }

  // MARK: Cells and supplementary views

  func visibleView(of kind: Supplementary.Kind, inSection index: Int) -> UIView? {
    let (number, base) = kind.numberAndBase
    return collectionView?.supplementaryView(
      forElementKind: base.elementKind, at: IndexPath(item: number, section: index))
  }

  func isEmpty(_ view: UIView) -> Bool { reuseIdentifier(of: view) == Self.emptyViewIdentifier }

  func reuseIdentifier(of view: UIView) -> String? {
    (view as? UICollectionReusableView)?.reuseIdentifier
  }

  func identifier(of registration: ViewRegistration) -> String { registration.reuseIdentifier }

  // No name in a store contains U+0000.
  let gapCell = ViewRegistration(.cell, name: "\0gap", source: .type(GapItemCell.self))

  func register(_ registration: ViewRegistration) {
    guard let collectionView else { return }
    if registration.isPrototype { return }
    let identifier = registration.reuseIdentifier
    switch registration.role {
    // Decorations are registered with the layout.
    case .supplementary(ViewRegistry.decorationKind),
      .supplementary(ViewRegistry.itemDecorationKind):
      break
    case .cell:
      if let nib = registration.nib {
        collectionView.register(nib, forCellWithReuseIdentifier: identifier)
      } else {
        collectionView.register(registration.type, forCellWithReuseIdentifier: identifier)
      }
    case .supplementary(let kind):
      let kind = kind.elementKind
      if let nib = registration.nib {
        collectionView.register(
          nib, forSupplementaryViewOfKind: kind, withReuseIdentifier: identifier)
      } else {
        collectionView.register(
          registration.type, forSupplementaryViewOfKind: kind, withReuseIdentifier: identifier)
      }
    }
  }

  // It only gives views that it shows.
  func dequeueTemplate(for registration: ViewRegistration) -> UIView? { nil }

  func makeView(of type: AnyObject.Type, for registration: ViewRegistration) -> UIView? {
    guard let type = type as? UICollectionReusableView.Type else { return nil }
    #if canImport(UIKit) && !os(watchOS)
      return type.init(frame: .zero)
    #else
      return type.init(headlessFrame: .zero)
    #endif
  }

  /// The reuse identifier of empty views.
  ///
  /// No name in a store contains U+0000.
  static let emptyViewIdentifier = "\0empty"

  /// Registers an empty view, for a layout that asks for a kind that the section does not have.
  func registerEmptyView(ofKind kind: String) {
    guard kindsOfEmptyViews.insert(kind).inserted else { return }
    collectionView?.register(
      UICollectionReusableView.self, forSupplementaryViewOfKind: kind,
      withReuseIdentifier: Self.emptyViewIdentifier)
  }

  // MARK: Updates

  func reloadData() { collectionView?.reloadData() }

  func perform(_ updates: @escaping () -> Void, completion: @escaping () -> Void) {
    collectionView?.performBatchUpdates(updates) { _ in completion() }
  }

  func willMove(_ stage: Stage) { listLayout?.apply(stage) }

  func apply(_ stage: Stage) {
    guard let view = collectionView else { return }
    listLayout?.apply(stage)
    func paths(_ items: [ItemPath]) -> [IndexPath] { items.map(\.indexPath) }
    if !stage.deleteSections.isEmpty { view.deleteSections(IndexSet(stage.deleteSections)) }
    if !stage.insertSections.isEmpty { view.insertSections(IndexSet(stage.insertSections)) }
    for move in stage.moveSections { view.moveSection(move.from, toSection: move.to) }
    if !stage.deleteItems.isEmpty { view.deleteItems(at: paths(stage.deleteItems)) }
    if !stage.insertItems.isEmpty { view.insertItems(at: paths(stage.insertItems)) }
    for move in stage.moveItems {
      view.moveItem(at: move.from.indexPath, to: move.to.indexPath)
    }
    if !stage.reloadItems.isEmpty { view.reloadItems(at: paths(stage.reloadItems)) }
    if !stage.reconfigureItems.isEmpty {
      view.reconfigureItems(at: paths(stage.reconfigureItems))
    }
  }
}

@MainActor extension Supplementary.Kind {
  var elementKind: String {
    switch self {
    case .header: UICollectionView.elementKindSectionHeader
    case .footer: UICollectionView.elementKindSectionFooter
    default: rawValue
    }
  }

  /// The kind with a name of UIKit's; `nil` for a name that the store can't hold.
  init?(elementKind: String) {
    switch elementKind {
    case UICollectionView.elementKindSectionHeader: self = .header
    case UICollectionView.elementKindSectionFooter: self = .footer
    default: self.init(rawValue: elementKind)
    }
  }

  /// The kind of a view that a layout asks for, with the number that its path has in the section.
  init?(elementKind: String, at indexPath: IndexPath) {
    // The views of a numbered kind are registered under the kind alone.
    guard let kind = Self(elementKind: elementKind), kind.numberAndBase.number == 0 else {
      return nil
    }
    self.init(kind, number: indexPath.count > 1 ? indexPath[1] : 0)
  }
}

extension Insets {
  init(_ insets: UIEdgeInsets) {
    self.init(
      top: Double(insets.top), left: Double(insets.left), bottom: Double(insets.bottom),
      right: Double(insets.right))
  }
}

extension UIEdgeInsets {
  init(_ insets: Insets) {
    self.init(top: insets.top, left: insets.left, bottom: insets.bottom, right: insets.right)
  }
}
