import BatchUpdates
import ListModel
import Pages
import TestSupport
import Testing

/// What a page makes of a list.
@Suite struct PageMergeTests {
  private func list(_ ids: String) throws -> PagedTree {
    var list = PagedTree()
    try list.tree.apply(.insertSection("items"))
    for id in ids.split(separator: " ") {
      let isGap = id.hasPrefix("(")
      let names = id.dropFirst().dropLast().split(separator: ":", omittingEmptySubsequences: false)
      let item =
        isGap
        ? Item(
          id: .init(stringLiteral: String(names[0])), cell: Gap.cell,
          content: Gap(
            after: names.count > 1 ? String(names[1]) : nil,
            before: names.count > 2 ? String(names[2]) : nil
          ).content)
        : item(String(id))
      try list.tree.apply(.insertItem(item, in: "items"))
    }
    return list
  }

  private func item(_ id: String) -> Item {
    Item(id: .init(stringLiteral: id), cell: "Cell", content: "{}")
  }

  private func page(
    _ ids: String, before: String? = nil, after: String? = nil, offset: Int? = nil,
    total: Int? = nil
  ) -> Page {
    Page(
      items: ids.split(separator: " ").map { item(String($0)) }, before: before, after: after,
      offset: offset, total: total)
  }

  private func shown(_ list: PagedTree) -> String {
    list.section.map { $0.state.isGap ? "(\($0.id))" : $0.id.rawValue }.joined(separator: " ")
  }

  @Test func theFirstPageLeavesAGapBelow() throws {
    var list = PagedTree()
    let outcome = try list.merge(page("a b", after: "b", total: 10), at: .newest(isAtStart: true))
    #expect(shown(list) == "a b (gap1)")
    #expect(try list.gaps.first?.gap == Gap(after: "b", count: 8))
    #expect(outcome.insertedCount == 2 && outcome.newCount == 2 && outcome.hasProgress)
  }

  @Test func theFirstPageOfAChatLeavesAGapAbove() throws {
    var list = PagedTree()
    _ = try list.merge(page("y z", before: "y"), at: .newest(isAtStart: false))
    #expect(shown(list) == "(gap1) y z")
    #expect(try list.gaps.first?.gap == Gap(before: "y"))
  }

  @Test func aRefreshThatMeetsChangesWhatDiffers() throws {
    var list = try list("a b c d")
    _ = try list.merge(page("n a c", after: "c"), at: .newest(isAtStart: true))
    // b is gone: it would stand between a and c.
    #expect(shown(list) == "n a c d")
  }

  @Test func aRefreshThatDoesNotMeetMakesAGap() throws {
    var list = try list("a b")
    let outcome = try list.merge(page("x y", after: "y"), at: .newest(isAtStart: true))
    #expect(shown(list) == "x y (gap1) a b")
    #expect(try list.gaps.first?.gap == Gap(after: "y"))
    #expect(outcome.insertedCount == 2)
  }

  @Test func aRefreshOfTheWholeListTakesOutTheRest() throws {
    var list = try list("a b (g) c")
    _ = try list.merge(page("b x"), at: .newest(isAtStart: true))
    #expect(shown(list) == "b x")
  }

  /// A row of the app's own stands where a page ended: what the server has after that comes below.
  @Test func aRefreshThatGoesOnPassesWhatNoPageHad() throws {
    var list = try list("a b own (g:b) z")
    _ = try list.merge(
      page("a b c d", after: "d"), at: .newest(isAtStart: true),
      ends: ["b": PageCursors(after: "b")])
    #expect(shown(list) == "a b own c d (g) z")
    #expect(try list.gaps.first?.gap == Gap(after: "d"))
  }

  @Test func aRefreshOfAChatThatGoesOnPassesWhatNoPageHad() throws {
    var list = try list("a (g:a:x) own x y")
    _ = try list.merge(
      page("v w x y", before: "v"), at: .newest(isAtStart: false),
      ends: ["x": PageCursors(before: "x")])
    #expect(shown(list) == "a (g) v w own x y")
    #expect(try list.gaps.first?.gap == Gap(after: "a", before: "v"))
  }

  /// What no page had may stand anywhere, where the gap is not the one that the page goes on with.
  @Test(arguments: ["c", ""]) func aRefreshThatGoesOnElsewhereLeavesAGap(_ cursor: String) throws {
    var list = try list("a b x (g:\(cursor)) z")
    _ = try list.merge(
      page("a b c d", after: "d"), at: .newest(isAtStart: true),
      ends: ["b": PageCursors(after: "b")])
    #expect(shown(list) == "a b c d (gap1) x (g) z")
  }

