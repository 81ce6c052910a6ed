extension ListTree {
  /// The neighbours of the places that an entry changed.
  ///
  /// - Parameter entry: The last entry that was applied to this tree.
  /// - Returns: As many as ``LogEntry/placeCount`` says.
  package func neighbours(ofApplied entry: LogEntry) -> [Neighbours] {
    switch entry {
    case .insertSection(_, _, let index): [sectionNeighbours(at: index, without: index)]
    case .deleteSection(_, let index): [sectionNeighbours(at: index)]
    case .moveSection(_, let from, let to):
      from == to
        ? [] : [sectionNeighbours(at: from, without: to), sectionNeighbours(at: to, without: to)]
    case .insertItem(_, let path): [itemNeighbours(at: path, without: path)]
    case .deleteItem(_, let path): [itemNeighbours(at: path)]
    case .moveItem(_, let from, let to):
      from == to
        ? [] : [itemNeighbours(at: from, without: to), itemNeighbours(at: to, without: to)]
    case .updateList, .updateSection, .updateItem, .touchItem: []
    }
  }

  /// The neighbours of a place between sections.
  ///
  /// `index`: The place, counted without the section at `missing`.
  /// `missing`: The index of the section to leave out.
  private func sectionNeighbours(at index: Int, without missing: Int? = nil) -> Neighbours {
    let (previous, next) = Self.around(index, without: missing, of: sections.count)
    return Neighbours(
      parent: Neighbours.none,
      previous: previous.map { sections[$0].id.stableHash } ?? Neighbours.none,
      next: next.map { sections[$0].id.stableHash } ?? Neighbours.none)
  }

  private func itemNeighbours(at path: ItemPath, without missing: ItemPath? = nil) -> Neighbours {
    let section = sections[path.section]
    let (previous, next) = Self.around(
      path.item, without: missing?.section == path.section ? missing?.item : nil,
      of: section.items.count)
    return Neighbours(
      parent: section.id.stableHash,
      previous: previous.map { section.items[$0].id.stableHash } ?? Neighbours.none,
      next: next.map { section.items[$0].id.stableHash } ?? Neighbours.none)
  }

  /// The indexes of the two neighbours of a place that is counted without one element.
  private static func around(
    _ place: Int, without missing: Int?, of count: Int
  ) -> (previous: Int?, next: Int?) {
    let rest = count - (missing == nil ? 0 : 1)
    func index(_ place: Int) -> Int {
      if let missing, place >= missing { place + 1 } else { place }
    }
    return (place > 0 ? index(place - 1) : nil, place < rest ? index(place) : nil)
  }
}
