import BatchUpdates
import Foundation
import ListModel
import ListStore
import ListTables
import Pages

/// Puts a page that was asked for into its list: where it belongs by now.
struct PageTaking {
  let list: LiveList
  let policy: LiveList.Paging
  /// What was asked for.
  let key: PageLoading.Key
  /// What the list said then.
  let question: Repository.PageQuestion
  /// Whether the newest page was loaded since the page was wanted.
  let isCurrent: Bool
  /// What screens show: it stays in the list.
  let inSight: Set<ItemID>

  /// Puts it into the list, in one commit.
  func take(_ page: Page) throws -> Repository.PageAnswer<PageMerge.Outcome> {
    var page = page.plausible
    if case .from(let offset) = key.part, page.offset == nil { page.offset = offset }
    let ends = page.ends
    var (isUnknown, isOutdated) = (false, false)
    do {
      return try list.repository.takePage(
        into: list.id, ownedBy: list.owner, askedWith: question, sequence: page.sequence, ends: ends
      ) { overlay, joiner, changed, rows -> PageMerge.Outcome in
        func make(_ changes: [Change]) throws {
          for change in changes { try joiner.note(try overlay.apply(change).get(), in: overlay) }
        }
        if key == .newest, try isOlder(page, than: overlay, changed) {
          isOutdated = true
          throw Page.Failure.unknownPlace
        }
        let known = question.section ?? policy.section
        if policy.newest == .start {
          page = try GapFinder(overlay).upToDate(page, in: known, since: changed.all)
          if key.gap != nil, key.part == .after || key.part == .before {
            try make(try GapFinder(overlay).changesOfPositions(before: page, in: known))
          }
        }
        let (place, section): (PageMerge.Place, SectionID?)
        switch try destination(of: page, GapFinder(overlay)) {
        case .place(let found, let other, let changes):
          (place, section) = (found, other)
          try make(changes)
        case .tooLate: return PageMerge.Outcome.tooLate
        case .moved(let changes):
          try make(changes)
          return PageMerge.Outcome(hasProgress: !changes.isEmpty)
        case .unknown:
          isUnknown = true
          throw Page.Failure.unknownPlace
        }
        let outcome = try PageMerge(
          page, at: place, in: section ?? known,
          changed: changed.all, movedByOthers: changed.movedByOthers, otherSide: otherSide,
          cursors: rows.pageEnd,
          newGap: Self.newGap
        ).apply(to: &overlay, &joiner)
        if case .newest(isAtStart: true) = place {
          try make(try GapFinder(overlay).changesOfPositions(after: page))
        }
        if let limit = policy.limit {
          // The cursors of what the page has moved are those of another place.
          let moved = Set(page.items.map(\.id))
          let ends = try rows.pageEnds().filter { !moved.contains($0.key) }
          // Whoever tells nothing, or shows nothing else than what the page fills, looks at the page.
          var seen = try inSight.filter { try overlay.location(of: $0) != nil }
          if seen.isEmpty { seen = moved }
          var trim = PageTrim(
            to: limit, ends: ends.merging(page.ends) { $1 },
            eyes: try seen.union(rows.savedPlaces()), kept: try rows.itemsInUse(),
            isNewestAtEnd: policy.newest == .end)
          trim.positions = page.positions
          _ = try trim.apply(to: &overlay, &joiner, newGap: Self.newGap)
        }
        return outcome
      }
    } catch {
      if isOutdated { return .outdated }
      // Nothing is written of a page that belongs nowhere.
      throw isUnknown ? Page.Failure.unknownPlace : error
    }
  }

  /// Whether a newest page may be older than the newest item of the list: another page has brought that
  /// meanwhile, and this one does not have it.
  private func isOlder<List: ListLookup>(
    _ page: Page, than list: ListOverlay<List>, _ changed: Repository.ChangedItems
  ) throws -> Bool {
    let section = question.section ?? policy.section
    guard !changed.loaded.isEmpty, let index = try list.sectionIndex(of: section) else {
      return false
    }
    let count = try list.itemCount(inSection: section, at: index)
    for place in 0..<count {
      let item = policy.newest == .start ? place : count - 1 - place
      let id = try list.itemID(at: ItemPath(section: index, item: item))
      // What others have put there says nothing of the server's list.
      if changed.movedByOthers.contains(id) { continue }
      return changed.loaded.contains(id) && !page.items.contains { $0.id == id }
    }
    return false
  }

  /// The item on the other side of the place that the page was asked for.
  private var otherSide: ItemID? {
    switch key.part {
    case .newest: policy.newest == .start ? question.below : question.above
    case .after: question.below
    case .before: question.above
    case .around, .from: nil
    }
  }

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
    of page: Page, _ finder: GapFinder<List>
  ) throws -> Destination {
    switch (key.gap, key.part) {
    case (let gap?, .after): return try destination(of: page, at: .upper, of: gap, finder)
    case (let gap?, .before): return try destination(of: page, at: .lower, of: gap, finder)
    case (let gap?, .from(let offset)):
      return
        switch try finder.answer(
          to: page, at: page.offset ?? offset, for: gap, isNewestAtEnd: policy.newest == .end)
      {
      case .gap(let id, let section, let changes): .place(.inside(id), section, changes)
      case .moved(let changes): .moved(changes)
      case .tooLate: .tooLate
      }
    case (let gap?, _): return .place(.inside(gap), nil)
    case (nil, .around), (nil, .from):
      return
        switch try finder.target(
          of: page, isNewestAtEnd: policy.newest == .end, isCurrent: isCurrent)
      {
      case .gap(let id, let section): .place(.inside(id), section)
      case .known: .place(.known, nil)
      case .empty: .place(.empty, nil)
      case .unknown: .unknown
      }
    case (nil, _): return .place(.newest(isAtStart: policy.newest == .start), nil)
    }
  }

  private func destination<List: ListLookup>(
    of page: Page, at edge: PageMerge.Edge, of gap: ItemID, _ finder: GapFinder<List>
  ) throws -> Destination {
    let neighbour = edge == .upper ? question.above : question.below
    let now = try finder.gap(gap, at: edge, asked: question.gap, beside: neighbour)
    guard let now else { return .tooLate }
    // New items at the end move nothing.
    let endsAbove =
      try edge == .lower && policy.newest == .start && finder.ends(page, aboveLowerEdgeOf: now)
    return .place(endsAbove ? .aboveEdge(now) : .gap(now, edge), nil)
  }

  private static func newGap() -> ItemID {
    let digits = String(UInt64.random(in: .min ... .max), radix: 16)
    do { return try ItemID("#gap \(digits)") } catch {
      preconditionFailure("an id of some digits is one")
    }
  }
}

extension Page {
  /// Where its items stand in the server's list, if it tells.
  fileprivate var positions: [ItemID: Int] {
    guard let offset else { return [:] }
    return Dictionary(
      items.enumerated().map { ($1.id, offset + $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// The cursors of its first item, and of its last one.
  fileprivate var ends: [ItemID: PageCursors] {
    var ends: [ItemID: PageCursors] = [:]
    if let before, let first = items.first { ends[first.id] = PageCursors(before: before) }
    if let after, let last = items.last { ends[last.id, default: PageCursors()].after = after }
    return ends
  }
}

extension PageMerge.Outcome {
  /// The gap is not there any more.
  static var tooLate: Self { Self(isTooLate: true) }
}
