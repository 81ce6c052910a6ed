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

/// Whole histories on a screen, while a user does everything with it at random moments: each cell
/// shows its item, each control reaches it, the selection stays with its items, what is in sight
/// stays in place, and each binding ends.
@Suite @MainActor struct HistoryScreenTests {
  private let folder: TemporaryFolder
  private let repository: Repository

  init() throws {
    folder = try TemporaryFolder()
    repository = try Repository(at: folder.file("store.sqlite"))
  }

  private func expectEverything(_ users: [RandomUser]) throws {
    for user in users {
      let screen = user.screen
      user.comeToRest()
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

  @Test(.enabled(if: SeededGenerator.asksForMore, "takes minutes, CELLAR_SEEDS=2 asks for it"))
  func theLongHistory() async throws { try await show(RepositoryHistory.write(to: folder)) }

  private func show(_ history: URL) async throws {
    var random = SeededGenerator(seed: 5)
    var lists: Set<ListID> = []
    var users: [RandomUser] = []
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
      _ = try await repository.apply(stream)
      for list in try repository.lists() where lists.insert(list).inserted {
        for kind in ScreenKind.allCases {
          let screen = try Screen.ofRows(kind, showing: list, of: repository)
          // The feed knows nothing of what a user edits.
          users.append(RandomUser(of: screen, edits: false))
        }
      }
      raised += HeadlessException.raised {
        for user in users {
          user.act(&random)
          user.turn(&random)
        }
      }
      // Other tests want the main actor, too.
      await Task.yield()
    }
    #expect(raised.map(\.description) == [])
    #expect(users.count == lists.count * 3)
    try expectEverything(users)
    for screen in users.map(\.screen) {
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
    return kind == .flow ? 400 : 800
  }

  @Test(arguments: ScreenKind.allCases, 1...4 as ClosedRange<UInt64>)
  func randomEdits(_ kind: ScreenKind, _ seed: UInt64) async throws {
    var random = SeededGenerator(seed: seed)
    let changes = RandomChanges(sections: 7, items: 60, hasSectionParts: true)
    let screen = try Screen.ofRows(kind, showing: "shelf", of: repository)
    let user = RandomUser(of: screen, edits: true)
    // A commit before the drop may delete the item in the user's hand, or the section below it.
    screen.adapter.onProblem = { problem in
      let code = (problem as? StoreError)?.code
      #expect(code == .itemNotFound || code == .sectionNotFound, "\(problem)")
    }
    var tree = ListTree(list: "shelf")
    var made = 0
    var raised: [HeadlessException] = []
    while made < Self.editCount(kind) / 4 {
      for _ in 0..<random.number(0..<4) {
        raised += HeadlessException.raised { user.act(&random) }
      }
      for _ in 0..<random.number(1..<4) {
        // The user may have edited the list.
        if made > 0 { tree = try repository.tree(of: "shelf") }
        let commit = try (0..<random.number(1..<7)).map { _ in
          let change = changes.change(for: tree, using: &random)
          _ = try tree.apply(change)
          return change
        }
        made += commit.count
        _ = try repository.commit(commit, to: "shelf")
      }
      raised += HeadlessException.raised { user.turn(&random) }
      if !raised.isEmpty { break }
      // Other tests want the main actor, too.
      await Task.yield()
    }
    #expect(raised.map(\.description) == [])
    // The lists of the others hardly scroll.
    if kind == .placed { #expect(screen.cells.returned > 0) }
    try expectEverything([user])
  }
}
