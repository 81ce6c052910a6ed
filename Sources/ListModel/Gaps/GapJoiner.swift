/// Finds the gaps that changes have brought next to each other, and makes one of them.
///
/// At the end of a commit, gaps that stand next to each other in a section become one. What can have
/// brought them together is noted while the changes are made, so that finding it takes no longer in a long
/// list.
package struct GapJoiner: Sendable {
  /// Gaps that may have one next to them.
  private var suspects: [ItemID] = []

  package init() {}

  /// Notes an entry that was just applied to a list.
  package mutating func note<List: ListLookup>(
    _ entry: LogEntry, in list: List
  ) throws(List.Failure) {
    // Alone, a gap is next to none.
    guard try list.gapCount() > 1 else { return }
    switch entry {
    case .insertItem(let item, _): if item.state.isGap { suspects.append(item.id) }
    case .updateItem(let id, _, let before, let after):
      if after.isGap, !before.isGap { suspects.append(id) }
    case .deleteItem(_, let path): try note(at: path.item - 1, in: path.section, of: list)
    case .moveItem(let id, let from, let to):
      if from == to { return }
      if try list.isGap(at: to) { suspects.append(id) }
      // The one before the place that it has left, where that one is now.
      let isMoved = from.section == to.section && to.item < from.item
      try note(at: from.item - (isMoved ? 0 : 1), in: from.section, of: list)
    case .updateList, .insertSection, .deleteSection, .moveSection, .updateSection, .touchItem:
      break
    }
  }

  private mutating func note<List: ListLookup>(
    at item: Int, in section: Int, of list: List
  ) throws(List.Failure) {
    let path = ItemPath(section: section, item: item)
    guard item >= 0, try list.isGap(at: path) else { return }
    suspects.append(try list.itemID(at: path))
  }

  /// The changes that make one of the next two gaps; they must be made before it is asked again.
  ///
  /// The upper one stays. It gets the lower one's `before`, and the sum of the counts if both have one.
  ///
  /// - Returns: `nil` if no gaps stand next to each other any more.
  package mutating func next<List: ListLookup>(in list: List) throws(List.Failure) -> [Change]? {
    while let id = suspects.popLast() {
      guard let path = try list.location(of: id)?.path, try list.isGap(at: path) else { continue }
      let count = try list.itemCount(
        inSection: list.sectionID(at: path.section), at: path.section)
      for upper in [path.item - 1, path.item] where upper >= 0 && upper + 1 < count {
        let (first, second) = (
          ItemPath(section: path.section, item: upper),
          ItemPath(section: path.section, item: upper + 1)
        )
        guard try list.isGap(at: first), try list.isGap(at: second) else { continue }
        let (stays, goes) = (try list.itemID(at: first), try list.itemID(at: second))
        suspects.append(stays)
        let (state, other) = (
          try list.state(of: stays, at: first), try list.state(of: goes, at: second)
        )
        let gap = Gap(readable: state.content).joined(to: Gap(readable: other.content))
        return state.changes(ofGap: stays, to: gap) + [.deleteItem(goes)]
      }
    }
    return nil
  }
}