  /// A conversation that was far below, and is now at the top.
  @Test func whatTheServerHasMovedUpIsNotTwice() throws {
    let ids = (0..<200).map { "c\($0)" }
    var list = try list(ids.joined(separator: " "))
    _ = try list.merge(page("c150 c0 c1", after: "c1"), at: .newest(isAtStart: true))
    #expect(shown(list) == (["c150"] + ids.filter { $0 != "c150" }).joined(separator: " "))
  }

  @Test func whatTheServerHasMovedSaysNothingOfWhatItHasDeleted() throws {
    var inbox = try list("a b c d e f g")
    _ = try inbox.merge(page("g a b c d", after: "d"), at: .newest(isAtStart: true))
    #expect(shown(inbox) == "g a b c d e f")
    var chat = try list("a b c d e f g")
    _ = try chat.merge(page("d e f g a", before: "d"), at: .newest(isAtStart: false))
    #expect(shown(chat) == "b c d e f g a")
    var timeline = try list("a b c (gap) f g h")
    _ = try timeline.merge(page("d e f g h b", after: "b"), at: .gap("gap", .upper))
    #expect(shown(timeline) == "a c d e f g h b")
    // It was asked for from below: what it has of there has moved up.
    var upwards = try list("(gap) d e f")
    _ = try upwards.merge(page("b f c", before: "b"), at: .gap("gap", .lower))
    #expect(shown(upwards) == "(gap) b f c d e")
  }

  @Test func aPageFromAboveStandsAboveTheRestOfTheGap() throws {
    var list = try list("a (g:a) z")
    _ = try list.merge(page("b c", after: "c"), at: .gap("g", .upper))
    #expect(shown(list) == "a b c (g) z")
    #expect(try list.gaps.first?.gap.after == "c")
    _ = try list.merge(page("d z", after: "z"), at: .gap("g", .upper))
    #expect(shown(list) == "a b c d z")
  }

  @Test func aPageFromBelowStandsBelowTheRestOfTheGap() throws {
    var list = try list("a (g) z")
    _ = try list.merge(page("x y", before: "x"), at: .gap("g", .lower))
    #expect(shown(list) == "a (g) x y z")
    _ = try list.merge(page("a w", before: "a"), at: .gap("g", .lower))
    #expect(shown(list) == "a w x y z")
  }

  /// It would bring the same page again.
  @Test func theRestBelowAPageThatDoesNotReachItsEdgeHasNotTheCursorOfThatPage() throws {
    var list = try list("a (g:a:z) z")
    _ = try list.merge(page("x y", before: "x", after: "y"), at: .aboveEdge("g"))
    #expect(shown(list) == "a (g) x y (gap1) z")
    #expect(try list.gaps.map(\.gap) == [Gap(after: "a", before: "x"), Gap(after: "y")])
    // By the item below, the server brings what is next to it.
    _ = try list.merge(page("x y", before: "x", after: "y"), at: .gap("gap1", .lower))
    #expect(shown(list) == "a (g) x y z")
  }

  /// The page was asked for before z, since the user has deleted x and y, which the server still has.
  @Test func anEdgeThatWentToAnotherGapIsFoundBeyondWhatWaitsToBeDeleted() throws {
    func found(_ ids: String) throws -> ItemID? {
      try GapFinder(ListOverlay(list(ids).tree))
        .gap("g", at: .lower, asked: Gap(after: "a", before: "x"), beside: "z")
    }
    #expect(try found("a (g:a:m) m (h:m:x) x y z") == "h")
    #expect(try found("a (g:a:m) m (h:m:w) x y z") == nil)
    #expect(try found("a (g:a:x) m (h:m:x) x y z") == "g")
  }

  /// The server tells by the cursor what comes before f, which is not at that gap any more; what is missing
  /// there comes after the page.
  @Test func anItemThatGoesIntoAPageLeavesAGapWithTheCursorOfThePage() throws {
    var list = try list("(g::h) h (u::f) f j")
    try list.tree.apply(.updateItem("u", ItemUpdate(content: .set(Gap(before: "f").content))))
    _ = try list.merge(page("d e f", before: "d", after: "f"), at: .gap("g", .lower))
    #expect(shown(list) == "(g) d e f h (u) j")
    #expect(try list.gaps.last?.gap == Gap(after: "f"))
    var other = try self.list("a c (u:c) b (g:b)")
    _ = try other.merge(page("c d", before: "c", after: "d"), at: .gap("g", .upper))
    #expect(shown(other) == "a (u) b c d (g)")
    #expect(try other.gaps.map(\.gap) == [Gap(before: "c"), Gap(after: "d")])
  }

