import BatchUpdates
import CellarUIKit
import Foundation
import HeadlessUIKit
import ListItems
import ListModel
import ListStore
import ListSync
import Providers
import ScreenSupport
import SuiteSupport
import TestSupport
import Testing

/// Commits that come faster than a view is to show them, or while nobody sees it.
@Suite(.timeLimit) @MainActor struct BurstTests {
  private let bookcase: Bookcase

  init() throws {
    bookcase = try Bookcase()
    try bookcase.fill(1)
  }

  /// Commits one insertion each.
  private func add(_ ids: [String]) async throws {
    for id in ids {
      try await bookcase.shelf.edit { list throws in
        try list.insert(Book(id: id), in: "a")
      }
    }
  }

  /// Commits one insertion each, and lets no view show one before the last is there.
  private func addAtOnce(_ ids: [String]) throws {
    for id in ids {
      try bookcase.shelf.edit { list throws in try list.insert(Book(id: id), in: "a") }
    }
  }

  private func screen(_ kind: ScreenKind, updates: @escaping (BatchUpdate) -> Void) throws -> Screen
  {
    let screen = try Screen(kind, showing: bookcase.shelf)
    screen.checkBooks()
    screen.adapter.onProblem = { Issue.record("\($0)") }
    screen.adapter.onUpdate = updates
    screen.layOut()
    return screen
  }

  @Test(arguments: ScreenKind.allCases) func aCommitAfterARestIsShownAtOnceAndThoseAfterItAsOne(
    _ kind: ScreenKind
  ) async throws {
    var updates: [(update: BatchUpdate, time: ContinuousClock.Instant)] = []
    let screen = try screen(kind) { updates.append(($0, .now)) }
    screen.adapter.updateInterval = .milliseconds(500)
    let start = ContinuousClock.now
    try await add(["c0"])
    try await screen.wait { screen.shown == ["b0", "c0"] && updates.count == 1 }
    try addAtOnce(["c1", "c2", "c3"])
    try await screen.wait { updates.count == 2 }
    #expect(start.duration(to: updates[1].time) > .milliseconds(480))
    #expect(updates[1].update.to == updates[1].update.from + 3)
    #expect(screen.shown == ["b0", "c0", "c1", "c2", "c3"])
  }

  @Test func anUpdateThatTheAppAsksForDoesNotWait() async throws {
    var updates: [BatchUpdate] = []
    let screen = try screen(.flow) { updates.append($0) }
    // Never, as far as an app can see.
    screen.adapter.updateInterval = .seconds(Int64.max)
    try await add(["c0"])
    try await screen.wait { updates.count == 1 }
    try await add(["c1"])
    screen.adapter.update()
    screen.layOut()
    #expect(screen.shown == ["b0", "c0", "c1"])
  }

  @Test(arguments: ScreenKind.allCases) func aViewWithoutAWindowIsUpdatedOnceWhenItAppears(
    _ kind: ScreenKind
  ) async throws {
    var updates: [BatchUpdate] = []
    let screen = try screen(kind) { updates.append($0) }
    screen.adapter.updateInterval = .zero
    screen.view.removeFromSuperview()
    // A view in a window hears of the same commits.
    let witness = try self.screen(kind) { _ in }
    try await add(["c0", "c1", "c2"])
    try await witness.wait { witness.shown.count == 4 }
    #expect(updates.isEmpty)
    #expect(screen.adapter.provider.revision == 1)
    screen.window.addSubview(screen.view)
    #expect(screen.adapter.provider.revision == 4)
    screen.layOut()
    screen.finishAnimations()
    #expect(screen.shown == ["b0", "c0", "c1", "c2"])
    #expect(updates.map(\.to) == [4])
    screen.expectBalance()
    // The next one is an animated update again.
    try await add(["c3"])
    try await screen.wait { screen.shown.count == 5 && updates.count == 2 }
  }

  @Test func aViewWithoutAWindowIsUpdatedWhereTheAppSaysSo() async throws {
    let screen = try screen(.flow) { _ in }
    screen.view.removeFromSuperview()
    try await add(["c0"])
    screen.adapter.update()
    #expect(screen.adapter.provider.revision == 2)
  }

  @Test func aViewThatAppearsKeepsItsCellsIfNothingWasCommitted() throws {
    let screen = try screen(.flow) { _ in }
    let cell = try #require(screen.cell(of: "b0"))
    screen.view.removeFromSuperview()
    screen.window.addSubview(screen.view)
    screen.layOut()
    #expect(screen.cell(of: "b0") === cell)
  }
}
