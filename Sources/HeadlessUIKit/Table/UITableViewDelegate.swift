public import Foundation

/// Receives calls about what the user does in a table view, and about views on display.
///
/// All methods are optional in Objective-C, and have defaults here.
@MainActor public protocol UITableViewDelegate: UIScrollViewDelegate {
  /// A cell comes on display.
  func tableView(
    _ tableView: UITableView, willDisplay cell: UITableViewCell, forRowAt indexPath: IndexPath
  )
  /// A cell left the display. The path is the one that it had; the data may have changed since.
  func tableView(
    _ tableView: UITableView, didEndDisplaying cell: UITableViewCell, forRowAt indexPath: IndexPath
  )
  /// A header comes on display.
  func tableView(
    _ tableView: UITableView, willDisplayHeaderView view: UIView, forSection section: Int
  )
  /// A footer comes on display.
  func tableView(
    _ tableView: UITableView, willDisplayFooterView view: UIView, forSection section: Int
  )
  /// A header left the display.
  func tableView(
    _ tableView: UITableView, didEndDisplayingHeaderView view: UIView, forSection section: Int
  )
  /// A footer left the display.
  func tableView(
    _ tableView: UITableView, didEndDisplayingFooterView view: UIView, forSection section: Int
  )
  /// The height of a row, in points.
  func tableView(
    _ tableView: UITableView, heightForRowAt indexPath: IndexPath
  ) -> CGFloat
  /// The estimated height of a row that is not visible yet, in points.
  func tableView(
    _ tableView: UITableView, estimatedHeightForRowAt indexPath: IndexPath
  ) -> CGFloat
  /// The height of a header, in points.
  func tableView(
    _ tableView: UITableView, heightForHeaderInSection section: Int
  ) -> CGFloat
  /// The height of a footer, in points.
  func tableView(
    _ tableView: UITableView, heightForFooterInSection section: Int
  ) -> CGFloat
  /// The header of a section.
  func tableView(
    _ tableView: UITableView, viewForHeaderInSection section: Int
  ) -> UIView?
  /// The footer of a section.
  func tableView(
    _ tableView: UITableView, viewForFooterInSection section: Int
  ) -> UIView?
  /// Whether a finger highlights a row.
  func tableView(
    _ tableView: UITableView, shouldHighlightRowAt indexPath: IndexPath
  ) -> Bool
  /// A finger highlighted a row.
  func tableView(
    _ tableView: UITableView, didHighlightRowAt indexPath: IndexPath
  )
  /// The finger was lifted.
  func tableView(
    _ tableView: UITableView, didUnhighlightRowAt indexPath: IndexPath
  )
  /// The row that a tap selects; `nil` for none.
  func tableView(
    _ tableView: UITableView, willSelectRowAt indexPath: IndexPath
  ) -> IndexPath?
  /// The row that a tap deselects; `nil` for none.
  func tableView(
    _ tableView: UITableView, willDeselectRowAt indexPath: IndexPath
  ) -> IndexPath?
  /// The user selected a row.
  func tableView(
    _ tableView: UITableView, didSelectRowAt indexPath: IndexPath
  )
  /// The user deselected a row.
  func tableView(
    _ tableView: UITableView, didDeselectRowAt indexPath: IndexPath
  )
  /// The control that a row shows in editing mode.
  func tableView(
    _ tableView: UITableView, editingStyleForRowAt indexPath: IndexPath
  ) -> UITableViewCell.EditingStyle
  /// Whether the content of a row makes room for the control of editing mode.
  func tableView(
    _ tableView: UITableView, shouldIndentWhileEditingRowAt indexPath: IndexPath
  ) -> Bool
  /// The user begins to swipe over a row.
  func tableView(
    _ tableView: UITableView, willBeginEditingRowAt indexPath: IndexPath
  )
  /// The swipe over a row ended.
  func tableView(
    _ tableView: UITableView, didEndEditingRowAt indexPath: IndexPath?
  )
  /// The actions of a swipe from the leading edge.
  func tableView(
    _ tableView: UITableView, leadingSwipeActionsConfigurationForRowAt indexPath: IndexPath
  ) -> UISwipeActionsConfiguration?
  /// The actions of a swipe from the trailing edge.
  func tableView(
    _ tableView: UITableView, trailingSwipeActionsConfigurationForRowAt indexPath: IndexPath
  ) -> UISwipeActionsConfiguration?
  /// The path to which a row may move, for the path that the user proposes.
  func tableView(
    _ tableView: UITableView, targetIndexPathForMoveFromRowAt sourceIndexPath: IndexPath,
    toProposedIndexPath proposedDestinationIndexPath: IndexPath
  ) -> IndexPath
  /// The menu for a row that the user presses.
  func tableView(
    _ tableView: UITableView, contextMenuConfigurationForRowAt indexPath: IndexPath, point: CGPoint
  ) -> UIContextMenuConfiguration?
  /// A menu opens.
  func tableView(
    _ tableView: UITableView, willDisplayContextMenu configuration: UIContextMenuConfiguration,
    animator: (any UIContextMenuInteractionAnimating)?)
  /// A menu closes.
  func tableView(
    _ tableView: UITableView,
    willEndContextMenuInteraction configuration: UIContextMenuConfiguration,
    animator: (any UIContextMenuInteractionAnimating)?)
}

