import Foundation
import ListItems
import ListModel
import ListSync
import ListViews
import Providers

/// What a screen keeps beside the list, beyond its own life: the selection and the scroll position.
///
/// Editing mode has a selection of its own: a view deselects its items when the mode begins and when
/// it ends.
@MainActor final class ScreenSelection {
  private(set) var selection: ItemSelection
  /// Called when editing mode began or ended.
  var onEditing: (() -> Void)?
  /// The screen's name; `nil` if nothing is saved.
  var name: String? { saved.name }
  private let screen: ListScreen
  private let saved: SavedScreen
  /// The selection from before the view's editing mode; `nil` outside of it.
  private var selectionBeforeEditing: ItemSelection?
  /// Whether ``noticeEditing()`` will be called soon.
  private var isNoticingEditing = false
  /// Waits for the end of editing mode.
  private var editingWatch: Task<Void, Never>?

  /// Reads what the store has of a screen.
  ///
  /// `name`: The screen's; `nil`: nothing is read or saved.
  init(_ screen: ListScreen, named name: String?) throws(StoreError) {
    self.screen = screen
    saved = try SavedScreen(name, of: screen.list)
    selection = saved.state.selection
  }

  deinit { editingWatch?.cancel() }

  private var host: any ListHost { screen.host }

  // MARK: Saving and restoring

  /// Saves the selection and the scroll position, now.
  func save() throws(StoreError) { try saved.save(state) }

  /// Saves the selection and the scroll position, soon.
  func saveSoon() { saved.saveSoon(state, reportingTo: screen.problems) }

  private var state: ListViewState {
    // Until the list is scrolled to where it was, that place is still the one to save.
    let anchor = saved.pendingAnchor ?? screen.firstInSight(among: screen.display.shown)
    return ListViewState(selection: selectionBeforeEditing ?? selection, anchor: anchor)
  }

  /// Selects the items that were selected, and scrolls to where the list was, once the view has a
  /// size.
  func restore() {
    allowAsManyAsTheView()
    restoreSelection()
    guard let anchor = saved.pendingAnchor, let view = host.view, view.bounds.width > 0,
      view.bounds.height > 0
    else { return }
    view.layoutIfNeeded()
    saved.pendingAnchor = nil
    screen.scroll(to: anchor)
  }

  /// Scrolls to where the list was, if it waited for the view to have a size.
  func restoreSoon() {
    // The view has a size now, but it is in the middle of its layout.
    if saved.pendingAnchor != nil { Task { [weak self] in self?.restore() } }
  }

  /// Selects in the view what ``selection`` has, wherever that is now.
  func restoreSelection() {
    if noticeEditing() { return }
    selection.keep(in: screen.provider)
    selectionBeforeEditing?.keep(in: screen.provider)
    let wanted = Set(selection.items.compactMap { screen.indexPath(of: $0) })
    let selected = Set(host.selectedPaths)
    for path in selected where !wanted.contains(path) { host.deselect(path) }
    for path in wanted where !selected.contains(path) { host.select(path) }
  }

  private func allowAsManyAsTheView() {
    selection.mode = host.allowsMultipleSelection ? .multiple : .single
  }

  // MARK: The user

  func didSelect(at indexPath: IndexPath) {
    guard let id = screen.itemID(at: indexPath) else { return }
    // What the user selects first in editing mode stays selected.
    if noticeEditing() { host.select(indexPath) }
    allowAsManyAsTheView()
    selection.select(id)
    saveSoon()
    screen.handle(.select, of: id)
  }

  func didDeselect(at indexPath: IndexPath) {
    guard let id = screen.itemID(at: indexPath) else { return }
    if noticeEditing() { host.deselect(indexPath) }
    selection.deselect(id)
    saveSoon()
    screen.handle(.deselect, of: id)
  }

  // MARK: Editing mode

  /// Notices that the view's editing mode began or ended.
  ///
  /// - Returns: Whether it did.
  @discardableResult private func noticeEditing() -> Bool {
    guard host.isEditing != (selectionBeforeEditing != nil) else { return false }
    if let before = selectionBeforeEditing {
      selectionBeforeEditing = nil
      selection = before
    } else {
      selectionBeforeEditing = selection
      selection = ItemSelection()
      watchEditing()
    }
    allowAsManyAsTheView()
    restoreSelection()
    onEditing?()
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
