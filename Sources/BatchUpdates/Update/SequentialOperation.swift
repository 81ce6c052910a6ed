public import ListModel

/// One step of an update for a view that applies operations one after another.
///
/// The indexes of a ``Stage`` are those of the list before or after the whole stage. The indexes of
/// a sequential operation are those of the list after the operations in front of it, as arrays,
/// terminals and `NSTableView`'s `insertRows(at:)`, `removeRows(at:)` and `moveRow(at:to:)` count.
/// A move removes, then inserts: its target is an index of the list without the moved element.
///
/// An array of sections, each an array of rows, follows an update like this. Fill the rows that are
/// `nil` from the list after the last stage:
/// ```swift
/// for operation in update.sequentialOperations {
///   switch operation {
///   case .deleteItem(let path):
///     rows[path.section].remove(at: path.item)
///   case .insertItem(let path):
///     rows[path.section].insert(nil, at: path.item)
///   case .moveItem(let from, let to):
///     let row = rows[from.section].remove(at: from.item)
///     rows[to.section].insert(row, at: to.item)
///   case .deleteSection(let index):
///     rows.remove(at: index)
///   case .insertSection(let index, let itemCount):
///     rows.insert(Array(repeating: nil, count: itemCount), at: index)
///   case .moveSection(let from, let to):
///     let section = rows.remove(at: from)
///     rows.insert(section, at: to)
///   case .reloadItem(let path), .reconfigureItem(let path):
///     rows[path.section][path.item] = nil
///   case .updateSection:
///     break
///   }
/// }
/// ```
///
/// - SeeAlso:
///   [moveRow(at:to:)](https://developer.apple.com/documentation/appkit/nstableview/moverow(at:to:))
public enum SequentialOperation: Hashable, Sendable {
  /// Removes the item at a path.
  case deleteItem(ItemPath)
  /// Inserts a new item at a path.
  case insertItem(ItemPath)
  /// Removes the item at the path `from` and inserts it at the path `to`.
  ///
  /// Both paths may be equal; a later operation then gives the item another path.
  case moveItem(from: ItemPath, to: ItemPath)
  /// Removes the section at an index along with its items.
  case deleteSection(Int)
  /// Inserts a section of `itemCount` new items at an index.
  case insertSection(Int, itemCount: Int)
  /// Removes the section at the index `from` with its items and inserts it at the index `to`.
  case moveSection(from: Int, to: Int)
  /// Gives the item at a path another cell.
  case reloadItem(ItemPath)
  /// Gives the cell of the item at a path its new content.
  case reconfigureItem(ItemPath)
  /// Draws the layout, header and footer of the section at an index again.
  case updateSection(Int)
}
