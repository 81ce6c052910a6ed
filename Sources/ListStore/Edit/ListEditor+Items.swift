public import ListModel

// MARK: Inserting

extension ListEditor {
  /// Inserts an item.
  ///
  /// - Returns: Where it is.
  @discardableResult
  public func insert(
    _ item: Item, in section: SectionID, at place: Place<ItemID> = .end
  ) throws(StoreError) -> ItemPath {
    let entry = try apply(.insertItem(item, in: section, at: place))
    guard case .insertItem(_, let path) = entry else { throw unexpected(entry) }
    return path
  }

  /// Inserts items, one behind the other.
  ///
  /// - Returns: Where they are, in their order.
  @discardableResult
  public func insert(
    _ items: [Item], in section: SectionID, at place: Place<ItemID> = .end
  ) throws(StoreError) -> [ItemPath] {
    var paths: [ItemPath] = []
    var place = place
    for item in items {
      paths.append(try insert(item, in: section, at: place))
      place = .after(item.id)
    }
    // Each went behind the one before, whose path stays.
    return paths
  }

  /// Inserts an item right behind another one, in its section.
  @discardableResult
  public func insert(_ item: Item, after other: ItemID) throws(StoreError) -> ItemPath {
    try insert(item, in: section(of: other), at: .after(other))
  }

  /// Inserts an item right before another one, in its section.
  @discardableResult
  public func insert(_ item: Item, before other: ItemID) throws(StoreError) -> ItemPath {
    try insert(item, in: section(of: other), at: .before(other))
  }

  /// Inserts an item at a path, which it has then: behind the last item of a section too, and into an
  /// empty one.
  @discardableResult
  public func insert(_ item: Item, at path: ItemPath) throws(StoreError) -> ItemPath {
    try insert(item, in: knownSection(at: path.section), at: .index(path.item))
  }

  // MARK: Moving

  /// Moves an item, in its section or to another one.
  ///
  /// - Returns: Where it was and is; the same path twice where it did not have to move.
  @discardableResult
  public func move(
    _ item: ItemID, in section: SectionID? = nil, to place: Place<ItemID>
  ) throws(StoreError) -> Move<ItemPath> {
    let entry = try apply(.moveItem(item, in: section, to: place))
    guard case .moveItem(_, let from, let to) = entry else { throw unexpected(entry) }
    return Move(from: from, to: to)
  }

  /// Moves an item right behind another one, to its section.
  @discardableResult
  public func move(_ item: ItemID, after other: ItemID) throws(StoreError) -> Move<ItemPath> {
    try move(item, in: section(of: other), to: .after(other))
  }

  /// Moves an item right before another one, to its section.
  @discardableResult
  public func move(_ item: ItemID, before other: ItemID) throws(StoreError) -> Move<ItemPath> {
    try move(item, in: section(of: other), to: .before(other))
  }

  /// Moves the item at a path to another one, which it has then.
  ///
  /// The last path of a section is that of its count, or one less where the item is in it.
  @discardableResult
  public func move(at path: ItemPath, to target: ItemPath) throws(StoreError) -> Move<ItemPath> {
    try move(
      knownItem(at: path), in: knownSection(at: target.section), to: .index(target.item))
  }

  /// Moves items to one place, one behind the other in the order given.
  ///
  /// - Returns: Where each was before all of it, and is after.
  @discardableResult
  public func move(
    _ items: [ItemID], in section: SectionID, to place: Place<ItemID>
  ) throws(StoreError) -> [Move<ItemPath>] {
    let before = try paths(of: items)
    var place = place
    for item in items {
      try move(item, in: section, to: place)
      place = .after(item)
    }
    return zip(before, try paths(of: items)).map { Move(from: $0, to: $1) }
  }

  // MARK: Changing

  /// Changes an item.
  ///
  /// - Returns: Where it is.
  @discardableResult
  public func update(_ item: ItemID, _ update: ItemUpdate) throws(StoreError) -> ItemPath {
    let entry = try apply(.updateItem(item, update))
    guard case .updateItem(_, let path, _, _) = entry else { throw unexpected(entry) }
    return path
  }

  /// Has an item drawn again, its content unchanged.
  ///
  /// - Returns: Where it is.
  @discardableResult
  public func touch(_ item: ItemID) throws(StoreError) -> ItemPath {
    let entry = try apply(.touchItem(item))
    guard case .touchItem(_, let path) = entry else { throw unexpected(entry) }
    return path
  }

  // MARK: Deleting

  /// Deletes an item.
  ///
  /// - Returns: Where it was.
  @discardableResult
  public func delete(_ item: ItemID) throws(StoreError) -> ItemPath {
    let entry = try apply(.deleteItem(item))
    guard case .deleteItem(_, let path) = entry else { throw unexpected(entry) }
    return path
  }

  /// Deletes items; each has to be there, and is named once.
  ///
  /// - Returns: Where they were before, in the order given.
  @discardableResult
  public func delete(_ items: [ItemID]) throws(StoreError) -> [ItemPath] {
    let paths = try paths(of: items)
    for item in items { try delete(item) }
    return paths
  }

  /// Deletes the item at a path.
  ///
  /// - Returns: The item's id.
  @discardableResult
  public func delete(at path: ItemPath) throws(StoreError) -> ItemID {
    let item = try knownItem(at: path)
    try delete(item)
    return item
  }

  /// Deletes the items at paths, which all count before the first goes.
  ///
  /// - Returns: Their ids, in the order of the paths.
  @discardableResult
  public func delete(at paths: [ItemPath]) throws(StoreError) -> [ItemID] {
    var items: [ItemID] = []
    for path in paths { items.append(try knownItem(at: path)) }
    for item in items { try delete(item) }
    return items
  }

  /// Deletes all items of a section, which stays.
  ///
  /// - Returns: How many there were.
  @discardableResult
  public func deleteAll(in section: SectionID) throws(StoreError) -> Int {
    guard let index = try index(of: section) else { throw nothing(at: section) }
    let count = try numberOfItems(in: section)
    for item in (0..<count).reversed() {
      try delete(at: ItemPath(section: index, item: item))
    }
    return count
  }

  // MARK: Helpers

  private func section(of item: ItemID) throws(StoreError) -> SectionID {
    guard let location = try ask({ try $0.location(of: item) }) else {
      throw nothing(at: item)
    }
    return location.section
  }

  private func paths(of items: [ItemID]) throws(StoreError) -> [ItemPath] {
    var paths: [ItemPath] = []
    for item in items {
      guard let path = try path(of: item) else { throw nothing(at: item) }
      paths.append(path)
    }
    return paths
  }
}
