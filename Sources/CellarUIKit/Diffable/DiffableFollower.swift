import BatchUpdates
import Foundation
public import ListModel
import ListStore
public import ListSync
public import ListViews
public import Providers

extension NSDiffableDataSourceSnapshot<SectionID, ItemID> {
  /// The sections and items of a list that are not hidden, for a diffable data source.
  ///
  /// - Complexity: O(*n*), *n* items: it reads all ids. A ``CollectionAdapter`` reads visible items
  ///   only.
  public init(_ provider: Provider) {
    self.init()
    let shown = provider.shown
    for index in 0..<shown.numberOfSections {
      guard let index = shown.listIndex(ofSection: index),
        let section = provider.sectionID(at: index)
      else { continue }
      appendSections([section])
      appendItems(
        (0..<provider.numberOfItems(inSection: index)).compactMap {
          provider.itemID(at: ItemPath(section: index, item: $0))
        }, toSection: section)
    }
  }
}

/// Applies each revision of a list to a diffable data source of the app.
///
/// The app keeps its data source and its cell provider. The cell provider gets items from
/// ``provider``:
///
/// ```swift
/// let source = UICollectionViewDiffableDataSource<SectionID, ItemID>(collectionView: view) { … }
/// let follower = try DiffableFollower(shelf, source)
/// ```
///
/// The data source compares whole lists, even after a small change. The list's log tells the
/// follower which items have new content.
@MainActor public final class DiffableFollower {
  /// The list.
  public let list: LiveList
  /// The revision of the list that the data source has.
  public private(set) var provider: Provider
  /// Called if the store can't be read.
  public var onProblem: ((any Error) -> Void)?
  /// The shortest time between two snapshots that the follower applies by itself: by default a
  /// frame at 60 Hz.
  ///
  /// All commits made in between are one snapshot, as are those made while one is animated.
  public var updateInterval = LiveList.updateInterval
  private let source: UICollectionViewDiffableDataSource<SectionID, ItemID>
  private var following: Task<Void, Never>?
  /// How many snapshots the data source applies now, and whether a commit came meanwhile.
  private var applying = (count: 0, isOutdated: false)

  /// Applies a list to a data source, now and after each commit.
  ///
  /// - Parameters:
  ///   - list: The list.
  ///   - source: The data source.
  /// - Throws: ``/ListModel/StoreError`` if the list can't be read.
  public init(
    _ list: some ShowableList, _ source: UICollectionViewDiffableDataSource<SectionID, ItemID>
  ) throws(StoreError) {
    var list = list.shown
    list.policy.hidesSections = true
    self.list = list
    self.source = source
    let revisions = list.signals()
    provider = try list.provider()
    source.apply(NSDiffableDataSourceSnapshot(provider), animatingDifferences: false)
    following = LiveList.observe(revisions) { [weak self] in
      self?.commitArrived()
      return self?.updateInterval
    }
  }

  deinit { following?.cancel() }

  private func commitArrived() {
    applying.isOutdated = applying.count > 0
    if !applying.isOutdated { update() }
  }

  /// Applies a snapshot, and what was committed meanwhile when its animations are over.
  private func apply(_ body: (_ completion: @escaping () -> Void) -> Void) {
    applying.count += 1
    body { [weak self] in
      guard let self else { return }
      applying.count -= 1
      if applying.isOutdated, applying.count == 0 {
        applying.isOutdated = false
        update()
      }
    }
  }

  /// Brings the data source to the newest revision of the list, now.
  ///
  /// The follower does this by itself after commits, also of other processes: see
  /// ``updateInterval``.
  public func update() {
    var next = provider
    let batch: BatchUpdate
    do throws(StoreError) { batch = try list.advance(&next) } catch {
      onProblem?(error)
      return
    }
    let old = provider
    provider = next
    var snapshot = NSDiffableDataSourceSnapshot<SectionID, ItemID>(next)
    switch batch.mode {
    case .none: return
    case .reload: apply { source.applySnapshotUsingReloadData(snapshot, completion: $0) }
    case .batch(let stages):
      let shown = next.shown
      func items(_ paths: [ItemPath]) -> [ItemID] {
        paths.compactMap { shown.listPath(of: $0).flatMap { next.itemID(at: $0) } }
      }
      for (number, stage) in stages.enumerated() {
        for id in itemsKept(by: stage, number, of: batch, from: old, to: next) {
          let (before, after) = (old.item(id), next.item(id))
          if before?.state.cell != after?.state.cell {
            snapshot.reloadItems([id])
          } else if before != after {
            snapshot.reconfigureItems([id])
          }
        }
        // Only the last stage has reloads: its paths are those of the new revision.
        snapshot.reloadItems(items(stage.reloadItems))
        snapshot.reconfigureItems(items(stage.reconfigureItems))
        snapshot.reloadSections(
          stage.updateSections.compactMap {
            shown.listIndex(ofSection: $0).flatMap { next.sectionID(at: $0) }
          })
      }
      apply { source.apply(snapshot, animatingDifferences: true, completion: $0) }
    }
  }

  /// The items that a stage inserts and that were in the list before, for instance those that moved
  /// into a section that is new.
  ///
  /// A view makes cells for them. A data source, which knows them by their ids, moves the old ones.
  private func itemsKept(
    by stage: Stage, _ number: Int, of batch: BatchUpdate, from old: Provider, to next: Provider
  ) -> [ItemID] {
    var display = DisplayedList(next)
    display.interim =
      number == batch.stages.count - 1 ? nil : next.interim(after: number, of: batch)
    let paths =
      stage.insertItems
      + stage.insertSections.flatMap { section in
        (0..<display.numberOfItems(inSection: section)).map {
          ItemPath(section: section, item: $0)
        }
      }
    return paths.compactMap { display.listPath(of: $0).flatMap { next.itemID(at: $0) } }
      .filter { old.path(of: $0) != nil }
  }
}

extension Provider {
  /// An item; `nil` if the list does not have it.
  fileprivate func item(_ id: ItemID) -> Item? { path(of: id).flatMap { item(at: $0) } }
}
