/// The order of a list at an earlier revision.
struct EarlierList<List: UndoLookup> {
  private let list: List
  private(set) var sections: EarlierOrder<SectionID>
  /// The orders of the sections in which items were inserted, deleted or moved since.
  private(set) var items: [SectionID: EarlierOrder<ItemID>] = [:]

  init(_ list: List) throws {
    self.list = list
    sections = EarlierOrder(count: try list.sectionCount())
  }

  /// The section in which an entry has put its item; `nil` for other entries.
  func holder(after entry: LogEntry) throws -> SectionID? {
    switch entry {
    case .insertItem(_, let path), .moveItem(_, _, let path): try section(at: path.section)
    default: nil
    }
  }

  /// Takes back the last change of the order.
  mutating func takeBack(_ entry: LogEntry) throws {
    switch entry {
    case .insertSection(let id, _, let index):
      try remove(id, at: index)
      items[id] = nil
    case .deleteSection(let section, let index):
      try insert(section.id, at: index)
      items[section.id] = EarlierOrder(section.items.map(\.id))
    case .moveSection(let id, let from, let to):
      if from == to { return }
      try remove(id, at: to)
      try insert(id, at: from)
    case .insertItem(let item, let path): try remove(item.id, at: path)
    case .deleteItem(let item, let path): try insert(item.id, at: path)
    case .moveItem(let id, let from, let to):
      if from == to { return }
      try remove(id, at: to)
      try insert(id, at: from)
    case .updateList, .updateSection, .updateItem, .touchItem: break
    }
  }

  func section(at index: Int) throws -> SectionID {
    switch sections.element(at: index) {
    case .one(let id): return id
    case .current(let place): return try list.sectionID(at: place)
    case nil: throw ChangeError.logMismatch("there is no section \(index)")
    }
  }

  private mutating func remove(_ id: SectionID, at index: Int) throws {
    guard try section(at: index) == id else {
      throw ChangeError.logMismatch("section \"\(id)\" is not at index \(index)")
    }
    sections.remove(at: index)
  }

  private mutating func insert(_ id: SectionID, at index: Int) throws {
    guard sections.insert(id, at: index) else {
      throw ChangeError.logMismatch("section \"\(id)\" does not fit at index \(index)")
    }
  }

  private mutating func remove(_ id: ItemID, at path: ItemPath) throws {
    let section = try openSection(at: path.section)
    let found: ItemID? =
      switch items[section]?.element(at: path.item) {
      case .one(let id): id
      case .current(let place): try item(at: place, in: section)
      case nil: nil
      }
    guard found == id else {
      throw ChangeError.logMismatch("item \"\(id)\" is not at \(path)")
    }
    items[section]?.remove(at: path.item)
  }

  private mutating func insert(_ id: ItemID, at path: ItemPath) throws {
    let section = try openSection(at: path.section)
    guard items[section]?.insert(id, at: path.item) == true else {
      throw ChangeError.logMismatch("item \"\(id)\" does not fit at \(path)")
    }
  }

  /// The section at an index, in whose order something is taken back.
  private mutating func openSection(at index: Int) throws -> SectionID {
    let section = try section(at: index)
    if items[section] == nil {
      guard let current = try list.sectionIndex(of: section) else {
        throw ChangeError.logMismatch("section \"\(section)\" is missing")
      }
      items[section] = EarlierOrder(
        count: try list.itemCount(inSection: section, at: current))
    }
    return section
  }

  /// What stands at a place of a section as it is now.
  func item(at place: Int, in section: SectionID) throws -> ItemID? {
    guard let index = try list.sectionIndex(of: section) else { return nil }
    return try list.itemID(at: ItemPath(section: index, item: place))
  }

  /// The sections whose orders were different, in their order.
  func changedSections() throws -> [SectionID] {
    var found: [(index: Int, id: SectionID)] = []
    for id in items.keys {
      if let index = sections.index(of: id) {
        found.append((index, id))
      } else if let place = try list.sectionIndex(of: id),
        let index = sections.index(ofCurrent: place)
      {
        found.append((index, id))
      }
    }
    return found.sorted { $0.index < $1.index }.map(\.id)
  }
}
