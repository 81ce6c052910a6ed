import ListModel
import ListStore

/// The order of a list's sections, before the changes that were taken back.
struct EarlierSections {
  private var order: [SectionID] = []

  /// The sections as they are now.
  ///
  /// - Throws: What is wrong with the order.
  init(_ stored: StoredList) throws {
    var order: [SectionID] = []
    try stored.forEachSection { section in
      order.append(section.section)
      return true
    } unreadable: {
      throw $0
    }
    self.order = order
  }

  /// The section at an index; `nil` if there is none.
  subscript(index: Int) -> SectionID? { order.indices.contains(index) ? order[index] : nil }

  /// Takes back the last change.
  ///
  /// - Returns: `false` if the change does not fit the order.
  mutating func takeBack(_ entry: LogEntry) -> Bool {
    switch entry {
    case .insertSection(let id, _, let index): remove(id, at: index)
    case .deleteSection(let section, let index): insert(section.id, at: index)
    case .moveSection(let id, let from, let to): remove(id, at: to) && insert(id, at: from)
    default: true
    }
  }

  private mutating func remove(_ id: SectionID, at index: Int) -> Bool {
    guard self[index] == id else { return false }
    order.remove(at: index)
    return true
  }

  private mutating func insert(_ id: SectionID, at index: Int) -> Bool {
    guard (0...order.count).contains(index) else { return false }
    order.insert(id, at: index)
    return true
  }
}
