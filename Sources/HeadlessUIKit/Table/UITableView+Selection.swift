public import Foundation

/// The selection, changed by the app or by the user.
extension UITableView {
  /// The path of the selected row; the first one where there are several.
  public var indexPathForSelectedRow: IndexPath? { selection.min() }

  /// The paths of the selected rows; `nil` if there is none, as in UIKit.
  public var indexPathsForSelectedRows: [IndexPath]? {
    selection.isEmpty ? nil : selection.sorted()
  }

  /// Selects a row, without telling the delegate.
  ///
  /// - Parameters:
  ///   - indexPath: The row; `nil` deselects all rows.
  ///   - animated: Has no effect here.
  ///   - scrollPosition: The position to scroll it to; ``ScrollPosition/none`` means no scrolling.
  public func selectRow(
    at indexPath: IndexPath?, animated: Bool, scrollPosition: ScrollPosition
  ) {
    guard let indexPath else {
      for path in selection { setSelected(false, at: path) }
      return
    }
    if !allowsSeveralNow {
      for path in selection where path != indexPath { setSelected(false, at: path) }
    }
    setSelected(true, at: indexPath)
    if scrollPosition != .none {
      scrollToRow(at: indexPath, at: scrollPosition, animated: animated)
    }
  }

  /// Deselects a row, without telling the delegate.
  ///
  /// - Parameters:
  ///   - indexPath: The row.
  ///   - animated: Has no effect here.
  public func deselectRow(at indexPath: IndexPath, animated: Bool) {
    setSelected(false, at: indexPath)
  }

  private func setSelected(_ isSelected: Bool, at path: IndexPath) {
    if isSelected { selection.insert(path) } else { selection.remove(path) }
    cells[path]?.setSelected(isSelected, animated: false)
  }

  // MARK: By the user

  /// Whether the user may select several rows in the current mode.
  private var allowsSeveralNow: Bool {
    isEditing ? allowsMultipleSelectionDuringEditing : allowsMultipleSelection
  }

  /// Whether the user may select rows in the current mode.
  private var allowsSelectionNow: Bool {
    isEditing
      ? allowsSelectionDuringEditing || allowsMultipleSelectionDuringEditing : allowsSelection
  }

  func touchDown(at path: IndexPath) {
    guard allowsSelectionNow, session.exists(UpdatePlace(path)), highlighted == nil,
      delegate?.tableView(self, shouldHighlightRowAt: path) ?? true
    else { return }
    highlighted = path
    cells[path]?.setHighlighted(true, animated: false)
    delegate?.tableView(self, didHighlightRowAt: path)
  }

  func touchUp(inside: Bool) {
    guard let path = highlighted else { return }
    highlighted = nil
    cells[path]?.setHighlighted(false, animated: false)
    delegate?.tableView(self, didUnhighlightRowAt: path)
    guard inside else { return }
    if allowsSeveralNow, selection.contains(path) { return deselectByUser(path) }
    guard let target = delegate == nil ? path : delegate?.tableView(self, willSelectRowAt: path)
    else { return }
    if !allowsSeveralNow {
      for other in selection.sorted() where other != target { deselectByUser(other) }
    }
    setSelected(true, at: target)
    delegate?.tableView(self, didSelectRowAt: target)
  }

  private func deselectByUser(_ path: IndexPath) {
    guard let target = delegate == nil ? path : delegate?.tableView(self, willDeselectRowAt: path)
    else { return }
    setSelected(false, at: target)
    delegate?.tableView(self, didDeselectRowAt: target)
  }
}
