public import ListModel
package import ListOrder

/// A list at one revision, which answers a data source's questions.
///
/// Counts and the order of items are always in memory. A Provider made from a
/// ``/ListModel/ListTree`` has the rest in memory too. A Provider of a list in a store reads ids,
/// cells, sizes and contents when they are first asked for, some dozens of items at once, at the
/// revision that it shows. ``prefetch(_:inSection:withContents:)`` reads them earlier. If a read
/// fails, the answer is `nil` and ``failedReadCount`` grows.
///
/// A Provider is a value: a copy stays at its revision while the other moves on, and both share
/// whatever is the same in them. An index or a path out of bounds never traps; the answer is `nil`
/// or 0.
///
/// In complexities, *n* is the count of items and sections.
public struct Provider: Sendable {
  /// The list's id.
  public let list: ListID
  /// The revision that it shows.
  public internal(set) var revision: Int
  /// The app's own data about the list, at that revision; `nil` if it has none.
  public internal(set) var meta: JSON?
  /// The order of sections and items.
  ///
  /// Both are named by *handles*: small numbers that stay with a section or an item wherever it
  /// moves.
  package internal(set) var outline: ListOutline
  /// The sections, without their items.
  var sections: SectionTable
  /// The items of a list in memory; empty if a store has them.
  ///
  /// Not behind an existential as those of a store: `path(of:)` took 1.3 times as long, and
  /// `item(at:)` 1.1 times.
  var table: ItemTable
  /// The items of a list in a store; `nil` if they are in memory.
  package internal(set) var stored: (any StoredItems)?
  /// The visibility of each section that is not simply shown, by handle.
  var visibilities: [Int32: SectionAttributes.Visibility] = [:]
  /// The list's position in a store; `nil` for a list that comes from none.
  package internal(set) var position: StorePosition?

  /// Makes a Provider of a list in memory.
  ///
  /// - Parameter tree: The list, in which each id occurs once.
  /// - Complexity: O(*n*).
  public init(_ tree: ListTree) {
    list = tree.list
    revision = tree.revision
    meta = tree.meta
    outline = ListOutline(counts: tree.itemCounts)
    sections = SectionTable(tree.sections.map { .init(id: $0.id, attributes: $0.attributes) })
    table = ItemTable(tree)
    for (index, section) in tree.sections.enumerated() where section.attributes.visibility != .shown
    {
      visibilities[outline.section(at: index)] = section.attributes.visibility
    }
  }

  /// Makes a Provider of a list that is both in memory and in a store.
  package init(_ tree: ListTree, at position: StorePosition?) {
    self.init(tree)
    self.position = position
  }

  /// Makes a Provider of a list whose items are read from a store when they are asked for.
  ///
  /// `sections`: The ids of the sections, each of which occurs once, and how many items each has.
  /// `visibilities`: The visibility of each section that is not simply shown.
  /// `items`: Reads items at the revision.
  /// - Complexity: O(*s* + *n* / 64), *s* sections, *n* items.
  package init(
    list: ListID, revision: Int, meta: JSON?, sections: [(id: SectionID, itemCount: Int)],
    visibilities: [SectionID: SectionAttributes.Visibility], items: any StoredItems,
    position: StorePosition?
  ) {
    self.list = list
    self.revision = revision
    self.meta = meta
    outline = ListOutline(counts: sections.map(\.itemCount))
    self.sections = SectionTable(sections.map { .init(id: $0.id, attributes: nil) })
    table = ItemTable()
    stored = items
    self.position = position
    for (section, visibility) in visibilities {
      if let handle = self.sections.handle(of: section) { self.visibilities[handle] = visibility }
    }
  }

  /// Whether items are read from a store when they are asked for.
  package var readsFromStore: Bool { stored != nil }

  // MARK: Counts, sections and items

  /// How many sections the list has.
  ///
  /// - Complexity: O(1).
  public var numberOfSections: Int { outline.sectionCount }

  /// How many items all sections hold together.
  ///
  /// - Complexity: O(1).
  public var numberOfItems: Int { outline.itemCount }

  /// How many items a section holds; 0 if there is no such section.
  ///
  /// - Complexity: O(log *n*).
  public func numberOfItems(inSection index: Int) -> Int {
    hasSection(index) ? outline.itemCount(inSection: index) : 0
  }

  /// The id of the section at an index; `nil` if there is no such section.
  ///
  /// - Complexity: O(log *n*).
  public func sectionID(at index: Int) -> SectionID? {
    hasSection(index) ? sections[outline.section(at: index)]?.id : nil
  }

