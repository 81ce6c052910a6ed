import ListStore
public import ListItems
public import ListModel

extension LiveList {
  /// The state of a screen that shows the list, as it was last saved: see
  /// ``/ListStore/Repository/viewState(of:view:)``.
  ///
  /// - Parameter view: The screen's name, if several screens show the list.
  /// - Returns: The saved state, or that of a screen that was never shown.
  /// - Throws: ``/ListModel/StoreError``.
  public func viewState(view: String = "") throws(StoreError) -> ListViewState {
    try repository.viewState(of: id, view: view)
  }

  /// Saves the state of a screen that shows the list: see
  /// ``/ListStore/Repository/save(_:of:view:)``.
  ///
  /// - Throws: ``/ListModel/StoreError``.
  public func save(_ state: ListViewState, view: String = "") throws(StoreError) {
    try repository.save(state, of: id, view: view)
  }
}
