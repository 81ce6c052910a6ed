package import BatchUpdates
public import ListModel

/// A list in memory at one revision; answers a data source's questions without touching SQLite.
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
  package private(set) var outline: ListOutline
  private var contents: ListContents

  /// A list as it is.
  ///
  /// - Parameter tree: Its ids occur once each.
  /// - Complexity: O(*n*).
  public init(_ tree: ListTree) {
    list = tree.list
    revision = tree.revision
    outline = ListOutline(counts: tree.itemCounts)
    contents = ListContents(tree)
  }

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
    hasSection(index) ? contents[section: outline.section(at: index)]?.attributes : nil
  }

  /// The section at an index, with all its items.
  ///
  /// - Complexity: O(log *n* + *m*), *m* items in the section.
  public func section(at index: Int) -> Section? {
    guard hasSection(index) else { return nil }
    let handle = outline.section(at: index)
    guard let section = contents[section: handle] else { return nil }
    var items: [Item] = []
    items.reserveCapacity(outline.itemCount(inSection: index))
    outline.forEachRun(inSection: handle) { run in
      for offset in 0..<Int32(run.count) {
        if let item = contents[item: run.first + offset] { items.append(item) }
      }
    }
    return Section(id: section.id, attributes: section.attributes, items: items)
  }

  /// The id of the item at a path.
  ///
  /// - Complexity: O(log *n*).
  public func itemID(at path: ItemPath) -> ItemID? {
    hasItem(at: path) ? contents.itemID(at: outline.item(at: path)) : nil
  }

  /// The item at a path.
  ///
  /// - Complexity: O(log *n*).
  public func item(at path: ItemPath) -> Item? {
    hasItem(at: path) ? contents[item: outline.item(at: path)] : nil
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
    contents.handle(of: item).map { outline.path(ofItem: $0) }
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

// MARK: - Log entries

extension Provider {
  /// Replays an entry, at the paths that it carries.
  ///
  /// - Parameters:
  ///   - entry: What happened.
  ///   - removed: The handles of items that are gone. They stay theirs until ``release(_:)``: an item
  ///     that returns has its handle again, and no other item has it meanwhile.
  /// - Throws: ``ChangeError/logMismatch(_:)`` if the entry does not fit; nothing is changed then.
  /// - Complexity: O(log *n*), for a deleted section also its items.
  mutating func replay(
    _ entry: LogEntry, removed: inout Set<Int32>
  ) throws(ChangeError) {
    switch entry {
    case .insertSection(let id, let attributes, let index):
      guard index >= 0, index <= numberOfSections, contents.handle(of: id) == nil else {
        throw .logMismatch("section \"\(id)\" inserted at \(index) of \(numberOfSections)")
      }
      contents.insert(
        .init(id: id, attributes: attributes), at: outline.insertSection(at: index))
    case .deleteSection(let section, let index):
      _ = try handle(of: section.id, at: index)
      contents.removeSection(
        outline.removeSection(at: index) { run in
          removed.formUnion(run.first..<run.first + Int32(run.count))
        })
    case .moveSection(let id, let from, let to):
      _ = try handle(of: id, at: from)
      guard hasSection(to) else {
        throw .logMismatch("section \"\(id)\" moved to \(to) of \(numberOfSections)")
      }
      outline.moveSection(from: from, to: to)
    case .updateSection(let id, let index, _, let after):
      contents.setAttributes(after, of: try handle(of: id, at: index))
    case .insertItem(let item, let path):
      try expectRoom(for: item.id, at: path, leaving: nil)
      if let handle = contents.handle(of: item.id) {
        guard removed.remove(handle) != nil else {
          throw .logMismatch("item \"\(item.id)\" inserted at \(path), but it is there")
        }
        contents.setState(item.state, of: outline.insertItem(at: path, returning: handle))
      } else {
        contents.insert(item, at: outline.insertItem(at: path))
      }
    case .deleteItem(let item, let path):
      guard hasItem(at: path) else { throw mismatch(item.id, path) }
      // Looked up once, and put back if it is another one: such a log is rare.
      let handle = outline.removeItem(at: path)
      guard contents.hasItem(item.id, at: handle) else {
        outline.insertItem(at: path, returning: handle)
        throw mismatch(item.id, path)
      }
      removed.insert(handle)
    case .moveItem(let id, let from, let to):
      guard hasItem(at: from) else { throw mismatch(id, from) }
      try expectRoom(for: id, at: to, leaving: from.section)
      guard contents.hasItem(id, at: outline.moveItem(from: from, to: to)) else {
        outline.moveItem(from: to, to: from)
        throw mismatch(id, from)
      }
    case .updateItem(let id, let path, _, let after):
      contents.setState(after, of: try handle(of: id, at: path))
    case .touchItem(let id, let path):
      _ = try handle(of: id, at: path)
    }
  }

  /// Forgets removed items.
  mutating func release(_ removed: Set<Int32>) {
    for handle in removed {
      contents.removeItem(handle)
      outline.release(handle)
    }
  }

  private func handle(of id: SectionID, at index: Int) throws(ChangeError) -> Int32 {
    if hasSection(index) {
      let handle = outline.section(at: index)
      if contents[section: handle]?.id == id { return handle }
    }
    throw .logMismatch("section \"\(id)\" is not at index \(index)")
  }

  private func handle(of id: ItemID, at path: ItemPath) throws(ChangeError) -> Int32 {
    if hasItem(at: path) {
      let handle = outline.item(at: path)
      if contents.hasItem(id, at: handle) { return handle }
    }
    throw mismatch(id, path)
  }

  private func mismatch(_ id: ItemID, _ path: ItemPath) -> ChangeError {
    .logMismatch("item \"\(id)\" is not at \(path)")
  }

  private func expectRoom(
    for id: ItemID, at path: ItemPath, leaving section: Int?
  ) throws(ChangeError) {
    guard hasSection(path.section), path.item >= 0,
      path.item <= numberOfItems(inSection: path.section) - (section == path.section ? 1 : 0)
    else { throw .logMismatch("item \"\(id)\" does not fit at \(path)") }
  }
}
