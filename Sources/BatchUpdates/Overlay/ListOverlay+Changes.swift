package import ListModel

extension ListSketch {
  /// The changes that make the list what the sketch is.
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
    try appendSectionChanges(to: &changes)
    for section in order.runs where section.isNode {
      try appendItemChanges(inSection: ~section.first, to: &changes)
    }
    // Last, because items may move out of a section before it is deleted.
    for section in sections where !section.isAlive && section.before != nil {
      changes.append(.deleteSection(section.id))
    }
    if case .set(let new) = meta, try !list.listMeta().isEquivalent(to: new) {
      changes.append(.updateList(meta: new))
    }
    return changes
  }

  private func appendSectionChanges(to changes: inout [Change]) throws(Failure) {
    let runs = order.runs
    let stays = Self.stays(runs) { sections[$0].before?.place }
    var previous = Place<SectionID>.start
    for (index, run) in runs.enumerated() {
      if run.isNode {
        let section = sections[~run.first]
        if let before = section.before {
          if !stays[index] { changes.append(.moveSection(section.id, to: previous)) }
          let update = SectionUpdate(from: before.attributes, to: section.attributes)
          if update != SectionUpdate() { changes.append(.updateSection(section.id, update)) }
        } else {
          changes.append(.insertSection(section.id, section.attributes, at: previous))
        }
        previous = .after(section.id)
      } else if stays[index] {
        previous = .after(try list.sectionID(at: run.first + run.count - 1))
      } else {
        for place in run.first..<run.first + run.count {
          let id = try list.sectionID(at: place)
          changes.append(.moveSection(id, to: previous))
          previous = .after(id)
        }
      }
    }
  }

  private func appendItemChanges(
    inSection number: Int, to changes: inout [Change]
  ) throws(Failure) {
    let section = sections[number]
    let runs = section.items.runs
    let stays = Self.stays(runs) { node in
      guard let before = items[node].before, before.section == number else { return nil }
      return before.place
    }
    var previous = Place<ItemID>.start
    for (index, run) in runs.enumerated() {
      if run.isNode {
        let item = items[~run.first]
        if item.before == nil {
          changes.append(
            .insertItem(Item(id: item.id, state: item.state), in: section.id, at: previous))
        } else {
          if !stays[index] { changes.append(.moveItem(item.id, in: section.id, to: previous)) }
          if let change = item.change { changes.append(change) }
        }
        previous = .after(item.id)
        continue
      }
      guard let sectionPlace = section.before?.place else { continue }
      for place in stays[index] ? [run.first + run.count - 1] : Array(run.places) {
        let id = try list.itemID(at: ItemPath(section: sectionPlace, item: place))
        if !stays[index] { changes.append(.moveItem(id, in: section.id, to: previous)) }
        previous = .after(id)
      }
    }
  }

  /// For each run whether it stays where it is: of all that were in the order before, as many
  /// elements as can stay.
  ///
  /// `place`: Where a node was in the order before; `nil` if it was not there.
  private static func stays(_ runs: [SketchOrder.Run], place: (Int) -> Int?) -> [Bool] {
    var stays = [Bool](repeating: false, count: runs.count)
    var candidates: [IncreasingSubsequence.Candidate] = []
    var indexes: [Int] = []
    for (index, run) in runs.enumerated() {
      guard let old = run.isNode ? place(~run.first) : run.first else { continue }
      candidates.append(.init(old: old, count: run.count, preference: 0))
      indexes.append(index)
    }
    let chosen = IncreasingSubsequence.stays(candidates)
    for (candidate, index) in indexes.enumerated() { stays[index] = chosen?[candidate] ?? true }
    return stays
  }
}

extension ListSketch.ItemNode {
  /// The change of its state; `nil` if there is none.
  fileprivate var change: Change? {
    guard let before else { return nil }
    let update = ItemUpdate(from: before.state, to: state)
    if update != ItemUpdate() { return .updateItem(id, update) }
    return isTouched ? .touchItem(id) : nil
  }
}

extension SketchOrder.Run {
  fileprivate var places: Range<Int> { first..<first + count }
}
