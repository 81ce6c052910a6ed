public import Foundation
import ListItems
import ListModel
public import ListViews
import Providers

extension CollectionAdapter: UICollectionViewDataSource {
  /// The number of sections that are not hidden.
  public func numberOfSections(in collectionView: UICollectionView) -> Int {
    screen.display.numberOfSections
  }

  /// The number of items in a section.
  public func collectionView(
    _ collectionView: UICollectionView, numberOfItemsInSection section: Int
  ) -> Int { screen.display.numberOfItems(inSection: section) }

  /// A cell that shows an item.
  public func collectionView(
    _ collectionView: UICollectionView, cellForItemAt indexPath: IndexPath
  ) -> UICollectionViewCell {
    let item = item(at: indexPath)
    if let kept = views.identifierOfCellToKeep(
      for: item, at: indexPath, collectionView.cellForItem(at: indexPath)?.reuseIdentifier)
    {
      return collectionView.dequeueReusableCell(withReuseIdentifier: kept, for: indexPath)
    }
    let (registration, value) = views.cell(
      for: item, in: screen.display.sectionID(at: indexPath.section))
    let cell = collectionView.dequeueReusableCell(
      withReuseIdentifier: registration.reuseIdentifier, for: indexPath)
    views.show(item, value, in: cell, at: indexPath)
    collectionHost.latestCell = (cell, indexPath)
    return cell
  }

  /// A header, a footer or another supplementary view with its stored content.
  public func collectionView(
    _ collectionView: UICollectionView, viewForSupplementaryElementOfKind kind: String,
    at indexPath: IndexPath
  ) -> UICollectionReusableView {
    let stored = Supplementary.Kind(elementKind: kind, at: indexPath).flatMap { kind in
      screen.supplementaries.kinds.insert(kind)
      return screen.supplementary(kind, inSection: indexPath.section).map { (kind: kind, view: $0) }
    }
    guard let stored else {
      // UIKit accepts no `nil` from here, and the layout asks for a view that the section does not
      // have.
      collectionHost.registerEmptyView(ofKind: kind)
      return collectionView.dequeueReusableSupplementaryView(
        ofKind: kind, withReuseIdentifier: CollectionHost.emptyViewIdentifier, for: indexPath)
    }
    let (registration, value) = screen.supplementaryView(for: stored.view, kind: stored.kind)
    let view = collectionView.dequeueReusableSupplementaryView(
      ofKind: kind, withReuseIdentifier: registration.reuseIdentifier, for: indexPath)
    if let value { views.show(value, in: view) }
    return view
  }

  /// Whether the user may move the item.
  public func collectionView(
    _ collectionView: UICollectionView, canMoveItemAt indexPath: IndexPath
  ) -> Bool { updates.mayMove(at: indexPath) }

  /// Edits the list: the user dropped an item at another place.
  public func collectionView(
    _ collectionView: UICollectionView, moveItemAt sourceIndexPath: IndexPath,
    to destinationIndexPath: IndexPath
  ) {
    updates.userMoved(from: sourceIndexPath, to: destinationIndexPath)
  }
}
