import CellarUIKit
import Foundation
import HeadlessUIKit
import ListModel
import ListStore
import ListSync
import ListItems
import Providers
import ScreenSupport
import TestSupport
import Testing

/// Whole histories on a screen: after every update each cell shows its item, and each binding ends.
@Suite @MainActor struct HistoryScreenTests {
  private let folder: TemporaryFolder
  private let repository: Repository

  init() throws {
    folder = try TemporaryFolder()
    repository = try Repository(at: folder.file("store.sqlite"))
  }

  /// Brings the screens on, some of their animations to an end, and scrolls them.
  private func turn(_ screens: [Screen], _ random: inout SeededGenerator) {
    for screen in screens {
      let seen = firstInSight(screen)
      screen.adapter.update()
      if random.percent(60) { screen.finishAnimations() }
      screen.layOut()
      if let seen { expectInPlace(seen, screen) }
      if random.percent(50) { screen.scroll(to: Double.random(in: 0...1, using: &random)) }
      screen.layOut()
    }
  }

  /// The first item in sight of a collection view and its place on the screen; `nil` at the top.
  private func firstInSight(_ screen: Screen) -> ListViewState.Anchor? {
    guard let view = screen.collection, view.contentOffset.y > 0.5 else { return nil }
    for path in screen.visiblePaths {
      guard let item = screen.adapter.itemID(at: path), let frame = screen.frame(of: item),
        frame.maxY > view.contentOffset.y
      else { continue }
      return ListViewState.Anchor(item: item, offset: frame.minY - view.contentOffset.y)
    }
    return nil
  }

  /// The item has the same place on the screen, unless the content is too short for that.
  private func expectInPlace(_ anchor: ListViewState.Anchor, _ screen: Screen) {
    guard let frame = screen.frame(of: anchor.item) else { return }
    let end = max(0, screen.view.contentSize.height - screen.view.bounds.height)
    let offset = frame.minY - anchor.offset
    #expect(offset < 0 || offset > end || abs(screen.view.contentOffset.y - offset) < 0.5)
  }

  /// The user takes an item of a collection view.
  private func beginMove(_ screen: Screen, _ random: inout SeededGenerator) {
    guard let view = screen.collection,
      let path = view.indexPathsForVisibleItems.randomElement(
        using: &random)
    else { return }
    view.beginInteractiveMovementForItem(at: path)
  }

  /// The user drops the item or lets it go back.
  ///
  /// - Returns: Whether the list may have changed.
  private func endMove(_ screen: Screen, _ random: inout SeededGenerator) -> Bool {
    guard let view = screen.collection, view.hasUncommittedUpdates else { return false }
    if let path = view.indexPathsForVisibleItems.randomElement(using: &random),
      let center = view.layoutAttributesForItem(at: path)?.center
    {
      view.updateInteractiveMovementTargetPosition(center)
    }
    if random.percent(30) {
      view.cancelInteractiveMovement()
      return false
    }
    view.endInteractiveMovement()
    return true
  }

  /// The user scrolls a bit and back: cells that were kept come on display again.
  private func scrollBackAndForth(_ screen: Screen, _ random: inout SeededGenerator) {
    let offset = screen.view.contentOffset
    let step = CGFloat.random(in: -80...80, using: &random)
    screen.view.headlessDrag(to: CGPoint(x: 0, y: offset.y + step))
    screen.view.headlessDrag(to: offset)
  }

  private func expectEverything(_ screens: [Screen]) throws {
    for screen in screens {
      try screen.settle()
      let list = screen.adapter.list.id
      #expect(screen.adapter.provider.tree == (try repository.tree(of: list)))
      screen.expectBalance()
      expectRightPlaces(screen)
      for share in [0, 0.3, 0.7, 1] {
        screen.scroll(to: share)
        screen.expectBalance()
        expectRightPlaces(screen)
      }
    }
    #expect(repository.diagnostics["mismatch"] == nil)
    #expect(repository.diagnostics["tooManyChanges"] == nil)
  }

  /// What is in sight has the size that it was measured with.
  private func expectRightPlaces(_ screen: Screen) {
    for path in screen.visiblePaths {
      // A control in any cell reaches its item.
      let source = screen.cell(at: path) as? any ControlEventSource
      #expect(source == nil || source?.onControlEvent != nil)
      let size = screen.adapter.size(ofItemAt: path)
      #expect(abs(Double(screen.cell(at: path)?.frame.height ?? -1) - size.height) < 0.001)
    }
    let frames = screen.visiblePaths.compactMap { screen.cell(at: $0)?.frame }
    for (index, frame) in frames.enumerated() {
      for other in frames[(index + 1)...] {
        let common = frame.intersection(other)
        #expect(common.width <= 0.001 || common.height <= 0.001)
      }
    }
  }

