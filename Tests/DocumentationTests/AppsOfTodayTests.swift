import Cellar
import CellarUIKit
import FeedClient
import Foundation
import HeadlessUIKit
import SuiteSupport
import TestSupport
import Testing

/// Three apps of today, each written against the public API alone: short, and right from the first
/// frame after a relaunch.
@Suite(.timeLimit) @MainActor struct AppsOfTodayTests {
  private let folder: TemporaryFolder
  private let window = UIWindow(frame: CGRect(x: 0, y: 0, width: 320, height: 640))

  init() throws { folder = try TemporaryFolder() }

  /// Lines without blanks, comments, imports and what draws cells.
  @Test(arguments: [("Inbox", 110), ("Chat", 90), ("InboxWidget", 30)])
  nonisolated func eachIsShort(_ name: String, _ limit: Int) throws {
    let file = PackageFiles.root.appendingPathComponent(
      "Tests/DocumentationTests/Readers/\(name).swift")
    var count = 0
    var isCounted = false
    for line in try String(contentsOf: file, encoding: .utf8).split(separator: "\n") {
      if line.hasSuffix("// Program: begin") {
        isCounted = true
      } else if line.hasSuffix("// Program: end") {
        isCounted = false
      } else if isCounted, !line.allSatisfy(\.isWhitespace) {
        count += 1
      }
    }
    #expect((1...limit).contains(count))
  }

  /// Puts a controller's view into the window, as UIKit does: without a size at first.
  private func show(_ controller: UIViewController) {
    window.addSubview(controller.view)
    controller.view.layoutIfNeeded()
    controller.view.frame = window.bounds
    controller.view.layoutIfNeeded()
  }

  private struct TooLong: Error {}

  private func wait(
    _ view: UIView, _ location: SourceLocation = #_sourceLocation,
    until isDone: () throws -> Bool
  ) async throws {
    let end = ContinuousClock.now + .seconds(60)
    while try !isDone() {
      if ContinuousClock.now > end {
        Issue.record("waits for ever", sourceLocation: location)
        throw TooLong()
      }
      try await Task.sleep(for: .milliseconds(2))
      view.layoutIfNeeded()
      (view as? UITableView)?.headless.finishAnimations()
      (view as? UICollectionView)?.headless.finishAnimations()
    }
  }

  // MARK: The inbox and the widget

