public import ListItems
public import ListModel

// Edits for callers who don't know whether an item is there.
extension ListEditor {
  /// Inserts a value, or replaces that of the item which has its id; such an item stays where it is.
  ///
  /// ```swift
  /// try list.upsert(Book(id: "emma", title: "Emma"), in: "today")
  /// ```
  ///
  /// - Parameters:
  ///   - value: The value.
  ///   - section: The section that a new item goes to; `nil` for that of the item which `place` names.
  ///   - place: Where a new item goes in the section.
  /// - Returns: Its path in the list.
  /// - Throws: As ``insert(_:in:at:)-(ListItem,_,_)``, but for an id that the list has.
  @discardableResult
  public func upsert(
    _ value: some ListItem, in section: SectionID? = nil, at place: Place<ItemID> = .end
  ) throws(StoreError) -> ItemPath {
    let item = try encoded(value)
    if try path(of: item.id) != nil { return try update(item.id, to: item) }
    return try insert(item, in: section, at: place)
  }

  /// Inserts values, or replaces those of the items which have their ids; such items stay where they
  /// are, and new ones follow each other.
  ///
  /// - Returns: Their paths in the list after all of it, in the order given.
  /// - Throws: As for one value; nothing is changed if one of them can't be encoded.
  @discardableResult
  public func upsert(
    _ values: [some ListItem], in section: SectionID? = nil, at place: Place<ItemID> = .end
  ) throws(StoreError) -> [ItemPath] {
    var items: [Item] = []
    for value in values { items.append(try encoded(value)) }
    var place = place
    for item in items {
      if try path(of: item.id) != nil {
        _ = try update(item.id, to: item)
      } else {
        try insert(item, in: section, at: place)
        place = .after(item.id)
      }
    }
    return try paths(of: items.map(\.id))
  }

  /// Changes one property of an item's value; the item stays where it is.
  ///
  /// ```swift
  /// try list.update("emma", \Book.isLiked, to: true)
  /// ```
  ///
  /// - Parameters:
  ///   - item: The item.
  ///   - property: A property of its type, but not its id.
  ///   - value: The new value.
  /// - Returns: Its path in the list.
  /// - Throws: As ``update(_:as:_:)``.
  @discardableResult
  public func update<Value: ListItem, Property>(
    _ item: ItemID, _ property: WritableKeyPath<Value, Property>, to value: Property
  ) throws -> ItemPath {
    try update(item, as: Value.self) { $0[keyPath: property] = value }
  }

  /// Deletes an item, if the list has it.
  ///
  /// - Returns: Its path in the list before; `nil` if the list does not have it.
  @discardableResult
  public func deleteIfPresent(_ item: ItemID) throws(StoreError) -> ItemPath? {
    try path(of: item) == nil ? nil : delete(item)
  }

  /// Deletes those of the items that the list has.
  ///
  /// - Returns: The ids of the deleted ones, in the order given.
  @discardableResult
  public func deleteIfPresent(_ items: [ItemID]) throws(StoreError) -> [ItemID] {
    var deleted: [ItemID] = []
    for item in items where try deleteIfPresent(item) != nil { deleted.append(item) }
    return deleted
  }
}