  /// The layout, header, footer and meta of the section at an index; `nil` if there is no such
  /// section.
  ///
  /// - Complexity: O(log *n*).
  public func attributes(ofSection index: Int) -> SectionAttributes? {
    guard hasSection(index), let section = sections[outline.section(at: index)] else {
      return nil
    }
    return section.attributes ?? stored?.attributes(of: section.id, in: self)
  }

  /// The section at an index, with all its items; `nil` if there is no such section.
  ///
  /// - Complexity: O(log *n* + *m*), *m* items in the section.
  public func section(at index: Int) -> ListTree.Section? {
    guard let section = sectionID(at: index), let attributes = attributes(ofSection: index)
    else { return nil }
    return ListTree.Section(id: section, attributes: attributes, items: items(inSection: index))
  }

  /// The items of a section, in order; those that can't be read are missing.
  private func items(inSection index: Int) -> [Item] {
    let count = numberOfItems(inSection: index)
    if stored != nil {
      return (0..<count).compactMap { item(at: ItemPath(section: index, item: $0)) }
    }
    var found: [Item] = []
    found.reserveCapacity(count)
    outline.forEachRun(inSection: outline.section(at: index)) { run in
      for offset in 0..<Int32(run.count) {
        if let item = table[run.first + offset] { found.append(item) }
      }
    }
    return found
  }

  /// The id of the item at a path; `nil` if there is no such item.
  ///
  /// - Complexity: O(log *n*).
  public func itemID(at path: ItemPath) -> ItemID? {
    guard hasItem(at: path) else { return nil }
    guard let stored else { return table.id(of: outline.item(at: path)) }
    return stored.itemID(at: path, in: self)
  }

  /// The item at a path; `nil` if there is no such item.
  ///
  /// - Complexity: O(log *n*).
  public func item(at path: ItemPath) -> Item? {
    guard hasItem(at: path) else { return nil }
    guard let stored else { return table[outline.item(at: path)] }
    return stored.item(at: path, in: self)
  }

  /// The cell that shows the item at a path, and how often the item's state has changed.
  ///
  /// The item's content is not read. `nil` if there is no such item.
  ///
  /// - Complexity: O(log *n*).
  public func cell(at path: ItemPath) -> (cell: CellName, contentRevision: Int)? {
    guard hasItem(at: path) else { return nil }
    guard let stored else {
      return table[outline.item(at: path)].map { ($0.state.cell, $0.state.contentRevision) }
    }
    return stored.cell(at: path, in: self)
  }

  /// A number that the item's content has, and no other content of the store; `nil` for a list in
  /// memory, and if there is no such item.
  package func contentRow(at path: ItemPath) -> Int? {
    hasItem(at: path) ? stored?.contentRow(at: path, in: self) : nil
  }

  // MARK: Indexes and paths

  /// The index of a section; `nil` if the list has none of this id.
  ///
  /// - Complexity: O(log *n*).
  public func index(of section: SectionID) -> Int? {
    sections.handle(of: section).map { outline.index(ofSection: $0) }
  }

  /// The path of an item; `nil` if the list has none of this id.
  ///
  /// - Complexity: O(log *n*).
  public func path(of item: ItemID) -> ItemPath? {
    guard let stored else { return table.handle(of: item).map { outline.path(ofItem: $0) } }
    return stored.path(of: item, in: self)
  }

  /// What the list has not loaded: its gaps, in no order.
  ///
  /// - Complexity: As that of reading them, for a list in a store; else O(*n*).
  package var gaps: [ItemID] {
    if let stored { return stored.gaps(in: self) }
    return (0..<numberOfSections).flatMap { items(inSection: $0) }.filter(\.state.isGap).map(\.id)
  }

  /// The list as plain arrays.
  ///
  /// - Complexity: O(*n*).
  public var tree: ListTree {
    ListTree(
      list: list, revision: revision, meta: meta,
      sections: (0..<numberOfSections).compactMap { section(at: $0) })
  }
}

extension Provider: Hashable {
  /// Whether both are the same list at the same revision with the same content.
  ///
  /// - Complexity: O(*n*).
  public static func == (lhs: Provider, rhs: Provider) -> Bool {
    lhs.revision == rhs.revision && lhs.tree == rhs.tree
  }

  /// Hashes the list, the revision and the ids of the sections.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(list)
    hasher.combine(revision)
    for index in 0..<numberOfSections { hasher.combine(sectionID(at: index)) }
  }
}
