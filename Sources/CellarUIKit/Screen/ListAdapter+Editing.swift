import ListItems
import ListViews

// Editing mode has a selection of its own: a view deselects its items when the mode begins and when
// it ends.
extension ListAdapter {
  /// Notices that the view's editing mode began or ended.
  ///
  /// - Returns: Whether it did.
  @discardableResult func noticeEditing() -> Bool {
    guard host.isEditing != (selectionBeforeEditing != nil) else { return false }
    if let before = selectionBeforeEditing {
      selectionBeforeEditing = nil
      selection = before
    } else {
      selectionBeforeEditing = selection
      selection = ItemSelection()
      watchEditing()
    }
    selection.mode = host.allowsMultipleSelection ? .multiple : .single
    restoreSelection()
    editingDidChange?()
    return true
  }

  /// Notices editing mode after the view has it: a table asks for the controls of its rows when the
  /// mode begins.
  func noticeEditingSoon() {
    guard !isNoticingEditing else { return }
    isNoticingEditing = true
    Task { [weak self] in
      self?.isNoticingEditing = false
      self?.noticeEditing()
    }
  }

  /// Polls until editing mode has ended: UIKit reports its end to nobody.
  private func watchEditing() {
    editingWatch?.cancel()
    editingWatch = Task { [weak self] in
      while self?.host.isEditing == true {
        try? await Task.sleep(nanoseconds: 100_000_000)
        if Task.isCancelled { return }
      }
      self?.noticeEditing()
    }
  }
}