  /// The page is on the other side of the item.
  @Test func anItemThatGoesIntoAPageLeavesAGapBeyondItWithItsOwnCursor() throws {
    var list = try list("a (g:a) b e c (u:c)")
    _ = try list.merge(page("c b", before: "c", after: "b"), at: .gap("g", .upper))
    #expect(shown(list) == "a c b e (u)")
    #expect(try list.gaps.map(\.gap) == [Gap(after: "c")])
    var other = try self.list("(u) c e b (g::d) d")
    try other.tree.apply(.updateItem("u", ItemUpdate(content: .set(Gap(before: "c").content))))
    _ = try other.merge(page("b c", before: "b", after: "c"), at: .gap("g", .lower))
    #expect(shown(other) == "(u) e b c d")
    #expect(try other.gaps.map(\.gap) == [Gap(before: "c")])
  }

  /// Else it could not be asked for at all.
  @Test func aGapKeepsItsCursorWhereThePageHasNone() throws {
    var list = try list("a c (u:c) b (g:b)")
    _ = try list.merge(page("c d", after: "d"), at: .gap("g", .upper))
    #expect(shown(list) == "a (u) b c d (g)")
    #expect(try list.gaps.map(\.gap) == [Gap(after: "c"), Gap(after: "d")])
  }

  /// The server has put it there since: what it stood beside is where it was.
  @Test func anItemThatGoesToTheNewestOnesLeavesAGapItsCursor() throws {
    var list = try list("a (g:a:c) c d")
    _ = try list.merge(page("c a", after: "a"), at: .newest(isAtStart: true))
    #expect(shown(list) == "c a (g) d")
    #expect(try list.gaps.map(\.gap) == [Gap(after: "a", before: "c")])
  }

  /// Page numbers: something new at the top has pushed the last item of the page before into this one.
  @Test func whatAPageRepeatsIsNotTwice() throws {
    var list = try list("a b c (g:2)")
    _ = try list.merge(page("c d e", after: "3"), at: .gap("g", .upper))
    #expect(shown(list) == "a b c d e (g)")
  }

  @Test func aPageInTheMidstLeavesAGapOnBothSides() throws {
    var list = try list("a (g:a)")
    _ = try list.merge(page("m n", before: "m", after: "n"), at: .inside("g"))
    #expect(shown(list) == "a (g) m n (gap1)")
    #expect(try list.gaps.map(\.gap) == [Gap(after: "a", before: "m"), Gap(after: "n")])
  }

  /// It was the first one when it was asked for, and the server's list has grown since.
  @Test func aLatePageThatWasTheFirstLeavesAGapAbove() throws {
    var list = try list("a (g:a) z")
    _ = try list.merge(page("m n", after: "n", offset: 20, total: 100), at: .inside("g"))
    #expect(shown(list) == "a (g) m n (gap1) z")
  }

  /// Another page has brought what this one ends with, after it was asked for: they meet.
  @Test func aPageMeetsWhatAnotherOneHasBroughtMeanwhile() throws {
    var list = try list("a (g:a) e f")
    _ = try list.merge(
      page("c d e f", before: "c", after: "f"), at: .inside("g"), changed: ["e", "f"],
      movedByOthers: [])
    #expect(shown(list) == "a (g) c d e f")
    #expect(try list.gaps.map(\.gap) == [Gap(after: "a", before: "c")])
    _ = try list.merge(page("b c d", after: "d"), at: .gap("g", .upper))
    #expect(shown(list) == "a b c d e f")
  }

  @Test func aPageInTheMidstThatMeetsOneSide() throws {
    var above = try list("a b (g:b) z")
    _ = try above.merge(page("b c", before: "b", after: "c"), at: .inside("g"))
    #expect(shown(above) == "a b c (g) z")
    var below = try list("a (g:a) y z")
    _ = try below.merge(page("x y", before: "x", after: "y"), at: .inside("g"))
    #expect(shown(below) == "a (g) x y z")
  }

  @Test func aPageOfAnEmptyListMayBeItsMidst() throws {
    var list = PagedTree()
    _ = try list.merge(page("m n", before: "m", after: "n"), at: .empty)
    #expect(shown(list) == "(gap2) m n (gap1)")
  }

