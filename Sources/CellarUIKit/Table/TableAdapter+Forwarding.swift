#if !canImport(UIKit) || os(watchOS)
  public import Foundation
  public import ListViews

  // There is no Objective-C to forward methods by their selectors, as ListAdapter+Forwarding.swift
  // does.
  extension TableAdapter {
    /// The answer of ``delegate``.
    public func tableView(
      _ tableView: UITableView, shouldHighlightRowAt indexPath: IndexPath
    ) -> Bool {
      delegate?.tableView(tableView, shouldHighlightRowAt: indexPath) ?? true
    }

    /// Calls ``delegate``.
    public func tableView(_ tableView: UITableView, didHighlightRowAt indexPath: IndexPath) {
      delegate?.tableView(tableView, didHighlightRowAt: indexPath)
    }

    /// Calls ``delegate``.
    public func tableView(_ tableView: UITableView, didUnhighlightRowAt indexPath: IndexPath) {
      delegate?.tableView(tableView, didUnhighlightRowAt: indexPath)
    }

    /// The answer of ``delegate``.
    public func tableView(
      _ tableView: UITableView, willSelectRowAt indexPath: IndexPath
    ) -> IndexPath? {
      guard let delegate else { return indexPath }
      return delegate.tableView(tableView, willSelectRowAt: indexPath)
    }

    /// The answer of ``delegate``.
    public func tableView(
      _ tableView: UITableView, willDeselectRowAt indexPath: IndexPath
    ) -> IndexPath? {
      guard let delegate else { return indexPath }
      return delegate.tableView(tableView, willDeselectRowAt: indexPath)
    }

    /// The answer of ``delegate``.
    public func tableView(
      _ tableView: UITableView, shouldIndentWhileEditingRowAt indexPath: IndexPath
    ) -> Bool {
      delegate?.tableView(tableView, shouldIndentWhileEditingRowAt: indexPath) ?? true
    }

    /// The answer of ``delegate``.
    public func tableView(
      _ tableView: UITableView,
      leadingSwipeActionsConfigurationForRowAt indexPath: IndexPath
    ) -> UISwipeActionsConfiguration? {
      delegate?.tableView(tableView, leadingSwipeActionsConfigurationForRowAt: indexPath)
    }

    /// The answer of ``delegate``.
    public func tableView(
      _ tableView: UITableView,
      trailingSwipeActionsConfigurationForRowAt indexPath: IndexPath
    ) -> UISwipeActionsConfiguration? {
      delegate?.tableView(tableView, trailingSwipeActionsConfigurationForRowAt: indexPath)
    }

    /// The answer of ``delegate``.
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
