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

/// A collection view that shows a list.
@MainActor final class CollectionHost: ListHost {
  weak var collectionView: UICollectionView?

  init(_ view: UICollectionView) { collectionView = view }

  var view: UIScrollView? { collectionView }

  var hasActiveDrag: Bool {
    #if os(tvOS)
      // Nothing is dragged there.
      return false
    #else
      guard let collectionView else { return false }
      return collectionView.hasActiveDrag || collectionView.hasActiveDrop
    #endif
  }

  var axis: SizeKey.Axis {
    switch collectionView?.collectionViewLayout {
    case let layout as UICollectionViewFlowLayout:
      layout.scrollDirection == .horizontal ? .horizontal : .vertical
    case let layout as ListCollectionLayout:
      layout.scrollDirection == .horizontal ? .horizontal : .vertical
    default: .vertical
    }
  }

  var defaultMetrics: SectionMetrics {
    guard let layout = collectionView?.collectionViewLayout as? UICollectionViewFlowLayout else {
      return SectionMetrics()
    }
    return SectionMetrics(
      kind: .flow, lineSpacing: layout.minimumLineSpacing,
      interitemSpacing: layout.minimumInteritemSpacing, insets: Insets(layout.sectionInset))
  }

  var allowsMultipleSelection: Bool { collectionView?.allowsMultipleSelection ?? false }
  var selectedPaths: [IndexPath] { collectionView?.indexPathsForSelectedItems ?? [] }

  var visiblePaths: [IndexPath] { collectionView?.indexPathsForVisibleItems ?? [] }
  var contentSize: CGSize {
    collectionView?.collectionViewLayout.collectionViewContentSize ?? .zero
  }

  func frame(at path: IndexPath) -> CGRect? {
    collectionView?.layoutAttributesForItem(at: path)?.frame
  }

  func select(_ path: IndexPath) {
    collectionView?.selectItem(at: path, animated: false, scrollPosition: [])
  }

  func deselect(_ path: IndexPath) { collectionView?.deselectItem(at: path, animated: false) }

  func visibleView(of kind: Supplementary.Kind, inSection index: Int) -> UIView? {
    collectionView?.supplementaryView(
      forElementKind: kind.elementKind, at: IndexPath(item: 0, section: index))
  }

  func reuseIdentifier(of view: UIView) -> String? {
    (view as? UICollectionReusableView)?.reuseIdentifier
  }

  func reloadData() { collectionView?.reloadData() }

  // MARK: Registering

  func identifier(of registration: ViewRegistration) -> String { registration.reuseIdentifier }

  func register(_ registration: ViewRegistration) {
    guard let collectionView else { return }
    let identifier = registration.reuseIdentifier
    let source = registration.source
    switch registration.role {
    // Decorations are the layout's.
    case .supplementary(ViewRegistry.decorationKind): break
    case .cell:
      if let nib = source.nib {
        collectionView.register(nib, forCellWithReuseIdentifier: identifier)
      } else {
        collectionView.register(source.type, forCellWithReuseIdentifier: identifier)
      }
    case .supplementary(let kind):
      let kind = Supplementary.Kind.elementKind(named: kind)
      if let nib = source.nib {
        collectionView.register(
          nib, forSupplementaryViewOfKind: kind, withReuseIdentifier: identifier)
      } else {
        collectionView.register(
          source.type, forSupplementaryViewOfKind: kind, withReuseIdentifier: identifier)
      }
    }
  }

  // MARK: Updating

  func perform(_ updates: @escaping () -> Void, completion: @escaping () -> Void) {
    collectionView?.performBatchUpdates(updates) { _ in completion() }
  }

  func tell(_ stage: Stage) {
    guard let view = collectionView else { return }
    (view.collectionViewLayout as? ListCollectionLayout)?.follow(stage)
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

extension ViewSource {
  /// The class, where it is one or a factory that makes one.
  @MainActor var type: AnyClass? {
    switch self {
    case .type(let type): type
    case .factory(let make): Swift.type(of: make())
    case .nib: nil
    }
  }

  @MainActor var nib: UINib? {
    guard case .nib(let name, let bundle) = self else { return nil }
    return UINib(nibName: name, bundle: bundle.flatMap { Bundle(identifier: $0) })
  }
}

@MainActor extension Supplementary.Kind {
  /// What UIKit calls the kind.
  var elementKind: String { Self.elementKind(named: rawValue) }

  /// The kind that UIKit calls so; `nil` for one that the store can't name.
  init?(elementKind: String) {
    switch elementKind {
    case UICollectionView.elementKindSectionHeader: self = .header
    case UICollectionView.elementKindSectionFooter: self = .footer
    default: self.init(rawValue: elementKind)
    }
  }

  static func elementKind(named name: String) -> String {
    switch name {
    case Self.header.rawValue: UICollectionView.elementKindSectionHeader
    case Self.footer.rawValue: UICollectionView.elementKindSectionFooter
    default: name
    }
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
