import ListModel
import ListOrder

extension Provider {
  /// Replays an entry, at the paths that it carries.
  ///
  /// - Parameters:
  ///   - entry: The entry.
  ///   - trace: The items that the entries before have removed or changed.
  /// - Throws: ``/ListModel/ChangeError/logMismatch(_:)`` if the entry does not fit; nothing is
  ///   changed then.
  /// - Complexity: O(log *n*), for a deleted section also its items.
  mutating func replay(_ entry: LogEntry, _ trace: inout ReplayTrace) throws(ChangeError) {
    switch entry {
    case .updateList(_, let after): meta = after
    case .insertSection(let id, let attributes, let index):
      guard index >= 0, index <= numberOfSections, sections.handle(of: id) == nil else {
        throw .logMismatch("section \"\(id)\" inserted at \(index) of \(numberOfSections)")
      }
      let handle = outline.insertSection(at: index)
      sections.insert(.init(id: id, attributes: attributes), at: handle)
      setVisibility(attributes.visibility, of: handle)
    case .deleteSection(let section, let index):
      setVisibility(.shown, of: try handle(of: section.id, at: index))
      var handles: [Int32] = []
      sections.remove(
        outline.removeSection(at: index) { run in
          handles.append(contentsOf: run.first..<run.first + Int32(run.count))
        })
      trace.noteRemoval(of: section.items, handles)
    case .moveSection(let id, let from, let to):
      _ = try handle(of: id, at: from)
      guard hasSection(to) else {
        throw .logMismatch("section \"\(id)\" moved to \(to) of \(numberOfSections)")
      }
      outline.moveSection(from: from, to: to)
    case .updateSection(let id, let index, _, let after):
      let handle = try handle(of: id, at: index)
      sections[handle]?.attributes = after
      setVisibility(after.visibility, of: handle)
    case .insertItem(let item, let path):
      try expectRoom(for: item.id, at: path, leaving: nil)
      let kept = try handle(returning: item.id, to: path, &trace)
      let handle = outline.insertItem(at: path, returning: kept)
      if kept != nil {
        update(handle, to: item.state, &trace)
      } else if stored == nil {
        table.insert(item, at: handle)
      }
    case .deleteItem(let item, let path):
      guard hasItem(at: path) else { throw mismatch(item.id, path) }
      // Looked up once, and put back if it is another item: such a log is rare.
      let handle = outline.removeItem(at: path)
      guard canBe(item.id, handle) else {
        outline.insertItem(at: path, returning: handle)
        throw mismatch(item.id, path)
      }
      trace.noteRemoval(of: item.id, handle)
    case .moveItem(let id, let from, let to):
      guard hasItem(at: from) else { throw mismatch(id, from) }
      try expectRoom(for: id, at: to, leaving: from.section)
      // Not in the call below: that would copy the Provider first, and then the order with the move.
      let handle = outline.moveItem(from: from, to: to)
      guard canBe(id, handle) else {
        outline.moveItem(from: to, to: from)
        throw mismatch(id, from)
      }
    case .updateItem(let id, let path, _, let after):
      update(try handle(of: id, at: path), to: after, &trace)
    case .touchItem(let id, let path):
      _ = try handle(of: id, at: path)
    }
  }

  private mutating func setVisibility(_ visibility: SectionAttributes.Visibility, of handle: Int32)
  {
    // Mostly there is none: nothing is hashed then.
    if visibility == .shown, visibilities.isEmpty { return }
    visibilities[handle] = visibility == .shown ? nil : visibility
  }

  /// Forgets removed items, whose handles become free.
  mutating func release(_ removed: Set<Int32>) {
    for handle in removed {
      if stored == nil { table.remove(handle) }
      outline.release(handle)
    }
  }

  private func handle(of id: SectionID, at index: Int) throws(ChangeError) -> Int32 {
    if hasSection(index) {
      let handle = outline.section(at: index)
      if sections[handle]?.id == id { return handle }
    }
    throw .logMismatch("section \"\(id)\" is not at index \(index)")
  }

  private func handle(of id: ItemID, at path: ItemPath) throws(ChangeError) -> Int32 {
    if hasItem(at: path) {
      let handle = outline.item(at: path)
      if canBe(id, handle) { return handle }
    }
    throw mismatch(id, path)
  }

  /// Whether an item has this id; one in a store that was not read can have any.
  private func canBe(_ id: ItemID, _ handle: Int32) -> Bool {
    guard let stored else { return table.id(of: handle) == id }
    return stored.isLoaded(id, as: handle) ?? true
  }

  /// The handle of an item that was removed in the same replay and returns; `nil` for a new item.
  ///
  /// If the list is in a store, it is not known here whether it has the item already. The list's
  /// digest shows it when the commit is complete.
  ///
  /// - Throws: ``/ListModel/ChangeError/logMismatch(_:)`` if the list in memory has the item.
  private func handle(
    returning id: ItemID, to path: ItemPath, _ trace: inout ReplayTrace
  ) throws(ChangeError) -> Int32? {
    if stored != nil { return trace.takeBackRemoval(of: id) }
    guard let handle = table.handle(of: id) else { return nil }
    guard trace.removed.remove(handle) != nil else {
      throw .logMismatch("item \"\(id)\" inserted at \(path), but it is there")
    }
    return handle
  }

  /// Gives an item another state; one in a store is read again.
  private mutating func update(
    _ handle: Int32, to state: ItemState, _ trace: inout ReplayTrace
  ) {
    if stored != nil { trace.changed.insert(handle) } else { table.setState(state, of: handle) }
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
