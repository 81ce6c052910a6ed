extension ListTree: ListLookup {
  package func sectionID(at index: Int) -> SectionID { sections[index].id }

  package func itemID(at path: ItemPath) -> ItemID { sections[path.section].items[path.item].id }

  package func listMeta() -> JSON? { meta }

  package func sectionCount() -> Int { sections.count }

  package func sectionIndex(of id: SectionID) -> Int? { sections.firstIndex { $0.id == id } }

  package func attributes(ofSection id: SectionID, at index: Int) -> SectionAttributes {
    sections[index].attributes
  }

  package func section(_ id: SectionID, at index: Int) -> Section { sections[index] }

  package func itemCount(inSection id: SectionID, at index: Int) -> Int {
    sections[index].items.count
  }

  package func location(of id: ItemID) -> ItemLocation? {
    for (index, section) in sections.enumerated() {
      if let item = section.items.firstIndex(where: { $0.id == id }) {
        return ItemLocation(section: section.id, path: ItemPath(section: index, item: item))
      }
    }
    return nil
  }

  package func state(of id: ItemID, at path: ItemPath) -> ItemState {
    sections[path.section].items[path.item].state
  }

  package func gapCount() -> Int {
    sections.reduce(0) { $0 + $1.items.count { $0.state.isGap } }
  }

  package func gapIDs() -> [ItemID] {
    sections.flatMap { $0.items.lazy.filter(\.state.isGap).map(\.id) }
  }

  package func isGap(at path: ItemPath) -> Bool {
    sections[path.section].items[path.item].state.isGap
  }
}

extension ListTree {
  /// Applies a change.
  ///
  /// This method defines the meaning of a change; stores and Providers do the same.
  ///
  /// - Returns: The change with its paths and the state before, as a log keeps it.
  /// - Throws: ``ChangeError``; the tree is then unchanged.
  /// - Complexity: O(*n*), *n* items in the list.
  @discardableResult
  public mutating func apply(_ change: Change) throws(ChangeError) -> LogEntry {
    let entry = try resolve(change).get()
    try apply(entry)
    return entry
  }

  /// Applies a logged change, at the paths that it carries.
  ///
  /// - Throws: ``ChangeError/logMismatch(_:)`` if its section or item is not at its path; the tree
  ///   is then unchanged.
  /// - Complexity: O(*m*), *m* items in the sections that it changes.
  package mutating func apply(_ entry: LogEntry) throws(ChangeError) {
    switch entry {
    case .updateList(_, let after): meta = after
    case .insertSection(let id, let attributes, let index):
      guard (0...sections.count).contains(index) else {
        throw .logMismatch("section \"\(id)\" inserted at \(index) of \(sections.count)")
      }
      sections.insert(Section(id: id, attributes: attributes), at: index)
    case .deleteSection(let section, let index):
      try expect(section.id, at: index)
      sections.remove(at: index)
    case .moveSection(let id, let from, let to):
      try expect(id, at: from)
      guard sections.indices.contains(to) else {
        throw .logMismatch("section \"\(id)\" moved to \(to) of \(sections.count)")
      }
      sections.insert(sections.remove(at: from), at: to)
    case .updateSection(let id, let index, _, let after):
      try expect(id, at: index)
      sections[index].attributes = after
    case .insertItem(let item, let path):
      try expectRoom(for: item.id, at: path, leaving: nil)
      sections[path.section].items.insert(item, at: path.item)
    case .deleteItem(let item, let path):
      try expect(item.id, at: path)
      sections[path.section].items.remove(at: path.item)
    case .moveItem(let id, let from, let to):
      try expect(id, at: from)
      try expectRoom(for: id, at: to, leaving: from.section)
      let item = sections[from.section].items.remove(at: from.item)
      sections[to.section].items.insert(item, at: to.item)
    case .updateItem(let id, let path, _, let after):
      try expect(id, at: path)
      sections[path.section].items[path.item].state = after
    case .touchItem(let id, let path):
      try expect(id, at: path)
    }
  }

  private func expect(_ id: SectionID, at index: Int) throws(ChangeError) {
    guard sections.indices.contains(index), sections[index].id == id else {
      throw .logMismatch("section \"\(id)\" is not at index \(index)")
    }
  }

  private func expect(_ id: ItemID, at path: ItemPath) throws(ChangeError) {
    guard sections.indices.contains(path.section),
      sections[path.section].items.indices.contains(path.item),
      sections[path.section].items[path.item].id == id
    else { throw .logMismatch("item \"\(id)\" is not at \(path)") }
  }

  private func expectRoom(
    for id: ItemID, at path: ItemPath, leaving section: Int?
  ) throws(ChangeError) {
    guard sections.indices.contains(path.section),
      (0...(sections[path.section].items.count - (section == path.section ? 1 : 0)))
        .contains(path.item)
    else { throw .logMismatch("item \"\(id)\" does not fit at \(path)") }
  }

  /// Applies the entries of a commit and takes its revision.
  ///
  /// - Throws: ``ChangeError/logMismatch(_:)`` if the commit does not follow this tree's revision
  ///   or an entry does not fit; the tree is then unchanged.
  package mutating func apply(_ commit: Commit) throws(ChangeError) {
    guard revision < .max, commit.revision == revision + 1, commit.list == list else {
      throw .logMismatch(
        "revision \(commit.revision) of \"\(commit.list)\" does not follow revision \(revision) of \"\(list)\""
      )
    }
    var copy = self
    for entry in commit.entries { try copy.apply(entry) }
    copy.revision = commit.revision
    self = copy
  }

  /// Reverts a commit: the tree becomes the tree before it.
  ///
  /// - Throws: ``ChangeError/logMismatch(_:)`` if the commit is not this tree's last, or an entry
  ///   does not fit; the tree is then unchanged.
  package mutating func revert(_ commit: Commit) throws(ChangeError) {
    guard commit.revision == revision, commit.list == list else {
      throw .logMismatch("revision \(commit.revision) is not the tree's own, \(revision)")
    }
    var copy = self
    for entry in commit.entries.reversed() {
      for step in entry.inverse { try copy.apply(step) }
    }
    copy.revision = commit.revision - 1
    self = copy
  }
}
