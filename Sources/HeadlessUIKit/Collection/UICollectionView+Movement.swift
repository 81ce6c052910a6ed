public import Foundation

/// An item that the user moves by hand.
struct InteractiveMovement {
  let source: IndexPath
  var target: IndexPath
}

/// Moving an item by hand. The data source is called when it is dropped.
extension UICollectionView {
  /// Whether the user moves an item by hand.
  ///
  /// There are no drop placeholders here.
  public var hasUncommittedUpdates: Bool { movement != nil }

  /// Begins to move an item by hand.
  ///
  /// - Returns: Whether the data source allows it.
  @discardableResult public func beginInteractiveMovementForItem(at indexPath: IndexPath) -> Bool {
    guard movement == nil, !session.isUpdating, !session.isFrozen,
      session.exists(UpdatePlace(indexPath)), let dataSource,
      dataSource.collectionView(self, canMoveItemAt: indexPath)
    else { return false }
    movement = InteractiveMovement(source: indexPath, target: indexPath)
    return true
  }

  /// Moves the item to a point of the content.
  ///
  /// The other cells stay where they are until the drop. In UIKit they make room during the move.
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

  /// Drops the item.
  ///
  /// The data source moves it in its data, and the view moves its cell.
  public func endInteractiveMovement() {
    guard let movement else { return }
    self.movement = nil
    guard movement.source != movement.target, let dataSource else { return }
    performBatchUpdates {
      dataSource.collectionView(self, moveItemAt: movement.source, to: movement.target)
      self.moveItem(at: movement.source, to: movement.target)
    }
  }

  /// Cancels the move.
  ///
  /// The item stays at its old place.
  ///
  /// `reloadData()` cancels it, too.
  public func cancelInteractiveMovement() { movement = nil }
}