  /// A feed of one list, and the edits that were posted to it.
  private actor MailServer: FeedTransport {
    private var lines: [String] = []
    private(set) var posted: [String] = []

    init(messages: Int) {
      var operations: [String] = []
      for day in 0..<10 {
        operations.append(
          #"{"op":"insertSection","section":"day\#(day)","header":{"view":"MailDayView","content":{"title":"Day \#(day)"}}}"#
        )
        for number in 0..<(messages / 10) {
          let id = day * (messages / 10) + number
          operations.append(Self.insertion(of: id, in: "day\(day)"))
        }
      }
      lines = [Self.line(1, operations)]
    }

    private static func insertion(of id: Int, in day: String, at index: String = "") -> String {
      #"{"op":"insertItem","item":"m\#(id)","section":"\#(day)"\#(index),"type":"Mail","cell":"MailRow","content":{"id":"m\#(id)","sender":"Sender \#(id % 7)","subject":"Subject \#(id)","isRead":false}}"#
    }

    private static func line(_ number: Int, _ operations: [String]) -> String {
      #"{"t":"commit","list":"inbox","seq":"\#(number)","ops":[\#(operations.joined(separator: ","))]}"#
    }

    func receive(_ id: Int) {
      let operation = Self.insertion(of: id, in: "day0", at: #","index":0"#)
      lines.append(Self.line(lines.count + 1, [operation]))
    }

    func send(_ request: FeedClient.Request) async throws -> FeedClient.Response {
      if let body = request.body { posted.append(String(decoding: body, as: UTF8.self)) }
      let after = request.url.query?.firstMatch(of: #/after=(\d+)/#).flatMap { Int($0.1) } ?? 0
      let text = lines.dropFirst(after).map { $0 + "\n" }.joined()
      return FeedClient.Response(
        status: 200, headers: ["Content-Type": "application/x-ndjson"],
        body: .init(
          AsyncStream { continuation in
            continuation.yield(Data(text.utf8))
            continuation.finish()
          }))
    }
  }

  @Test func anInbox() async throws {
    let store = folder.file("inbox.sqlite")
    let mail = MailServer(messages: 5_000)
    let client = FeedClient(
      try #require(URL(string: "http://127.0.0.1:9/inbox")), transport: mail)
    var place: CGFloat = 0
    var subject: String?
    do {
      let app = try InboxController(store, client)
      show(app)
      app.table.headlessPullToRefresh()
      #expect(app.table.refreshControl?.isRefreshing == true)
      try await wait(app.table) { app.table.refreshControl?.isRefreshing == false }
      try await wait(app.table) { app.adapter?.provider.numberOfItems == 5_000 }
      #expect(app.banner.text == nil)
      let first = try #require(app.table.cellForRow(at: IndexPath(row: 0, section: 0)) as? MailRow)
      #expect((first.subject.text, first.mark.isHidden) == ("Subject 0", false))
      // A tap marks it as read, and leaves nothing selected.
      app.table.headless.tap(rowAt: IndexPath(row: 0, section: 0))
      try await wait(app.table) { first.mark.isHidden }
      #expect(app.adapter?.selection.items == [])
      // A swipe archives it; it can be undone.
      app.table.dataSource?.tableView(
        app.table, commit: .delete, forRowAt: IndexPath(row: 1, section: 0))
      try await wait(app.table) { app.adapter?.indexPath(of: "m1") == nil }
      #expect(app.banner.text == "Archived. Tap to undo.")
      app.undo()
      try await wait(app.table) { app.adapter?.indexPath(of: "m1") != nil }
      #expect(try app.inbox.pendingEdits().count == 3)
      // What comes meanwhile moves nothing.
      app.table.headlessDrag(to: CGPoint(x: 0, y: 20_000))
      await mail.receive(9_999)
      let path = try #require(app.table.indexPathsForVisibleRows?.first)
      let id = try #require(app.adapter?.itemID(at: path))
      let before = app.table.rectForRow(at: path).minY - app.table.contentOffset.y
      await app.refresh()
      try await wait(app.table) { app.adapter?.provider.numberOfItems == 5_001 }
      let now = try #require(app.adapter?.indexPath(of: id))
      place = app.table.rectForRow(at: now).minY - app.table.contentOffset.y
      #expect(abs(place - before) < 0.5)
      subject = (app.table.cellForRow(at: now) as? MailRow)?.subject.text
      try app.adapter?.saveViewState()
      app.inbox.repository.flushSizes()
      try app.inbox.repository.close()
    }
    // The next launch: in place in the first frame, and nothing is measured.
    let again = try InboxController(store, client)
    show(again)
    let first = try #require(again.table.indexPathsForVisibleRows?.first)
    #expect((again.table.cellForRow(at: first) as? MailRow)?.subject.text == subject)
    #expect(
      abs(again.table.rectForRow(at: first).minY - again.table.contentOffset.y - place) < 0.5)
    #expect(again.adapter?.measurementCount == 0)

    // Another process.
    let widget = try InboxWidget(store)
    #expect(try widget.newest().map(\.id) == ["m9999", "m0", "m1"])
    try widget.markRead(try widget.newest()[0])
    #expect(try widget.newest().map(\.isRead) == [true, true, false])
    try await wait(again.table) {
      try again.inbox.provider().item(at: ItemPath(section: 0, item: 0))
        == again.adapter?.provider.item(at: ItemPath(section: 0, item: 0))
    }
  }

  // MARK: The chat

  private struct Offline: Error, CustomStringConvertible { let description = "Offline" }

  private actor Server: ChatServer {
    private var isThere = false
    private var pages = 3
    func connect() { isThere = true }

    func page(before id: String?) async throws -> [ChatMessage] {
      pages -= 1
      if pages < 0 { return [] }
      let page = pages
      return (0..<40).map {
        ChatMessage(id: "p\(page).\($0)", text: String(repeating: "x", count: 5 + $0 % 4))
      }
    }

    func send(_ edit: Repository.PendingEdit) async throws { if !isThere { throw Offline() } }
  }

  @Test func aChat() async throws {
    let store = folder.file("chat.sqlite")
    do {
      let server = Server()
      let app = try ChatController(store, server)
      show(app)
      try await wait(app.list) { app.adapter?.provider.numberOfItems ?? 0 >= 40 }
      func expectEnd() {
        #expect(abs(app.list.bounds.maxY - app.list.contentSize.height) < 1)
      }
      expectEnd()
      func last() -> BubbleCell? {
        app.adapter.flatMap { adapter in
          let count = adapter.provider.numberOfItems(inSection: 0)
          return app.list.cellForItem(at: IndexPath(item: count - 1, section: 0)) as? BubbleCell
        }
      }
      try app.say("Hello")
      try await wait(app.list) { last()?.text.text == "Hello" && last()?.status.text != nil }
      expectEnd()
      try await wait(app.list) { last()?.status.text == "Offline. Tap to try again." }
      await server.connect()
      last()?.onRetry?()
      try await wait(app.list) { last()?.status.text == "✓" }
      // Older ones come above while one scrolls, and nothing moves.
      let count = try #require(app.adapter?.provider.numberOfItems)
      app.list.headlessDrag(to: CGPoint(x: 0, y: 0))
      let path = try #require(app.list.indexPathsForVisibleItems.min())
      let id = try #require(app.adapter?.itemID(at: path))
      try await wait(app.list) { app.adapter?.provider.numberOfItems ?? 0 >= count + 40 }
      let now = try #require(app.adapter?.indexPath(of: id))
      #expect(now.item >= path.item + 40)
      let frame = try #require(app.list.layoutAttributesForItem(at: now)?.frame)
      #expect(abs(frame.minY - app.list.contentOffset.y) < 1)
      app.list.headlessDrag(to: CGPoint(x: 0, y: 1_000_000))
      expectEnd()
      try app.adapter?.saveViewState()
      app.chat.repository.flushSizes()
      try app.chat.repository.close()
    }
    let again = try ChatController(store, Server())
    show(again)
    let last = again.list.indexPathsForVisibleItems.max().flatMap {
      again.list.cellForItem(at: $0) as? BubbleCell
    }
    #expect(last?.text.text == "Hello")
    #expect(last?.status.text == "✓")
    #expect(again.adapter?.measurementCount == 0)
  }
}
