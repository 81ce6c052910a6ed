public import ListItems
public import ListModel
import ListStore

extension LiveList {
  /// The state of a screen that shows the list, as it was last saved: selection and scroll position.
  ///
  /// One read transaction. Items that the list no longer has are left out. If such an item comes
  /// back, it is selected again.
  ///
  /// - Parameter view: The screen's name, if several screens show the list.
  /// - Returns: The saved state, or that of a screen that was never shown.
  /// - Throws: ``/ListModel/StoreError``.
  public func viewState(view: String = "") throws(StoreError) -> ListViewState {
    try repository.viewState(of: id, view: view)
  }

  /// Saves the state of a screen that shows the list, until it is saved again or the list is deleted.
  ///
  /// One write transaction. The state is not part of the list: it is not logged and makes no
  /// revision. Before the list's first commit, nothing is saved.
  ///
  /// - Parameters:
  ///   - state: The selection and the scroll position.
  ///   - view: The screen's name, if several screens show the list: at most 256 bytes of UTF-8
  ///     without U+0000.
  /// - Throws: ``/ListModel/StoreError`` with ``/ListModel/StoreError/Code/invalidValue`` for an
  ///   offset that is not within ±1,000,000 points, or for a name that is too long; or another one if
  ///   the store can't be written. The state that was saved before stays.
  public func save(_ state: ListViewState, view: String = "") throws(StoreError) {
    try repository.save(state, of: id, view: view)
  }
}
