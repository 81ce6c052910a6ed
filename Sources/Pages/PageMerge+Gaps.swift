import BatchUpdates
import ListModel

// What is still missing when a page is in the list.
extension PageMerge {
  /// Makes of the gap what is still missing.
  func settleGaps<List: ListLookup>(
    _ hole: Hole, isOpenAbove: Bool, isOpenBelow: Bool, _ placed: Placed,
    _ state: inout State<List>, _ outcome: inout Outcome
  ) throws {
    let last = placed.last
    let known = hole.gap?.content ?? Gap()
    var upper = Gap(after: known.after, before: page.before, offset: known.offset)
    // A cursor by which a page was asked for that ends elsewhere is not that of the edge.
    var lower = Gap(after: page.after, before: isAboveEdge ? nil : known.before)
    if let offset = page.offset {
      lower.offset = offset + items.count
      if let first = known.offset, offset > first { upper.count = offset - first }
    }
    if let count = known.count {
      let rest = count - placed.insideCount
      // More than it had said.
      if isOpenAbove != isOpenBelow {
        if isOpenBelow { lower.count = rest > 0 ? rest : nil }
        if isOpenAbove { upper.count = rest > 0 ? rest : nil }
      } else if let above = upper.count {
        lower.count = rest > above ? rest - above : nil
      }
      if let offset = known.offset, lower.offset == nil, hole.meetsAbove {
        lower.offset = offset + placed.insideCount
      }
    } else if hole.gap == nil {
      if isNewestAtEnd || isFirst, isOpenAbove, let offset = page.offset,
        try isAtStart(items.first?.id, state.list)
      {
        // All that the list has is the page.
        (upper.offset, upper.count) = (0, offset > 0 ? offset : nil)
      }
      if let total = page.total, let offset = lower.offset ?? upTo(total) {
        lower.count = try isAtEnd(last, state.list) && total > offset ? total - offset : nil
      }
    }
    if let gap = hole.gap {
      let stays = isOpenAbove ? upper : isOpenBelow ? lower : nil
      if let stays {
        for change in gap.state.changes(ofGap: gap.id, to: stays) {
          outcome.hasProgress = true
          try state.make(change)
        }
      } else {
        outcome.hasProgress = true
        try state.make(.deleteItem(gap.id))
      }
      if isOpenAbove, isOpenBelow { try insert(lower, after: last ?? gap.id, &state) }
    } else {
      if isOpenBelow { try insert(lower, after: last, &state) }
      if isOpenAbove { try insert(upper, before: items.first?.id ?? last, &state) }
    }
  }

  /// Tells the gap beside an end of the page, which reached beyond what the list has, what is left of it.
  ///
  /// Where none is and the page ends with an item that is new, nobody knows whether it stands next to what is
  /// there: a gap comes between.
  func settleGap<List: ListLookup>(
    at distance: Int, of item: ItemID, newCount: Int, _ state: inout State<List>,
    _ change: (inout Gap) -> Void
  ) throws {
    guard let location = try state.list.location(of: item), location.section == section else {
      return
    }
    var path = location.path
    path.item += distance
    let isInside = 0..<(try itemCount(of: state.list)) ~= path.item
    guard isInside, try state.list.isGap(at: path) else {
      if newCount == 0 { return }
      var gap = Gap()
      change(&gap)
      return distance < 0
        ? try insert(gap, before: item, &state) : try insert(gap, after: item, &state)
    }
    let id = try state.list.itemID(at: path)
    let before = try state.list.state(of: id, at: path)
    var gap = Gap(readable: before.content)
    change(&gap)
    if let count = gap.count { gap.count = count > newCount ? count - newCount : nil }
    for change in before.changes(ofGap: id, to: gap) { try state.make(change) }
  }

  /// How many items of the server are known to stand above the rest, if the page is the newest one.
  private func upTo(_ total: Int) -> Int? { isNewestAtStart ? items.count : nil }

  private func isAtEnd<List: ListLookup>(
    _ last: ItemID?, _ list: ListOverlay<List>
  ) throws -> Bool {
    guard let last, let place = try place(of: last, in: list) else { return true }
    return place == (try itemCount(of: list)) - 1
  }

  private func isAtStart<List: ListLookup>(
    _ first: ItemID?, _ list: ListOverlay<List>
  ) throws -> Bool {
    try first.flatMap { try place(of: $0, in: list) } == 0
  }

  private func insert<List: ListLookup>(
    _ gap: Gap, after last: ItemID?, _ state: inout State<List>
  ) throws {
    let item = Item(id: newGap(), cell: Gap.cell, content: gap.content)
    try state.make(.insertItem(item, in: section, at: last.map { .after($0) } ?? .start))
  }

  private func insert<List: ListLookup>(
    _ gap: Gap, before first: ItemID?, _ state: inout State<List>
  ) throws {
    let item = Item(id: newGap(), cell: Gap.cell, content: gap.content)
    let place: ListModel.Place<ItemID> =
      if let first, try state.list.location(of: first) != nil { .before(first) } else { .end }
    try state.make(.insertItem(item, in: section, at: place))
  }
}
