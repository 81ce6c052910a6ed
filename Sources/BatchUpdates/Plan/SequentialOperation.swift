public import ListModel

/// One step of an update for a view that applies operations one after another.
///
/// A ``Stage`` speaks of the list before and after all of it. Here each index is one of the list as
/// the operations in front of it left it, as arrays, terminals and `NSTableView`'s
/// `insertRows(at:)`, `removeRows(at:)` and `moveRow(at:to:)` have it. A move removes, then inserts:
/// its target counts in the list without what moves.
///
/// An array of sections, each an array of rows, follows an update like this; a row that is `nil` is
/// to be filled from the list after the last stage:
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
/// - SeeAlso: [moveRow(at:to:)](https://developer.apple.com/documentation/appkit/nstableview/moverow(at:to:))
public enum SequentialOperation: Hashable, Sendable {
  /// Removes the item at a path.
  case deleteItem(ItemPath)
  /// Inserts a new item, which then has the path.
  case insertItem(ItemPath)
  /// Removes the item at the path `from` and inserts it, so that it then has the path `to`.
  ///
  /// Both paths may be equal where something else is to take the item's place later on.
  case moveItem(from: ItemPath, to: ItemPath)
  /// Removes the section at an index along with its items.
  case deleteSection(Int)
  /// Inserts a section, which then has the index and holds `itemCount` new items.
  case insertSection(Int, itemCount: Int)
  /// Removes the section at the index `from` and inserts it, so that it then has the index `to`.
  ///
  /// Its items go with it.
  case moveSection(from: Int, to: Int)
  /// Gives the item at a path another cell.
  case reloadItem(ItemPath)
  /// Gives the cell of the item at a path its new content.
  case reconfigureItem(ItemPath)
  /// Draws the layout, header and footer of the section at an index again.
  case updateSection(Int)
}
