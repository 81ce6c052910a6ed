import ListModel
import ListOrder

/// A whole list that goes back through its log, change by change.
///
/// Its sections and items are found by handles, so that a step back in a long list costs no more
/// than in a short one.
struct EarlierList {
  private let list: ListID
  private var meta: JSON?
  private var outline: ListOutline
  /// The sections without their items, by handle.
  private var sections: [ListTree.Section]
  /// By handle.
  private var items: ContiguousArray<Item?> = []

  /// - Complexity: O(*n*), *n* items.
  init(_ tree: ListTree) {
    list = tree.list
    meta = tree.meta
    outline = ListOutline(counts: tree.itemCounts)
    sections = tree.sections.map { ListTree.Section(id: $0.id, attributes: $0.attributes) }
    for (index, section) in tree.sections.enumerated() {
      var next = 0
      outline.forEachRun(inSection: Int32(index)) { run in
        for offset in 0..<run.count { set(section.items[next + offset], Int(run.first) + offset) }
        next += run.count
      }
    }
  }

  private mutating func set(_ item: Item, _ handle: Int) {
    while items.count <= handle { items.append(nil) }
    items[handle] = item
  }

  /// Takes the entries of the last commit back.
  ///
  /// - Throws: ``/ListModel/ChangeError/logMismatch(_:)`` if an entry does not fit.
  /// - Complexity: O(*k* · log *n*), *k* entries and items of deleted sections.
  mutating func revert(_ entries: [LogEntry]) throws(ChangeError) {
    for entry in entries.reversed() {
      for step in entry.inverse { try apply(step) }
    }
  }

  /// The list at a revision.
  ///
  /// - Complexity: O(*n*).
  func tree(at revision: Int) -> ListTree {
    ListTree(
      list: list, revision: revision, meta: meta,
      sections: (0..<outline.sectionCount).map { index in
        let handle = outline.section(at: index)
        var section = sections[Int(handle)]
        section.items.reserveCapacity(outline.itemCount(inSection: index))
        outline.forEachRun(inSection: handle) { run in
          for offset in 0..<run.count {
            if let item = items[Int(run.first) + offset] { section.items.append(item) }
          }
        }
        return section
      })
  }

  private mutating func apply(_ entry: LogEntry) throws(ChangeError) {
    switch entry {
    case .updateList(_, let after): meta = after
    case .insertSection(let id, let attributes, let index):
      guard (0...outline.sectionCount).contains(index) else {
        throw .logMismatch("section \"\(id)\" inserted at \(index) of \(outline.sectionCount)")
      }
      let handle = Int(outline.insertSection(at: index))
      let section = ListTree.Section(id: id, attributes: attributes)
      if handle < sections.count { sections[handle] = section } else { sections.append(section) }
    case .deleteSection(let section, let index):
      _ = try handle(of: section.id, at: index)
      var removed: [ListOutline.HandleRun] = []
      _ = outline.removeSection(at: index) { removed.append($0) }
      for run in removed {
        for offset in 0..<run.count { release(run.first + Int32(offset)) }
      }
    case .moveSection(let id, let from, let to):
      _ = try handle(of: id, at: from)
      guard (0..<outline.sectionCount).contains(to) else {
        throw .logMismatch("section \"\(id)\" moved to \(to) of \(outline.sectionCount)")
      }
      outline.moveSection(from: from, to: to)
    case .updateSection(let id, let index, _, let after):
      sections[try handle(of: id, at: index)].attributes = after
    case .insertItem(let item, let path):
      try expectRoom(for: item.id, at: path, leaving: nil)
      set(item, Int(outline.insertItem(at: path)))
    case .deleteItem(let item, let path):
      _ = try handle(of: item.id, at: path)
      release(outline.removeItem(at: path))
    case .moveItem(let id, let from, let to):
      _ = try handle(of: id, at: from)
      try expectRoom(for: id, at: to, leaving: from.section)
      outline.moveItem(from: from, to: to)
    case .updateItem(let id, let path, _, let after):
      items[try handle(of: id, at: path)]?.state = after
    case .touchItem(let id, let path): _ = try handle(of: id, at: path)
    }
  }

  private mutating func release(_ handle: Int32) {
    items[Int(handle)] = nil
    outline.release(handle)
  }

  private func handle(of id: SectionID, at index: Int) throws(ChangeError) -> Int {
    if (0..<outline.sectionCount).contains(index) {
      let handle = Int(outline.section(at: index))
      if sections[handle].id == id { return handle }
    }
    throw .logMismatch("section \"\(id)\" is not at index \(index)")
  }

  private func handle(of id: ItemID, at path: ItemPath) throws(ChangeError) -> Int {
    if (0..<outline.sectionCount).contains(path.section),
      (0..<outline.itemCount(inSection: path.section)).contains(path.item)
    {
      let handle = Int(outline.item(at: path))
      if items[handle]?.id == id { return handle }
    }
    throw .logMismatch("item \"\(id)\" is not at \(path)")
  }

  private func expectRoom(
    for id: ItemID, at path: ItemPath, leaving section: Int?
  ) throws(ChangeError) {
    guard (0..<outline.sectionCount).contains(path.section),
      (0...outline.itemCount(inSection: path.section) - (section == path.section ? 1 : 0))
        .contains(path.item)
    else { throw .logMismatch("item \"\(id)\" does not fit at \(path)") }
  }
}
