public import Foundation
public import ListModel
import ListTables

// MARK: Inserting

extension ListEditor {
  /// Inserts a stored item.
  ///
  /// - Parameters:
  ///   - item: The item; its id is new to the list.
  ///   - section: The section that it goes to; `nil` for that of the item which `place` names.
  ///   - place: Where it goes in the section.
  /// - Returns: Its path in the list after the insertion.
  /// - Throws: `StoreError`, with ``/ListModel/StoreError/Code/duplicateID`` if the list has the
  ///   id, and ``/ListModel/StoreError/Code/invalidValue`` if neither `section` nor `place` names a
  ///   section.
  @discardableResult
  public func insert(
    _ item: Item, in section: SectionID? = nil, at place: Place<ItemID> = .end
  ) throws(StoreError) -> ItemPath {
    guard let target = try self.section(section, at: place) else {
      throw invalid(
        "item \"\(item.id)\" has no section to go to: name it, or insert next to an item")
    }
    let entry = try apply(.insertItem(item, in: target, at: place))
    guard case .insertItem(_, let path) = entry else { throw unexpected(entry) }
    return path
  }

  /// Inserts stored items, one after the other.
  ///
  /// - Returns: Their paths in the list after all insertions, in the order given.
  /// - SeeAlso: ``insert(_:in:at:)-(Item,_,_)``
  @discardableResult
  public func insert(
    _ items: [Item], in section: SectionID? = nil, at place: Place<ItemID> = .end
  ) throws(StoreError) -> [ItemPath] {
    var paths: [ItemPath] = []
    var place = place
    for item in items {
      // Each goes after the one before, so no path changes later.
      paths.append(try insert(item, in: section, at: place))
      place = .after(item.id)
    }
    return paths
  }

  // MARK: Moving

  /// Moves an item within its section or to another one.
  ///
  /// - Parameters:
  ///   - item: The item.
  ///   - section: The section that it goes to; `nil` for that of the item which `place` names, or
  ///     else its own.
  ///   - place: Where it goes in the section; an index does not count the item itself.
  /// - Returns: Its paths in the list before and after; both are the same if it is there already.
  /// - Throws: `StoreError`, with ``/ListModel/StoreError/Code/itemNotFound``,
  ///   ``/ListModel/StoreError/Code/sectionNotFound`` or
  ///   ``/ListModel/StoreError/Code/placeOutOfBounds``.
  @discardableResult
  public func move(
    _ item: ItemID, in section: SectionID? = nil, to place: Place<ItemID>
  ) throws(StoreError) -> Move<ItemPath> {
    let entry = try apply(.moveItem(item, in: self.section(section, at: place), to: place))
    guard case .moveItem(_, let from, let to) = entry else { throw unexpected(entry) }
    return Move(from: from, to: to)
  }

  /// Moves items to one place, one after the other in the order given.
  ///
  /// - Returns: The paths of each item before the first move and after the last one.
  /// - SeeAlso: ``move(_:in:to:)-(ItemID,_,_)``
  @discardableResult
  public func move(
    _ items: [ItemID], in section: SectionID? = nil, to place: Place<ItemID>
  ) throws(StoreError) -> [Move<ItemPath>] {
    let before = try paths(of: items)
    var place = place
    for item in items {
      try move(item, in: section, to: place)
      place = .after(item)
    }
    return zip(before, try paths(of: items)).map { Move(from: $0, to: $1) }
  }

  /// Moves an item from one index path of a view to another, as a user does by dragging.
  ///
  /// - Parameters:
  ///   - indexPath: Where the view shows the item before the move.
  ///   - target: Where the view is to show it. Its section counts as before the move; its item is
  ///     the index that the moved item has afterwards.
  /// - Returns: Its paths in the list before and after.
  /// - Throws: `StoreError`, with ``/ListModel/StoreError/Code/placeOutOfBounds`` if the view shows
  ///   nothing at an index path.
  /// - Complexity: O(log *n*), *n* items; O(*s*) of *s* sections if one of them may be hidden.
  @discardableResult
  public func move(
    at indexPath: IndexPath, to target: IndexPath
  ) throws(StoreError) -> Move<ItemPath> {
    let shown = try ask { try $0.shownSections() }
    let item = try knownItem(at: indexPath, among: shown)
    return try move(
      item, in: knownSection(at: target, among: shown), to: .index(itemIndex(target)))
  }

