public import ListModel
public import ListItems

// Items as the app writes them.
extension ListEditor {
  /// Inserts an item of the app's.
  ///
  /// - Returns: Where it is.
  /// - Throws: `StoreError`, with ``/ListModel/StoreError/Code/invalidValue`` for one that can't
  ///   be encoded.
  @discardableResult
  public func insert(
    _ value: some ListItem, in section: SectionID, at place: Place<ItemID> = .end
  ) throws(StoreError) -> ItemPath {
    try insert(encoded(value), in: section, at: place)
  }

  /// Inserts items of the app's, one behind the other.
  ///
  /// - Returns: Where they are, in their order.
  @discardableResult
  public func insert(
    _ values: [some ListItem], in section: SectionID, at place: Place<ItemID> = .end
  ) throws(StoreError) -> [ItemPath] {
    var items: [Item] = []
    for value in values { items.append(try encoded(value)) }
    return try insert(items, in: section, at: place)
  }

  /// Puts a value in the place of the one that the item with its id had.
  ///
  /// - Returns: Where the item is.
  @discardableResult
  public func update(_ value: some ListItem) throws(StoreError) -> ItemPath {
    let item = try encoded(value)
    return try update(item.id, ItemUpdate(to: item.state))
  }

  /// Changes a value that an item has.
  ///
  /// - Parameters:
  ///   - item: The item.
  ///   - type: What the item is.
  ///   - change: Changes it; the id stays.
  /// - Returns: Where the item is.
  /// - Throws: ``/ListModel/StoreError``, also where the content is not that of the type, or
  ///   `change` throws.
  @discardableResult
  public func update<Value: ListItem>(
    _ item: ItemID, as type: Value.Type, _ change: (inout Value) throws -> Void
  ) throws(StoreError) -> ItemPath {
    guard let stored = try self.item(item) else { throw nothing(at: item) }
    let updated: Item
    do {
      var value = try stored.value(as: type)
      try change(&value)
      updated = try Item(value)
    } catch {
      throw invalid("item \"\(item)\" as a \(type): \(error)")
    }
    guard updated.id == item else {
      throw invalid("item \"\(item)\" became \"\(updated.id)\"; delete it and insert the other one")
    }
    return try update(item, ItemUpdate(to: updated.state))
  }

  private func encoded(_ value: some ListItem) throws(StoreError) -> Item {
    do { return try Item(value) } catch { throw invalid("item \"\(value.id)\": \(error)") }
  }
}
