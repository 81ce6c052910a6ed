import BatchUpdates
import ListModel
import Pages
import TestSupport
import Testing

/// What a list with a limit gives up.
@Suite struct PageTrimTests {
  /// A list of pages of ten items each, as a server with ids as cursors gives them.
  private struct Trimmed {
    var list = PagedTree()
    var ends: [ItemID: PageCursors] = [:]
    let server: PageServer

    init(_ count: Int, pages: Int, isAtStart: Bool = true, hasBefore: Bool = true) throws {
      server = PageServer(count: count)
      for number in 0..<pages {
        let page: Page
        if let edge = isAtStart ? list.section.dropLast().last : list.section.dropFirst().first {
          guard let gap = try list.gaps.first?.id else { return }
          page = try #require(
            isAtStart
              ? server.page(
                after: edge.id.rawValue, 10, tellsOffset: false, tellsSequence: false)
              : server.page(
                before: edge.id.rawValue, 10, tellsOffset: false, tellsSequence: false))
          _ = try list.merge(page, at: .gap(gap, isAtStart ? .upper : .lower))
        } else {
          page = server.newest(10, isAtStart: isAtStart, tellsOffset: false, tellsSequence: false)
          _ = try list.merge(page, at: .newest(isAtStart: isAtStart))
        }
        note(page, hasBefore: hasBefore || number == 0)
      }
    }

    mutating func note(_ page: Page, hasBefore: Bool = true) {
      if hasBefore, let before = page.before, let first = page.items.first {
        ends[first.id, default: PageCursors()].before = before
      }
      if let after = page.after, let last = page.items.last {
        ends[last.id, default: PageCursors()].after = after
      }
    }

    @discardableResult
    mutating func trim(
      to limit: Page.Limit, eyes: Set<ItemID> = [], kept: Set<ItemID> = [], margin: Int = 5,
      isNewestAtEnd: Bool = false
    ) throws -> Int {
      var trim = PageTrim(
        to: limit, ends: ends, eyes: eyes, kept: kept, isNewestAtEnd: isNewestAtEnd)
      trim.margin = margin
      return try list.trim(trim)
    }

