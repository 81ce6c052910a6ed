public import Foundation

/// A data source that takes whole lists, and updates the view by their differences.
///
/// It performs up to four batch updates, for deletes, sections, items and contents. The view checks
/// each as any other.
@MainActor
open class UICollectionViewDiffableDataSource<
  SectionIdentifierType: Hashable & Sendable, ItemIdentifierType: Hashable & Sendable
>: NSObject, UICollectionViewDataSource {
  /// Makes the cell of an item.
  public typealias CellProvider =
    (
      _ collectionView: UICollectionView, _ indexPath: IndexPath,
      _ itemIdentifier: ItemIdentifierType
    ) -> UICollectionViewCell?
  /// Makes a supplementary view.
  public typealias SupplementaryViewProvider =
    (
      _ collectionView: UICollectionView, _ elementKind: String, _ indexPath: IndexPath
    ) -> UICollectionReusableView?
  private typealias Snapshot = NSDiffableDataSourceSnapshot<
    SectionIdentifierType, ItemIdentifierType
  >

  /// Makes supplementary views.
  open var supplementaryViewProvider: SupplementaryViewProvider?
  private weak var collectionView: UICollectionView?
  private let cellProvider: CellProvider
  private var current = Snapshot()

  /// Makes a data source and sets it as the view's.
  ///
  /// - Parameters:
  ///   - collectionView: The view.
  ///   - cellProvider: Makes the cell of an item.
  public init(collectionView: UICollectionView, cellProvider: @escaping CellProvider) {
    self.collectionView = collectionView
    self.cellProvider = cellProvider
    super.init()
    collectionView.dataSource = self
  }

  // MARK: Lists

  /// The list that is shown.
  open func snapshot() -> NSDiffableDataSourceSnapshot<SectionIdentifierType, ItemIdentifierType> {
    current
  }

  /// Shows a list.
  ///
  /// - Parameters:
  ///   - snapshot: The list.
  ///   - animatingDifferences: Whether changes are animated.
  ///   - completion: Called when the animations are over.
  open func apply(
    _ snapshot: NSDiffableDataSourceSnapshot<SectionIdentifierType, ItemIdentifierType>,
    animatingDifferences: Bool = true, completion: (() -> Void)? = nil
  ) {
    guard let collectionView else {
      completion?()
      return
    }
    var target = snapshot
    target.forgetReloads()
    func tell() {
      tellDeletes(to: target, in: collectionView)
      tellSections(to: target, in: collectionView)
      tellItems(to: target, in: collectionView)
      tellContent(of: snapshot, in: collectionView) { completion?() }
    }
    if animatingDifferences { tell() } else { UIView.performWithoutAnimation(tell) }
  }

  /// Shows a list, and returns when the animations are over.
  open func apply(
    _ snapshot: NSDiffableDataSourceSnapshot<SectionIdentifierType, ItemIdentifierType>,
    animatingDifferences: Bool = true
  ) async {
    await withCheckedContinuation { done in
      apply(snapshot, animatingDifferences: animatingDifferences) { done.resume() }
    }
  }

  /// Shows a list without comparing it.
  ///
  /// - Parameters:
  ///   - snapshot: The list.
  ///   - completion: Called at once.
  open func applySnapshotUsingReloadData(
    _ snapshot: NSDiffableDataSourceSnapshot<SectionIdentifierType, ItemIdentifierType>,
    completion: (() -> Void)? = nil
  ) {
    current = snapshot
    current.forgetReloads()
    collectionView?.reloadData()
    completion?()
  }

  /// Shows a list without comparing it, and returns when it is shown.
  open func applySnapshotUsingReloadData(
    _ snapshot: NSDiffableDataSourceSnapshot<SectionIdentifierType, ItemIdentifierType>
  ) async {
    await withCheckedContinuation { done in
      applySnapshotUsingReloadData(snapshot) { done.resume() }
    }
  }

  /// The item at a path; `nil` if there is none.
  open func itemIdentifier(for indexPath: IndexPath) -> ItemIdentifierType? {
    guard current.sections.indices.contains(indexPath.section),
      current.sections[indexPath.section].items.indices.contains(indexPath.item)
    else { return nil }
    return current.sections[indexPath.section].items[indexPath.item]
  }

  /// The path of an item; `nil` if it is not there.
  open func indexPath(for itemIdentifier: ItemIdentifierType) -> IndexPath? {
    current.find(itemIdentifier).map { IndexPath(item: $0.item, section: $0.section) }
  }

  // MARK: Stages

  /// Deletes what the new list does not have.
  private func tellDeletes(to target: Snapshot, in view: UICollectionView) {
    let keptSections = Set(target.sectionIdentifiers)
    let keptItems = Set(target.itemIdentifiers)
    var sections = IndexSet()
    var items: [IndexPath] = []
    var next = Snapshot()
    for (index, section) in current.sections.enumerated() {
      guard keptSections.contains(section.id) else {
        sections.insert(index)
        continue
      }
      for (item, identifier) in section.items.enumerated() where !keptItems.contains(identifier) {
        items.append(IndexPath(item: item, section: index))
      }
      next.sections.append(
        .init(id: section.id, items: section.items.filter(keptItems.contains)))
    }
    if sections.isEmpty, items.isEmpty { return }
    view.performBatchUpdates { [next] in
      self.current = next
      view.deleteSections(sections)
      view.deleteItems(at: items)
    }
  }

  /// Inserts new sections, still empty, and orders all sections.
  private func tellSections(to target: Snapshot, in view: UICollectionView) {
    let old = current.sectionIdentifiers
    let new = target.sectionIdentifiers
    if old == new { return }
    let items = Dictionary(uniqueKeysWithValues: current.sections.map { ($0.id, $0.items) })
    var next = Snapshot()
    next.sections = new.map { .init(id: $0, items: items[$0] ?? []) }
    let moved = Self.moved(from: old, to: new.filter { items[$0] != nil })
    view.performBatchUpdates { [next] in
      self.current = next
      view.insertSections(IndexSet(new.indices.filter { items[new[$0]] == nil }))
      for (index, identifier) in new.enumerated() where moved.contains(identifier) {
        if let source = old.firstIndex(of: identifier) {
          view.moveSection(source, toSection: index)
        }
      }
    }
  }

  /// Inserts new items, and orders all items.
  ///
  /// The view has the new list's sections already.
  private func tellItems(to target: Snapshot, in view: UICollectionView) {
    var places: [ItemIdentifierType: IndexPath] = [:]
    for (section, content) in current.sections.enumerated() {
      for (item, identifier) in content.items.enumerated() {
        places[identifier] = IndexPath(item: item, section: section)
      }
    }
    var inserts: [IndexPath] = []
    var moves: [(IndexPath, IndexPath)] = []
    for (section, content) in target.sections.enumerated() {
      let stay = content.items.filter { places[$0]?.section == section }
      let kept = Set(stay)
      let moved = Self.moved(from: current.sections[section].items.filter(kept.contains), to: stay)
      for (item, identifier) in content.items.enumerated() {
        let path = IndexPath(item: item, section: section)
        guard let source = places[identifier] else {
          inserts.append(path)
          continue
        }
        if source.section != section || moved.contains(identifier) { moves.append((source, path)) }
      }
    }
    if inserts.isEmpty, moves.isEmpty { return }
    view.performBatchUpdates {
      self.current = target
      view.insertItems(at: inserts)
      for (source, path) in moves { view.moveItem(at: source, to: path) }
    }
  }

  /// Reloads and reconfigures the marked items.
  ///
  /// This is the last batch update, so its completion is that of `apply`.
  private func tellContent(
    of snapshot: Snapshot, in view: UICollectionView, completion: @escaping () -> Void
  ) {
    let sections = snapshot.reloadedSectionIdentifiers.compactMap(current.indexOfSection)
    let reloaded = Set(snapshot.reloadedItemIdentifiers)
    let reconfigured = Set(snapshot.reconfiguredItemIdentifiers).subtracting(reloaded)
    view.performBatchUpdates {
      view.reloadSections(IndexSet(sections))
      view.reloadItems(at: reloaded.compactMap(self.indexPath(for:)))
      view.reconfigureItems(at: reconfigured.compactMap(self.indexPath(for:)))
    } completion: { _ in
      completion()
    }
  }

  /// The elements that have to move to bring a list of the same elements into another order.
  private static func moved<Element: Hashable>(
    from old: [Element], to new: [Element]
  ) -> Set<Element> {
    Set(
      new.difference(from: old).insertions.map { change in
        switch change {
        case .insert(_, let element, _), .remove(_, let element, _): element
        }
      })
  }

  // MARK: Data source

  open func numberOfSections(in collectionView: UICollectionView) -> Int {
    current.numberOfSections
  }

  open func collectionView(
    _ collectionView: UICollectionView, numberOfItemsInSection section: Int
  ) -> Int { current.sections[section].items.count }

  open func collectionView(
    _ collectionView: UICollectionView, cellForItemAt indexPath: IndexPath
  ) -> UICollectionViewCell {
    if let identifier = itemIdentifier(for: indexPath),
      let cell = cellProvider(collectionView, indexPath, identifier)
    {
      return cell
    }
    return UICollectionViewCell()
  }

  open func collectionView(
    _ collectionView: UICollectionView, viewForSupplementaryElementOfKind kind: String,
    at indexPath: IndexPath
  ) -> UICollectionReusableView {
    supplementaryViewProvider?(collectionView, kind, indexPath) ?? UICollectionReusableView()
  }

  open func collectionView(
    _ collectionView: UICollectionView, canMoveItemAt indexPath: IndexPath
  ) -> Bool { false }
}
