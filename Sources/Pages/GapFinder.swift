package import BatchUpdates
package import ListModel

/// Finds the gap of a list that a page belongs into.
package struct GapFinder<List: ListLookup> {
  private let list: ListOverlay<List>

  package init(_ list: ListOverlay<List>) { self.list = list }

  /// An edge is looked for beyond so many items that the view does not show.
  private static var mostBetween: Int { 8 }

  /// A gap, and where it stands.
  private struct Found {
    var id: ItemID
    var section: SectionID
    var path: ItemPath
    var gap: Gap
    /// How many items of the section are below.
    var below: Int
    /// What the next gap of the section says; `nil` if this is the last one.
    var next: Gap?

    /// By how much the server's list has grown since the gap, the last one, got its position; `nil` if
    /// it has none.
    func growth(to total: Int?) -> Int? {
      guard let total, let offset = gap.offset, let count = gap.count else { return nil }
      return total - offset - count - below
    }

    /// Whether a page can be in it whose items stand there in the list: none that ends above it, or begins
    /// below it.
    func canHave(_ paths: [ItemPath?]) -> Bool {
      let endsAbove = (paths.last ?? nil).map { $0 < path } ?? false
      let beginsBelow = (paths.first ?? nil).map { $0 > path } ?? false
      return !endsAbove && !beginsBelow
    }

    /// Without a count it has all positions up to the next gap, if that says where it begins.
    func has(_ offset: Int) -> Bool {
      guard let first = gap.offset, offset >= first else { return false }
      if let count = gap.count { return offset - first < count }
      return next.map { next in next.offset.map { offset < $0 } ?? false } ?? true
    }
  }

  /// - Returns: `nil` if the item is no gap.
  private func gap(_ id: ItemID, in section: SectionID, at path: ItemPath) throws -> Found? {
    guard try list.isGap(at: path) else { return nil }
    let count = try list.itemCount(inSection: section, at: path.section)
    return Found(
      id: id, section: section, path: path,
      gap: Gap(readable: try list.state(of: id, at: path).content), below: count - path.item - 1)
  }

  /// All gaps, in their order.
  private func gaps() throws -> [Found] {
    var gaps = try list.gaps().compactMap {
      try gap($0.id, in: $0.location.section, at: $0.location.path)
    }
    for (index, next) in gaps.enumerated().dropFirst() where next.section == gaps[index - 1].section
    {
      gaps[index - 1].next = next.gap
    }
    return gaps
  }

  private func isEmpty() throws -> Bool {
    try (0..<list.sectionCount()).allSatisfy {
      try list.itemCount(inSection: list.sectionID(at: $0), at: $0) == 0
    }
  }

  // MARK: A page from before

  /// A page with the positions that its items have by now, where new items stand at the start.
  ///
  /// A page that tells of fewer items than the gaps know may be older than they are, or the server has deleted
  /// some. It is taken to be older if the last gap has changed since it was asked for: else late pages would
  /// set positions back that newer ones have put right.
  ///
  /// - Parameters:
  ///   - page: The page.
  ///   - section: The section that it is for.
  ///   - changed: What has changed since it was asked for.
  /// - Returns: The page, its offset and its total as they are now.
  /// - Throws: The error of reading the list.
  /// - Complexity: O(*g* log *n*), *g* gaps, *n* items of the list.
  package func upToDate(
    _ page: Page, in section: SectionID, since changed: Set<ItemID>
  ) throws -> Page {
    guard let last = try gaps().last(where: { $0.section == section }), changed.contains(last.id),
      let growth = last.growth(to: page.total), growth < 0
    else { return page }
    var page = page
    page.total = page.total.map { $0 - growth }
    page.offset = page.offset.map { $0 - growth }
    return page
  }

  // MARK: A page from anywhere

  /// Where a page belongs that was asked for by an item.
  package enum Target: Equatable {
    /// Into this gap.
    case gap(ItemID, SectionID)
    /// The list has all of it.
    case known
    /// The list has no items.
    case empty
    /// Nobody knows: it may be in one of several gaps, or be newer than all that the list has.
    case unknown
  }

  /// Finds out where a page belongs: next to an item that the list has, or by its position.
  ///
  /// - Parameters:
  ///   - page: The page.
  ///   - isNewestAtEnd: Whether what is new stands at the end.
  ///   - isCurrent: Whether the list has had the newest page since the item was known: then a page that has no
  ///     item of the list is in a gap.
  /// - Returns: Where.
  /// - Throws: The error of reading the list.
  /// - Complexity: O((*k* + *g*) log *n*), *k* items of the page, *g* gaps, *n* items of the list.
  package func target(
    of page: Page, isNewestAtEnd: Bool, isCurrent: Bool
  ) throws -> Target {
    if try isEmpty() { return .empty }
    let paths = try page.items.map { try list.location(of: $0.id)?.path }
    if !paths.contains(nil) { return .known }
    let gaps = try gaps()
    let found =
      neighbour(of: paths, in: gaps)
      ?? page.offset.flatMap { offset in
        // The page may be newer than the newest page that the list has.
        let isCurrent =
          isCurrent && (isNewestAtEnd || gaps.last?.growth(to: page.total) ?? 0 == 0)
        let isRight = isCurrent || arePositionsRight(page, gaps, isNewestAtEnd: isNewestAtEnd)
        return isRight ? gaps.last { $0.has(offset) && $0.canHave(paths) } : nil
      } ?? (isCurrent && gaps.count == 1 && paths.allSatisfy { $0 == nil } ? gaps.first : nil)
    return found.map { .gap($0.id, $0.section) } ?? .unknown
  }

  /// The gap beside an item of the page, on the side where the list lacks the next one.
  private func neighbour(of paths: [ItemPath?], in gaps: [Found]) -> Found? {
    for (index, path) in paths.enumerated() {
      guard let path else { continue }
      func isNear(_ gap: Found) -> Bool {
        gap.path.section == path.section && abs(gap.path.item - path.item) <= paths.count
      }
      if index > 0, paths[index - 1] == nil,
        let gap = gaps.last(where: { $0.path < path }), isNear(gap)
      {
        return gap
      }
      if index + 1 < paths.count, paths[index + 1] == nil,
        let gap = gaps.first(where: { $0.path > path }), isNear(gap)
      {
        return gap
      }
    }
    return nil
  }

  /// Whether the positions that the gaps have are those of the server, as far as a page says.
  private func arePositionsRight(
    _ page: Page, _ gaps: [Found], isNewestAtEnd: Bool
  ) -> Bool {
    guard let last = gaps.last else { return false }
    if !isNewestAtEnd { return last.growth(to: page.total) == 0 }
    // What is new at the end moves nothing, and is beyond all that the list knows of.
    guard let offset = page.offset, let growth = last.growth(to: offset + page.items.count) else {
      return false
    }
    return growth <= 0
  }

  // MARK: A page at an edge

  /// The gap at whose edge a page belongs that was asked for there.
  ///
  /// Another page may have split it since: then its lower part is another gap. An edge is the one that was
  /// asked for as long as it has the same cursor, or the same item next to it.
  ///
  /// - Parameters:
  ///   - gap: The gap that the page was asked for.
  ///   - edge: The edge.
  ///   - asked: What the gap said then.
  ///   - neighbour: The item that stood at the edge then; `nil` for none.
  ///   - hasPagesAhead: Whether pages may have come into the list, or out of it, in between: then an edge with another
  ///     cursor is another one, whatever stands next to it.
  /// - Returns: The gap; `nil` if no gap has that edge any more: what the page is next to is elsewhere.
  /// - Throws: The error of reading the list.
  /// - Complexity: O(log *n*), *n* items of the list.
  package func gap(
    _ gap: ItemID, at edge: PageMerge.Edge, asked: Gap?, beside neighbour: ItemID?,
    hasPagesAhead: Bool = false
  ) throws -> ItemID? {
    let step = edge == .upper ? 1 : -1
    func cursor(_ gap: Gap?) -> String? { edge == .upper ? gap?.after : gap?.before }
    func path(_ distance: Int, from location: ItemLocation) throws -> ItemPath? {
      let path = ItemPath(section: location.path.section, item: location.path.item + distance)
      let count = try list.itemCount(inSection: location.section, at: path.section)
      return 0..<count ~= path.item ? path : nil
    }
    if let location = try list.location(of: gap),
      let found = try self.gap(gap, in: location.section, at: location.path)
    {
      if let asked = cursor(asked) {
        if asked == cursor(found.gap) { return gap }
        if hasPagesAhead { return nil }
      }
      if try path(-step, from: location).map(list.itemID) == neighbour { return gap }
    }
    guard let location = try neighbour.flatMap({ try list.location(of: $0) }) else { return nil }
    // What waits to be deleted may stand between.
    for distance in 1...Self.mostBetween {
      guard let path = try path(step * distance, from: location) else { return nil }
      guard let found = try self.gap(list.itemID(at: path), in: location.section, at: path) else {
        continue
      }
      let hasCursor = cursor(asked) != nil
      let isRight =
        hasCursor && cursor(asked) == cursor(found.gap)
        || distance == 1 && !(hasCursor && hasPagesAhead)
      return isRight ? found.id : nil
    }
    return nil
  }

  /// Whether a page that was asked for at the lower edge of a gap ends above it, by its position: new items have
  /// come at the start since the position that it was asked by was known.
  ///
  /// A server that is asked by a cursor may have others than it tells: if the page stands right above the gap
  /// already, nothing is between.
  ///
  /// - Parameters:
  ///   - page: The page; the positions of gaps are up to date with its total.
  ///   - id: The gap.
  /// - Returns: `false` if nobody knows.
  /// - Throws: The error of reading the list.
  /// - Complexity: O(*g* log *n*), *g* gaps, *n* items of the list.
  package func ends(_ page: Page, aboveLowerEdgeOf id: ItemID) throws -> Bool {
    let gaps = try gaps()
    guard let offset = page.offset, let last = page.items.last,
      let found = gaps.first(where: { $0.id == id }), let first = found.gap.offset,
      let count = found.gap.count, offset + page.items.count < first + count,
      gaps.last(where: { $0.section == found.section })?.growth(to: page.total) == 0
    else { return false }
    let above = ItemPath(section: found.path.section, item: found.path.item - 1)
    return try above.item < 0 || list.itemID(at: above) != last.id
  }

  // MARK: A page at a position

  /// What is to be done with a page that was asked for at a position.
  package enum Answer: Equatable {
    /// It belongs into this gap, when these changes have put right what the list says of positions.
    case gap(ItemID, SectionID, [Change])
    /// The positions that the list has are not those of the server any more: they are put right by these
    /// changes, and the page is asked for again.
    case moved([Change])
    /// No gap has the position.
    case tooLate
  }

  /// Finds out where a page at a position belongs.
  ///
  /// What is new stands at the newest end. If that is the start, all positions grow with the server's list:
  /// the page stays in the gap if it has the position then, too. A page that has items of the list that are
  /// not next to the gap is from elsewhere: the gap is loaded from its edges then, whose pages say where it
  /// is.
  ///
  /// - Parameters:
  ///   - page: The page.
  ///   - offset: The position of its first item.
  ///   - expected: The gap that had the position when the page was asked for; another page may have split it
  ///     since.
  ///   - isNewestAtEnd: Whether what is new stands at the end.
  /// - Returns: What is to be done.
  /// - Throws: The error of reading the list.
  /// - Complexity: O((*k* + *g*) log *n*), *k* items of the page, *g* gaps, *n* items of the list.
  package func answer(
    to page: Page, at offset: Int, for expected: ItemID, isNewestAtEnd: Bool
  ) throws -> Answer {
    guard let found = try gap(at: offset, expecting: expected) else { return .tooLate }
    let isNear = try page.items.allSatisfy { item in
      guard let place = try list.location(of: item.id)?.path else { return true }
      return place.section == found.path.section
        && abs(place.item - found.path.item) <= page.items.count
    }
    let section = try gaps().filter { $0.path.section == found.path.section }
    if !isNewestAtEnd, let growth = section.last?.growth(to: page.total), growth != 0 {
      let moved = try changes(moving: section, by: growth)
      let isStillThere = isNear && found.has(offset - growth)
      return isStillThere ? .gap(found.id, found.section, moved) : .moved(moved)
    }
    return isNear
      ? .gap(found.id, found.section, []) : .moved(try changes(of: found) { $0.offset = nil })
  }

  /// Puts the positions of all gaps right that a page says are others by now, where new items stand at the
  /// start; the page is not in the list yet.
  ///
  /// They move together: else those that have not moved would be behind for ever, since by the last gap alone
  /// it is known how much the server's list has grown.
  ///
  /// - Parameters:
  ///   - page: The page.
  ///   - section: The section that it is for.
  /// - Returns: The changes.
  /// - Throws: The error of reading the list.
  /// - Complexity: O(*g* log *n*), *g* gaps, *n* items of the list.
  package func changesOfPositions(before page: Page, in section: SectionID) throws -> [Change] {
    try changesOfPositions(in: section, to: page.total, below: -1)
  }

  /// Puts the positions of gaps right that the newest page says are others by now.
  ///
  /// All but the gap below the page move by as much as the server's list has grown at its start.
  ///
  /// - Parameter page: The newest page, which is in the list.
  /// - Returns: The changes.
  /// - Throws: The error of reading the list.
  /// - Complexity: O(*g* log *n*), *g* gaps, *n* items of the list.
  package func changesOfPositions(after page: Page) throws -> [Change] {
    guard let newest = page.items.last, let place = try list.location(of: newest.id) else {
      return []
    }
    return try changesOfPositions(in: place.section, to: page.total, below: place.path.item + 1)
  }

  /// Moves the gaps of a section below an item as much as the server's list has grown.
  private func changesOfPositions(
    in section: SectionID, to total: Int?, below item: Int
  ) throws -> [Change] {
    // What is below the last gap is known to the end of the server's list.
    let gaps = try gaps().filter { $0.section == section }
    guard let growth = gaps.last?.growth(to: total), growth != 0 else { return [] }
    return try changes(moving: gaps.filter { $0.path.item > item }, by: growth)
  }

  private func gap(at offset: Int, expecting expected: ItemID) throws -> Found? {
    let having = try gaps().filter { $0.has(offset) }
    return having.first { $0.id == expected } ?? having.first
  }

  private func changes(moving gaps: [Found], by distance: Int) throws -> [Change] {
    try gaps.flatMap { moved in
      try changes(of: moved) { gap in gap.offset = gap.offset.map { max(0, $0 + distance) } }
    }
  }

  private func changes(of found: Found, _ body: (inout Gap) -> Void) throws -> [Change] {
    var gap = found.gap
    body(&gap)
    return try list.state(of: found.id, at: found.path).changes(ofGap: found.id, to: gap)
  }
}

extension Page {
  /// The page without the numbers that no list can have.
  package var plausible: Page {
    var page = self
    page.offset = offset.flatMap { (0...Gap.mostItems).contains($0) ? $0 : nil }
    page.total = total.flatMap { (0...Gap.mostItems).contains($0) ? $0 : nil }
    return page
  }
}
