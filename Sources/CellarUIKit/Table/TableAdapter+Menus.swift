public import ListViews

// While a menu is open, the view stays as it is: an update could take away the cell that it is of.
#if !os(tvOS)
  extension TableAdapter {
    /// Holds updates back, and calls the app's delegate.
    public func tableView(
      _ tableView: UITableView, willDisplayContextMenu configuration: UIContextMenuConfiguration,
      animator: (any UIContextMenuInteractionAnimating)?
    ) {
      updates.hasOpenMenu = true
      (delegate?.tableView(_:willDisplayContextMenu:animator:))?(tableView, configuration, animator)
    }

    /// Shows what was held back, and calls the app's delegate.
    public func tableView(
      _ tableView: UITableView,
      willEndContextMenuInteraction configuration: UIContextMenuConfiguration,
      animator: (any UIContextMenuInteractionAnimating)?
    ) {
      (delegate?.tableView(_:willEndContextMenuInteraction:animator:))?(
        tableView, configuration, animator)
      guard let animator else { return updates.hasOpenMenu = false }
      animator.addCompletion { [weak self] in self?.updates.hasOpenMenu = false }
    }
  }
#endif
