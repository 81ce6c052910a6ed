package import BatchUpdates
package import ListModel

/// A page of a server, with all that says where it belongs in a list.
package struct AskedPage: Sendable {
  /// The page.
  package internal(set) var page: Page
  /// The gap that it was asked for; `nil` for none.
  let gap: ItemID?
  /// Which part was asked for.
  let part: PageRequest.Part
  /// What the gap said then.
  let asked: Gap?
  /// The items that stood right above and right below the place then.
  let above: ItemID?
  let below: ItemID?
  /// The section of the gap, or that of a list without sections.
  let section: SectionID
  /// Whether the newest items stand at the end of the list.
  let isNewestAtEnd: Bool
  /// Whether the newest page was loaded since the page was wanted.
  let isCurrent: Bool
  /// Its gaps are named after it: they are the same ones when it is put into the list again.
  let name: String

  /// A page that was asked for.
  package init(
    _ page: Page, for gap: ItemID?, _ part: PageRequest.Part, saying asked: Gap?,
    beside neighbours: (above: ItemID?, below: ItemID?), in section: SectionID,
    isNewestAtEnd: Bool, isCurrent: Bool = false
  ) {
    var page = page.plausible
    if case .from(let offset) = part, page.offset == nil { page.offset = offset }
    self.init(
      page: page, gap: gap, part: part, asked: asked, above: neighbours.above,
      below: neighbours.below, section: section, isNewestAtEnd: isNewestAtEnd,
      isCurrent: isCurrent, name: String(UInt64.random(in: .min ... .max), radix: 16))
  }

  init(
    page: Page, gap: ItemID?, part: PageRequest.Part, asked: Gap?, above: ItemID?, below: ItemID?,
    section: SectionID, isNewestAtEnd: Bool, isCurrent: Bool, name: String
  ) {
    self.page = page
    self.gap = gap
    self.part = part
    self.asked = asked
    self.above = above
    self.below = below
    self.section = section
    self.isNewestAtEnd = isNewestAtEnd
    self.isCurrent = isCurrent
    self.name = name
  }

  /// Items that have changed since a page was asked for.
  package struct ChangedItems {
    /// Those that stay as they are; none where the page says how new it is.
    package var all: Set<ItemID> = []
    /// Those that others than pages have inserted, moved or deleted: where they stand says nothing of the
    /// server's list.
    package var movedByOthers: Set<ItemID> = []
    /// Those that other pages have brought.
    package var loaded: Set<ItemID> = []

    package init() {}
  }

  /// Why a page can't be put into a list.
  package enum Refusal: Error {
    /// It can't be told where it belongs.
    case unknownPlace
    /// It knows less than the list.
    case outdated
  }

  /// Puts the page into a list; its positions are then those that the list has.
  ///
  /// `joiner`: Notes what is changed. `isAgain`: Whether it was taken out of the list before.
  ///
  /// - Throws: A ``Refusal``, or the error of reading the list.
  package mutating func apply<List: ListLookup>(
    to list: inout ListOverlay<List>, _ joiner: inout GapJoiner, changed: ChangedItems,
    isAgain: Bool = false, _ facts: some PageFacts
  ) throws -> PageMerge.Outcome {
    func make(_ changes: [Change]) throws {
      for change in changes { try joiner.note(try list.apply(change).get(), in: list) }
    }
    if gap == nil, part == .newest, try isOlder(than: list, changed) { throw Refusal.outdated }
    if !isNewestAtEnd {
      page = try GapFinder(list).upToDate(page, in: section, since: changed.all)
      if gap != nil, part == .after || part == .before {
        try make(try GapFinder(list).changesOfPositions(before: page, in: section))
      }
    }
    let (place, other): (PageMerge.Place, SectionID?)
    switch try destination(of: page, GapFinder(list), isAgain: isAgain) {
    case .place(let found, let section, let changes):
      (place, other) = (found, section)
      try make(changes)
    case .tooLate: return .tooLate
    case .moved(let changes):
      try make(changes)
      return PageMerge.Outcome(hasProgress: !changes.isEmpty)
    case .unknown: throw Refusal.unknownPlace
    }
    let name = name
    var gapCount = 0
    let outcome = try PageMerge(
      page, at: place, in: other ?? section, changed: changed.all,
      movedByOthers: changed.movedByOthers, otherSide: otherSide, cursors: facts.pageEnd,
      newGap: {
        gapCount += 1
        return Self.gap(of: name, gapCount == 1 ? "" : " \(gapCount)")
      }
    ).apply(to: &list, &joiner)
    if case .newest(isAtStart: true) = place {
      try make(try GapFinder(list).changesOfPositions(after: page))
    }
    return outcome
  }

  /// Whether the place that the page was asked for is the same in a list without the pages that know more.
  package func isAsked<List: ListLookup>(in list: ListOverlay<List>) throws -> Bool {
    let neighbour: (id: ItemID?, distance: Int)
    switch part {
    case .newest: return true
    case .around, .from: return false
    case .after: neighbour = (above, -1)
    case .before: neighbour = (below, 1)
    }
    guard let gap, let location = try list.location(of: gap), try list.isGap(at: location.path),
      Gap(readable: try list.state(of: gap, at: location.path).content) == asked
    else { return false }
    let path = ItemPath(
      section: location.path.section, item: location.path.item + neighbour.distance)
    let count = try list.itemCount(inSection: location.section, at: path.section)
    return try neighbour.id == (0..<count ~= path.item ? list.itemID(at: path) : nil)
  }

  /// Makes a gap of what a list has too much with the page.
  ///
  /// `inSight`: What screens show. `joiner`: Notes what is changed.
  ///
  /// - Returns: How many items became a gap.
  package func trim<List: ListLookup>(
    _ list: inout ListOverlay<List>, to limit: Page.Limit, inSight: Set<ItemID>,
    _ joiner: inout GapJoiner, _ facts: some PageFacts
  ) throws -> Int {
    // The cursors of what the page has moved are those of another place.
    let moved = Set(page.items.map(\.id))
    let ends = try facts.pageEnds().filter { !moved.contains($0.key) }
    // Whoever tells nothing, or shows nothing else than what the page fills, looks at the page.
    var seen = try inSight.filter { try list.location(of: $0) != nil }
    if seen.isEmpty { seen = moved }
    var trim = PageTrim(
      to: limit, ends: ends.merging(page.ends) { $1 },
      eyes: try seen.union(facts.savedPlaces()), kept: try facts.itemsInUse(),
      isNewestAtEnd: isNewestAtEnd)
    trim.positions = page.positions
    var gapCount = 0
    return try trim.apply(to: &list, &joiner) {
      gapCount += 1
      return Self.gap(of: name, " left \(gapCount)")
    }
  }

  private static func gap(of name: String, _ suffix: String) -> ItemID {
    do { return try ItemID("#gap \(name)\(suffix)") } catch {
      preconditionFailure("an id of some digits is one")
    }
  }

  /// Whether a newest page may be older than the newest item of the list: another page has brought that
  /// meanwhile, and this one does not have it.
  private func isOlder<List: ListLookup>(
    than list: ListOverlay<List>, _ changed: ChangedItems
  ) throws -> Bool {
    guard !changed.loaded.isEmpty, let index = try list.sectionIndex(of: section) else {
      return false
    }
    let count = try list.itemCount(inSection: section, at: index)
    for place in 0..<count {
      let item = isNewestAtEnd ? count - 1 - place : place
      let id = try list.itemID(at: ItemPath(section: index, item: item))
      // What others have put there says nothing of the server's list.
      if changed.movedByOthers.contains(id) { continue }
      return changed.loaded.contains(id) && !page.items.contains { $0.id == id }
    }
    return false
  }

  /// The item on the other side of the place that the page was asked for.
  private var otherSide: ItemID? {
    switch part {
    case .newest: isNewestAtEnd ? above : below
    case .after: below
    case .before: above
    case .around, .from: nil
    }
  }

  // MARK: Where it goes

  /// What becomes of a page.
  private enum Destination {
    case place(PageMerge.Place, SectionID?, [Change] = [])
    /// The positions of gaps are put right instead.
    case moved([Change])
    /// Its gap is not there any more.
    case tooLate
    /// It can't be told where it belongs.
    case unknown
  }

  private func destination<List: ListLookup>(
    of page: Page, _ finder: GapFinder<List>, isAgain: Bool
  ) throws -> Destination {
    switch (gap, part) {
    case (let gap?, .after):
      return try destination(of: page, at: .upper, of: gap, finder, isAgain: isAgain)
    case (let gap?, .before):
      return try destination(of: page, at: .lower, of: gap, finder, isAgain: isAgain)
    case (let gap?, .from(let offset)):
      return
        switch try finder.answer(
          to: page, at: page.offset ?? offset, for: gap, isNewestAtEnd: isNewestAtEnd)
      {
      case .gap(let id, let section, let changes): .place(.inside(id), section, changes)
      case .moved(let changes): .moved(changes)
      case .tooLate: .tooLate
      }
    case (let gap?, _): return .place(.inside(gap), nil)
    case (nil, .around), (nil, .from):
      return
        switch try finder.target(of: page, isNewestAtEnd: isNewestAtEnd, isCurrent: isCurrent)
      {
      case .gap(let id, let section): .place(.inside(id), section)
      case .known: .place(.known, nil)
      case .empty: .place(.empty, nil)
      case .unknown: .unknown
      }
    case (nil, _): return .place(.newest(isAtStart: !isNewestAtEnd), nil)
    }
  }

  private func destination<List: ListLookup>(
    of page: Page, at edge: PageMerge.Edge, of gap: ItemID, _ finder: GapFinder<List>, isAgain: Bool
  ) throws -> Destination {
    let neighbour = edge == .upper ? above : below
    let now = try finder.gap(
      gap, at: edge, asked: asked, beside: neighbour, hasPagesAhead: isAgain)
    guard let now else { return .tooLate }
    // New items at the end move nothing.
    let endsAbove =
      try edge == .lower && !isNewestAtEnd && finder.ends(page, aboveLowerEdgeOf: now)
    return .place(endsAbove ? .aboveEdge(now) : .gap(now, edge), nil)
  }
}

/// What a store knows of a list beside what is in it.
package protocol PageFacts {
  /// The cursors of an item with which a page ended.
  func pageEnd(of item: ItemID) throws -> PageCursors?
  /// The items with which pages ended.
  func pageEnds() throws -> [ItemID: PageCursors]
  /// Items that are where a screen will be opened again.
  func savedPlaces() throws -> Set<ItemID>
  /// Items that stay in a list with a limit.
  func itemsInUse() throws -> Set<ItemID>
}

extension Page {
  /// Where its items stand in the server's list, if it tells.
  fileprivate var positions: [ItemID: Int] {
    guard let offset else { return [:] }
    return Dictionary(
      items.enumerated().map { ($1.id, offset + $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// The cursors of its first item, and of its last one.
  package var ends: [ItemID: PageCursors] {
    var ends: [ItemID: PageCursors] = [:]
    if let before, let first = items.first { ends[first.id] = PageCursors(before: before) }
    if let after, let last = items.last { ends[last.id, default: PageCursors()].after = after }
    return ends
  }
}
