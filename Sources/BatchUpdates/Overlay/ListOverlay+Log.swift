package import ListModel
import ListOrder

extension ListOverlay {
  /// Reverts the last entry of the list's log that is not reverted yet.
  ///
  /// - Throws: ``/ListModel/ChangeError/logMismatch(_:)`` if the entry does not fit, or the error of
  ///   reading the list.
  /// - Complexity: O(log *n*), *n* items; for a deleted section for each of its items.
  package mutating func revert(_ entry: LogEntry) throws {
    for step in entry.inverse {
      try expectFit(step)
      try apply(step)
    }
  }

  private func expectFit(_ entry: LogEntry) throws {
    switch entry {
    case .insertSection(let id, _, let index):
      guard (0...order.count).contains(index), !isAlive(id) else {
        throw ChangeError.logMismatch("section \"\(id)\" does not fit at index \(index)")
      }
    case .deleteSection(let section, let index):
      try expect(section.id, at: index)
      let count = try itemCount(inSection: section.id, at: index)
      guard count == section.items.count else {
        throw ChangeError.logMismatch("section \"\(section.id)\" has \(count) items")
      }
    case .moveSection(let id, let from, let to):
      try expect(id, at: from)
      guard (0..<order.count).contains(to) else {
        throw ChangeError.logMismatch("section \"\(id)\" does not fit at index \(to)")
      }
    case .updateSection(let id, let index, _, _): try expect(id, at: index)
    case .insertItem(let item, let path):
      try expectRoom(for: item.id, at: path, leaving: nil)
      guard !isAlive(item.id) else {
        throw ChangeError.logMismatch("item \"\(item.id)\" is in the list twice")
      }
    case .deleteItem(let item, let path): try expect(item.id, at: path)
    case .moveItem(let id, let from, let to):
      try expect(id, at: from)
      try expectRoom(for: id, at: to, leaving: from.section)
    case .updateItem(let id, let path, _, _), .touchItem(let id, let path):
      try expect(id, at: path)
    case .updateList: break
    }
  }

  private func expect(_ id: SectionID, at index: Int) throws {
    guard (0..<order.count).contains(index), try sectionID(at: index) == id else {
      throw ChangeError.logMismatch("section \"\(id)\" is not at index \(index)")
    }
  }

  private func expect(_ id: ItemID, at path: ItemPath) throws {
    guard let count = try itemCount(at: path.section), (0..<count).contains(path.item),
      try itemID(at: path) == id
    else { throw ChangeError.logMismatch("item \"\(id)\" is not at \(path)") }
  }

  private func expectRoom(for id: ItemID, at path: ItemPath, leaving section: Int?) throws {
    guard let count = try itemCount(at: path.section),
      (0...count - (section == path.section ? 1 : 0)).contains(path.item)
    else { throw ChangeError.logMismatch("item \"\(id)\" does not fit at \(path)") }
  }

  /// How many items the section at an index holds; `nil` if there is none.
  private func itemCount(at index: Int) throws -> Int? {
    guard (0..<order.count).contains(index) else { return nil }
    return try itemCount(inSection: sectionID(at: index), at: index)
  }
}
