public import ListModel
package import ListOrder

/// A list at one revision, which answers a data source's questions.
///
/// Counts and the order of its items are in memory. So is the rest of a list that was made from a
/// ``/ListModel/ListTree``. Of a list that is in a store, ids, cells, sizes and contents are read
/// when they are first asked for, some dozens of items at once, at the revision that the Provider
/// shows; no question waits for more than that, and ``prefetch(_:inSection:withContents:)`` asks
/// before. What can't be read is `nil`, and counted in ``failedReadCount``.
///
/// A value: a copy stays at its revision while another one moves on, and both share what is the
/// same in them. Accessors are total: what is out of bounds is `nil` or 0, never a trap.
///
/// Complexities are in *n*, the count of items and sections.
public struct Provider: Sendable {
  /// The list's id.
  public let list: ListID
  /// The revision that it shows.
  public internal(set) var revision: Int
  package internal(set) var outline: ListOutline
  var contents: ListContents
  /// Of the sections that have another visibility than shown, by their handles.
  var visibilities: [Int32: SectionVisibility] = [:]
  /// Where it stands in a store; `nil` for a list that comes from none.
  package internal(set) var position: StorePosition?

  /// A list as it is.
  ///
  /// - Parameter tree: Its ids occur once each.
  /// - Complexity: O(*n*).
  public init(_ tree: ListTree) {
    list = tree.list
    revision = tree.revision
    outline = ListOutline(counts: tree.itemCounts)
    contents = ListContents(tree)
    for (index, section) in tree.sections.enumerated() where section.attributes.visibility != .shown
    {
      visibilities[outline.section(at: index)] = section.attributes.visibility
    }
  }

  /// A list in memory that stands somewhere in a store.
  package init(_ tree: ListTree, at position: StorePosition?) {
    self.init(tree)
    self.position = position
  }

  /// A list whose items stay in a store until they are asked for.
  ///
  /// `sections`: Their ids, which occur once each, and how many items each has.
  /// `visibilities`: Of the sections that have another than shown.
  /// `items`: Reads them at the revision.
  /// - Complexity: O(*s* + *n* / 64), *s* sections, *n* items.
  package init(
    list: ListID, revision: Int, sections: [(id: SectionID, itemCount: Int)],
    visibilities: [SectionID: SectionVisibility], items: any StoredItems, position: StorePosition?
  ) {
    self.list = list
    self.revision = revision
    outline = ListOutline(counts: sections.map(\.itemCount))
    contents = ListContents(sections: sections.map(\.id), items: items)
    self.position = position
    for (section, visibility) in visibilities {
      if let handle = contents.handle(of: section) { self.visibilities[handle] = visibility }
    }
  }

  /// Whether items are read from a store when they are asked for.
  package var readsFromStore: Bool { contents.stored != nil }

  // MARK: What a data source is asked

  /// - Complexity: O(1).
  public var numberOfSections: Int { outline.sectionCount }

  /// How many items all sections hold.
  ///
  /// - Complexity: O(1).
  public var numberOfItems: Int { outline.itemCount }

  /// How many items a section holds; 0 if there is no such section.
  ///
  /// - Complexity: O(log *n*).
  public func numberOfItems(inSection index: Int) -> Int {
    hasSection(index) ? outline.itemCount(inSection: index) : 0
  }

  /// The id of the section at an index.
  ///
  /// - Complexity: O(log *n*).
  public func sectionID(at index: Int) -> SectionID? {
    hasSection(index) ? contents[section: outline.section(at: index)]?.id : nil
  }

  /// The layout, header, footer and meta of the section at an index.
  ///
  /// - Complexity: O(log *n*).
  public func attributes(ofSection index: Int) -> SectionAttributes? {
    guard hasSection(index), let section = contents[section: outline.section(at: index)] else {
      return nil
    }
    return section.attributes ?? contents.stored?.attributes(of: section.id)
  }

  /// The section at an index, with all its items.
  ///
  /// - Complexity: O(log *n* + *m*), *m* items in the section.
  public func section(at index: Int) -> ListTree.Section? {
    guard hasSection(index) else { return nil }
    let handle = outline.section(at: index)
    guard let section = contents[section: handle], let attributes = attributes(ofSection: index)
    else { return nil }
    var items: [Item] = []
    items.reserveCapacity(outline.itemCount(inSection: index))
    if contents.stored != nil {
      for offset in 0..<outline.itemCount(inSection: index) {
        if let item = item(at: ItemPath(section: index, item: offset)) { items.append(item) }
      }
    } else {
      outline.forEachRun(inSection: handle) { run in
        for offset in 0..<Int32(run.count) {
          if let item = contents[item: run.first + offset] { items.append(item) }
        }
      }
    }
    return ListTree.Section(id: section.id, attributes: attributes, items: items)
  }

  /// The id of the item at a path.
  ///
  /// - Complexity: O(log *n*).
  public func itemID(at path: ItemPath) -> ItemID? {
    guard hasItem(at: path) else { return nil }
    let handle = outline.item(at: path)
    guard let stored = contents.stored else { return contents.itemID(at: handle) }
    return sectionID(at: path.section).flatMap {
      stored.id(of: handle, at: path, in: $0, ItemOrder(outline))
    }
  }

  /// The item at a path.
  ///
  /// - Complexity: O(log *n*).
  public func item(at path: ItemPath) -> Item? {
    guard hasItem(at: path) else { return nil }
    let handle = outline.item(at: path)
    guard let stored = contents.stored else { return contents[item: handle] }
    return sectionID(at: path.section).flatMap {
      stored.item(of: handle, at: path, in: $0, ItemOrder(outline))
    }
  }

  /// The cell that shows the item at a path, and how often its state changed; without its content.
  ///
  /// - Complexity: O(log *n*).
  public func cell(at path: ItemPath) -> (cell: CellName, contentRevision: Int)? {
    guard hasItem(at: path) else { return nil }
    let handle = outline.item(at: path)
    guard let stored = contents.stored else {
      return contents[item: handle].map { ($0.state.cell, $0.state.contentRevision) }
    }
    return sectionID(at: path.section).flatMap {
      stored.cell(of: handle, at: path, in: $0, ItemOrder(outline))
    }
  }

  // MARK: Where things are

  /// The index of a section; `nil` if the list has none of this id.
  ///
  /// - Complexity: O(log *n*).
  public func index(of section: SectionID) -> Int? {
    contents.handle(of: section).map { outline.index(ofSection: $0) }
  }

  /// The path of an item; `nil` if the list has none of this id.
  ///
  /// - Complexity: O(log *n*).
  public func path(of item: ItemID) -> ItemPath? {
    if let stored = contents.stored { return stored.path(of: item) }
    return contents.handle(of: item).map { outline.path(ofItem: $0) }
  }

  /// The list as plain arrays.
  ///
  /// - Complexity: O(*n*).
  public var tree: ListTree {
    ListTree(
      list: list, revision: revision,
      sections: (0..<numberOfSections).compactMap { section(at: $0) })
  }

  func hasSection(_ index: Int) -> Bool { index >= 0 && index < outline.sectionCount }

  func hasItem(at path: ItemPath) -> Bool {
    path.item >= 0 && path.item < numberOfItems(inSection: path.section)
  }
}

extension Provider: Hashable {
  /// Whether both are the same list, at the same revision, with the same content.
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