  // MARK: Changing

  /// Has the view draw an item again, although nothing of it changed.
  ///
  /// - Returns: Its path in the list.
  @discardableResult
  public func touch(_ item: ItemID) throws(StoreError) -> ItemPath {
    let entry = try apply(.touchItem(item))
    guard case .touchItem(_, let path) = entry else { throw unexpected(entry) }
    return path
  }

  // MARK: Deleting

  /// Deletes an item.
  ///
  /// - Returns: Its path in the list before.
  @discardableResult
  public func delete(_ item: ItemID) throws(StoreError) -> ItemPath {
    let entry = try apply(.deleteItem(item))
    guard case .deleteItem(_, let path) = entry else { throw unexpected(entry) }
    return path
  }

  /// Deletes items.
  ///
  /// - Parameter items: The list has each of them, and none is named twice.
  /// - Returns: Their paths in the list before the first deletion, in the order given.
  /// - Throws: `StoreError`, with ``/ListModel/StoreError/Code/itemNotFound``.
  @discardableResult
  public func delete(_ items: [ItemID]) throws(StoreError) -> [ItemPath] {
    let paths = try paths(of: items)
    for item in items { try delete(item) }
    return paths
  }

  /// Deletes the item that a view shows at an index path.
  ///
  /// - Returns: The item's id.
  /// - Complexity: O(log *n*), *n* items; O(*s*) of *s* sections if one of them may be hidden.
  @discardableResult
  public func delete(at indexPath: IndexPath) throws(StoreError) -> ItemID {
    try delete(at: [indexPath])[0]
  }

  /// Deletes the items that a view shows at index paths, all of which count before the first
  /// deletion.
  ///
  /// - Returns: The items' ids, in the order given.
  /// - Complexity: O(*k* log *n*), *k* paths, *n* items; and O(*s*) of *s* sections if one of them
  ///   may be hidden.
  @discardableResult
  public func delete(at indexPaths: [IndexPath]) throws(StoreError) -> [ItemID] {
    let shown = try ask { try $0.shownSections() }
    var items: [ItemID] = []
    for indexPath in indexPaths { items.append(try knownItem(at: indexPath, among: shown)) }
    try delete(items)
    return items
  }

  /// Deletes all items of a section, which stays.
  ///
  /// - Returns: How many there were.
  /// - Complexity: O(*k* log *n*), *k* items of the section, *n* of the list.
  @discardableResult
  public func deleteItems(in section: SectionID) throws(StoreError) -> Int {
    guard let index = try index(of: section) else { throw nothing(at: section) }
    let count = try numberOfItems(in: section)
    for item in (0..<count).reversed() {
      guard let id = try itemID(at: ItemPath(section: index, item: item)) else { break }
      try delete(id)
    }
    return count
  }

  // MARK: Helpers

  /// The section that was named, or that of the item which a place names; `nil` if neither is
  /// named.
  func section(
    _ section: SectionID?, at place: Place<ItemID>
  ) throws(StoreError) -> SectionID? {
    if let section { return section }
    switch place {
    case .after(let item), .before(let item):
      guard let location = try ask({ try $0.location(of: item) }) else { throw nothing(at: item) }
      return location.section
    case .start, .end, .index: return nil
    }
  }

  func paths(of items: [ItemID]) throws(StoreError) -> [ItemPath] {
    var paths: [ItemPath] = []
    for item in items {
      guard let path = try path(of: item) else { throw nothing(at: item) }
      paths.append(path)
    }
    return paths
  }
}
