package import ListModel

/// A list with changes that are not made yet: what the list would be after them.
///
/// It holds the sections and items that changes name, as *nodes*, and for the rest runs of places of
/// the list that it begins with. So it takes memory and time for what changes, however long the list
/// is. Afterwards ``changes()`` tells the net change: what was taken back and made again in between
/// is not in it.
///
/// - Complexity: A change takes O(log *n*) steps in the list and O(*r* / 512 + 512) in the sketch,
///   *r* runs; deleting a section as many as it has items.
package struct ListSketch<List: UndoLookup> {
  /// The list that it begins with, which must not change meanwhile.
  let list: List
  var order: SketchOrder
  private(set) var sections: ContiguousArray<SectionNode> = []
  private(set) var items: ContiguousArray<ItemNode> = []
  private(set) var meta: FieldUpdate<JSON?> = .unchanged
  private var sectionNumbers: [SectionID: Int] = [:]
  private var itemNumbers: [ItemID: Int] = [:]

  /// A section that a change names, or in which one changes the order.
  struct SectionNode {
    let id: SectionID
    /// What it is in the list; `nil` if the list does not have it.
    let before: (place: Int, attributes: SectionAttributes)?
    var isAlive = true
    var attributes: SectionAttributes
    var items: SketchOrder
  }

  /// An item that a change names.
  struct ItemNode {
    let id: ItemID
    /// What it is in the list, `section` by its number; `nil` if the list does not have it.
    let before: (section: Int, place: Int, state: ItemState)?
    /// The number of the section that has it now; `nil` if none has.
    var section: Int?
    var state: ItemState
    var isTouched = false
  }

  /// A list as it is.
  package init(_ list: List) throws(List.Failure) {
    self.list = list
    order = SketchOrder(count: try list.sectionCount())
  }

  /// Makes a change.
  ///
  /// - Returns: The change with its paths; or the reason why it does not fit, and then nothing is
  ///   changed.
  package mutating func apply(
    _ change: Change
  ) throws(List.Failure) -> Result<LogEntry, ChangeError> {
    let result = try resolve(change)
    if case .success(let entry) = result { try apply(entry) }
    return result
  }

  /// The whole list.
  ///
  /// - Complexity: O(*n*), *n* items.
  package func tree(_ id: ListID, revision: Int) throws(List.Failure) -> ListTree {
    var tree = ListTree(list: id, revision: revision, meta: try listMeta())
    for index in 0..<order.count {
      tree.sections.append(try section(sectionID(at: index), at: index))
    }
    return tree
  }
}

// MARK: - Questions

extension ListSketch: UndoLookup {
  package typealias Failure = List.Failure

  package func listMeta() throws(Failure) -> JSON? {
    if case .set(let meta) = meta { meta } else { try list.listMeta() }
  }

  package func sectionCount() throws(Failure) -> Int { order.count }

  package func sectionID(at index: Int) throws(Failure) -> SectionID {
    let element = order[index]
    return element < 0 ? sections[~element].id : try list.sectionID(at: element)
  }

  package func sectionIndex(of id: SectionID) throws(Failure) -> Int? {
    if let number = sectionNumbers[id] {
      return sections[number].isAlive ? order.offset(ofNode: number) : nil
    }
    return try list.sectionIndex(of: id).map { order.offset(ofPlace: $0) }
  }

  package func attributes(
    ofSection id: SectionID, at index: Int
  ) throws(Failure) -> SectionAttributes {
    if let number = sectionNumbers[id] { return sections[number].attributes }
    return try list.attributes(ofSection: id, at: order[index])
  }

  package func itemCount(inSection id: SectionID, at index: Int) throws(Failure) -> Int {
    if let number = sectionNumbers[id] { return sections[number].items.count }
    return try list.itemCount(inSection: id, at: order[index])
  }

  package func section(_ id: SectionID, at index: Int) throws(Failure) -> ListTree.Section {
    guard let number = sectionNumbers[id] else { return try list.section(id, at: order[index]) }
    let node = sections[number]
    var section = ListTree.Section(id: id, attributes: node.attributes)
    let runs = node.items.runs
    var before: [Item] = []
    if let place = node.before?.place, runs.contains(where: { !$0.isNode }) {
      before = try list.section(id, at: place).items
    }
    for run in runs {
      if run.isNode {
        let item = items[~run.first]
        section.items.append(Item(id: item.id, state: item.state))
      } else {
        section.items += before[run.first..<run.first + run.count]
      }
    }
    return section
  }

  package func itemID(at path: ItemPath) throws(Failure) -> ItemID {
    let element = order[path.section]
    guard element < 0 else {
      return try list.itemID(at: ItemPath(section: element, item: path.item))
    }
    let section = sections[~element]
    let item = section.items[path.item]
    guard item >= 0, let place = section.before?.place else { return items[~item].id }
    return try list.itemID(at: ItemPath(section: place, item: item))
  }

