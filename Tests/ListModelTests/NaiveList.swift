import ListModel

/// A list as plain arrays, changed in the most obvious way: take out, look for the place, put in.
///
/// It shares no code with the module's resolver, so that the two can disagree.
struct NaiveList: Equatable, CustomStringConvertible {
  struct Group: Equatable {
    let id: SectionID
    var attributes: SectionAttributes
    var items: [Item]
  }

  var meta: JSON?
  var groups: [Group]

  init(_ tree: ListTree) {
    meta = tree.meta
    groups = tree.sections.map { Group(id: $0.id, attributes: $0.attributes, items: $0.items) }
  }

  var description: String {
    groups.map { "\($0.id)\($0.items.map(\.id.rawValue))" }.joined(separator: " ")
  }

  /// The list after a change, `nil` if the change does not fit.
  func applying(_ change: Change) -> NaiveList? {
    var list = self
    switch change {
    case .updateList(let meta): list.meta = meta?.text == "null" ? nil : meta
    case .insertSection(let id, let attributes, let place):
      if hasSection(id) || hasWrongLayout(attributes) { return nil }
      let group = Group(id: id, attributes: attributes, items: [])
      if !Self.put(group, into: &list.groups, at: place, id: \.id) { return nil }
    case .deleteSection(let id):
      if !hasSection(id) { return nil }
      list.groups = groups.filter { $0.id != id }
    case .moveSection(let id, let place):
      guard let group = groups.first(where: { $0.id == id }) else { return nil }
      list.groups = groups.filter { $0.id != id }
      if !Self.put(group, into: &list.groups, at: place, id: \.id) { return nil }
    case .updateSection(let id, let update):
      if !hasSection(id) { return nil }
      for index in groups.indices where groups[index].id == id {
        var attributes = groups[index].attributes
        if case .set(let layout) = update.layout { attributes.layout = layout }
        if case .set(let header) = update.header { attributes.header = header }
        if case .set(let footer) = update.footer { attributes.footer = footer }
        if case .set(let meta) = update.meta { attributes.meta = meta }
        if case .set(let new) = update.visibility { attributes.visibility = new }
        if case .set(let views) = update.supplementaries { attributes.supplementaries = views }
        if case .set(let all) = update.decorations { attributes.decorations = all }
        if hasWrongLayout(attributes) { return nil }
        list.groups[index].attributes = attributes
      }
    case .insertItem(let item, let section, let place):
      if itemIDs.contains(item.id) { return nil }
      if !list.put(item, intoSection: section, at: place) { return nil }
    case .deleteItem(let id):
      if list.take(id) == nil { return nil }
    case .moveItem(let id, let section, let place):
      let home = groups.first { $0.items.contains { $0.id == id } }?.id
      guard let item = list.take(id), let target = section ?? home else { return nil }
      if !list.put(item, intoSection: target, at: place) { return nil }
    case .updateItem(let id, let update):
      if !itemIDs.contains(id) { return nil }
      list.rewrite(id) { state in
        let before = state
        if case .set(let cell) = update.cell { state.cell = cell }
        if case .set(let content) = update.content { state.content = content }
        if case .set(let type) = update.type { state.type = type }
        if case .set(let action) = update.action { state.action = action }
        // The contents that these tests set mean the same only when they are the same text.
        if state != before { state.contentRevision += 1 }
      }
    case .touchItem(let id):
      if !itemIDs.contains(id) { return nil }
    }
    return list
  }

  private var itemIDs: [ItemID] { groups.flatMap { $0.items.map(\.id) } }

  private func hasSection(_ id: SectionID) -> Bool { groups.contains { $0.id == id } }

  private func hasWrongLayout(_ attributes: SectionAttributes) -> Bool {
    attributes.layout?.columns == 0
  }

  private mutating func take(_ id: ItemID) -> Item? {
    for group in groups.indices {
      for item in groups[group].items where item.id == id {
        groups[group].items.removeAll { $0.id == id }
        return item
      }
    }
    return nil
  }

  private mutating func put(_ item: Item, intoSection id: SectionID, at place: Place<ItemID>)
    -> Bool
  {
    for index in groups.indices where groups[index].id == id {
      return Self.put(item, into: &groups[index].items, at: place, id: \.id)
    }
    return false
  }

  private mutating func rewrite(_ id: ItemID, _ body: (inout ItemState) -> Void) {
    for group in groups.indices {
      for index in groups[group].items.indices where groups[group].items[index].id == id {
        body(&groups[group].items[index].state)
      }
    }
  }

  private static func put<Element, ID>(
    _ element: Element, into siblings: inout [Element], at place: Place<ID>,
    id: (Element) -> ID
  ) -> Bool {
    switch place {
    case .start: siblings = [element] + siblings
    case .end: siblings = siblings + [element]
    case .index(let index):
      if index < 0 || index > siblings.count { return false }
      siblings = siblings.prefix(index) + [element] + siblings.dropFirst(index)
    case .after(let anchor):
      guard let index = siblings.firstIndex(where: { id($0) == anchor }) else { return false }
      siblings = siblings[...index] + [element] + siblings[(index + 1)...]
    case .before(let anchor):
      guard let index = siblings.firstIndex(where: { id($0) == anchor }) else { return false }
      siblings = siblings[..<index] + [element] + siblings[index...]
    }
    return true
  }
}
