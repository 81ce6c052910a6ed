public import Foundation
import ListModel
public import ListViews
import Providers

// The calls that the adapter handles. It passes them on to the app's delegate.
extension TableAdapter: UITableViewDelegate {
  /// Binds a cell to its item.
  public func tableView(
    _ tableView: UITableView, willDisplay cell: UITableViewCell, forRowAt indexPath: IndexPath
  ) {
    views.willDisplay(cell, at: indexPath)
    // The table says to nobody which height a row gave itself.
    if sizes.isSizedOnDisplay(at: indexPath) {
      sizes.keep(lengthOnDisplay: Double(cell.frame.height), at: indexPath)
    }
    if tableHost.learnWidth(of: cell) {
      // The table is in the middle of its layout.
      Task { [weak self] in self?.updates.sizesChanged() }
    }
    (delegate?.tableView(_:willDisplay:forRowAt:))?(tableView, cell, indexPath)
  }

  /// Unbinds a cell from its item, which may have another path by now.
  public func tableView(
    _ tableView: UITableView, didEndDisplaying cell: UITableViewCell, forRowAt indexPath: IndexPath
  ) {
    views.didEndDisplaying(cell)
    (delegate?.tableView(_:didEndDisplaying:forRowAt:))?(tableView, cell, indexPath)
  }

  /// Adds an item to the selection, and calls its handlers.
  public func tableView(_ tableView: UITableView, didSelectRowAt indexPath: IndexPath) {
    screenSelection.didSelect(at: indexPath)
    (delegate?.tableView(_:didSelectRowAt:))?(tableView, indexPath)
    // Handlers and delegates may have deselected it.
    screenSelection.saveSoon()
  }

  /// Removes an item from the selection, and calls its handlers.
  public func tableView(_ tableView: UITableView, didDeselectRowAt indexPath: IndexPath) {
    screenSelection.didDeselect(at: indexPath)
    (delegate?.tableView(_:didDeselectRowAt:))?(tableView, indexPath)
    screenSelection.saveSoon()
  }

  /// The menu that the handlers have for an item; without one, the menu of ``delegate``.
  @available(tvOS 17.0, *)
  public func tableView(
    _ tableView: UITableView, contextMenuConfigurationForRowAt indexPath: IndexPath, point: CGPoint
  ) -> UIContextMenuConfiguration? {
    if let menu = screen.menu(forItemAt: indexPath) { return menu }
    return (delegate?.tableView(_:contextMenuConfigurationForRowAt:point:))?(
      tableView, indexPath, point)
  }

  /// Whether a swipe or the editing mode offers to delete an item.
  public func tableView(
    _ tableView: UITableView, editingStyleForRowAt indexPath: IndexPath
  ) -> UITableViewCell.EditingStyle {
    screenSelection.noticeEditingSoon()
    return itemID(at: indexPath).flatMap { canDelete?($0) } ?? false ? .delete : .none
  }

  /// Notes that the user swipes over a row, for which the table says that it is in editing mode.
  public func tableView(_ tableView: UITableView, willBeginEditingRowAt indexPath: IndexPath) {
    tableHost.isSwiping = true
    #if !os(tvOS)
      (delegate?.tableView(_:willBeginEditingRowAt:))?(tableView, indexPath)
    #endif
  }

  /// Notes the end of a swipe.
  public func tableView(_ tableView: UITableView, didEndEditingRowAt indexPath: IndexPath?) {
    tableHost.isSwiping = false
    #if !os(tvOS)
      (delegate?.tableView(_:didEndEditingRowAt:))?(tableView, indexPath)
    #endif
  }

  func controls(at indexPath: IndexPath) -> RowControls {
    guard let view else { return [] }
    var controls: RowControls = []
    if tableView(view, canEditRowAt: indexPath), isIndented(view, indexPath) {
      controls.insert(.edit)
    }
    if updates.mayMove(at: indexPath) { controls.insert(.reorder) }
    return controls
  }

  private func isIndented(_ tableView: UITableView, _ indexPath: IndexPath) -> Bool {
    (delegate?.tableView(_:shouldIndentWhileEditingRowAt:))?(tableView, indexPath) ?? true
  }

  // MARK: Heights

  /// The stored height of an item; without one, the height measured now, or
  /// `UITableView.automaticDimension` for a cell that sizes itself on display.
  public func tableView(
    _ tableView: UITableView, heightForRowAt indexPath: IndexPath
  ) -> CGFloat {
    sizes.isSizedOnDisplay(at: indexPath)
      ? UITableView.automaticDimension : size(ofItemAt: indexPath).height
  }

  /// The mean height of the section's items, which the store knows without reading them.
  public func tableView(
    _ tableView: UITableView, estimatedHeightForRowAt indexPath: IndexPath
  ) -> CGFloat {
    sizes.size(ofGapAt: indexPath).map { CGFloat($0.height) }
      ?? sizes.estimatedLength(inSection: indexPath.section)
  }

  /// The height of a section's header; 0 without one.
  public func tableView(
    _ tableView: UITableView, heightForHeaderInSection section: Int
  ) -> CGFloat { height(of: .header, in: tableView, section) }

  /// The height of a section's footer; 0 without one.
  public func tableView(
    _ tableView: UITableView, heightForFooterInSection section: Int
  ) -> CGFloat { height(of: .footer, in: tableView, section) }

  private func height(
    of kind: Supplementary.Kind, in tableView: UITableView, _ section: Int
  ) -> CGFloat {
    if let size = size(of: kind, inSection: section) { return size.height }
    // A grouped table replaces 0 by a default height.
    return tableView.style == .plain ? 0 : .leastNormalMagnitude
  }
}
