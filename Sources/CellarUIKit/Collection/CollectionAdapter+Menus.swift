public import ListViews

// While a menu is open, the view stays as it is: an update could take away the cell that it is of.
#if !os(tvOS)
  extension CollectionAdapter {
    /// Holds updates back, and calls the app's delegate.
    public func collectionView(
      _ collectionView: UICollectionView,
      willDisplayContextMenu configuration: UIContextMenuConfiguration,
      animator: (any UIContextMenuInteractionAnimating)?
    ) {
      updates.hasOpenMenu = true
      (delegate?.collectionView(_:willDisplayContextMenu:animator:))?(
        collectionView, configuration, animator)
    }

    /// Shows what was held back, and calls the app's delegate.
    public func collectionView(
      _ collectionView: UICollectionView,
      willEndContextMenuInteraction configuration: UIContextMenuConfiguration,
      animator: (any UIContextMenuInteractionAnimating)?
    ) {
      (delegate?.collectionView(_:willEndContextMenuInteraction:animator:))?(
        collectionView, configuration, animator)
      guard let animator else { return updates.hasOpenMenu = false }
      animator.addCompletion { [weak self] in self?.updates.hasOpenMenu = false }
    }
  }
#endif
