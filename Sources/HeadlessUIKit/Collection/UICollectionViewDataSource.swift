public import Foundation

/// Tells a collection view what there is.
///
/// Requirements that are optional in Objective-C are requirements with a default here; the default does
/// what UIKit does for an object that lacks the method. A class that states the conformance compiles
/// against both, with one thing to keep: it must implement the methods itself, because a subclass
/// that adds one of them later is not asked here.
@MainActor public protocol UICollectionViewDataSource: NSObjectProtocol {
  /// How many items a section holds.
  func collectionView(
    _ collectionView: UICollectionView, numberOfItemsInSection section: Int
  ) -> Int
  /// The cell of an item, dequeued.
  func collectionView(
    _ collectionView: UICollectionView, cellForItemAt indexPath: IndexPath
  ) -> UICollectionViewCell
  /// How many sections there are. Optional.
  func numberOfSections(in collectionView: UICollectionView) -> Int
  /// A header, footer or other supplementary view, dequeued. Optional.
  func collectionView(
    _ collectionView: UICollectionView, viewForSupplementaryElementOfKind kind: String,
    at indexPath: IndexPath
  ) -> UICollectionReusableView
  /// Whether the user may move an item. Optional.
  func collectionView(_ collectionView: UICollectionView, canMoveItemAt indexPath: IndexPath)
    -> Bool
  /// The user moved an item; the data is to follow. Optional.
  func collectionView(
    _ collectionView: UICollectionView, moveItemAt sourceIndexPath: IndexPath,
    to destinationIndexPath: IndexPath)
}

extension UICollectionViewDataSource {
  /// One section.
  public func numberOfSections(in collectionView: UICollectionView) -> Int { 1 }

  /// Raises: the layout asks for a view that nobody makes.
  public func collectionView(
    _ collectionView: UICollectionView, viewForSupplementaryElementOfKind kind: String,
    at indexPath: IndexPath
  ) -> UICollectionReusableView {
    HeadlessException(
      "the view returned from -collectionView:viewForSupplementaryElementOfKind:atIndexPath: "
        + "(\(kind),\(UpdatePlace(indexPath).asIndexPath)) was not retrieved by calling "
        + "-dequeueReusableSupplementaryViewOfKind:withReuseIdentifier:forIndexPath: or is nil"
    ).raise()
    return UICollectionReusableView()
  }

  /// True: who can't move items lacks ``collectionView(_:moveItemAt:to:)`` too, and raises there.
  public func collectionView(
    _ collectionView: UICollectionView, canMoveItemAt indexPath: IndexPath
  ) -> Bool { true }

  /// Raises.
  ///
  /// UIKit would not begin a movement for a data source without this method.
  public func collectionView(
    _ collectionView: UICollectionView, moveItemAt sourceIndexPath: IndexPath,
    to destinationIndexPath: IndexPath
  ) {
    HeadlessException(
      .invalidArgument,
      "-[\(type(of: self)) collectionView:moveItemAtIndexPath:toIndexPath:]: unrecognized selector"
    ).raise()
  }
}

/// Is told which items will be needed soon.
@MainActor public protocol UICollectionViewDataSourcePrefetching: NSObjectProtocol {
  /// Items will be needed soon.
  func collectionView(
    _ collectionView: UICollectionView, prefetchItemsAt indexPaths: [IndexPath])
  /// Items will not be needed soon after all. Optional.
  func collectionView(
    _ collectionView: UICollectionView, cancelPrefetchingForItemsAt indexPaths: [IndexPath])
}

extension UICollectionViewDataSourcePrefetching {
  /// Does nothing.
  public func collectionView(
    _ collectionView: UICollectionView, cancelPrefetchingForItemsAt indexPaths: [IndexPath]
  ) {}
}
