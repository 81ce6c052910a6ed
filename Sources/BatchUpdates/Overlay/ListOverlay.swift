package import ListModel
import ListOrder

/// A list with changes that are not made yet: what the list would be after them.
///
/// It holds the sections and items that changes name, as *nodes*, and for the rest runs of places of
/// the list that it lies on. So it takes memory and time for what changes, however long the list is.
/// Afterwards ``changes()`` tells the net change: what was taken back and made again in between is
/// not in it. ``revert(_:)`` goes the other way, back through the list's log.
///
/// - Complexity: A change takes O(log *n*) steps, and as many questions to the list, *n* items;
///   deleting a section as many as it has items.
package struct ListOverlay<List: ListLookup> {
  /// The list that it lies on, which must not change meanwhile.
  let list: List
  private(set) var order: PieceTable
  private(set) var sections: ContiguousArray<SectionNode> = []
  private(set) var items: ContiguousArray<ItemNode> = []
  private(set) var meta: FieldUpdate<JSON?> = .unchanged
  /// How many gaps more there are than in the list.
  private var gapDifference = 0
  private var sectionNumbers: [SectionID: Int] = [:]
  private var itemNumbers: [ItemID: Int] = [:]

  /// A section that a change names, or in which one changes the order.
  struct SectionNode {
    let id: SectionID
    /// Where it is in the list; `nil` if the list does not have it.
    let place: Int?
    var isAlive = true
    var attributes = Values<SectionAttributes>()
    var items: PieceTable

    var placeBefore: Int {
      guard let place else { preconditionFailure("section \"\(id)\" was not in the list") }
      return place
    }
  }

  /// An item that a change names.
  struct ItemNode {
    let id: ItemID
    /// Where it is in the list, `section` by its number; `nil` if the list does not have it.
    let before: (section: Int, place: Int)?
    /// The number of the section that has it now; `nil` if none has.
    var section: Int?
    var state = Values<ItemState>()
    var isTouched = false
  }

  /// What a node is before and after the changes; `nil` as long as no change says it.
  struct Values<Value> {
    private(set) var before: Value?
    private(set) var after: Value?

    mutating func set(from old: Value?, to new: Value) {
      if after == nil { before = old }
      after = new
    }
  }

  /// A list as it is.
  package init(_ list: List) throws(List.Failure) {
    self.list = list
    order = PieceTable(count: try list.sectionCount())
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

extension ListOverlay: ListLookup {
  package typealias Failure = List.Failure

  package func listMeta() throws(Failure) -> JSON? {
    if case .set(let meta) = meta { meta } else { try list.listMeta() }
  }

  package func sectionCount() throws(Failure) -> Int { order.count }

  package func sectionID(at index: Int) throws(Failure) -> SectionID {
    switch order[index] {
    case .node(let number): sections[number].id
    case .place(let place): try list.sectionID(at: place)
    }
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
    switch order[index] {
    case .node(let number): try attributes(of: sections[number])
    case .place(let place): try list.attributes(ofSection: id, at: place)
    }
  }

  private func attributes(of section: SectionNode) throws(Failure) -> SectionAttributes {
    if let attributes = section.attributes.after { return attributes }
    return try list.attributes(ofSection: section.id, at: section.placeBefore)
  }

  package func itemCount(inSection id: SectionID, at index: Int) throws(Failure) -> Int {
    switch order[index] {
    case .node(let number): sections[number].items.count
    case .place(let place): try list.itemCount(inSection: id, at: place)
    }
  }

  package func section(_ id: SectionID, at index: Int) throws(Failure) -> ListTree.Section {
    let node: SectionNode
    switch order[index] {
    case .node(let number): node = sections[number]
    case .place(let place): return try list.section(id, at: place)
    }
    var section = ListTree.Section(id: id, attributes: try attributes(of: node))
    var before: [Item] = []
    if let place = node.place { before = try list.section(id, at: place).items }
    for piece in node.items.pieces {
      switch piece {
      case .node(let number):
        section.items.append(
          Item(id: items[number].id, state: try state(of: items[number])))
      case .places(let places): section.items += before[places]
      }
    }
    return section
  }

  package func itemID(at path: ItemPath) throws(Failure) -> ItemID {
    switch find(path) {
    case .node(let number): items[number].id
    case .path(let before): try list.itemID(at: before)
    }
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
    switch find(path) {
    case .node(let number): try state(of: items[number])
    case .path(let before): try list.state(of: id, at: before)
    }
  }

  package func gapCount() throws(Failure) -> Int { try list.gapCount() + gapDifference }

  package func gapIDs() throws(Failure) -> [ItemID] {
    var ids: [ItemID] = []
    for id in try list.gapIDs() where itemNumbers[id] == nil {
      if try location(of: id) != nil { ids.append(id) }
    }
    for item in items where item.section != nil {
      if try state(of: item).isGap { ids.append(item.id) }
    }
    return ids
  }

  package func isGap(at path: ItemPath) throws(Failure) -> Bool {
    switch find(path) {
    case .node(let number): try state(of: items[number]).isGap
    case .path(let before): try list.isGap(at: before)
    }
  }

  private func state(of item: ItemNode) throws(Failure) -> ItemState {
    if let state = item.state.after { return state }
    guard let (section, place) = item.before else {
      preconditionFailure("item \"\(item.id)\" was not in the list, and no change inserted it")
    }
    let path = ItemPath(section: sections[section].placeBefore, item: place)
    return try list.state(of: item.id, at: path)
  }

  /// An item: a node, or one that is still where it was in the list.
  private enum FoundItem {
    case node(Int)
    case path(ItemPath)
  }

  private func find(_ path: ItemPath) -> FoundItem {
    switch order[path.section] {
    case .place(let section): .path(ItemPath(section: section, item: path.item))
    case .node(let number):
      switch sections[number].items[path.item] {
      case .node(let item): .node(item)
      case .place(let place):
        .path(ItemPath(section: sections[number].placeBefore, item: place))
      }
    }
  }
}

// MARK: - Changes

extension ListOverlay {
  /// Whether a change names a section that is there.
  func isAlive(_ id: SectionID) -> Bool { sectionNumbers[id].map { sections[$0].isAlive } == true }

  /// Whether a change names an item that is there.
  func isAlive(_ id: ItemID) -> Bool { itemNumbers[id].map { items[$0].section != nil } == true }

  /// Makes a change that fits, at the paths that it carries.
  mutating func apply(_ entry: LogEntry) throws(Failure) {
    gapDifference += entry.gapDifference
    switch entry {
    case .updateList(_, let after): meta = .set(after)
    case .insertSection(let id, let attributes, let index):
      order.insert(number(ofNew: id, attributes), at: index)
    case .deleteSection(let section, let index): try delete(section, at: index)
    case .moveSection(_, let from, let to):
      let number = try open(from)
      order.remove(at: from)
      order.insert(number, at: to)
    case .updateSection(_, let index, let before, let after):
      sections[try open(index)].attributes.set(from: before, to: after)
    case .insertItem(let item, let path):
      let section = try open(path.section)
      let number = number(ofNew: item)
      items[number].section = section
      sections[section].items.insert(number, at: path.item)
    case .deleteItem(let item, let path):
      let number = try open(path)
      items[number].state.set(from: item.state, to: item.state)
      items[number].section = nil
      sections[try open(path.section)].items.remove(at: path.item)
    case .moveItem(_, let from, let to):
      let number = try open(from)
      sections[try open(from.section)].items.remove(at: from.item)
      let target = try open(to.section)
      items[number].section = target
      sections[target].items.insert(number, at: to.item)
    case .updateItem(_, let path, let before, let after):
      items[try open(path)].state.set(from: before, to: after)
    case .touchItem(_, let path): items[try open(path)].isTouched = true
    }
  }

  /// The number of a section that is inserted, which may be one that was deleted before.
  private mutating func number(ofNew id: SectionID, _ attributes: SectionAttributes) -> Int {
    let number =
      sectionNumbers[id] ?? append(SectionNode(id: id, place: nil, items: .init(count: 0)))
    sections[number].isAlive = true
    sections[number].attributes.set(from: nil, to: attributes)
    return number
  }

  /// The number of an item that is inserted, which may be one that was deleted before.
  private mutating func number(ofNew item: Item) -> Int {
    let number = itemNumbers[item.id] ?? append(ItemNode(id: item.id, before: nil))
    items[number].state.set(from: nil, to: item.state)
    return number
  }

  private mutating func append(_ section: SectionNode) -> Int {
    sections.append(section)
    sectionNumbers[section.id] = sections.count - 1
    return sections.count - 1
  }

  private mutating func append(_ item: ItemNode) -> Int {
    items.append(item)
    itemNumbers[item.id] = items.count - 1
    return items.count - 1
  }

  /// The number of the section at an index, which becomes a node.
  private mutating func open(_ index: Int) throws(Failure) -> Int {
    switch order[index] {
    case .node(let number): return number
    case .place(let place):
      let id = try list.sectionID(at: place)
      let count = try list.itemCount(inSection: id, at: place)
      let number = append(SectionNode(id: id, place: place, items: PieceTable(count: count)))
      order.replace(at: index, with: number)
      return number
    }
  }

  /// The number of the item at a path, which becomes a node.
  private mutating func open(_ path: ItemPath) throws(Failure) -> Int {
    let section = try open(path.section)
    switch sections[section].items[path.item] {
    case .node(let number): return number
    case .place(let place):
      let before = ItemPath(section: sections[section].placeBefore, item: place)
      let number = append(
        ItemNode(id: try list.itemID(at: before), before: (section, place), section: section))
      sections[section].items.replace(at: path.item, with: number)
      return number
    }
  }

  /// Deletes a section; each of its items becomes a node.
  ///
  /// `section`: What it is now.
  private mutating func delete(_ section: ListTree.Section, at index: Int) throws(Failure) {
    let number = try open(index)
    sections[number].attributes.set(from: section.attributes, to: section.attributes)
    var rest = section.items[...]
    for piece in sections[number].items.pieces {
      switch piece {
      case .node(let item):
        let state = rest.removeFirst().state
        items[item].state.set(from: state, to: state)
        items[item].section = nil
      case .places(let places):
        for (place, item) in zip(places, rest) {
          var node = ItemNode(id: item.id, before: (number, place))
          node.state.set(from: item.state, to: item.state)
          _ = append(node)
        }
        rest.removeFirst(places.count)
      }
    }
    sections[number].items = PieceTable(count: 0)
    sections[number].isAlive = false
    order.remove(at: index)
  }
}
