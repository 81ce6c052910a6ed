public import Foundation

/// An item that the user carries.
struct InteractiveMovement {
  let source: IndexPath
  var target: IndexPath
}

/// Moving an item by hand: the data source hears of it when it is dropped.
extension UICollectionView {
  /// Begins to carry an item.
  ///
  /// - Returns: Whether the data source lets it go.
  @discardableResult public func beginInteractiveMovementForItem(at indexPath: IndexPath) -> Bool {
    guard movement == nil, !session.isUpdating, !session.isFrozen,
      session.exists(UpdatePlace(indexPath)), let dataSource,
      dataSource.collectionView(self, canMoveItemAt: indexPath)
    else { return false }
    movement = InteractiveMovement(source: indexPath, target: indexPath)
    return true
  }

  /// Carries the item to a point of the content.
  ///
  /// Cells stay where they are until it is dropped; UIKit makes room while it is carried.
  ///
  /// - Parameter targetPosition: The point.
  public func updateInteractiveMovementTargetPosition(_ targetPosition: CGPoint) {
    guard let movement, let proposed = indexPathForItem(at: targetPosition) else { return }
    let target =
      delegate?.collectionView(
        self, targetIndexPathForMoveOfItemFromOriginalIndexPath: movement.source,
        atCurrentIndexPath: movement.target, toProposedIndexPath: proposed) ?? proposed
    self.movement?.target = target
  }

  /// Drops the item: the data source moves it, and the view moves its cell.
  public func endInteractiveMovement() {
    guard let movement else { return }
    self.movement = nil
    guard movement.source != movement.target, let dataSource else { return }
    performBatchUpdates {
      dataSource.collectionView(self, moveItemAt: movement.source, to: movement.target)
      self.moveItem(at: movement.source, to: movement.target)
    }
  }

  /// Lets the item go back to where it was.
  ///
  /// An update from elsewhere does that, too.
  public func cancelInteractiveMovement() { movement = nil }
}
