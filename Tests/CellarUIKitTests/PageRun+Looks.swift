import CellarUIKit
import Foundation
import HeadlessUIKit
import ListItems
import ListModel
import ListStore
import ListSync
import Pages
import Providers
import ScreenSupport
import TestSupport
import Testing

// What must hold.
extension PageRun {
  /// What somebody looked at on a screen.
  struct Look {
    /// The screen's name: another one has it after a launch.
    let name: String
    let eye: PageRunScreen.Eye?
    let isAtEnd: Bool
    /// Whether the screen opens at its end again.
    let standsAtEnd: Bool
    /// The item at the eye, and those near it that stay, too.
    var near: [ItemID]
    /// The list's revision, and the last line of the feed that it had had.
    let revision: Int
    let line: Int
  }

  var screens: [PageRunScreen] { [main] + [second].compactMap(\.self) }

  func screen(_ name: String) -> PageRunScreen? { screens.first { $0.name == name } }

  func items() throws -> [Item] { try list.provider().tree.sections.flatMap(\.items) }

  /// What is looked at on screens; `nil`: on all.
  ///
  /// `reach`: How many rows on either side of the eye are to stay, if there is a limit.
  func looks(at screens: [PageRunScreen]? = nil, reach: Int = 0) throws -> [Look] {
    let revision = try list.revision()
    // A line of a feed may move what is beside an item, and take it along.
    let items = reach > 0 && limit != nil && !server.habits.hasFeed ? try items() : []
    return (screens ?? self.screens).map { shown in
      let eye = shown.eye()
      return Look(
        name: shown.name, eye: eye, isAtEnd: shown.isAtEnd,
        standsAtEnd: shown.screen.adapter.standsAtEnd,
        near: eye.map { near($0.item, of: items, reach) } ?? [], revision: revision,
        line: server.deliveredSequence)
    }
  }

  private func near(_ item: ItemID, of items: [Item], _ reach: Int) -> [ItemID] {
    guard let index = items.firstIndex(where: { $0.id == item }) else { return [item] }
    let rows = max(0, index - reach)...min(items.count - 1, index + reach)
    return items[rows].filter { !$0.state.isGap }.map(\.id)
  }

  /// What the store said of it, which may be older than what was looked at when the app was killed.
  func savedEye(of shown: PageRunScreen) -> PageRunScreen.Eye? {
    (try? list.viewState(view: shown.name))?.anchor.map {
      PageRunScreen.Eye(item: $0.item, place: CGFloat($0.offset))
    }
  }

  /// Does something that is no scroll of the user: what is looked at stays where it is.
  func staying(_ name: String, _ body: () throws -> Void) async throws {
    step = name
    for shown in screens { shown.screen.layOut() }
    let looks = try looks(reach: 100)
    let inSight = Set(screens.flatMap(\.inSight))
    let revision = try list.revision()
    server.forgetAnswers()
    try body()
    try await settle()
    for look in looks { try expect(look) }
    try expectBound(since: revision, seeing: inSight)
  }

  /// The item has the same place on the screen, unless it is gone or the content is too short for that.
  ///
  /// After a launch, what was looked at then may have it instead, until somebody scrolls: other sizes show
  /// other items beside it.
  func expect(_ look: Look) throws {
    try expectKept(look)
    if look.isAtEnd { return }
    guard let eye = look.eye, let shown = screen(look.name), let distance = shown.distance(of: eye)
    else { return }
    if shown.isAtLeft { return }
    #expect(
      abs(distance) < 0.01,
      """
      \(eye.item) moved on screen \(look.name), at the end: \(shown.screen.adapter.standsAtEnd), \
      \(shown.view.contentOffset.y), was at \(eye.place), \(eye.before); \(context)
      """)
  }

  /// No page takes away what is at the eye, or near it, as long as the server has it where the list has it.
  func expectKept(_ look: Look) throws {
    let known =
      look.near.count > 1
      ? Set(try items().map(\.id))
      : Set(try look.near.filter { try repository.hasItem($0, in: "shelf") })
    let lost = look.near.filter {
      !known.contains($0) && server.hasStayed($0, since: look.line)
    }
    if lost.isEmpty { return }
    let removed = try repository.commits(of: "shelf", after: look.revision)
      .filter { $0.author == .pages }.flatMap(\.entries)
      .compactMap { entry -> ItemID? in
        if case .deleteItem(let item, _) = entry { item.id } else { nil }
      }
    let taken = lost.filter(removed.contains)
    let commits = try latestCommits()
    #expect(taken == [], "taken away near \(look.name)'s eye; \(commits); \(context)")
  }

  /// A screen that is there again shows what it was left at.
  func expectArrival(at look: Look) throws {
    guard let shown = screen(look.name) else { return }
    shown.left = [look.eye, savedEye(of: shown)].compactMap(\.self)
    if !look.standsAtEnd { try expect(look) }
    shown.left += [shown.eye()].compactMap(\.self)
  }

  /// Waits until all that can happen without the server has happened.
  func settle() async throws {
    var calm = 0
    for _ in 0..<20_000 {
      for shown in screens { shown.update() }
      let counts = list.pages?.counts ?? (loading: 0, retrying: 0)
      let revision = try list.provider().revision
      let isShown = screens.allSatisfy { $0.screen.adapter.provider.revision == revision }
      // A page by an item may wait for the newest page first, and one at an edge for the same edge of a gap
      // that was split.
      let isWaiting = counts.loading > server.questions.count && !server.questions.isEmpty
      let isQuiet = counts.loading == server.questions.count || isWaiting
      calm = isShown && isQuiet ? calm + 1 : 0
      if calm > (isWaiting ? 20 : 2) { break }
      try await Task.sleep(for: .milliseconds(1))
    }
    if calm <= 2 {
      Issue.record(
        "it does not settle: \(list.pages?.counts ?? (0, 0)), \(server.questions.map(\.request)); \(context)"
      )
    }
    let items = try items()
    let ids = Set(items.map(\.id))
    #expect(ids.count == items.count, context)
    server.forgetPositions(except: items)
    if habits.limit != nil {
      server.forgetPages(except: ids, opened: known.isSubset(of: ids) ? [] : items)
    }
    known = ids
    try expectEdits(in: items)
    for shown in screens { shown.screen.expectBalance() }
  }

  /// What the last commits have done, for whoever looks for the reason.
  func latestCommits() throws -> [String] {
    try repository.commits(of: "shelf").suffix(40).map { commit in
      let entries = commit.entries.map { entry in
        switch entry {
        case .insertItem(let item, let path): "+\(item.id)@\(path.item)"
        case .deleteItem(let item, let path): "-\(item.id)@\(path.item)"
        case .moveItem(let id, let from, let to): "\(id) \(from.item)>\(to.item)"
        case .updateItem(let id, _, _, let after): "=\(id) \(after.content.text.prefix(60))"
        default: "…"
        }
      }
      return "\(commit.revision) \(commit.author.name): \(entries.joined(separator: " "))"
    }
  }
}
