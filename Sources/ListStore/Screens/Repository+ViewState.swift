import Foundation
import GRDB
package import ListItems
package import ListModel
import ListTables
import StoreFiles

extension Repository {
  /// The state of a screen that shows a list, as it was last saved, without items that are gone.
  ///
  /// - Returns: If none was saved, or there is no such list, the state of a screen that was never
  ///   shown.
  package func viewState(of list: ListID, view: String = "") throws(StoreError) -> ListViewState {
    saveNow(ScreenName(list: list, view: view))
    return try read("read the view state of \"\(list)\"") { db in
      let statements = Statements(db)
      let found = try statements(
        """
        SELECT viewState.list, selectionMode, anchorOffset, anchorItem
        FROM viewState JOIN list ON list.id = viewState.list WHERE list.name = ? AND view = ?
        """
      ).first(list.rawValue, view) { row in
        let anchor = try row.textIfPresent(3).map { item in
          ListViewState.Anchor(item: try ItemID(item), offset: try row.real(2))
        }
        return (mode: ItemSelection.Mode(rawValue: try row.text(1)), anchor: anchor)
      }
      guard let found, let rows = try statements.rows(list) else { return ListViewState() }
      guard let mode = found.mode else { throw DatabaseError.corrupt("no such selection mode") }
      var items: [ItemID] = []
      try statements("SELECT item FROM selectedItem WHERE list = ? AND view = ? ORDER BY ordinal")
        .forEach(rows.id, view) { items.append(try ItemID($0.text(0))) }
      let hasItem = { (item: ItemID) in try rows.items.find(item) != nil }
      return ListViewState(
        selection: ItemSelection(mode, try items.filter(hasItem)),
        anchor: try found.anchor.flatMap { try hasItem($0.item) ? $0 : nil })
    }
  }

  /// Saves the state of a screen that shows a list; if there is no such list, nothing is saved.
  ///
  /// - Throws: `StoreError` with ``/ListModel/StoreError/Code/invalidValue`` for an offset that is
  ///   not within ±1,000,000 points, or for a name of a view beyond 256 bytes. The state that was
  ///   saved before stays.
  package func save(
    _ state: ListViewState, of list: ListID, view: String = ""
  ) throws(StoreError) {
    let screen = ScreenName(list: list, view: view)
    try check(state, view: view)
    try write("keep the view state of \"\(list)\"") { transaction in
      // What still waits is older.
      pendingScreens.withValue { $0[screen] = nil }
      try write(state, of: screen, in: transaction)
    }
  }

  /// Saves the state of a screen on the maintenance queue; the next call of
  /// ``viewState(of:view:)`` has it.
  ///
  /// - Parameters:
  ///   - state: The selection and the scroll position.
  ///   - list: The list.
  ///   - view: The screen's name.
  ///   - onFailure: Gets the error if the state can't be saved.
  package func saveSoon(
    _ state: ListViewState, of list: ListID, view: String = "",
    onFailure: @escaping @Sendable (StoreError) -> Void
  ) {
    let screen = ScreenName(list: list, view: view)
    pendingScreens.withValue { $0[screen] = state }
    maintenance.add("save what a screen shows") { [weak self] in
      do throws(StoreError) { try self?.saveScreen(screen) } catch {
        if [.suspended, .closed].contains(error.code) { throw error }
        onFailure(error)
      }
    }
  }

  /// Saves the state of a screen that waits for the maintenance queue, if that is possible now.
  private func saveNow(_ screen: ScreenName) {
    if writer.isInside { return }
    do { try saveScreen(screen) } catch { events.report(error, "save what a screen shows") }
  }

  /// Saves the states of screens that wait for the maintenance queue.
  func saveScreens() throws(StoreError) {
    for screen in pendingScreens.withValue({ Array($0.keys) }) { try saveScreen(screen) }
  }

  private func saveScreen(_ screen: ScreenName) throws(StoreError) {
    guard pendingScreens.withValue({ $0[screen] != nil }) else { return }
    var latest: ListViewState?
    do throws(StoreError) {
      try write("keep the view state of \"\(screen.list)\"") { transaction in
        // Looked up only where no other thread writes: an older state never follows a newer one.
        guard let state = pendingScreens.withValue({ $0[screen] }) else { return }
        latest = state
        try check(state, view: screen.view)
        try write(state, of: screen, in: transaction)
      }
    } catch {
      if error.code != .suspended { forget(latest, of: screen) }
      throw error
    }
    // After the commit: until then, who reads has to wait for it.
    forget(latest, of: screen)
  }

  /// Ends the waiting of a state, unless another one waits by now.
  private func forget(_ state: ListViewState?, of screen: ScreenName) {
    pendingScreens.withValue { if $0[screen] == state { $0[screen] = nil } }
  }

  private func check(_ state: ListViewState, view: String) throws(StoreError) {
    guard view.utf8.count <= 256, !view.utf8.contains(0) else {
      throw StoreError(
        .invalidValue, "the name of a view is at most 256 bytes of UTF-8 without U+0000",
        file: filePath)
    }
    if let anchor = state.anchor, !(abs(anchor.offset) <= Size.maximumLength) {
      throw StoreError(
        .invalidValue,
        "item \"\(anchor.item)\" at \(anchor.offset); it must be a number of points within "
          + "±1,000,000",
        file: filePath)
    }
  }

  private func write(
    _ state: ListViewState, of screen: ScreenName, in transaction: WriteTransaction
  ) throws {
    let statements = transaction.statements
    guard let rows = try statements.rows(screen.list) else { return }
    let row = rows.id
    let hasItem = { (item: ItemID) in try rows.items.find(item) != nil }
    // An item that the list does not have is not written: it may have been erased.
    let anchor = try state.anchor.flatMap { try hasItem($0.item) ? $0 : nil }
    try statements(
      """
      INSERT INTO viewState (list, view, selectionMode, anchorItem, anchorOffset)
      VALUES (?, ?, ?, ?, ?)
      ON CONFLICT DO UPDATE SET selectionMode = excluded.selectionMode,
        anchorItem = excluded.anchorItem, anchorOffset = excluded.anchorOffset
      """
    ).run(
      row, screen.view, state.selection.mode.rawValue, anchor?.item.rawValue, anchor?.offset)
    try statements("DELETE FROM selectedItem WHERE list = ? AND view = ?").run(row, screen.view)
    let items = try state.selection.items.filter(hasItem)
    for (ordinal, item) in items.enumerated() {
      try statements("INSERT INTO selectedItem (list, view, ordinal, item) VALUES (?, ?, ?, ?)")
        .run(row, screen.view, ordinal, item.rawValue)
    }
  }
}