  package func location(of id: ItemID) throws(Failure) -> ItemLocation? {
    if let number = itemNumbers[id] {
      guard let holder = items[number].section else { return nil }
      let path = ItemPath(
        section: order.offset(ofNode: holder),
        item: sections[holder].items.offset(ofNode: number))
      return ItemLocation(section: sections[holder].id, path: path)
    }
    guard var location = try list.location(of: id) else { return nil }
    if let number = sectionNumbers[location.section] {
      location.path = ItemPath(
        section: order.offset(ofNode: number),
        item: sections[number].items.offset(ofPlace: location.path.item))
    } else {
      location.path.section = order.offset(ofPlace: location.path.section)
    }
    return location
  }

  package func state(of id: ItemID, at path: ItemPath) throws(Failure) -> ItemState {
    if let number = itemNumbers[id] { return items[number].state }
    return try list.state(of: id, at: placeBefore(path))
  }

  /// Where an item is in the list that is no node and is at a path of the sketch.
  private func placeBefore(_ path: ItemPath) -> ItemPath {
    let element = order[path.section]
    guard element < 0, let place = sections[~element].before?.place else {
      return ItemPath(section: element, item: path.item)
    }
    return ItemPath(section: place, item: sections[~element].items[path.item])
  }
}

// MARK: - Changes

extension ListSketch {
  private mutating func apply(_ entry: LogEntry) throws(Failure) {
    switch entry {
    case .updateList(_, let after): meta = .set(after)
    case .insertSection(let id, let attributes, let index):
      order.insert(number(ofNew: id, attributes), at: index)
    case .deleteSection(let section, let index): try delete(section, at: index)
    case .moveSection(_, let from, let to):
      let number = try open(from)
      order.remove(at: from)
      order.insert(number, at: to)
    case .updateSection(_, let index, _, let after):
      let number = try open(index)
      sections[number].attributes = after
    case .insertItem(let item, let path):
      let section = try open(path.section)
      let number = number(ofNew: item)
      items[number].section = section
      sections[section].items.insert(number, at: path.item)
    case .deleteItem(_, let path):
      let number = try open(path)
      items[number].section = nil
      sections[try open(path.section)].items.remove(at: path.item)
    case .moveItem(_, let from, let to):
      let number = try open(from)
      sections[try open(from.section)].items.remove(at: from.item)
      let target = try open(to.section)
      items[number].section = target
      sections[target].items.insert(number, at: to.item)
    case .updateItem(_, let path, _, let after):
      let number = try open(path)
      items[number].state = after
    case .touchItem(_, let path):
      let number = try open(path)
      items[number].isTouched = true
    }
  }

  /// The number of a section that is inserted, which may be one that was deleted before.
  private mutating func number(ofNew id: SectionID, _ attributes: SectionAttributes) -> Int {
    if let number = sectionNumbers[id] {
      sections[number].isAlive = true
      sections[number].attributes = attributes
      return number
    }
    sections.append(
      SectionNode(id: id, before: nil, attributes: attributes, items: SketchOrder(count: 0)))
    sectionNumbers[id] = sections.count - 1
    return sections.count - 1
  }

  /// The number of an item that is inserted, which may be one that was deleted before.
  private mutating func number(ofNew item: Item) -> Int {
    if let number = itemNumbers[item.id] {
      items[number].state = item.state
      return number
    }
    return append(ItemNode(id: item.id, before: nil, section: nil, state: item.state))
  }

  private mutating func append(_ item: ItemNode) -> Int {
    items.append(item)
    itemNumbers[item.id] = items.count - 1
    return items.count - 1
  }

  /// The number of the section at an index, which becomes a node.
  private mutating func open(_ index: Int) throws(Failure) -> Int {
    let place = order[index]
    if place < 0 { return ~place }
    let id = try list.sectionID(at: place)
    let attributes = try list.attributes(ofSection: id, at: place)
    let count = try list.itemCount(inSection: id, at: place)
    sections.append(
      SectionNode(
        id: id, before: (place, attributes), attributes: attributes,
        items: SketchOrder(count: count)))
    sectionNumbers[id] = sections.count - 1
    order.replace(at: index, with: sections.count - 1)
    return sections.count - 1
  }

  /// The number of the item at a path, which becomes a node.
  private mutating func open(_ path: ItemPath) throws(Failure) -> Int {
    let section = try open(path.section)
    let place = sections[section].items[path.item]
    guard place >= 0, let sectionPlace = sections[section].before?.place else { return ~place }
    let before = ItemPath(section: sectionPlace, item: place)
    let id = try list.itemID(at: before)
    let state = try list.state(of: id, at: before)
    let number = append(
      ItemNode(id: id, before: (section, place, state), section: section, state: state))
    sections[section].items.replace(at: path.item, with: number)
    return number
  }

  /// Deletes a section; each of its items becomes a node.
  private mutating func delete(_ section: ListTree.Section, at index: Int) throws(Failure) {
    let number = try open(index)
    var offset = 0
    for run in sections[number].items.runs {
      if run.isNode {
        items[~run.first].section = nil
      } else {
        for place in run.first..<run.first + run.count {
          let item = section.items[offset + place - run.first]
          _ = append(
            ItemNode(
              id: item.id, before: (number, place, item.state), section: nil, state: item.state))
        }
      }
      offset += run.count
    }
    sections[number].items = SketchOrder(count: 0)
    sections[number].isAlive = false
    order.remove(at: index)
  }
}