  @Test func realHistories() async throws { try await show(PackageFiles.releases) }

  @Test(
    .enabled(
      if: PackageFiles.repositoryHistory != nil, "needs ../shared/data/repository-history.ndjson"),
    .enabled(if: SeededGenerator.asksForMore, "takes minutes, CELLAR_SEEDS=2 asks for it"))
  func theLongHistory() async throws { try await show(#require(PackageFiles.repositoryHistory)) }

  private func show(_ history: URL) async throws {
    var random = SeededGenerator(seed: 5)
    var lists: Set<ListID> = []
    var screens: [Screen] = []
    var raised: [HeadlessException] = []
    var lines = try String(contentsOf: history, encoding: .utf8).split(separator: "\n")[...]
    while !lines.isEmpty {
      let count = min(lines.count, random.number(1..<12))
      let part = lines.prefix(count).map(String.init)
      lines = lines.dropFirst(count)
      let stream = AsyncStream { continuation in
        for line in part { continuation.yield(line) }
        continuation.finish()
      }
      _ = try await repository.follow(stream)
      for list in try repository.lists() where lists.insert(list).inserted {
        for kind in ScreenKind.allCases {
          screens.append(try .ofRows(kind, showing: list, of: repository))
        }
      }
      raised += HeadlessException.raised { turn(screens, &random) }
      // Other tests want the main actor, too.
      await Task.yield()
    }
    #expect(raised.isEmpty)
    #expect(screens.count == lists.count * 3)
    try expectEverything(screens)
    for screen in screens {
      // As many cells as fit the screen and an animation, however long the history.
      #expect(screen.cells.created <= 60)
      #expect(screen.adapter.measurementCount > 0)
    }
  }

  /// `CELLAR_SCREEN_EDITS=n` for more than the usual edits a kind of view, over all seeds.
  nonisolated static func editCount(_ kind: ScreenKind) -> Int {
    if let count = ProcessInfo.processInfo.environment["CELLAR_SCREEN_EDITS"].flatMap(Int.init) {
      return count
    }
    // UIKit's flow layout is the same adapter over again.
    return kind == .flow ? 800 : 2_400
  }

  @Test(arguments: ScreenKind.allCases, 1...4 as ClosedRange<UInt64>)
  func randomEdits(_ kind: ScreenKind, _ seed: UInt64) async throws {
    var random = SeededGenerator(seed: seed)
    let changes = RandomChanges(sections: 7, items: 60, hasSectionParts: true)
    var tree = ListTree(list: "shelf")
    let screen = try Screen.ofRows(kind, showing: "shelf", of: repository)
    screen.adapter.canMove = { _ in true }
    // A commit before the drop may delete the item in the user's hand, or the section below it.
    screen.adapter.onProblem = { problem in
      let code = (problem as? StoreError)?.code
      #expect(code == .itemNotFound || code == .sectionNotFound, "\(problem)")
    }
    if seed.isMultiple(of: 2) {
      screen.window.headlessChangeTraits(UITraitCollection(layoutDirection: .rightToLeft))
    }
    var made = 0
    var raised: [HeadlessException] = []
    while made < Self.editCount(kind) / 4 {
      if random.percent(20) { beginMove(screen, &random) }
      for _ in 0..<random.number(1..<4) {
        var commit: [Change] = []
        for _ in 0..<random.number(1..<7) {
          let change = changes.change(for: tree, using: &random)
          _ = try tree.apply(change)
          commit.append(change)
        }
        made += commit.count
        _ = try repository.commit(commit, to: "shelf")
      }
      try raised += HeadlessException.raised {
        if screen.collection?.hasUncommittedUpdates == true {
          screen.adapter.update()
          if endMove(screen, &random) { tree = try repository.tree(of: "shelf") }
        }
        turn([screen], &random)
        if random.percent(60) { scrollBackAndForth(screen, &random) }
      }
      // Other tests want the main actor, too.
      await Task.yield()
    }
    // The lists of the others hardly scroll.
    if kind == .placed { #expect(screen.cells.returned > 0) }
    #expect(raised.isEmpty)
    try expectEverything([screen])
  }
}
