public import Foundation

/// Gives a collection view its sections and items, and makes their cells.
///
/// Methods that are optional in Objective-C have a default here, which does what UIKit does for an
/// object without the method. The same class compiles against both, if it implements the methods
/// itself: a method that only its subclass adds is not called here.
@MainActor public protocol UICollectionViewDataSource: NSObjectProtocol {
  /// The number of items in a section.
  func collectionView(
    _ collectionView: UICollectionView, numberOfItemsInSection section: Int
  ) -> Int
  /// The cell of an item, dequeued.
  func collectionView(
    _ collectionView: UICollectionView, cellForItemAt indexPath: IndexPath
  ) -> UICollectionViewCell
  /// The number of sections. Optional.
  func numberOfSections(in collectionView: UICollectionView) -> Int
  /// A header, footer or other supplementary view, dequeued. Optional.
  func collectionView(
    _ collectionView: UICollectionView, viewForSupplementaryElementOfKind kind: String,
    at indexPath: IndexPath
  ) -> UICollectionReusableView
  /// Whether the user may move an item. Optional.
  func collectionView(_ collectionView: UICollectionView, canMoveItemAt indexPath: IndexPath)
    -> Bool
  /// The user moved an item: the data source has to move it in its data. Optional.
  func collectionView(
    _ collectionView: UICollectionView, moveItemAt sourceIndexPath: IndexPath,
    to destinationIndexPath: IndexPath)
}

extension UICollectionViewDataSource {
  /// One section.
  public func numberOfSections(in collectionView: UICollectionView) -> Int { 1 }

  /// Raises an exception: the layout asks for a view that the data source does not make.
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

  /// True.
  ///
  /// A data source that can't move items lacks ``collectionView(_:moveItemAt:to:)`` too, whose
  /// default raises an exception.
  public func collectionView(
    _ collectionView: UICollectionView, canMoveItemAt indexPath: IndexPath
  ) -> Bool { true }

  /// Raises an exception.
  ///
  /// UIKit would not begin a move for a data source without this method.
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

/// The object that is called for items that will be visible soon.
@MainActor public protocol UICollectionViewDataSourcePrefetching: NSObjectProtocol {
  /// The items will be visible soon.
  func collectionView(
    _ collectionView: UICollectionView, prefetchItemsAt indexPaths: [IndexPath])
  /// The items will not be visible soon after all. Optional.
  func collectionView(
    _ collectionView: UICollectionView, cancelPrefetchingForItemsAt indexPaths: [IndexPath])
}

extension UICollectionViewDataSourcePrefetching {
  /// Does nothing.
  public func collectionView(
    _ collectionView: UICollectionView, cancelPrefetchingForItemsAt indexPaths: [IndexPath]
  ) {}
}
