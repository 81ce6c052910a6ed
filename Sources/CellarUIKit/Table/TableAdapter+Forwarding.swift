#if !canImport(UIKit) || os(watchOS)
  public import Foundation
  public import HeadlessUIKit

  // Without Objective-C's forwarding, method by method: see ListAdapter+Forwarding.swift.
  extension TableAdapter {
    /// As the delegate says.
    public func tableView(
      _ tableView: UITableView, shouldHighlightRowAt indexPath: IndexPath
    ) -> Bool {
      delegate?.tableView(tableView, shouldHighlightRowAt: indexPath) ?? true
    }

    /// Tells the delegate.
    public func tableView(_ tableView: UITableView, didHighlightRowAt indexPath: IndexPath) {
      delegate?.tableView(tableView, didHighlightRowAt: indexPath)
    }

    /// Tells the delegate.
    public func tableView(_ tableView: UITableView, didUnhighlightRowAt indexPath: IndexPath) {
      delegate?.tableView(tableView, didUnhighlightRowAt: indexPath)
    }

    /// As the delegate says.
    public func tableView(
      _ tableView: UITableView, willSelectRowAt indexPath: IndexPath
    ) -> IndexPath? {
      guard let delegate else { return indexPath }
      return delegate.tableView(tableView, willSelectRowAt: indexPath)
    }

    /// As the delegate says.
    public func tableView(
      _ tableView: UITableView, willDeselectRowAt indexPath: IndexPath
    ) -> IndexPath? {
      guard let delegate else { return indexPath }
      return delegate.tableView(tableView, willDeselectRowAt: indexPath)
    }

    /// Tells the delegate.
    public func tableView(
      _ tableView: UITableView, willDisplayHeaderView view: UIView, forSection section: Int
    ) {
      delegate?.tableView(tableView, willDisplayHeaderView: view, forSection: section)
    }

    /// Tells the delegate.
    public func tableView(
      _ tableView: UITableView, willDisplayFooterView view: UIView, forSection section: Int
    ) {
      delegate?.tableView(tableView, willDisplayFooterView: view, forSection: section)
    }

    /// Tells the delegate.
    public func tableView(
      _ tableView: UITableView, didEndDisplayingHeaderView view: UIView, forSection section: Int
    ) {
      delegate?.tableView(tableView, didEndDisplayingHeaderView: view, forSection: section)
    }

    /// Tells the delegate.
    public func tableView(
      _ tableView: UITableView, didEndDisplayingFooterView view: UIView, forSection section: Int
    ) {
      delegate?.tableView(tableView, didEndDisplayingFooterView: view, forSection: section)
    }

    /// As the delegate says.
    public func tableView(
      _ tableView: UITableView,
      leadingSwipeActionsConfigurationForRowAt indexPath: IndexPath
    ) -> UISwipeActionsConfiguration? {
      delegate?.tableView(tableView, leadingSwipeActionsConfigurationForRowAt: indexPath)
    }

    /// As the delegate says.
    public func tableView(
      _ tableView: UITableView,
      trailingSwipeActionsConfigurationForRowAt indexPath: IndexPath
    ) -> UISwipeActionsConfiguration? {
      delegate?.tableView(tableView, trailingSwipeActionsConfigurationForRowAt: indexPath)
    }

    /// As the delegate says.
    public func tableView(
      _ tableView: UITableView, targetIndexPathForMoveFromRowAt sourceIndexPath: IndexPath,
      toProposedIndexPath proposedDestinationIndexPath: IndexPath
    ) -> IndexPath {
      delegate?.tableView(
        tableView, targetIndexPathForMoveFromRowAt: sourceIndexPath,
        toProposedIndexPath: proposedDestinationIndexPath) ?? proposedDestinationIndexPath
    }
  }
#endif
