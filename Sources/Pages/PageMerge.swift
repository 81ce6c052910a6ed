package import BatchUpdates
package import ListModel

/// Puts a page of a server into a list.
///
/// Items of the page that the list has stay the same items: they get what the page says of them, and stand
/// where the page has them. So an item is never there twice, whatever the server has moved meanwhile.
package struct PageMerge {
  private let page: Page
  private let items: [Item]
  private let ids: Set<ItemID>
  private let place: Place
  private let section: SectionID
  /// Items that have changed since the page was asked for: they stay as they are.
  private let changed: Set<ItemID>
  private let newGap: () -> ItemID

  /// What a page is for.
  package enum Place: Sendable {
    /// The newest items, at the start or the end of a section.
    case newest(isAtStart: Bool)
    /// A gap, from one of its edges.
    case gap(ItemID, Edge)
    /// The midst of a gap, that no edge of the page meets unless it says so.
    case inside(ItemID)
    /// A section without items, of which the page may be the midst.
    case empty
  }

  /// An edge of a gap.
  package enum Edge: Sendable { case upper, lower }

  /// What a merge has done.
  package struct Outcome: Equatable, Sendable {
    /// How many items are new.
    package var insertedCount = 0
    /// Whether the gap has gone, or got smaller or another cursor.
    package var hasProgress = false
    /// The gap is not there any more.
    package var isTooLate = false

    /// What a merge has done.
    package init(insertedCount: Int = 0, hasProgress: Bool = false, isTooLate: Bool = false) {
      self.insertedCount = insertedCount
      self.hasProgress = hasProgress
      self.isTooLate = isTooLate
    }
  }

  /// A page that is to be put into a list.
  ///
  /// - Parameters:
  ///   - page: The page.
  ///   - place: Where it belongs.
  ///   - section: The section.
  ///   - changed: Items that have changed since the page was asked for.
  ///   - newGap: Makes the id of a new gap.
  package init(
    _ page: Page, at place: Place, in section: SectionID, changed: Set<ItemID> = [],
    newGap: @escaping () -> ItemID
  ) {
    self.page = page
    self.place = place
    self.section = section
    self.changed = changed
    self.newGap = newGap
    var ids: Set<ItemID> = []
    // What the server has twice in a page is there once.
    items = page.items.filter { ids.insert($0.id).inserted }
    self.ids = ids
  }

  /// Changes a list.
  ///
  /// `joiner`: Notes what is changed.
  ///
  /// - Throws: The error of reading the list, or a ``ListModel/ChangeError`` for a page that has a gap with
  ///   an impossible content.
  /// - Complexity: O(*k* log *n*), *k* items of the page, *n* of the list; where the page ends the server's
  ///   list, for each item that is beyond.
  package func apply<List: ListLookup>(
    to list: inout ListOverlay<List>, _ joiner: inout GapJoiner
  ) throws -> Outcome {
    var state = State(list: list, joiner: joiner)
    let outcome = try apply(&state)
    (list, joiner) = (state.list, state.joiner)
    return outcome
  }

  /// The list, while it is changed.
  private struct State<List: ListLookup> {
    var list: ListOverlay<List>
    var joiner: GapJoiner

    @discardableResult
    mutating func make(_ change: Change) throws -> LogEntry {
      let entry = try list.apply(change).get()
      try joiner.note(entry, in: list)
      return entry
    }
  }

  /// Where the page goes, as the list is before.
  private struct Hole {
    /// The gap; `nil` if the page goes to an end of the section.
    var gap: (id: ItemID, state: ItemState, content: Gap)?
    /// The index of the first item above, going up; and of the first one below, going down.
    var above: Int
    var below: Int
    /// Whether the page is known to stand right below what is above; and right above what is below.
    var meetsAbove: Bool
    var meetsBelow: Bool
  }

  private func apply<List: ListLookup>(_ state: inout State<List>) throws -> Outcome {
    var outcome = Outcome()
    if try state.list.sectionIndex(of: section) == nil {
      try state.make(.insertSection(section, SectionAttributes(), at: .end))
    }
    guard let hole = try hole(in: state.list) else {
      outcome.isTooLate = true
      return outcome
    }
    let matches = try matches(around: hole, in: state.list)
    let meetsAbove = hole.meetsAbove || matches.above != nil
    let meetsBelow = hole.meetsBelow || matches.below != nil
    // Beyond it the server has nothing.
    // An empty page at a position says that the list is shorter than that.
    let isBeyondEnd = items.isEmpty && (page.offset ?? 0) > 0
    let endsAbove = !hole.meetsAbove && page.before == nil && !isBeyondEnd
    let endsBelow = !hole.meetsBelow && page.after == nil
    var gone = matches.gone
    if endsAbove { gone += try ids(in: 0..<max(0, hole.above + 1), of: state.list) }
    if endsBelow {
      let count = try itemCount(of: state.list)
      gone += try ids(in: min(hole.below, count)..<count, of: state.list)
    }
    for id in gone where try state.list.location(of: id) != nil { try state.make(.deleteItem(id)) }
    let (isOpenAbove, isOpenBelow) = (!meetsAbove && !endsAbove, !meetsBelow && !endsBelow)
    let placed = try place(matches, hole, isOpenAbove: isOpenAbove, &state)
    outcome.insertedCount = placed.insertedCount
    try settleGaps(
      hole, isOpenAbove: isOpenAbove, isOpenBelow: isOpenBelow, placed, &state, &outcome)
    if !isOpenAbove, let first = placed.first, let cursor = page.before {
      try settleGap(at: -1, of: first, newCount: placed.beyondAbove, &state) { gap in
        gap.before = cursor
      }
    }
    if !isOpenBelow, let last = placed.last, let cursor = page.after {
      try settleGap(at: 1, of: last, newCount: placed.beyondBelow, &state) { gap in
        gap.after = cursor
        if let offset = page.offset { gap.offset = offset + items.count }
      }
    }
    if !gone.isEmpty || outcome.insertedCount > 0 { outcome.hasProgress = true }
    return outcome
  }

  /// The page has no item that the list has, and no position: nobody knows which gap it is for.
  package struct NoPlace: Error, CustomStringConvertible {
    /// A sentence for whoever looks for the reason.
    package var description: String {
      "the page could be in several gaps of the list, or in none: let it have an item next to one that the "
        + "list has, or its offset"
    }
  }

  /// The gap that has a position of the server's list.
  ///
  /// `gap`: The one that had it when the page was asked for.
  ///
  /// - Complexity: O(log *n*), *n* items of the list; O(*n*) if that gap does not have it any more.
  package static func gap<List: ListLookup>(
    at offset: Int, in list: ListOverlay<List>, expecting gap: ItemID
  ) throws -> (id: ItemID, section: SectionID)? {
    func has(_ path: ItemPath, _ id: ItemID) throws -> Bool {
      guard try list.isGap(at: path) else { return false }
      let known = try Gap(list.state(of: id, at: path).content)
      guard let first = known.offset, offset >= first else { return false }
      return known.count.map { offset - first < $0 } ?? true
    }
    if let location = try list.location(of: gap), try has(location.path, gap) {
      return (gap, location.section)
    }
    var rest = try list.gapCount()
    for index in 0..<(try list.sectionCount()) where rest > 0 {
      let section = try list.sectionID(at: index)
      for item in 0..<(try list.itemCount(inSection: section, at: index)) where rest > 0 {
        let path = ItemPath(section: index, item: item)
        guard try list.isGap(at: path) else { continue }
        rest -= 1
        let id = try list.itemID(at: path)
        if try has(path, id) { return (id, section) }
      }
    }
    return nil
  }

  /// The gap that a page belongs into: next to an item that the list has, by its position, or the only one.
  ///
  /// - Returns: `nil` for a list without items.
  /// - Throws: ``NoPlace``.
  /// - Complexity: O(*n*), *n* items of the list.
  package static func gap<List: ListLookup>(
    for page: Page, in list: ListOverlay<List>
  ) throws -> (id: ItemID, section: SectionID)? {
    var gaps: [(id: ItemID, section: SectionID, path: ItemPath)] = []
    var itemCount = 0
    let total = try list.gapCount()
    for index in 0..<(try list.sectionCount()) {
      let section = try list.sectionID(at: index)
      let count = try list.itemCount(inSection: section, at: index)
      itemCount += count
      for item in 0..<count where gaps.count < total {
        let path = ItemPath(section: index, item: item)
        if try list.isGap(at: path) { gaps.append((try list.itemID(at: path), section, path)) }
      }
    }
    if itemCount == 0 { return nil }
    for (index, item) in page.items.enumerated() {
      guard let path = try list.location(of: item.id)?.path else { continue }
      // What is new of the page stands above it, or below.
      let isAbove = index > 0
      let next =
        isAbove
        ? gaps.last { $0.path.section == path.section && $0.path < path }
        : gaps.first { $0.path.section == path.section && $0.path > path }
      if let next { return (next.id, next.section) }
    }
    if let offset = page.offset {
      for gap in gaps {
        let known = try Gap(list.state(of: gap.id, at: gap.path).content)
        guard let first = known.offset, offset >= first else { continue }
        if known.count.map({ offset - first < $0 }) ?? true { return (gap.id, gap.section) }
      }
    }
    guard gaps.count == 1, let gap = gaps.first else { throw NoPlace() }
    return (gap.id, gap.section)
  }

  private var isNewestAtStart: Bool {
    if case .newest(isAtStart: true) = place { true } else { false }
  }
  private var isNewestAtEnd: Bool {
    if case .newest(isAtStart: false) = place { true } else { false }
  }

  private func itemCount<List: ListLookup>(of list: ListOverlay<List>) throws -> Int {
    guard let index = try list.sectionIndex(of: section) else { return 0 }
    return try list.itemCount(inSection: section, at: index)
  }

  /// Items of the section that the page says are gone: those that it does not have, and that have not
  /// changed since.
  private func ids<List: ListLookup>(
    in range: Range<Int>, of list: ListOverlay<List>
  ) throws -> [ItemID] {
    guard let index = try list.sectionIndex(of: section) else { return [] }
    return try range.map { try list.itemID(at: ItemPath(section: index, item: $0)) }
      .filter { !ids.contains($0) && !changed.contains($0) }
  }

  // MARK: Where it goes

  private func hole<List: ListLookup>(in list: ListOverlay<List>) throws -> Hole? {
    guard let index = try list.sectionIndex(of: section) else { return nil }
    let count = try list.itemCount(inSection: section, at: index)
    func hole(
      _ id: ItemID, meetsAbove: Bool, meetsBelow: Bool
    ) throws -> Hole? {
      guard let location = try list.location(of: id), location.section == section,
        try list.isGap(at: location.path)
      else { return nil }
      let state = try list.state(of: id, at: location.path)
      return Hole(
        gap: (id, state, (try? Gap(state.content)) ?? Gap()), above: location.path.item - 1,
        below: location.path.item + 1, meetsAbove: meetsAbove, meetsBelow: meetsBelow)
    }
    switch place {
    case .gap(let id, let edge):
      return try hole(id, meetsAbove: edge == .upper, meetsBelow: edge == .lower)
    case .inside(let id): return try hole(id, meetsAbove: false, meetsBelow: false)
    case .empty:
      guard count == 0 else { throw NoPlace() }
      return Hole(gap: nil, above: -1, below: 0, meetsAbove: false, meetsBelow: false)
    case .newest(let isAtStart):
      let end = ItemPath(section: index, item: isAtStart ? 0 : count - 1)
      if count > 0, try list.isGap(at: end) {
        return try hole(
          list.itemID(at: end), meetsAbove: isAtStart, meetsBelow: !isAtStart)
      }
      return Hole(
        gap: nil, above: isAtStart ? -1 : count - 1, below: isAtStart ? 0 : count,
        meetsAbove: isAtStart, meetsBelow: !isAtStart)
    }
  }

  /// Items of the page that stand where they belong, and what stands between them and does not belong there.
  private struct Matches {
    var isThere: Set<Int> = []
    /// Of those above the place the nearest one, and of those below.
    var above: Int?
    var below: Int?
    var gone: [ItemID] = []
  }

  /// Looks on both sides of the place for items of the page, in its order.
  private func matches<List: ListLookup>(
    around hole: Hole, in list: ListOverlay<List>
  ) throws -> Matches {
    var matches = Matches()
    var first = 0
    if hole.above >= 0 {
      var place = hole.above
      for index in items.indices.reversed() {
        guard let item = try self.place(of: items[index].id, in: list), item <= place,
          !changed.contains(items[index].id),
          let between = try between(item + 1..<place + 1, in: list, besides: matches.gone.count)
        else { continue }
        matches.gone += between
        matches.isThere.insert(index)
        matches.above = matches.above ?? index
        first = max(first, index + 1)
        place = item - 1
      }
    }
    let count = try itemCount(of: list)
    if hole.below < count {
      var place = hole.below
      let goneAbove = matches.gone.count
      for index in items.indices where index >= first {
        guard let item = try self.place(of: items[index].id, in: list), item >= place,
          !changed.contains(items[index].id),
          let between = try between(
            place..<item, in: list, besides: matches.gone.count - goneAbove)
        else { continue }
        matches.gone += between
        matches.isThere.insert(index)
        matches.below = matches.below ?? index
        place = item + 1
      }
    }
    return matches
  }

  private func place<List: ListLookup>(
    of id: ItemID, in list: ListOverlay<List>
  ) throws -> Int? {
    guard let location = try list.location(of: id), location.section == section else { return nil }
    return location.path.item
  }

  /// What stands between two items of the page and is not in it.
  ///
  /// A gap between two neighbours in the page is one that it fills.
  ///
  /// - Returns: `nil` if a gap and more stands there, or more than a page would have: then the server has
  ///   moved the item, and has not deleted what is between.
  private func between<List: ListLookup>(
    _ range: Range<Int>, in list: ListOverlay<List>, besides known: Int
  ) throws -> [ItemID]? {
    guard let index = try list.sectionIndex(of: section) else { return nil }
    // Those of the page may be between, too.
    if range.count > 2 * items.count { return nil }
    var found: [ItemID] = []
    for item in range {
      let path = ItemPath(section: index, item: item)
      if try list.isGap(at: path), range.count > 1 { return nil }
      let id = try list.itemID(at: path)
      if !ids.contains(id), !changed.contains(id) { found.append(id) }
    }
    return known + found.count > items.count ? nil : found
  }

  // MARK: Items

  /// What of the page the list has.
  private struct Placed {
    /// The first item, and the last one; `nil` if the list has none of them.
    var first: ItemID?
    var last: ItemID?
    /// How many are new.
    var insertedCount = 0
    /// Of those, how many stand in the place, and beyond all that the list has on either side of it.
    var insideCount = 0
    var beyondAbove = 0
    var beyondBelow = 0
  }

  /// Inserts, moves and updates the items of the page.
  private func place<List: ListLookup>(
    _ matches: Matches, _ hole: Hole, isOpenAbove: Bool, _ state: inout State<List>
  ) throws -> Placed {
    var placed = Placed()
    let end = items.indices.last { matches.isThere.contains($0) }
    // Before the first one that is there, in their order.
    let start = items.indices.first { matches.isThere.contains($0) }
    for (index, item) in items.enumerated() {
      let location = try state.list.location(of: item.id)
      // It is where it was put since; or it was deleted since.
      if changed.contains(item.id) { continue }
      if let path = location?.path {
        let update = ItemUpdate(
          from: try state.list.state(of: item.id, at: path), to: item.state)
        if update != ItemUpdate() { try state.make(.updateItem(item.id, update)) }
      }
      if !matches.isThere.contains(index) {
        let place: ListModel.Place<ItemID> =
          if let last = placed.last {
            .after(last)
          } else if let start {
            .before(items[start].id)
          } else {
            firstPlace(hole, isOpenAbove: isOpenAbove)
          }
        if location == nil {
          try state.make(.insertItem(item, in: section, at: place))
          placed.insertedCount += 1
          if index > matches.above ?? -1, index < matches.below ?? .max { placed.insideCount += 1 }
          if matches.above != nil, let start, index < start { placed.beyondAbove += 1 }
          if matches.below != nil, let end, index > end { placed.beyondBelow += 1 }
        } else {
          try state.make(.moveItem(item.id, in: section, to: place))
        }
      }
      placed.first = placed.first ?? item.id
      placed.last = item.id
    }
    return placed
  }

  private func firstPlace(_ hole: Hole, isOpenAbove: Bool) -> ListModel.Place<ItemID> {
    guard let gap = hole.gap else { return isNewestAtEnd ? .end : .start }
    // What is left of the gap stands above, or below.
    return isOpenAbove ? .after(gap.id) : .before(gap.id)
  }

  // MARK: Gaps

  /// Makes of the gap what is still missing.
  private func settleGaps<List: ListLookup>(
    _ hole: Hole, isOpenAbove: Bool, isOpenBelow: Bool, _ placed: Placed,
    _ state: inout State<List>, _ outcome: inout Outcome
  ) throws {
    let last = placed.last
    let known = hole.gap?.content ?? Gap()
    var upper = Gap(after: known.after, before: page.before, offset: known.offset)
    var lower = Gap(after: page.after, before: known.before)
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
    } else if hole.gap == nil, isNewestAtEnd, isOpenAbove, let offset = page.offset,
      try isAtStart(items.first?.id, state.list)
    {
      // All that the list has is the page.
      (upper.offset, upper.count) = (0, offset > 0 ? offset : nil)
    } else if hole.gap == nil, let total = page.total, let offset = lower.offset ?? upTo(total) {
      lower.count = try isAtEnd(last, state.list) && total > offset ? total - offset : nil
    }
    if let gap = hole.gap {
      let stays = isOpenAbove ? upper : isOpenBelow ? lower : nil
      if let stays {
        var after = gap.state
        after.content = stays.content
        let update = ItemUpdate(from: gap.state, to: after)
        if update != ItemUpdate() {
          outcome.hasProgress = true
          try state.make(.updateItem(gap.id, update))
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
  private func settleGap<List: ListLookup>(
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
    guard var gap = try? Gap(before.content) else { return }
    change(&gap)
    if let count = gap.count { gap.count = count > newCount ? count - newCount : nil }
    var after = before
    after.content = gap.content
    let update = ItemUpdate(from: before, to: after)
    if update != ItemUpdate() { try state.make(.updateItem(id, update)) }
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
