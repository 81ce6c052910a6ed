package import ListModel

/// Sections and items of a list that are erased, each with the id that stands for it from now on.
package struct ErasedNames {
  /// The items.
  package private(set) var items: [ItemID: ItemID] = [:]
  /// The sections.
  package private(set) var sections: [SectionID: SectionID] = [:]
  /// The same by the hashes of the ids.
  private var itemHashes: [UInt64: UInt64] = [:]
  private var sectionHashes: [UInt64: UInt64] = [:]

  /// Gives each of them a new id.
  package init(items: Set<ItemID>, sections: Set<SectionID>) {
    for id in items {
      let standIn = ItemID.erased()
      self.items[id] = standIn
      itemHashes[id.stableHash] = standIn.stableHash
    }
    for id in sections {
      let standIn = SectionID.erased()
      self.sections[id] = standIn
      sectionHashes[id.stableHash] = standIn.stableHash
    }
  }

  // MARK: The log

  /// An entry as the log has it from now on: without ids and contents of what is erased.
  func erased(_ entry: LogEntry) -> LogEntry {
    switch entry {
    case .updateList: return entry
    case .insertSection(let id, _, let index):
      guard let id = sections[id] else { return entry }
      return .insertSection(id, SectionAttributes(), at: index)
    case .deleteSection(var section, let index):
      section.items = section.items.map(erased)
      if let id = sections[section.id] {
        section = ListTree.Section(id: id, items: section.items)
      }
      return .deleteSection(section, at: index)
    case .moveSection(let id, let from, let to):
      return .moveSection(sections[id] ?? id, from: from, to: to)
    case .updateSection(let id, let index, _, _):
      guard let id = sections[id] else { return entry }
      return .updateSection(id, at: index, before: SectionAttributes(), after: SectionAttributes())
    case .insertItem(let item, let path): return .insertItem(erased(item), at: path)
    case .deleteItem(let item, let path): return .deleteItem(erased(item), at: path)
    case .moveItem(let id, let from, let to): return .moveItem(items[id] ?? id, from: from, to: to)
    case .updateItem(let id, let path, let before, let after):
      guard let id = items[id] else { return entry }
      return .updateItem(id, at: path, before: erased(before), after: erased(after))
    case .touchItem(let id, let path): return .touchItem(items[id] ?? id, at: path)
    }
  }

  private func erased(_ item: Item) -> Item {
    items[item.id].map { Item(id: $0, state: erased(item.state)) } ?? item
  }

  private func erased(_ state: ItemState) -> ItemState {
    ItemState(cell: state.cell, content: .null, contentRevision: state.contentRevision)
  }

  /// The neighbours of places of an entry.
  func erased(_ neighbours: [Neighbours], ofItem isOfItem: Bool) -> [Neighbours] {
    func hash(_ hash: UInt64, _ hashes: [UInt64: UInt64]) -> UInt64 { hashes[hash] ?? hash }
    let hashes = isOfItem ? itemHashes : sectionHashes
    return neighbours.map { around in
      Neighbours(
        parent: hash(around.parent, sectionHashes), previous: hash(around.previous, hashes),
        next: hash(around.next, hashes))
    }
  }

  // MARK: Edits

  /// The changes of an edit that are not about what is erased, with places that don't name it.
  package func left(of changes: [EditedChange]) -> [EditedChange] {
    changes.compactMap { edited in
      let (item, section) = edited.change.names
      if item.map({ items[$0] != nil }) == true || section.map({ sections[$0] != nil }) == true {
        return nil
      }
      return EditedChange(placed(edited), index: edited.index)
    }
  }

  /// A change whose place is the index that it had, if it was next to something that is erased.
  private func placed(_ edited: EditedChange) -> Change {
    func placed<ID>(_ place: Place<ID>, _ erased: [ID: ID]) -> Place<ID> {
      switch place {
      case .after(let id) where erased[id] != nil, .before(let id) where erased[id] != nil:
        edited.index.map { .index($0) } ?? .end
      default: place
      }
    }
    switch edited.change {
    case .insertSection(let id, let attributes, let place):
      return .insertSection(id, attributes, at: placed(place, sections))
    case .moveSection(let id, let place): return .moveSection(id, to: placed(place, sections))
    case .insertItem(let item, let section, let place):
      return .insertItem(item, in: section, at: placed(place, items))
    case .moveItem(let id, let section, let place):
      return .moveItem(id, in: section, to: placed(place, items))
    default: return edited.change
    }
  }
}

/// Which of the things that are erased a store had anything of.
package struct ErasedMentions {
  /// The items.
  package private(set) var items: Set<ItemID> = []
  /// The sections.
  package private(set) var sections: Set<SectionID> = []

  /// Nothing is found yet.
  package init() {}

  /// Notes what is named somewhere, if it is erased.
  mutating func note(_ found: (item: ItemID?, section: SectionID?), _ names: ErasedNames) {
    if let item = found.item, names.items[item] != nil { items.insert(item) }
    if let section = found.section, names.sections[section] != nil { sections.insert(section) }
  }

  /// Adds what was found elsewhere.
  package mutating func add(_ other: ErasedMentions) {
    items.formUnion(other.items)
    sections.formUnion(other.sections)
  }
}