    var shown: [String] { list.section.map { $0.state.isGap ? "gap" : $0.id.rawValue } }
  }

  private func names(_ range: ClosedRange<Int>) -> [String] { range.map { "i\($0)" } }

  @Test func aListWithinItsLimitStays() throws {
    var all = try Trimmed(100, pages: 3)
    #expect(try all.trim(to: .items(30)) == 0)
    #expect(all.shown == names(1...30) + ["gap"])
  }

  @Test func whatIsFurthestFromTheEyeGoes() throws {
    var top = try Trimmed(100, pages: 6)
    #expect(try top.trim(to: .items(40), eyes: ["i3", "i8"]) == 30)
    #expect(top.shown == names(1...30) + ["gap"])
    #expect(try top.list.gaps.map(\.gap) == [Gap(after: "i30")])

    var end = try Trimmed(100, pages: 6)
    try end.trim(to: .items(40), eyes: ["i58"])
    #expect(end.shown == ["gap"] + names(31...60) + ["gap"])
    #expect(try end.list.gaps.first?.gap == Gap(before: "i31", count: 30))

    // Between two screens.
    var two = try Trimmed(100, pages: 6)
    try two.trim(to: .items(50), eyes: ["i2", "i59"])
    #expect(two.shown == names(1...20) + ["gap"] + names(41...60) + ["gap"])
    #expect(try two.list.gaps.first?.gap == Gap(after: "i20", before: "i41", count: 20))
  }

  @Test func withoutAScreenTheNewestStay() throws {
    var inbox = try Trimmed(100, pages: 5)
    try inbox.trim(to: .items(24))
    #expect(inbox.shown == names(1...20) + ["gap"])
    var chat = try Trimmed(100, pages: 5, isAtStart: false)
    try chat.trim(to: .items(24), isNewestAtEnd: true)
    #expect(chat.shown == ["gap"] + names(81...100))
  }

  @Test func bytesAreCounted() throws {
    var list = try Trimmed(100, pages: 5)
    let bytes = list.server.items[0].state.content.text.utf8.count
    try list.trim(to: .bytes(bytes * 40), eyes: ["i1"])
    #expect(list.shown == names(1...30) + ["gap"])
  }

  @Test func whatIsNearOrInUseStays() throws {
    var near = try Trimmed(100, pages: 5)
    #expect(try near.trim(to: .items(10), eyes: ["i25"], margin: 30) == 0)
    var kept = try Trimmed(100, pages: 5)
    try kept.trim(to: .items(10), eyes: ["i1"], kept: ["i33"])
    #expect(kept.shown == names(1...10) + ["gap"] + names(31...40) + ["gap"])
  }

  @Test func whatCanNotBeAskedForAgainStays() throws {
    // A server that only tells what follows: what is above can't be asked for.
    var list = try Trimmed(100, pages: 5, hasBefore: false)
    try list.trim(to: .items(20), eyes: ["i50"])
    #expect(list.shown == names(1...10) + ["gap"] + names(41...50) + ["gap"])
    #expect(try list.list.gaps.first?.gap == Gap(after: "i10", count: 30))
    // Without cursors in the midst, all is one stretch.
    var whole = try Trimmed(100, pages: 5)
    whole.ends = [:]
    #expect(try whole.trim(to: .items(20), eyes: ["i1"]) == 0)
  }

  /// Loading, trimming and loading again: the list is honest at every step, and whole in the end.
  @Test(arguments: 0..<SeededGenerator.count(40)) func whatGoesComesAgain(_ seed: Int) throws {
    var generator = SeededGenerator(seed: UInt64(seed) &+ 7_000)
    let isAtStart = generator.percent(60)
    var list = try Trimmed(
      generator.number(30..<120), pages: generator.number(1..<8), isAtStart: isAtStart)
    let server = list.server
    for round in 0..<60 {
      if generator.oneIn(3) {
        let before = Set(list.list.section.map(\.id))
        let items = list.list.section.filter { !$0.state.isGap }.map(\.id)
        let eyes = Set(generator.oneIn(4) ? [] : [generator.element(of: items)].compactMap(\.self))
        let kept = Set([generator.element(of: items)].compactMap(\.self))
        let limit = generator.number(1..<60)
        try list.trim(to: .items(limit), eyes: eyes, kept: kept, isNewestAtEnd: !isAtStart)
        let after = Set(list.list.section.map(\.id))
        #expect(eyes.union(kept).intersection(before).isSubset(of: after))
      } else {
        try load(into: &list, isAtStart: isAtStart, &generator)
      }
      let problem = list.list.problem(comparedWith: server)
      #expect(problem == nil, "round \(round)")
      if problem != nil { return }
      try checkGaps(list)
    }
    for _ in 0..<200 where try !list.list.gaps.isEmpty {
      try load(into: &list, isAtStart: isAtStart, &generator)
    }
    #expect(list.list.section.map(\.id) == server.items.map(\.id))
  }

  /// A gap's cursors are those of its neighbours, and its count is what is missing.
  private func checkGaps(_ list: Trimmed) throws {
    let section = list.list.section
    for (index, item) in section.enumerated() where item.state.isGap {
      let gap = try Gap(item.state.content)
      let above = index > 0 ? section[index - 1].id.rawValue : nil
      let below = index + 1 < section.count ? section[index + 1].id.rawValue : nil
      #expect(gap.after == nil || gap.after == above)
      #expect(gap.before == nil || gap.before == below)
      #expect(gap.after != nil || gap.before != nil)
      let first = above.flatMap { list.server.place(of: $0) }.map { $0 + 1 } ?? 0
      let end = below.flatMap { list.server.place(of: $0) } ?? list.server.items.count
      #expect(gap.count == nil || gap.count == end - first)
    }
  }

  /// Loads a page of a gap, from an edge whose cursor the gap has.
  private func load(
    into list: inout Trimmed, isAtStart: Bool, _ generator: inout SeededGenerator
  ) throws {
    guard let (id, gap) = try generator.element(of: list.list.gaps) else { return }
    let isFromAbove = gap.before == nil || gap.after != nil && generator.percent(50)
    let size = generator.number(1..<15)
    let cursor = try #require(isFromAbove ? gap.after : gap.before)
    let answer =
      isFromAbove
      ? list.server.page(after: cursor, size, tellsOffset: false, tellsSequence: false)
      : list.server.page(before: cursor, size, tellsOffset: false, tellsSequence: false)
    let page = try #require(answer)
    _ = try list.list.merge(page, at: .gap(id, isFromAbove ? .upper : .lower))
    list.note(page)
  }
}
