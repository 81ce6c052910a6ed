public import Foundation
public import ListModel
import ListTables

// The list as it is in the edit. An `ItemPath` and an index of a section count all sections; an
// `IndexPath` counts as a view does, which is not shown hidden sections.
extension ListEditor {
  /// The app's own data about the list; `nil` if it has none.
  public func meta() throws(StoreError) -> JSON? { try ask { try $0.listMeta() } }

  /// How many sections the list has, hidden ones included.
  public func numberOfSections() throws(StoreError) -> Int { try ask { try $0.sectionCount() } }

  /// How many items a section has; 0 if the list does not have the section.
  public func numberOfItems(in section: SectionID) throws(StoreError) -> Int {
    try ask { try $0.sectionRow(section)?.itemCount } ?? 0
  }

  /// The index of a section in the list; `nil` if the list does not have it.
  public func index(of section: SectionID) throws(StoreError) -> Int? {
    try ask { try $0.sectionIndex(of: section) }
  }

  /// The path of an item in the list; `nil` if the list does not have it.
  public func path(of item: ItemID) throws(StoreError) -> ItemPath? {
    try ask { try $0.location(of: item)?.path }
  }

  /// The section at an index in the list; `nil` if there is none.
  public func sectionID(at index: Int) throws(StoreError) -> SectionID? {
    try ask { rows in
      try (0..<rows.sectionCount()).contains(index) ? rows.sectionRow(at: index).section : nil
    }
  }

  /// The item at a path in the list; `nil` if there is none.
  public func itemID(at path: ItemPath) throws(StoreError) -> ItemID? {
    try ask { rows in
      guard try (0..<rows.sectionCount()).contains(path.section) else { return nil }
      let section = try rows.sectionRow(at: path.section)
      guard (0..<section.itemCount).contains(path.item) else { return nil }
      return try ItemID(rows.tree.member(at: path.item, root: section.root).name)
    }
  }

  /// The section of an index path of a view; `nil` if the view shows none there.
  ///
  /// - Complexity: O(log *s*), *s* sections; O(*s*) if the list has one that may be hidden.
  public func sectionID(at indexPath: IndexPath) throws(StoreError) -> SectionID? {
    try sectionID(at: indexPath, among: ask { try $0.shownSections() })
  }

  /// The item that a view shows at an index path; `nil` if it shows none there.
  ///
  /// An index path of a screen is of the revision that the screen shows. If others may have
  /// committed since, ask the adapter for the item's id instead, and edit by that.
  public func itemID(at indexPath: IndexPath) throws(StoreError) -> ItemID? {
    try itemID(at: indexPath, among: ask { try $0.shownSections() })
  }

  /// An item as it is stored; `nil` if the list does not have it.
  public func item(_ id: ItemID) throws(StoreError) -> Item? {
    try ask { rows in
      guard let path = try rows.location(of: id)?.path else { return nil }
      return Item(id: id, state: try rows.state(of: id, at: path))
    }
  }

  /// The attributes of a section; `nil` if the list does not have it.
  public func attributes(of section: SectionID) throws(StoreError) -> SectionAttributes? {
    try ask { rows in
      guard let row = try rows.sectionRow(section) else { return nil }
      return try rows.attributes(of: row.id)
    }
  }

  /// The whole list, with the revision that the edit gives it.
  ///
  /// - Complexity: O(*n*), *n* items.
  public func tree() throws(StoreError) -> ListTree { try ask { try $0.listTree() } }
}

// MARK: - Index paths

// `shown`: The sections that a view shows, from ``ListRows/shownSections()``: asked for once for
// all index paths of an operation.
extension ListEditor {
  private func sectionID(
    at indexPath: IndexPath, among shown: [SectionID]?
  ) throws(StoreError) -> SectionID? {
    guard let index = indexPath.first else { return nil }
    guard let shown else { return try sectionID(at: index) }
    return shown.indices.contains(index) ? shown[index] : nil
  }

  private func itemID(
    at indexPath: IndexPath, among shown: [SectionID]?
  ) throws(StoreError) -> ItemID? {
    guard indexPath.count == 2, let section = try sectionID(at: indexPath, among: shown),
      let index = try index(of: section)
    else { return nil }
    return try itemID(at: ItemPath(section: index, item: indexPath[1]))
  }

  /// The section of an index path of a view, or the error that says how many the view shows.
  func knownSection(
    at indexPath: IndexPath, among shown: [SectionID]?
  ) throws(StoreError) -> SectionID {
    if let section = try sectionID(at: indexPath, among: shown) { return section }
    let (list, count) = try ask { ($0.list, try shown?.count ?? $0.sectionCount()) }
    throw StoreError(
      .placeOutOfBounds,
      "list \"\(list)\" shows \(count) section\(count == 1 ? "" : "s"); there is none at index path "
        + indexPath.text,
      file: file)
  }

  /// The item that a view shows at an index path, or the error that says how many items are there.
  func knownItem(
    at indexPath: IndexPath, among shown: [SectionID]?
  ) throws(StoreError) -> ItemID {
    if let item = try itemID(at: indexPath, among: shown) { return item }
    let section = try knownSection(at: indexPath, among: shown)
    let (list, count) = (try ask { $0.list }, try numberOfItems(in: section))
    throw StoreError(
      .placeOutOfBounds,
      "section \"\(section)\" of list \"\(list)\" has \(count) item\(count == 1 ? "" : "s"); there is "
        + "none at index path \(indexPath.text)",
      file: file)
  }

  /// The index of an item in its section that an index path names.
  func itemIndex(_ indexPath: IndexPath) throws(StoreError) -> Int {
    guard indexPath.count == 2 else {
      throw invalid("index path \(indexPath.text) has no item: it needs a section and an item")
    }
    return indexPath[1]
  }
}

extension ListRows {
  /// The sections that a view shows, in their order; `nil` if it shows all.
  ///
  /// - Complexity: O(1) if it shows all, else O(*s*), *s* sections.
  func shownSections() throws -> [SectionID]? {
    let visibilities = try visibilities()
    if visibilities.isEmpty { return nil }
    return try (0..<sectionCount()).map(sectionRow(at:)).filter {
      visibilities[$0.section]?.hides(itemCount: $0.itemCount) != true
    }.map(\.section)
  }
}

extension IndexPath {
  /// Its indexes, as in `[0, 1]`.
  fileprivate var text: String { "\(Array(self))" }
}
