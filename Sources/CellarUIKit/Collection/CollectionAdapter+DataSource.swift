public import Foundation
import ListItems
import ListModel
import Providers

#if canImport(UIKit) && !os(watchOS)
  public import UIKit
#else
  public import HeadlessUIKit
#endif

extension CollectionAdapter: UICollectionViewDataSource {
  /// How many sections there are.
  public func numberOfSections(in collectionView: UICollectionView) -> Int { sectionCount }

  /// How many items a section holds.
  public func collectionView(
    _ collectionView: UICollectionView, numberOfItemsInSection section: Int
  ) -> Int { itemCount(inSection: section) }

  /// The cell of an item, which shows it.
  public func collectionView(
    _ collectionView: UICollectionView, cellForItemAt indexPath: IndexPath
  ) -> UICollectionViewCell {
    let item = item(at: indexPath)
    let cell = collectionView.dequeueReusableCell(
      withReuseIdentifier: registration(for: item).reuseIdentifier, for: indexPath)
    if let item { configure(cell, with: item) }
    return cell
  }

  /// A header, a footer or the like, which shows what is stored.
  public func collectionView(
    _ collectionView: UICollectionView, viewForSupplementaryElementOfKind kind: String,
    at indexPath: IndexPath
  ) -> UICollectionReusableView {
    let stored = Supplementary.Kind(elementKind: kind).flatMap { kind in
      shownKinds.insert(kind)
      return supplementary(kind, inSection: indexPath.section).map { (kind: kind, view: $0) }
    }
    guard let stored else {
      // The layout asks for what the store does not have: an empty view of a name of its own.
      let identifier = Self.emptyViewIdentifier
      if kindsOfEmptyViews.insert(kind).inserted {
        collectionView.register(
          UICollectionReusableView.self, forSupplementaryViewOfKind: kind,
          withReuseIdentifier: identifier)
      }
      return collectionView.dequeueReusableSupplementaryView(
        ofKind: kind, withReuseIdentifier: identifier, for: indexPath)
    }
    let registration = registration(for: stored.view.view, kind: stored.kind)
    let view = collectionView.dequeueReusableSupplementaryView(
      ofKind: kind, withReuseIdentifier: registration.reuseIdentifier, for: indexPath)
    configure(view, with: stored.view, kind: stored.kind)
    return view
  }

  /// Whether the user may move the item.
  public func collectionView(
    _ collectionView: UICollectionView, canMoveItemAt indexPath: IndexPath
  ) -> Bool { mayMove(at: indexPath) }

  /// Moves the item in the store.
  public func collectionView(
    _ collectionView: UICollectionView, moveItemAt sourceIndexPath: IndexPath,
    to destinationIndexPath: IndexPath
  ) {
    userMoved(from: sourceIndexPath, to: destinationIndexPath)
  }
}