extension UITableViewDelegate {
  /// Does nothing.
  public func tableView(
    _ tableView: UITableView, willDisplay cell: UITableViewCell, forRowAt indexPath: IndexPath
  ) {}

  /// Does nothing.
  public func tableView(
    _ tableView: UITableView, didEndDisplaying cell: UITableViewCell, forRowAt indexPath: IndexPath
  ) {}

  /// Does nothing.
  public func tableView(
    _ tableView: UITableView, willDisplayHeaderView view: UIView, forSection section: Int
  ) {}

  /// Does nothing.
  public func tableView(
    _ tableView: UITableView, willDisplayFooterView view: UIView, forSection section: Int
  ) {}

  /// Does nothing.
  public func tableView(
    _ tableView: UITableView, didEndDisplayingHeaderView view: UIView, forSection section: Int
  ) {}

  /// Does nothing.
  public func tableView(
    _ tableView: UITableView, didEndDisplayingFooterView view: UIView, forSection section: Int
  ) {}

  /// The table's row height.
  public func tableView(
    _ tableView: UITableView, heightForRowAt indexPath: IndexPath
  ) -> CGFloat { tableView.rowHeight }

  /// No estimate: the table asks for the height of each row at once.
  public func tableView(
    _ tableView: UITableView, estimatedHeightForRowAt indexPath: IndexPath
  ) -> CGFloat { UITableView.automaticDimension }

  /// The table's height for headers, if it has one or the section has a title; otherwise 0.
  public func tableView(
    _ tableView: UITableView, heightForHeaderInSection section: Int
  ) -> CGFloat { tableView.defaultHeaderHeight(section) }

  /// The table's height for footers, if it has one or the section has a text; otherwise 0.
  public func tableView(
    _ tableView: UITableView, heightForFooterInSection section: Int
  ) -> CGFloat { tableView.defaultFooterHeight(section) }

  /// No view: the table makes a header for the section's title, if there is one.
  public func tableView(
    _ tableView: UITableView, viewForHeaderInSection section: Int
  ) -> UIView? { nil }

  /// No view: the table makes a footer for the section's text, if there is one.
  public func tableView(
    _ tableView: UITableView, viewForFooterInSection section: Int
  ) -> UIView? { nil }

  /// True.
  public func tableView(
    _ tableView: UITableView, shouldHighlightRowAt indexPath: IndexPath
  ) -> Bool { true }

  /// Does nothing.
  public func tableView(
    _ tableView: UITableView, didHighlightRowAt indexPath: IndexPath
  ) {}

  /// Does nothing.
  public func tableView(
    _ tableView: UITableView, didUnhighlightRowAt indexPath: IndexPath
  ) {}

  /// The row.
  public func tableView(
    _ tableView: UITableView, willSelectRowAt indexPath: IndexPath
  ) -> IndexPath? { indexPath }

  /// The row.
  public func tableView(
    _ tableView: UITableView, willDeselectRowAt indexPath: IndexPath
  ) -> IndexPath? { indexPath }

  /// Does nothing.
  public func tableView(
    _ tableView: UITableView, didSelectRowAt indexPath: IndexPath
  ) {}

  /// Does nothing.
  public func tableView(
    _ tableView: UITableView, didDeselectRowAt indexPath: IndexPath
  ) {}

  /// A control that deletes the row.
  public func tableView(
    _ tableView: UITableView, editingStyleForRowAt indexPath: IndexPath
  ) -> UITableViewCell.EditingStyle { .delete }

  /// True.
  public func tableView(
    _ tableView: UITableView, shouldIndentWhileEditingRowAt indexPath: IndexPath
  ) -> Bool { true }

  /// Does nothing.
  public func tableView(
    _ tableView: UITableView, willBeginEditingRowAt indexPath: IndexPath
  ) {}

  /// Does nothing.
  public func tableView(
    _ tableView: UITableView, didEndEditingRowAt indexPath: IndexPath?
  ) {}

  /// Nothing.
  public func tableView(
    _ tableView: UITableView, leadingSwipeActionsConfigurationForRowAt indexPath: IndexPath
  ) -> UISwipeActionsConfiguration? { nil }

  /// Nothing; UIKit then offers to delete, as ``HeadlessTableView/deleteRow(at:)`` does.
  public func tableView(
    _ tableView: UITableView, trailingSwipeActionsConfigurationForRowAt indexPath: IndexPath
  ) -> UISwipeActionsConfiguration? { nil }

  /// The proposed path.
  public func tableView(
    _ tableView: UITableView, targetIndexPathForMoveFromRowAt sourceIndexPath: IndexPath,
    toProposedIndexPath proposedDestinationIndexPath: IndexPath
  ) -> IndexPath { proposedDestinationIndexPath }

  /// No menu.
  public func tableView(
    _ tableView: UITableView, contextMenuConfigurationForRowAt indexPath: IndexPath, point: CGPoint
  ) -> UIContextMenuConfiguration? { nil }

  /// Does nothing.
  public func tableView(
    _ tableView: UITableView, willDisplayContextMenu configuration: UIContextMenuConfiguration,
    animator: (any UIContextMenuInteractionAnimating)?
  ) {}

  /// Does nothing.
  public func tableView(
    _ tableView: UITableView,
    willEndContextMenuInteraction configuration: UIContextMenuConfiguration,
    animator: (any UIContextMenuInteractionAnimating)?
  ) {}
}
