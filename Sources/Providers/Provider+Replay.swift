import ListModel
import ListOrder

/// What a replay has touched, until it is done.
struct ReplayTrace {
  /// The handles of items that are gone.
  ///
  /// They stay theirs until the end: an item that returns has its
  /// handle again, and no other item has it meanwhile.
  var removed: Set<Int32> = []
  /// For items in a store: which handles returning items have.
  var removedIDs: [ItemID: Int32] = [:]
  /// For items in a store: those whose cell or content is another one now.
  var changed: Set<Int32> = []
}

extension Provider {
  /// Replays an entry, at the paths that it carries.
  ///
  /// - Parameters:
  ///   - entry: What happened.
  ///   - trace: What the entries before touched.
  /// - Throws: ``/ListModel/ChangeError/logMismatch(_:)`` if the entry does not fit; nothing is
  ///   changed then.
  /// - Complexity: O(log *n*), for a deleted section also its items.
  mutating func replay(_ entry: LogEntry, _ trace: inout ReplayTrace) throws(ChangeError) {
    switch entry {
    case .insertSection(let id, let attributes, let index):
      guard index >= 0, index <= numberOfSections, contents.handle(of: id) == nil else {
        throw .logMismatch("section \"\(id)\" inserted at \(index) of \(numberOfSections)")
      }
      let handle = outline.insertSection(at: index)
      contents.insert(.init(id: id, attributes: attributes), at: handle)
      setVisibility(attributes.visibility, of: handle)
    case .deleteSection(let section, let index):
      setVisibility(.shown, of: try handle(of: section.id, at: index))
      var handles: [Int32] = []
      contents.removeSection(
        outline.removeSection(at: index) { run in
          handles.append(contentsOf: run.first..<run.first + Int32(run.count))
        })
      trace.removed.formUnion(handles)
      if contents.stored != nil {
        for (item, handle) in zip(section.items, handles) { trace.removedIDs[item.id] = handle }
      }
    case .moveSection(let id, let from, let to):
      _ = try handle(of: id, at: from)
      guard hasSection(to) else {
        throw .logMismatch("section \"\(id)\" moved to \(to) of \(numberOfSections)")
      }
      outline.moveSection(from: from, to: to)
    case .updateSection(let id, let index, _, let after):
      let handle = try handle(of: id, at: index)
      contents.setAttributes(after, of: handle)
      setVisibility(after.visibility, of: handle)
    case .insertItem(let item, let path):
      try expectRoom(for: item.id, at: path, leaving: nil)
      try insert(item, at: path, &trace)
    case .deleteItem(let item, let path):
      guard hasItem(at: path) else { throw mismatch(item.id, path) }
      // Looked up once, and put back if it is another one: such a log is rare.
      let handle = outline.removeItem(at: path)
      guard contents.mayBe(item.id, at: handle) else {
        outline.insertItem(at: path, returning: handle)
        throw mismatch(item.id, path)
      }
      trace.removed.insert(handle)
      if contents.stored != nil { trace.removedIDs[item.id] = handle }
    case .moveItem(let id, let from, let to):
      guard hasItem(at: from) else { throw mismatch(id, from) }
      try expectRoom(for: id, at: to, leaving: from.section)
      guard contents.mayBe(id, at: outline.moveItem(from: from, to: to)) else {
        outline.moveItem(from: to, to: from)
        throw mismatch(id, from)
      }
    case .updateItem(let id, let path, _, let after):
      let handle = try handle(of: id, at: path)
      if contents.stored == nil {
        contents.setState(after, of: handle)
      } else {
        trace.changed.insert(handle)
      }
    case .touchItem(let id, let path):
      _ = try handle(of: id, at: path)
    }
  }

  private mutating func setVisibility(_ visibility: SectionVisibility, of handle: Int32) {
    // Mostly there is none: nothing is hashed then.
    if visibility == .shown, visibilities.isEmpty { return }
    visibilities[handle] = visibility == .shown ? nil : visibility
  }

  private mutating func insert(
    _ item: Item, at path: ItemPath, _ trace: inout ReplayTrace
  ) throws(ChangeError) {
    if contents.stored != nil {
      // The store reads what the item is; that no other one has its id, the digest tells.
      if let handle = trace.removedIDs.removeValue(forKey: item.id) {
        trace.removed.remove(handle)
        trace.changed.insert(outline.insertItem(at: path, returning: handle))
      } else {
        outline.insertItem(at: path)
      }
    } else if let handle = contents.handle(of: item.id) {
      guard trace.removed.remove(handle) != nil else {
        throw .logMismatch("item \"\(item.id)\" inserted at \(path), but it is there")
      }
      contents.setState(item.state, of: outline.insertItem(at: path, returning: handle))
    } else {
      contents.insert(item, at: outline.insertItem(at: path))
    }
  }

  /// Forgets removed items.
  mutating func release(_ removed: Set<Int32>) {
    for handle in removed {
      if contents.stored == nil { contents.removeItem(handle) }
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
      if contents.mayBe(id, at: handle) { return handle }
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
