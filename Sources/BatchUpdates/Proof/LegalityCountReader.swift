import ListModel

/// Reads counts where places come section by section: it asks once for a section.
struct LegalityCountReader {
  private let counts: SectionCounts
  private var section = 0
  private var items: Int?

  init(_ counts: SectionCounts) { self.counts = counts }

  /// - Parameter section: The index of a section that exists.
  subscript(section: Int) -> Int {
    mutating get {
      if let items, section == self.section { return items }
      let items = counts[section]
      self.section = section
      self.items = items
      return items
    }
  }

  /// Whether there is a path in the list.
  mutating func hasItem(at path: ItemPath) -> Bool {
    guard path.section >= 0, path.section < counts.count, path.item >= 0 else { return false }
    return path.item < self[path.section]
  }
}
