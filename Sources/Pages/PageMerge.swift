package import BatchUpdates
package import ListModel

/// Puts a page of a server into a list.
///
/// Items of the page that the list has stay the same items: they get what the page says of them, and stand
/// where the page has them. So an item is never there twice, whatever the server has moved meanwhile.
package struct PageMerge {
  let page: Page
  let items: [Item]
  private let ids: Set<ItemID>
  private let place: Place
  let section: SectionID
  /// Items that have changed since the page was asked for: they stay as they are.
  private let changed: Set<ItemID>
  /// Those of them that others than pages have put where they are: the page says nothing of what is around.
  private let movedByOthers: Set<ItemID>
  /// The item that the page goes on to, if it says so: the one on the other side of its place.
  private let otherSide: ItemID?
  /// The cursors of an item with which a page has ended.
  private let cursors: (ItemID) throws -> PageCursors?
  let newGap: () -> ItemID

  /// What a page is for.
  package enum Place: Sendable {
    /// The newest items, at the start or the end of a section.
    case newest(isAtStart: Bool)
    /// A gap, from one of its edges.
    case gap(ItemID, Edge)
    /// The midst of a gap, from its lower edge, which the page is known not to reach.
    case aboveEdge(ItemID)
    /// The midst of a gap, that no edge of the page meets unless it says so.
    case inside(ItemID)
    /// A section without items, of which the page may be the midst.
    case empty
    /// Where its items are: the list has all of them.
    case known
  }

  /// An edge of a gap.
  package enum Edge: Sendable { case upper, lower }

  /// What a merge has done.
  package struct Outcome: Equatable, Sendable {
    /// How many items are new.
    package var insertedCount = 0
    /// Of those of a newest page, how many are newer than the oldest item that the list had of it.
    package var newCount = 0
    /// Whether the gap has gone, or got smaller or another cursor.
    package var hasProgress = false
    /// The gap is not there any more.
    package var isTooLate = false

    /// That of a page whose gap is not there any more.
    package static let tooLate = Self(isTooLate: true)

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
  ///   - movedByOthers: Those of them that others than pages have inserted, moved or deleted.
  ///   - otherSide: The item that the request named on the other side of the place.
  ///   - cursors: The cursors of an item with which an earlier page has ended.
  ///   - newGap: Makes the id of a new gap.
  package init(
    _ page: Page, at place: Place, in section: SectionID, changed: Set<ItemID> = [],
    movedByOthers: Set<ItemID> = [], otherSide: ItemID? = nil,
    cursors: @escaping (ItemID) throws -> PageCursors? = { _ in nil },
    newGap: @escaping () -> ItemID
  ) {
    self.page = page
    self.place = place
    self.section = section
    self.changed = changed
    self.movedByOthers = movedByOthers
    self.otherSide = page.meetsOtherSide ? otherSide : nil
    self.cursors = cursors
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
  struct State<List: ListLookup> {
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
  struct Hole {
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
    if case .known = place {
      for item in items where !changed.contains(item.id) { try update(item, &state) }
      return outcome
    }
    if try state.list.sectionIndex(of: section) == nil {
      try state.make(.insertSection(section, SectionAttributes(), at: .end))
    }
    guard let hole = try hole(in: state.list) else {
      outcome.isTooLate = true
      return outcome
    }
    let matches = try matches(around: hole, in: state.list)
    // Only if the item still stands there: what came between may be missing from the page.
    let met = try otherSide.flatMap { try place(of: $0, in: state.list) }
    let meetsAbove = hole.meetsAbove || matches.above != nil || met == hole.above
    let meetsBelow = hole.meetsBelow || matches.below != nil || met == hole.below
    // Beyond it the server has nothing.
    // An empty page at a position says that the list is shorter than that.
    let isBeyondEnd = items.isEmpty && (page.offset ?? 0) > 0
    // A page that is late was the first, and is not any more.
    let isAtStart = page.before == nil && (page.offset ?? 0) == 0
    // A page that goes on needs no cursor there.
    let goesOn = page.meetsOtherSide && (hole.meetsAbove || hole.meetsBelow)
    let endsAbove = !hole.meetsAbove && !goesOn && isAtStart && !isBeyondEnd
    // It tells nothing of the side from which it was asked for.
    let endsBelow = !hole.meetsBelow && !goesOn && page.after == nil && !isAboveEdge
    var gone = matches.gone
    if endsAbove { gone += try ids(in: 0..<max(0, hole.above + 1), of: state.list) }
    if endsBelow {
      let count = try itemCount(of: state.list)
      gone += try ids(in: min(hole.below, count)..<count, of: state.list)
    }
    for id in gone where try state.list.location(of: id) != nil { try state.make(.deleteItem(id)) }
    let (isOpenAbove, isOpenBelow) = (!meetsAbove && !endsAbove, !meetsBelow && !endsBelow)
    let placed = try place(matches, hole, isOpenAbove: isOpenAbove, &state)
    (outcome.insertedCount, outcome.newCount) = (placed.insertedCount, placed.newCount)
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

  var isNewestAtStart: Bool {
    if case .newest(isAtStart: true) = place { true } else { false }
  }
  var isNewestAtEnd: Bool {
    if case .newest(isAtStart: false) = place { true } else { false }
  }
  var isAboveEdge: Bool { if case .aboveEdge = place { true } else { false } }
  var isFirst: Bool { if case .empty = place { true } else { false } }

  func itemCount<List: ListLookup>(of list: ListOverlay<List>) throws -> Int {
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
        gap: (id, state, Gap(readable: state.content)), above: location.path.item - 1,
        below: location.path.item + 1, meetsAbove: meetsAbove, meetsBelow: meetsBelow)
    }
    switch place {
    case .gap(let id, let edge):
      return try hole(id, meetsAbove: edge == .upper, meetsBelow: edge == .lower)
    case .inside(let id), .aboveEdge(let id):
      return try hole(id, meetsAbove: false, meetsBelow: false)
    case .known: return nil
    case .empty:
      guard count == 0 else { throw Page.Failure.unknownPlace }
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

  /// Looks on both sides of the place for items of the page.
  ///
  /// As many as possible stay; what the server has moved says nothing of what it has deleted.
  private func matches<List: ListLookup>(
    around hole: Hole, in list: ListOverlay<List>
  ) throws -> Matches {
    let above = try reach(
      from: hole.above, by: -1, passing: hole.meetsAbove ? 0 : items.count, in: list)
    let below = try reach(
      from: hole.below, by: 1, passing: hole.meetsBelow ? 0 : items.count, in: list)
    var candidates: [IncreasingSubsequence.Candidate] = []
    var indexes: [Int] = []
    for (index, item) in items.enumerated() where !movedByOthers.contains(item.id) {
      guard let place = above[item.id] ?? below[item.id] else { continue }
      let distance = place <= hole.above ? hole.above - place : place - hole.below
      candidates.append(.init(old: place, count: 1, preference: -distance))
      indexes.append(index)
    }
    let stays = IncreasingSubsequence.stays(candidates)
    var matches = Matches()
    var gone = hole.above + 1..<hole.above + 1
    var goneBelow = hole.below..<hole.below
    for (number, index) in indexes.enumerated() where stays?[number] ?? true {
      let place = candidates[number].old
      matches.isThere.insert(index)
      if place <= hole.above {
        matches.above = index
        gone = min(gone.lowerBound, place)..<gone.upperBound
      } else {
        matches.below = matches.below ?? index
        goneBelow = goneBelow.lowerBound..<place
      }
    }
    matches.gone = try ids(in: gone, of: list) + ids(in: goneBelow, of: list)
    return matches
  }

  /// The items of the page that stand on one side of a place, with their indexes.
  ///
  /// It ends at a gap, unless the page fills it, and where too much is not in the page: then the server has
  /// moved what is farther, and has not deleted what is between. `most`: So much may be; nothing on the side
  /// from which the page was asked for, where it may only repeat what is there.
  private func reach<List: ListLookup>(
    from start: Int, by step: Int, passing most: Int, in list: ListOverlay<List>
  ) throws -> [ItemID: Int] {
    guard let section = try list.sectionIndex(of: section) else { return [:] }
    let count = try itemCount(of: list)
    func id(at place: Int) throws -> ItemID? {
      let path = ItemPath(section: section, item: place)
      return 0..<count ~= place ? try list.itemID(at: path) : nil
    }
    var found: [ItemID: Int] = [:]
    var unknown = 0
    var place = start
    while let item = try id(at: place) {
      if ids.contains(item) {
        found[item] = place
      } else if try list.isGap(at: ItemPath(section: section, item: place)) {
        let sides = try [id(at: place - 1), id(at: place + 1)].compactMap(\.self)
        if sides.count < 2 || !sides.allSatisfy(ids.contains) { break }
      } else if !changed.contains(item) {
        unknown += 1
        if unknown > most { break }
      }
      place += step
    }
    return found
  }

  func place<List: ListLookup>(
    of id: ItemID, in list: ListOverlay<List>
  ) throws -> Int? {
    guard let location = try list.location(of: id), location.section == section else { return nil }
    return location.path.item
  }

  // MARK: Items

  /// What of the page the list has.
  struct Placed {
    /// The first item, and the last one; `nil` if the list has none of them.
    var first: ItemID?
    var last: ItemID?
    /// How many are new.
    var insertedCount = 0
    /// Of those, how many are newer than the oldest item of the page that the list had.
    var newCount = 0
    /// And how many stand in the place, and beyond all that the list has on either side of it.
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
      if changed.contains(item.id) {
        if matches.isThere.contains(index) {
          placed.first = placed.first ?? item.id
          placed.last = item.id
        }
        continue
      }
      try update(item, &state)
      if !matches.isThere.contains(index) {
        let place: ListModel.Place<ItemID> =
          if let last = placed.last {
            if index - 1 == end, let gap = try gap(continuing: last, by: 1, in: state.list) {
              .before(gap)
            } else {
              .after(last)
            }
          } else if let start {
            if let gap = try gap(continuing: items[start].id, by: -1, in: state.list) {
              .after(gap)
            } else {
              .before(items[start].id)
            }
          } else {
            firstPlace(hole, isOpenAbove: isOpenAbove)
          }
        if location == nil {
          try state.make(.insertItem(item, in: section, at: place))
          placed.insertedCount += 1
          if isNewestAtStart ? index < end ?? .max : isNewestAtEnd && index > start ?? -1 {
            placed.newCount += 1
          }
          if index > matches.above ?? -1, index < matches.below ?? .max { placed.insideCount += 1 }
          if matches.above != nil, let start, index < start { placed.beyondAbove += 1 }
          if matches.below != nil, let end, index > end { placed.beyondBelow += 1 }
        } else {
          try moveCursors(beside: item.id, hole, &state)
          try state.make(.moveItem(item.id, in: section, to: place))
        }
      }
      placed.first = placed.first ?? item.id
      placed.last = item.id
    }
    return placed
  }

  /// Takes from gaps beside an item that goes elsewhere their cursor which tells what comes before or after that
  /// item: it is not at their edges any more.
  ///
  /// A gap between the item and the page gets that of the page for its other edge. The last cursor of a gap stays:
  /// without one, some servers could not be asked at all.
  ///
  /// What goes to the newest items was put there by the server since: what it stood beside has not moved.
  private func moveCursors<List: ListLookup>(
    beside item: ItemID, _ hole: Hole, _ state: inout State<List>
  ) throws {
    guard !isNewestAtStart, !isNewestAtEnd, let place = try place(of: item, in: state.list),
      let target = try hole.gap.flatMap({ try self.place(of: $0.id, in: state.list) }),
      let section = try state.list.sectionIndex(of: section)
    else { return }
    for distance in [-1, 1] {
      let path = ItemPath(section: section, item: place + distance)
      guard 0..<(try itemCount(of: state.list)) ~= path.item, try state.list.isGap(at: path) else {
        continue
      }
      let id = try state.list.itemID(at: path)
      if id == hole.gap?.id { continue }
      let before = try state.list.state(of: id, at: path)
      var gap = Gap(readable: before.content)
      if distance < 0 {
        if target < path.item { gap.after = gap.after ?? page.after }
        if gap.after != nil { gap.before = nil }
      } else {
        if target > path.item { gap.before = gap.before ?? page.before }
        if gap.before != nil { gap.after = nil }
      }
      for change in before.changes(ofGap: id, to: gap) { try state.make(change) }
    }
  }

  /// The gap which the server goes on with where an item ended an earlier page.
  ///
  /// Between the two are at most some items that no page had; what follows the item goes beyond them.
  private func gap<List: ListLookup>(
    continuing item: ItemID, by step: Int, in list: ListOverlay<List>
  ) throws -> ItemID? {
    guard let known = try cursors(item), let cursor = step < 0 ? known.before : known.after,
      let location = try list.location(of: item), location.section == section
    else { return nil }
    var path = location.path
    let places = 0..<(try itemCount(of: list))
    for _ in items {
      path.item += step
      guard places ~= path.item else { return nil }
      let id = try list.itemID(at: path)
      if try list.isGap(at: path) {
        let gap = Gap(readable: try list.state(of: id, at: path).content)
        return (step < 0 ? gap.before : gap.after) == cursor ? id : nil
      }
      if ids.contains(id) { return nil }
    }
    return nil
  }

  /// Gives an item that the list has what the page says of it.
  private func update<List: ListLookup>(_ item: Item, _ state: inout State<List>) throws {
    guard let path = try state.list.location(of: item.id)?.path else { return }
    let update = ItemUpdate(from: try state.list.state(of: item.id, at: path), to: item.state)
    if update != ItemUpdate() { try state.make(.updateItem(item.id, update)) }
  }

  private func firstPlace(_ hole: Hole, isOpenAbove: Bool) -> ListModel.Place<ItemID> {
    guard let gap = hole.gap else { return isNewestAtEnd ? .end : .start }
    // What is left of the gap stands above, or below.
    return isOpenAbove ? .after(gap.id) : .before(gap.id)
  }
}
