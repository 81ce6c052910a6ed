public import Foundation

/// Looking up cells, paths and frames, and scrolling.
extension UICollectionView {
  /// The cells on display, in any order.
  ///
  /// Here it is from the end to the start, so that who takes it for the list's finds out.
  public var visibleCells: [UICollectionViewCell] {
    cells.sorted { $0.key > $1.key }.map(\.value)
  }

  /// The paths of the cells on display, in any order, as of ``visibleCells``.
  public var indexPathsForVisibleItems: [IndexPath] { cells.keys.sorted(by: >) }

  /// The cell of an item; `nil` if it is neither on display nor kept since it was.
  public func cellForItem(at indexPath: IndexPath) -> UICollectionViewCell? {
    cells[indexPath] ?? keptCells.first { $0.path == indexPath }?.cell
  }

  /// The path of a cell; `nil` if it is not on display.
  public func indexPath(for cell: UICollectionViewCell) -> IndexPath? {
    cells.first { $0.value === cell }?.key
  }

  /// The path of the item at a point of the content; `nil` if there is none.
  public func indexPathForItem(at point: CGPoint) -> IndexPath? {
    let rect = CGRect(x: point.x - 1, y: point.y - 1, width: 2, height: 2)
    return collectionViewLayout.layoutAttributesForElements(in: rect)?
      .first { $0.representedElementCategory == .cell && $0.frame.contains(point) }?.indexPath
  }

  /// A supplementary view; `nil` if it is not on display.
  public func supplementaryView(
    forElementKind elementKind: String, at indexPath: IndexPath
  ) -> UICollectionReusableView? {
    elements[ElementKey(category: .supplementaryView, kind: elementKind, path: indexPath)]
  }

  /// The supplementary views of a kind on display.
  public func visibleSupplementaryViews(ofKind elementKind: String) -> [UICollectionReusableView] {
    indexPathsForVisibleSupplementaryElements(ofKind: elementKind).compactMap {
      supplementaryView(forElementKind: elementKind, at: $0)
    }
  }

  /// The paths of the supplementary views of a kind on display.
  public func indexPathsForVisibleSupplementaryElements(ofKind elementKind: String) -> [IndexPath] {
    elements.keys.filter { $0.category == .supplementaryView && $0.kind == elementKind }
      .map(\.path).sorted()
  }

  /// The layout attributes of an item.
  public func layoutAttributesForItem(
    at indexPath: IndexPath
  ) -> UICollectionViewLayoutAttributes? {
    collectionViewLayout.prepareIfNeeded()
    return collectionViewLayout.layoutAttributesForItem(at: indexPath)?.copied()
  }

  /// The layout attributes of a supplementary view.
  public func layoutAttributesForSupplementaryElement(
    ofKind kind: String, at indexPath: IndexPath
  ) -> UICollectionViewLayoutAttributes? {
    collectionViewLayout.prepareIfNeeded()
    return collectionViewLayout.layoutAttributesForSupplementaryView(ofKind: kind, at: indexPath)?
      .copied()
  }

  /// Scrolls an item to a position, as far as the content goes.
  ///
  /// - Parameters:
  ///   - indexPath: The item.
  ///   - scrollPosition: The position; empty means the nearest one that makes the item visible.
  ///   - animated: Whether the delegate is called at the end.
  public func scrollToItem(
    at indexPath: IndexPath, at scrollPosition: ScrollPosition, animated: Bool
  ) {
    let count =
      indexPath.section < numberOfSections ? numberOfItems(inSection: indexPath.section) : 0
    guard indexPath.item >= 0, indexPath.item < count else {
      HeadlessException(
        .invalidArgument,
        "Attempted to scroll the collection view to an out-of-bounds item (\(indexPath.item)) when "
          + "there are only \(count) items in section \(indexPath.section)."
      ).raise()
      return
    }
    collectionViewLayout.prepareIfNeeded()
    contentSize = collectionViewLayout.collectionViewContentSize
    guard let frame = collectionViewLayout.layoutAttributesForItem(at: indexPath)?.frame else {
      return
    }
    setContentOffset(clamped(offset(showing: frame, at: scrollPosition)), animated: animated)
  }

  private func offset(showing frame: CGRect, at position: ScrollPosition) -> CGPoint {
    var offset = contentOffset
    let insets = adjustedContentInset
    if position.contains(.top) {
      offset.y = frame.minY - insets.top
    } else if position.contains(.centeredVertically) {
      offset.y = frame.midY - bounds.height / 2
    } else if position.contains(.bottom) {
      offset.y = frame.maxY - bounds.height + insets.bottom
    } else if frame.minY < bounds.minY {
      offset.y = frame.minY - insets.top
    } else if frame.maxY > bounds.maxY {
      offset.y = frame.maxY - bounds.height + insets.bottom
    }
    if position.contains(.left) {
      offset.x = frame.minX - insets.left
    } else if position.contains(.centeredHorizontally) {
      offset.x = frame.midX - bounds.width / 2
    } else if position.contains(.right) {
      offset.x = frame.maxX - bounds.width + insets.right
    } else if frame.minX < bounds.minX {
      offset.x = frame.minX - insets.left
    } else if frame.maxX > bounds.maxX {
      offset.x = frame.maxX - bounds.width + insets.right
    }
    return offset
  }

  // MARK: Prefetching

  /// Calls the prefetch data source for the items within one length of the view in the direction of
  /// the last scroll, and for those no longer within it.
  func prefetch() {
    let step = CGPoint(
      x: contentOffset.x - lastPrefetchOffset.x, y: contentOffset.y - lastPrefetchOffset.y)
    lastPrefetchOffset = contentOffset
    guard isPrefetchingEnabled, let prefetchDataSource else { return }
    let ahead = bounds.offsetBy(
      dx: step.x == 0 ? 0 : (step.x < 0 ? -bounds.width : bounds.width),
      dy: step.x != 0 ? 0 : (step.y < 0 ? -bounds.height : bounds.height))
    let soon = Set(
      (collectionViewLayout.layoutAttributesForElements(in: ahead) ?? [])
        .filter { $0.representedElementCategory == .cell && $0.frame.overlaps(ahead) }
        .map(\.indexPath)
        .filter { cells[$0] == nil })
    let dropped = prefetched.filter { !soon.contains($0) && cells[$0] == nil }
    let new = soon.subtracting(prefetched)
    prefetched = soon
    if !dropped.isEmpty {
      prefetchDataSource.collectionView(self, cancelPrefetchingForItemsAt: dropped.sorted())
    }
    if !new.isEmpty { prefetchDataSource.collectionView(self, prefetchItemsAt: new.sorted()) }
  }
}
