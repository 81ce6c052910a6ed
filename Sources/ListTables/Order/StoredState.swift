/// What an item's state is in the tables.
package struct StoredState: Hashable {
  /// The row of its cell.
  package var cell: Int
  /// How often the content has changed.
  package var contentRevision: Int
  /// The row of its content, type and action.
  package var content: Int
}

/// The rows that an entry has changed, as the log names them.
struct WrittenRows {
  var before: StoredState?
  var after: StoredState?
  /// The items of a deleted section, in order, with their names as JSON strings.
  var items: [(quotedName: ArraySlice<UInt8>, state: StoredState)] = []
}
