import ListModel

/// Reads the counts of sections and remembers the last one: paths come section by section.
struct LegalityCountReader {
  private let counts: SectionCounts
  private var section = 0
  private var items: Int?

  init(_ counts: SectionCounts) { self.counts = counts }

  /// How many items a section holds.
  ///
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

  /// Whether the list has an item at a path.
  mutating func hasItem(at path: ItemPath) -> Bool {
    guard path.section >= 0, path.section < counts.count, path.item >= 0 else { return false }
    return path.item < self[path.section]
  }
}
