public import Foundation
public import ListItems
public import ListModel

// Items as values of the app's types.
extension ListEditor {
  /// Inserts a value.
  ///
  /// ```swift
  /// try list.insert(Book(id: "emma", title: "Emma"), in: "today", at: .start)
  /// try list.insert(Book(id: "dune", title: "Dune"), at: .after("emma"))
  /// ```
  ///
  /// - Parameters:
  ///   - value: The value; its id is new to the list.
  ///   - section: The section that it goes to; `nil` for that of the item which `place` names.
  ///   - place: Where it goes in the section.
  /// - Returns: Its path in the list after the insertion.
  /// - Throws: `StoreError`, with ``/ListModel/StoreError/Code/duplicateID`` if the list has the
  ///   id, and ``/ListModel/StoreError/Code/invalidValue`` for a value that can't be encoded, or if
  ///   neither `section` nor `place` names a section.
  @discardableResult
  public func insert(
    _ value: some ListItem, in section: SectionID? = nil, at place: Place<ItemID> = .end
  ) throws(StoreError) -> ItemPath {
    try insert(encoded(value), in: section, at: place)
  }

  /// Inserts values, one after the other.
  ///
  /// - Returns: Their paths in the list after all insertions, in the order given.
  /// - Throws: As for one value; nothing is inserted if one of them can't be encoded.
  @discardableResult
  public func insert(
    _ values: [some ListItem], in section: SectionID? = nil, at place: Place<ItemID> = .end
  ) throws(StoreError) -> [ItemPath] {
    var items: [Item] = []
    for value in values { items.append(try encoded(value)) }
    return try insert(items, in: section, at: place)
  }

  /// Inserts a value where a view is to show it.
  ///
  /// - Parameters:
  ///   - value: The value; its id is new to the list.
  ///   - indexPath: Where the view is to show it: its section as before, the item's index as after.
  /// - Returns: Its path in the list after the insertion.
  /// - Throws: `StoreError`, with ``/ListModel/StoreError/Code/placeOutOfBounds`` if the view shows
  ///   no such place, and as ``insert(_:in:at:)-(ListItem,_,_)``.
  /// - Complexity: O(log *n*), *n* items; O(*s*) of *s* sections if one of them may be hidden.
  @discardableResult
  public func insert(_ value: some ListItem, at indexPath: IndexPath) throws(StoreError) -> ItemPath
  {
    let shown = try ask { try $0.shownSections() }
    return try insert(
      value, in: knownSection(at: indexPath, among: shown), at: .index(itemIndex(indexPath)))
  }

  /// Inserts values of several types, one after the other.
  ///
  /// ```swift
  /// try list.insert(in: "today", at: .start) {
  ///   Book(id: "emma", title: "Emma")
  ///   for quote in quotes { quote }
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - section: The section that they go to; `nil` for that of the item which `place` names.
  ///   - place: Where the first one goes in the section.
  ///   - items: The values, or stored items, in their order.
  /// - Returns: Their paths in the list after all insertions, in the order given.
  /// - Throws: As for one value; nothing is inserted if one of them can't be encoded. Or what
  ///   `items` throws.
  @discardableResult
  public func insert(
    in section: SectionID? = nil, at place: Place<ItemID> = .end,
    @ItemBuilder _ items: () throws -> [ListElement]
  ) throws -> [ItemPath] {
    guard let target = try self.section(section, at: place) else {
      throw invalid("the items have no section to go to: name it, or insert next to an item")
    }
    var stored: [Item] = []
    for element in try items() {
      do throws(ListBuildError) { stored.append(try element.item(in: target, requireKnown)) } catch
      {
        throw unusable(error)
      }
    }
    return try insert(stored, in: target, at: place)
  }

  /// Inserts values of several types where a view is to show them.
  ///
  /// - Parameters:
  ///   - indexPath: Where the view is to show the first one: its section as before, the item's index
  ///     as after.
  ///   - items: The values, or stored items, in their order.
  /// - Returns: Their paths in the list after all insertions, in the order given.
  /// - Throws: As ``insert(in:at:_:)``, with ``/ListModel/StoreError/Code/placeOutOfBounds`` if the
  ///   view shows no such place.
  /// - Complexity: O(*k* log *n*), *k* of *n* items; and O(*s*) of *s* sections if one of them may
  ///   be hidden.
  @discardableResult
  public func insert(
    at indexPath: IndexPath, @ItemBuilder _ items: () throws -> [ListElement]
  ) throws -> [ItemPath] {
    let shown = try ask { try $0.shownSections() }
    return try insert(
      in: knownSection(at: indexPath, among: shown), at: .index(itemIndex(indexPath)), items)
  }

  /// Replaces the value of the item that has this value's id; the item stays where it is.
  ///
  /// - Returns: Its path in the list.
  @discardableResult
  public func update(_ value: some ListItem) throws(StoreError) -> ItemPath {
    let item = try encoded(value)
    return try update(item.id, to: item)
  }

  /// Changes the value of an item; the item stays where it is.
  ///
  /// ```swift
  /// try list.update("emma", as: Book.self) { $0.isLiked = true }
  /// ```
  ///
  /// - Parameters:
  ///   - item: The item.
  ///   - type: The type of its value.
  ///   - change: Changes the value, but not its id.
  /// - Returns: Its path in the list.
  /// - Throws: `StoreError`, with ``/ListModel/StoreError/Code/invalidValue`` if the content is not
  ///   of the type, or the id changed; or what `change` throws. The item is then as it was.
  @discardableResult
  public func update<Value: ListItem>(
    _ item: ItemID, as type: Value.Type, _ change: (inout Value) throws -> Void
  ) throws -> ItemPath {
    guard let stored = try self.item(item) else { throw nothing(at: item) }
    var value: Value
    do { value = try stored.value(as: type) } catch {
      throw invalid("item \"\(item)\" as a \(type): \(error)")
    }
    try change(&value)
    let updated = try encoded(value)
    guard value.isValue(of: item) else {
      throw invalid("item \"\(item)\" became \"\(updated.id)\"; delete it and insert the other one")
    }
    return try update(item, to: updated)
  }

  /// Changes the value of the item that a view shows at an index path.
  ///
  /// - Returns: Its path in the list.
  /// - Complexity: O(log *n*), *n* items; O(*s*) of *s* sections if one of them may be hidden.
  /// - SeeAlso: ``update(_:as:_:)``
  @discardableResult
  public func update<Value: ListItem>(
    at indexPath: IndexPath, as type: Value.Type, _ change: (inout Value) throws -> Void
  ) throws -> ItemPath {
    let shown = try ask { try $0.shownSections() }
    return try update(knownItem(at: indexPath, among: shown), as: type, change)
  }

  func update(_ item: ItemID, to updated: Item) throws(StoreError) -> ItemPath {
    let entry = try apply(.updateItem(item, ItemUpdate(to: updated.state)))
    guard case .updateItem(_, let path, _, _) = entry else { throw unexpected(entry) }
    return path
  }

  func encoded(_ value: some ListItem) throws(StoreError) -> Item {
    let item: Item
    do { item = try Item(value) } catch { throw invalid("item \"\(value.id)\": \(error)") }
    do throws(ItemTypeError) { try requireKnown(value, item: item.id) } catch {
      throw StoreError(.invalidValue, "list \"\(target.list)\": \(error)", file: file, cause: error)
    }
    return item
  }

  /// Refuses a value of a type that the list was not told of: no screen of it could show the item.
  package func requireKnown(_ value: any ListItem, item: ItemID) throws(ItemTypeError) {
    try target.requireKnown(value, item: item)
  }
}
