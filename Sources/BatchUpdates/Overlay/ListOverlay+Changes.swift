package import ListModel
import ListOrder

extension ListOverlay {
  /// The net change: what makes the list what it is with the changes.
  ///
  /// They are few: a section or an item that is in both is neither deleted nor inserted, the fewest
  /// move, and a state that means the same is left alone.
  ///
  /// - Complexity: O(*k* log *k*) and as many questions to the list, *k* nodes.
  package func changes() throws(Failure) -> [Change] {
    var changes: [Change] = []
    for item in items where item.section == nil {
      // The others are deleted with their section.
      guard let before = item.before, sections[before.section].isAlive else { continue }
      changes.append(.deleteItem(item.id))
    }
    let pieces = order.pieces
    try appendSectionChanges(pieces, to: &changes)
    for case .node(let number) in pieces {
      try appendItemChanges(inSection: number, to: &changes)
    }
    // Last, because items may move out of a section before it is deleted.
    for section in sections where !section.isAlive && section.place != nil {
      changes.append(.deleteSection(section.id))
    }
    if case .set(let new) = meta, try !list.listMeta().isEquivalent(to: new) {
      changes.append(.updateList(meta: new))
    }
    return changes
  }

  private func appendSectionChanges(
    _ pieces: [PieceTable.Piece], to changes: inout [Change]
  ) throws(Failure) {
    let stays = Self.stays(pieces) { sections[$0].place }
    var previous = Place<SectionID>.start
    for (piece, stays) in zip(pieces, stays) {
      switch piece {
      case .node(let number):
        let section = sections[number]
        if section.place != nil {
          if !stays { changes.append(.moveSection(section.id, to: previous)) }
          if let change = section.change { changes.append(change) }
        } else if let attributes = section.attributes.after {
          changes.append(.insertSection(section.id, attributes, at: previous))
        }
        previous = .after(section.id)
      case .places(let places):
        for place in stays ? places.suffix(1) : places {
          let id = try list.sectionID(at: place)
          if !stays { changes.append(.moveSection(id, to: previous)) }
          previous = .after(id)
        }
      }
    }
  }

  private func appendItemChanges(
    inSection number: Int, to changes: inout [Change]
  ) throws(Failure) {
    let section = sections[number]
    let pieces = section.items.pieces
    let stays = Self.stays(pieces) { node in
      guard let before = items[node].before, before.section == number else { return nil }
      return before.place
    }
    var previous = Place<ItemID>.start
    for (piece, stays) in zip(pieces, stays) {
      switch piece {
      case .node(let node):
        let item = items[node]
        if item.before != nil {
          if !stays { changes.append(.moveItem(item.id, in: section.id, to: previous)) }
          if let change = item.change { changes.append(change) }
        } else if let state = item.state.after {
          changes.append(
            .insertItem(Item(id: item.id, state: state), in: section.id, at: previous))
        }
        previous = .after(item.id)
      case .places(let places):
        for place in stays ? places.suffix(1) : places {
          let id = try list.itemID(at: ItemPath(section: section.placeBefore, item: place))
          if !stays { changes.append(.moveItem(id, in: section.id, to: previous)) }
          previous = .after(id)
        }
      }
    }
  }

  /// For each piece whether it stays where it is: of all that were in the order before, as many
  /// elements as can stay.
  ///
  /// `place`: Where a node was in the order before; `nil` if it was not there.
  private static func stays(_ pieces: [PieceTable.Piece], place: (Int) -> Int?) -> [Bool] {
    var stays = [Bool](repeating: false, count: pieces.count)
    var candidates: [IncreasingSubsequence.Candidate] = []
    var indexes: [Int] = []
    for (index, piece) in pieces.enumerated() {
      switch piece {
      case .places(let places):
        candidates.append(.init(old: places.lowerBound, count: places.count, preference: 0))
      case .node(let node):
        guard let old = place(node) else { continue }
        candidates.append(.init(old: old, count: 1, preference: 0))
      }
      indexes.append(index)
    }
    let chosen = IncreasingSubsequence.stays(candidates)
    for (candidate, index) in indexes.enumerated() { stays[index] = chosen?[candidate] ?? true }
    return stays
  }
}

extension ListOverlay.SectionNode {
  /// The change of its attributes; `nil` if there is none.
  fileprivate var change: Change? {
    guard let old = attributes.before, let new = attributes.after else { return nil }
    let update = SectionUpdate(from: old, to: new)
    return update == SectionUpdate() ? nil : .updateSection(id, update)
  }
}

extension ListOverlay.ItemNode {
  /// The change of its state; `nil` if there is none.
  fileprivate var change: Change? {
    if let old = state.before, let new = state.after {
      let update = ItemUpdate(from: old, to: new)
      if update != ItemUpdate() { return .updateItem(id, update) }
    }
    return isTouched ? .touchItem(id) : nil
  }
}
