import ListStore
public import ListItems
public import ListModel

extension LiveList {
  /// What a screen showed of the list when that was last saved: see
  /// ``/ListStore/Repository/viewState(of:view:)``.
  ///
  /// `view`: The screen, for a list that is shown by several.
  ///
  /// - Throws: ``/ListModel/StoreError``.
  public func viewState(view: String = "") throws(StoreError) -> ListViewState {
    try repository.viewState(of: id, view: view)
  }

  /// Keeps what a screen shows of the list: see ``/ListStore/Repository/save(_:of:view:)``.
  ///
  /// - Throws: ``/ListModel/StoreError``.
  public func save(_ state: ListViewState, view: String = "") throws(StoreError) {
    try repository.save(state, of: id, view: view)
  }
}
