public import Foundation

#if canImport(UIKit)
  public import UIKit

  // What the adapter does not answer itself, its delegate is asked: the view sees both as one.
  extension TableAdapter {
    public nonisolated override func responds(to selector: Selector!) -> Bool {
      super.responds(to: selector) || isDelegates(selector)
    }

    public nonisolated override func forwardingTarget(for selector: Selector!) -> Any? {
      guard isDelegates(selector) else { return super.forwardingTarget(for: selector) }
      nonisolated(unsafe) var target: Any?
      MainActor.assumeIsolated { target = delegate }
      return target
    }

    /// The view asks on the main thread; who asks elsewhere means the adapter itself.
    private nonisolated func isDelegates(_ selector: Selector?) -> Bool {
      guard Thread.isMainThread, let selector else { return false }
      return MainActor.assumeIsolated { delegate?.responds(to: selector) == true }
    }
  }
#else
  public import HeadlessUIKit

  // Without Objective-C's forwarding, method by method.
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

    /// Tells the delegate.
    public func scrollViewDidScroll(_ scrollView: UIScrollView) {
      delegate?.scrollViewDidScroll(scrollView)
    }

    /// Tells the delegate.
    public func scrollViewWillBeginDragging(_ scrollView: UIScrollView) {
      delegate?.scrollViewWillBeginDragging(scrollView)
    }

    /// Tells the delegate.
    public func scrollViewDidEndScrollingAnimation(_ scrollView: UIScrollView) {
      delegate?.scrollViewDidEndScrollingAnimation(scrollView)
    }
  }
#endif
