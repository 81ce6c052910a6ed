import CellarUIKit
import Foundation
import HeadlessUIKit
import ListItems
import ListModel
import ListStore
import ListSync
import ScreenSupport
import TestSupport
import Testing

/// A store that is closed under a live screen.
@MainActor @Suite struct ClosedStoreTests {
  @Test(arguments: ScreenKind.allCases)
  func theViewKeepsWhatItShowsAndTheAppIsTold(_ kind: ScreenKind) throws {
    let bookcase = try Bookcase()
    try bookcase.fill(100)
    let screen = try Screen(kind, showing: bookcase.shelf)
    var problems: [any Error] = []
    screen.adapter.onProblem = { problems.append($0) }
    screen.layOut()
    let shown = screen.shown
    #expect(shown.count > 5)
    try bookcase.repository.close()
    screen.layOut()
    #expect(screen.shown == shown)
    screen.adapter.update()
    screen.layOut()
    #expect(screen.shown == shown)
    #expect(problems.contains { ($0 as? StoreError)?.code == .closed })
    // What was never read can't be read any more: its cells are the fallback.
    screen.scroll(to: 1)
    #expect(screen.visiblePaths.count > 5)
    screen.scroll(to: 0)
    #expect(screen.shown == shown)
    screen.expectBalance()
  }

  @Test(arguments: ScreenKind.allCases)
  func aNewSizeKeepsWhatItShows(_ kind: ScreenKind) throws {
    let bookcase = try Bookcase()
    try bookcase.fill(100)
    let screen = try Screen(kind, showing: bookcase.shelf)
    screen.layOut()
    let shown = screen.shown.prefix(5)
    try bookcase.repository.close()
    screen.view.frame.size.width = 300
    screen.layOut()
    screen.adapter.update()
    screen.layOut()
    #expect(screen.shown.prefix(5) == shown)
  }

  @Test(arguments: ScreenKind.allCases)
  func aScreenThatIsLaidOutForTheFirstTimeIsTold(_ kind: ScreenKind) throws {
    let bookcase = try Bookcase()
    try bookcase.fill(100)
    let screen = try Screen(kind, showing: bookcase.shelf)
    var problems: [any Error] = []
    screen.adapter.onProblem = { problems.append($0) }
    try bookcase.repository.close()
    screen.layOut()
    #expect(problems.contains { ($0 as? UnreadableItems)?.cause?.code == .closed })
  }
}