  @Test func countsSayWhatIsLeft() throws {
    var list = PagedTree()
    _ = try list.merge(
      page("a b", after: "b", offset: 0, total: 100), at: .newest(isAtStart: true))
    #expect(try list.gaps.first?.gap == Gap(after: "b", count: 98, offset: 2))
    _ = try list.merge(
      page("m n", before: "m", after: "n", offset: 50, total: 100), at: .inside("gap1"))
    #expect(
      try list.gaps.map(\.gap) == [
        Gap(after: "b", before: "m", count: 48, offset: 2), Gap(after: "n", count: 48, offset: 52),
      ])
    _ = try list.merge(page("c", after: "c", offset: 2), at: .gap("gap1", .upper))
    #expect(try list.gaps.first?.gap == Gap(after: "c", before: "m", count: 47, offset: 3))
  }

  @Test func whatHasChangedMeanwhileStays() throws {
    var list = try list("a b (g:b)")
    // b was moved, c was deleted, and d was inserted since the page was asked for.
    try list.tree.apply(.moveItem("b", to: .start))
    try list.tree.apply(.insertItem(item("d"), in: "items", at: .start))
    _ = try list.merge(
      page("b c e", after: "e"), at: .gap("g", .upper), changed: ["b", "c", "d"])
    #expect(shown(list) == "d b a e (g)")
  }

  @Test func aPageForAGapThatHasGoneChangesNothing() throws {
    var list = try list("a b")
    let outcome = try list.merge(page("c", after: "c"), at: .gap("g", .upper))
    #expect(outcome.isTooLate && shown(list) == "a b")
  }

  @Test func aPageThatSaysNothingNewIsNoProgress() throws {
    var list = try list("a (g:a)")
    #expect(
      try list.merge(page("", after: "a"), at: .gap("g", .upper)) == PageMerge.Outcome())
    #expect(try list.merge(page("", after: "b"), at: .gap("g", .upper)).hasProgress)
    #expect(try list.merge(page(""), at: .gap("g", .upper)).hasProgress && shown(list) == "a")
  }

  // MARK: Random

  /// Pages in any order make the server's list; before that, a gap is where something is missing.
  @Test(arguments: 0..<SeededGenerator.count(50)) func pagesInAnyOrder(_ seed: Int) throws {
    var generator = SeededGenerator(seed: UInt64(seed))
    let server = PageServer(count: generator.number(0..<120))
    let isAtStart = generator.percent(70)
    var list = PagedTree()
    var rounds = 0
    repeat {
      rounds += 1
      try #require(rounds < 600)
      try load(from: server, into: &list, isAtStart: isAtStart, &generator, tellsSequence: false)
      #expect(list.problem(comparedWith: server) == nil, "round \(rounds)")
    } while try !list.gaps.isEmpty || list.section.count < server.items.count
    #expect(list.section.map(\.id) == server.items.map(\.id))
  }

  /// The server changes, and its feed tells: the list is the server's, or has a gap where it is not.
  @Test(arguments: 0..<SeededGenerator.count(60)) func pagesOfAServerThatChanges(_ seed: Int) throws
  {
    var generator = SeededGenerator(seed: UInt64(seed) &+ 1_000)
    var server = PageServer(count: generator.number(0..<80))
    let isAtStart = generator.percent(70)
    var list = PagedTree()
    // Without the first page, the list says nothing of the server's.
    try load(from: server, into: &list, isAtStart: isAtStart, &generator, tellsSequence: true)
    for round in 0..<120 {
      if generator.percent(60) {
        try list.follow(server.change(&generator))
      } else {
        try load(from: server, into: &list, isAtStart: isAtStart, &generator, tellsSequence: true)
      }
      let problem = list.problem(comparedWith: server)
      #expect(problem == nil, "round \(round)")
      if problem != nil { return }
    }
  }

  /// A page at random: the newest one, one at an edge, or one in the midst.
  private func load(
    from server: PageServer, into list: inout PagedTree, isAtStart: Bool,
    _ generator: inout SeededGenerator, tellsSequence: Bool
  ) throws {
    let size = generator.number(1..<15)
    let tellsOffset = generator.percent(50)
    func newest() -> Page {
      server.newest(
        size, isAtStart: isAtStart, tellsOffset: tellsOffset, tellsSequence: tellsSequence)
    }
    guard let (gap, _) = try generator.element(of: list.gaps), !generator.oneIn(6) else {
      _ = try list.merge(newest(), at: .newest(isAtStart: isAtStart))
      return
    }
    let place = try #require(list.section.firstIndex { $0.id == gap })
    let above = place > 0 ? list.section[place - 1].id.rawValue : nil
    let below = place + 1 < list.section.count ? list.section[place + 1].id.rawValue : nil
    switch generator.number(0..<5) {
    case 0...1:
      guard let above else { return }
      let page = server.page(
        after: above, size, tellsOffset: tellsOffset, tellsSequence: tellsSequence)
      _ = try list.merge(try #require(page), at: .gap(gap, .upper))
    case 2...3:
      guard let below else { return }
      let page = server.page(
        before: below, size, tellsOffset: tellsOffset, tellsSequence: tellsSequence)
      _ = try list.merge(try #require(page), at: .gap(gap, .lower))
    default:
      // In the gap, as far as the server tells.
      let first = above.flatMap { server.place(of: $0) }.map { $0 + 1 } ?? 0
      let last = below.flatMap { server.place(of: $0) } ?? server.items.count
      guard first < last else { return }
      let page = server.page(
        around: generator.number(first..<last), size, tellsSequence: tellsSequence)
      _ = try list.merge(page, at: .inside(gap))
    }
  }
}
