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

/// What goes wrong on a screen reaches the app or the log, and is not kept for ever.
@MainActor @Suite struct ProblemReportTests {
  private let folder: TemporaryFolder
  private let repository: Repository
  private let log = CapturedLog()
  private var shelf: LiveList { repository.liveList("my shelf", items: [Book.self]) }

  init() throws {
    folder = try TemporaryFolder()
    var options = Repository.Options()
    options.logger = log.logger
    repository = try Repository(at: folder.file("store.sqlite"), options: options)
  }

  /// Items of a book's type whose contents are none.
  private func insertUnreadableBooks(_ count: Int) throws {
    try shelf.edit { list throws in
      try list.apply(.insertSection("a"))
      for number in 0..<count {
        try list.insert(
          Item(
            id: ItemID("secret \(number)"), cell: "BookCell", content: "{\"likes\":\"many\"}",
            type: "Book"), in: "a")
      }
    }
  }

  @Test(arguments: ScreenKind.allCases)
  func thoseThatNobodyListensToAreKeptUpToAHundred(_ kind: ScreenKind) throws {
    try insertUnreadableBooks(300)
    let screen = try Screen(kind, showing: shelf)
    screen.layOut()
    while screen.view.contentOffset.y < screen.view.contentSize.height {
      screen.view.contentOffset.y += 400
      screen.view.layoutIfNeeded()
    }
    var problems: [any Error] = []
    screen.adapter.onProblem = { problems.append($0) }
    #expect(problems.count == 100)
    #expect(problems.allSatisfy { $0 is ItemTypeError })
  }

  @Test func eachIsLoggedWithTheStoreAndNamesAndWithoutContents() throws {
    try insertUnreadableBooks(1)
    let screen = try Screen(.table, showing: shelf)
    screen.layOut()
    let line = try #require(log.lines.first)
    let id = try #require(
      line.wholeMatch(
        of:
          /can.t show a list error=ItemTypeError store=([0-9a-f]{32}) why=a content is not that of a "Book"/
      ))
    #expect(Set(id.1).count > 1)
    #expect(log.lines.allSatisfy { $0 == line })
  }
}
