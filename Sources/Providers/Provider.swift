package import BatchUpdates
public import ListModel

/// A list in memory at one revision; answers a data source's questions without touching SQLite.
///
/// A value: a copy stays at its revision while another one moves on. Accessors are total: what is
/// out of bounds is `nil` or 0, never a trap.
public struct Provider: Hashable, Sendable {
  /// The list, whole.
  public private(set) var tree: ListTree

  package init(_ tree: ListTree) { self.tree = tree }

  /// The list's id.
  public var list: ListID { tree.list }
  /// The revision that it shows.
  public var revision: Int { tree.revision }

  // MARK: What a data source is asked

  /// - Complexity: O(1).
  public var numberOfSections: Int { tree.sections.count }

  /// How many items a section holds; 0 if there is no such section.
  ///
  /// - Complexity: O(1).
  public func numberOfItems(inSection index: Int) -> Int { section(at: index)?.items.count ?? 0 }

  /// - Complexity: O(1).
  public func section(at index: Int) -> Section? {
    tree.sections.indices.contains(index) ? tree.sections[index] : nil
  }

  /// - Complexity: O(1).
  public func item(at path: ItemPath) -> Item? {
    guard let items = section(at: path.section)?.items, items.indices.contains(path.item) else {
      return nil
    }
    return items[path.item]
  }

  // MARK: Where things are

  /// The index of a section; `nil` if the list has none of this id.
  ///
  /// - Complexity: O(*s*), *s* sections.
  public func index(of section: SectionID) -> Int? { tree.sectionIndex(of: section) }

  /// The path of an item; `nil` if the list has none of this id.
  ///
  /// - Complexity: O(*n*), *n* items.
  public func path(of item: ItemID) -> ItemPath? { tree.location(of: item)?.path }

  // MARK: Moving on

  /// Applies the commits that follow this revision.
  ///
  /// - Returns: One batch update over all of them; with mode `none` if there are none.
  /// - Throws: ``ChangeError/logMismatch(_:)`` if the commits do not follow this revision; the
  ///   Provider is then as it was.
  package mutating func apply(_ commits: some Sequence<Commit>) throws(ChangeError) -> BatchUpdate {
    var next = tree
    var touched: Set<ItemID> = []
    for commit in commits {
      try next.apply(commit)
      for case .touchItem(let id, _) in commit.entries { touched.insert(id) }
    }
    let update = BatchUpdate(from: tree, to: next, touched: touched)
    tree = next
    return update
  }
}
