import Foundation
import GRDB
public import ListModel
public import ListItems

extension Repository {
  /// The state of a screen that shows a list, as it was last saved: selection and scroll position.
  ///
  /// One read transaction. Items that the list no longer has are left out. If such an item comes
  /// back, it is selected again.
  ///
  /// - Parameters:
  ///   - list: The list.
  ///   - view: The screen's name, if several screens show the list.
  /// - Returns: The saved state. If none was saved, or there is no such list, the state of a screen
  ///   that was never shown.
  /// - Throws: ``/ListModel/StoreError`` if the store can't be read.
  public func viewState(of list: ListID, view: String = "") throws(StoreError) -> ListViewState {
    try read("read the view state of \"\(list)\"") { db in
      let statements = Statements(db)
      let found = try statements(
        """
        SELECT viewState.list, selectionMode, anchorOffset, item.name
        FROM viewState JOIN list ON list.id = viewState.list
          LEFT JOIN item ON item.list = viewState.list AND item.name = anchorItem
        WHERE list.name = ? AND view = ?
        """
      ).first(list.rawValue, view) { row in
        let anchor = try row.textIfPresent(3).map { item in
          ListViewState.Anchor(item: try ItemID(item), offset: try row.real(2))
        }
        return (
          list: try row.integer(0), mode: ItemSelection.Mode(rawValue: try row.text(1)),
          anchor: anchor
        )
      }
      guard let found else { return ListViewState() }
      guard let mode = found.mode else { throw DatabaseError.corrupt("no such selection mode") }
      var items: [ItemID] = []
      try statements(
        """
        SELECT item.name FROM selectedItem
          JOIN item ON item.list = selectedItem.list AND item.name = selectedItem.item
        WHERE selectedItem.list = ? AND view = ? ORDER BY ordinal
        """
      ).forEach(found.list, view) { items.append(try ItemID($0.text(0))) }
      return ListViewState(selection: ItemSelection(mode, items), anchor: found.anchor)
    }
  }

  /// Saves the state of a screen that shows a list, until it is saved again or the list is deleted.
  ///
  /// One write transaction. The state is not part of the list: it is not logged and makes no
  /// revision. If there is no such list, nothing is saved.
  ///
  /// - Parameters:
  ///   - state: The selection and the scroll position.
  ///   - list: The list.
  ///   - view: The screen's name, if several screens show the list: at most 256 bytes of UTF-8
  ///     without U+0000.
  /// - Throws: `StoreError` with ``/ListModel/StoreError/Code/invalidValue`` for an offset that is
  ///   not within ±1,000,000 points, or for a name that is too long; or another one if the store
  ///   can't be written. The state that was saved before stays.
  public func save(
    _ state: ListViewState, of list: ListID, view: String = ""
  ) throws(StoreError) {
    guard view.utf8.count <= 256, !view.utf8.contains(0) else {
      throw StoreError(
        .invalidValue, "the name of a view is at most 256 bytes of UTF-8 without U+0000",
        file: file.path)
    }
    if let anchor = state.anchor, !(abs(anchor.offset) <= Size.maximumLength) {
      throw StoreError(
        .invalidValue,
        "item \"\(anchor.item)\" at \(anchor.offset); it must be a number of points within "
          + "±1,000,000",
        file: file.path)
    }
    try write("keep the view state of \"\(list)\"") { transaction in
      let statements = transaction.statements
      let row = try statements("SELECT id FROM list WHERE name = ?")
        .first(list.rawValue) { try $0.integer(0) }
      guard let row else { return }
      try statements(
        """
        INSERT INTO viewState (list, view, selectionMode, anchorItem, anchorOffset)
        VALUES (?, ?, ?, ?, ?)
        ON CONFLICT DO UPDATE SET selectionMode = excluded.selectionMode,
          anchorItem = excluded.anchorItem, anchorOffset = excluded.anchorOffset
        """
      ).run(
        row, view, state.selection.mode.rawValue, state.anchor?.item.rawValue,
        state.anchor?.offset)
      try statements("DELETE FROM selectedItem WHERE list = ? AND view = ?").run(row, view)
      for (ordinal, item) in state.selection.items.enumerated() {
        try statements("INSERT INTO selectedItem (list, view, ordinal, item) VALUES (?, ?, ?, ?)")
          .run(row, view, ordinal, item.rawValue)
      }
    }
  }
}
