package import ListModel

/// A list with edits beside a feed, in the plainest way: whole trees, and for each line the server's
/// changes, then what still fits of the edits, in their order.
package struct EditModel {
  /// What the server has.
  package private(set) var base: ListTree
  /// What the app shows.
  package private(set) var list: ListTree
  package private(set) var edits: [Edit] = []
  /// The edits that ended, by name.
  package private(set) var ends: [String: End] = [:]

  package struct Edit {
    package var name: String
    package var isPending: Bool
    package var changes: [(change: Change, index: Int?)]
    /// Whether it waits aside: for the list to come back after a reset, or for an answer.
    package var isAside = false
    /// Whether the server has said that it has it.
    package var isAccepted = false
  }

  package enum End {
    case taken, rejected, conflicted
  }

  /// What a line is.
  package enum Line {
    case commit([Change])
    case snapshot([ListTree.Section])
    case reset
  }

  package init(_ list: ListTree) {
    base = list
    self.list = list
  }

  /// An edit of the app.
  package mutating func edit(_ changes: [Change], named name: String, isPending: Bool) throws {
    var noted: [(change: Change, index: Int?)] = []
    for change in changes {
      let before = list
      try list.apply(change)
      noted.append(Self.noted(change, before, list))
    }
    if edits.isEmpty, !isPending {
      base = list
    } else {
      edits.append(Edit(name: name, isPending: isPending, changes: noted))
    }
  }

  /// A line of the feed.
  package mutating func apply(_ line: Line, acknowledging name: String? = nil) throws {
    switch line {
    case .commit(let changes): for change in changes { try base.apply(change) }
    case .snapshot(let sections):
      base.sections = sections
      endAccepted()
    case .reset:
      base.sections = []
      base.meta = nil
      endAccepted()
    }
    if let name { end(name, .taken) }
    rebuild(after: line)
  }

  /// A refusal of the server.
  package mutating func reject(_ name: String) {
    guard edits.contains(where: { $0.name == name }) || ends[name] == .conflicted else { return }
    end(name, .rejected)
    rebuild(after: nil)
  }

  /// The server has an edit, in a line that the list has or has not got.
  package mutating func accept(_ name: String, isInList: Bool) {
    guard let index = edits.firstIndex(where: { $0.name == name && !$0.isAccepted }) else { return }
    if isInList || edits[index].isAside {
      end(name, .taken)
      rebuild(after: nil)
    } else {
      edits[index].isAccepted = true
    }
  }

  private mutating func endAccepted() {
    for edit in edits where edit.isAccepted { end(edit.name, .taken) }
  }

  private mutating func end(_ name: String, _ end: End) {
    edits.removeAll { $0.name == name }
    ends[name] = end
  }

  private mutating func rebuild(after line: Line?) {
    list = base
    var kept: [Edit] = []
    for var edit in edits {
      var attempt = list
      if Self.make(edit.changes, in: &attempt) {
        list = attempt
        edit.isAside = false
        kept.append(edit)
        continue
      }
      var staysAside = edit.isAside || edit.isAccepted
      if case .reset = line { staysAside = true }
      if case .snapshot = line { staysAside = edit.isPending }
      edit.isAside = staysAside
      if staysAside { kept.append(edit) } else { ends[edit.name] = .conflicted }
    }
    edits = kept
    if edits.contains(where: \.isPending) { return }
    for edit in edits where edit.isAside { ends[edit.name] = .conflicted }
    edits = []
    base = list
  }

  /// The changes by which a server takes an edit as it is; `nil` if it does not fit.
  package func changesOfServer(taking name: String) -> [Change]? {
    var server = base
    var changes: [Change] = []
    for (change, index) in edits.first(where: { $0.name == name })?.changes ?? [] {
      guard let change = Self.settled(change, index, server) else { continue }
      do { try server.apply(change) } catch { return nil }
      changes.append(change)
    }
    return changes
  }

  // MARK: Making an edit again

  private static func make(
    _ changes: [(change: Change, index: Int?)], in tree: inout ListTree
  ) -> Bool {
    for (change, index) in changes {
      guard let change = settled(change, index, tree) else { continue }
      do { try tree.apply(change) } catch { return false }
    }
    return true
  }

  /// A place becomes a neighbour, and an update what differs.
  private static func noted(
    _ change: Change, _ before: ListTree, _ after: ListTree
  ) -> (change: Change, index: Int?) {
    let sections = after.sections.map(\.id)
    switch change {
    case .insertSection(let id, let attributes, let place):
      let index = sections.firstIndex(of: id) ?? -1
      return (.insertSection(id, attributes, at: next(place, index, sections)), index)
    case .moveSection(let id, let place):
      let index = sections.firstIndex(of: id) ?? -1
      return (.moveSection(id, to: next(place, index, sections)), index)
    case .insertItem(let item, let section, let place):
      let items = items(section, after)
      let index = items.firstIndex(of: item.id) ?? -1
      return (.insertItem(item, in: section, at: next(place, index, items)), index)
    case .moveItem(let id, _, let place):
      let section = after.sections.first { $0.items.contains { $0.id == id } }
      let items = section?.items.map(\.id) ?? []
      let index = items.firstIndex(of: id) ?? -1
      return (.moveItem(id, in: section?.id, to: next(place, index, items)), index)
    case .updateItem(let id, _):
      guard let old = item(id, before)?.state, let new = item(id, after)?.state else { break }
      var update = ItemUpdate()
      if old.cell != new.cell { update.cell = .set(new.cell) }
      if old.content != new.content { update.content = .set(new.content) }
      if old.type != new.type { update.type = .set(new.type) }
      if old.action != new.action { update.action = .set(new.action) }
      return (.updateItem(id, update), nil)
    case .updateSection(let id, _):
      guard let old = before.sections.first(where: { $0.id == id })?.attributes,
        let new = after.sections.first(where: { $0.id == id })?.attributes
      else { break }
      var update = SectionUpdate()
      if old.layout != new.layout { update.layout = .set(new.layout) }
      if old.header != new.header { update.header = .set(new.header) }
      if old.footer != new.footer { update.footer = .set(new.footer) }
      if old.meta != new.meta { update.meta = .set(new.meta) }
      if old.visibility != new.visibility { update.visibility = .set(new.visibility) }
      if old.supplementaries != new.supplementaries {
        update.supplementaries = .set(new.supplementaries)
      }
      if old.decorations != new.decorations { update.decorations = .set(new.decorations) }
      return (.updateSection(id, update), nil)
    default: break
    }
    return (change, nil)
  }

  private static func next<ID>(_ place: Place<ID>, _ index: Int, _ ids: [ID]) -> Place<ID> {
    guard case .index = place else { return place }
    return index == 0 ? .start : .after(ids[index - 1])
  }

  private static func settled(_ change: Change, _ index: Int?, _ tree: ListTree) -> Change? {
    let sections = tree.sections.map(\.id)
    switch change {
    case .touchItem: return nil
    case .deleteItem(let id): return item(id, tree) == nil ? nil : change
    case .deleteSection(let id): return sections.contains(id) ? change : nil
    case .insertSection(let id, let attributes, let place):
      return .insertSection(id, attributes, at: settled(place, index, sections, nil))
    case .moveSection(let id, let place):
      return .moveSection(id, to: settled(place, index, sections, id))
    case .insertItem(let item, let section, let place):
      return .insertItem(
        item, in: section, at: settled(place, index, items(section, tree), nil))
    case .moveItem(let id, let section?, let place):
      return .moveItem(id, in: section, to: settled(place, index, items(section, tree), id))
    default: return change
    }
  }

  private static func settled<ID>(
    _ place: Place<ID>, _ index: Int?, _ ids: [ID], _ moved: ID?
  ) -> Place<ID> {
    switch place {
    case .after(let anchor), .before(let anchor):
      let others = ids.filter { $0 != moved }
      return ids.contains(anchor) ? place : .index(min(index ?? .max, others.count))
    default: return place
    }
  }

  private static func items(_ section: SectionID, _ tree: ListTree) -> [ItemID] {
    tree.sections.first { $0.id == section }?.items.map(\.id) ?? []
  }

  private static func item(_ id: ItemID, _ tree: ListTree) -> Item? {
    tree.sections.lazy.flatMap(\.items).first { $0.id == id }
  }
}

extension ListTree {
  /// The list without what counts how it came about: its revision and those of contents.
  package var withoutRevisions: ListTree {
    var tree = self
    tree.revision = 0
    for section in tree.sections.indices {
      for item in tree.sections[section].items.indices {
        tree.sections[section].items[item].state.contentRevision = 0
      }
    }
    return tree
  }
}
