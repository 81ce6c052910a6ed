import Cellar
import CellarUIKit
import Foundation
import HeadlessUIKit
import SuiteSupport
import TestSupport
import Testing

/// Apps of today, each written against the public API alone: short, and right from the first
/// frame after a relaunch.
@Suite(.timeLimit) @MainActor struct AppsOfTodayTests {
  private let folder: TemporaryFolder
  private let window = UIWindow(frame: CGRect(x: 0, y: 0, width: 320, height: 640))

  init() throws { folder = try TemporaryFolder() }

  /// Lines without blanks, comments, imports and what draws cells.
  @Test(arguments: [("Inbox", 110), ("Chat", 90), ("Timeline", 90), ("InboxWidget", 30)])
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

  private struct Offline: Error, CustomStringConvertible { let description = "Offline" }
  private struct Unexpected: Error { let change: Change }

  // MARK: The inbox and the widget

  /// A server of mail in pages of 50.
  private actor Mailbox: MailServer {
    private var mail: [Mail]
    private(set) var edits: [Change] = []
    private var isOffline = false

    init(_ count: Int) {
      mail = (0..<count).map {
        Mail(id: "m\($0)", sender: "Sender \($0 % 7)", subject: "Subject \($0)")
      }
    }

    func receive(_ id: Int) {
      mail.insert(Mail(id: "m\(id)", sender: "Sender", subject: "Subject \(id)"), at: 0)
    }
    func set(isOffline: Bool) { self.isOffline = isOffline }

    func mail(olderThan token: String?) async throws -> (mail: [Mail], older: String?) {
      if isOffline { throw Offline() }
      let start = token.flatMap { id in mail.firstIndex { $0.id == id } }.map { $0 + 1 } ?? 0
      let page = Array(mail[start...].prefix(50))
      return (page, start + page.count < mail.count ? page.last?.id : nil)
    }

    func send(_ edit: Repository.PendingEdit) async throws {
      for change in edit.changes {
        edits.append(change)
        switch change {
        case .deleteItem(let id): mail.removeAll { $0.id == id.rawValue }
        case .updateItem(let id, _):
          for index in mail.indices where mail[index].id == id.rawValue {
            mail[index].isRead = true
          }
        case .insertItem(let item, _, .after(let id)):
          let index = mail.firstIndex { $0.id == id.rawValue } ?? -1
          mail.insert(try item.value(as: Mail.self), at: index + 1)
        default: throw Unexpected(change: change)
        }
      }
    }
  }

  @Test func anInbox() async throws {
    let store = folder.file("inbox.sqlite")
    let server = Mailbox(5_000)
    var place: CGFloat = 0
    var subject: String?
    do {
      let app = try InboxController(store, server)
      show(app)
      func count() -> Int { app.adapter?.provider.numberOfItems ?? 0 }
      func firstInSight() throws -> (id: ItemID, place: CGFloat) {
        let path = try #require(app.table.indexPathsForVisibleRows?.first)
        let id = try #require(app.adapter?.itemID(at: path))
        return (id, app.table.rectForRow(at: path).minY - app.table.contentOffset.y)
      }
      func expectUnmoved(_ before: (id: ItemID, place: CGFloat)) throws {
        let now = try #require(app.adapter?.indexPath(of: before.id))
        let place = app.table.rectForRow(at: now).minY - app.table.contentOffset.y
        #expect(abs(place - before.place) < 0.5)
      }
      try await wait(app.table) { count() > 50 }
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
      while await server.edits.count < 3 { try await Task.sleep(for: .milliseconds(2)) }
      // Older mail comes as one scrolls.
      while count() < 300 {
        let loaded = count()
        app.table.headlessDrag(to: CGPoint(x: 0, y: 1_000_000))
        let before = try firstInSight()
        try await wait(app.table) { count() > loaded }
        try expectUnmoved(before)
      }
      // What can't be had says why, and a tap asks again.
      await server.set(isOffline: true)
      app.table.headlessDrag(to: CGPoint(x: 0, y: 1_000_000))
      func last() -> UITableViewCell? {
        app.table.indexPathsForVisibleRows?.last.flatMap { app.table.cellForRow(at: $0) }
      }
      try await wait(app.table) {
        app.table.headlessDrag(to: CGPoint(x: 0, y: 1_000_000))
        return (last() as? LoadingRow)?.label.text == "Offline. Tap to try again."
      }
      await server.set(isOffline: false)
      let loaded = count()
      app.table.headless.tap(rowAt: try #require(app.table.indexPathsForVisibleRows?.last))
      try await wait(app.table) { count() > loaded }
      // What is new is above, and moves nothing.
      app.table.headlessDrag(to: CGPoint(x: 0, y: 6_000))
      let before = try firstInSight()
      await server.receive(9_999)
      app.table.headlessPullToRefresh()
      #expect(app.table.refreshControl?.isRefreshing == true)
      try await wait(app.table) { app.table.refreshControl?.isRefreshing == false }
      #expect(app.banner.text == "1 new")
      try await wait(app.table) { app.adapter?.indexPath(of: "m9999") != nil }
      try expectUnmoved(before)
      #expect(try app.inbox.pendingEdits().isEmpty)
      place = before.place
      let now = try #require(app.adapter?.indexPath(of: before.id))
      subject = (app.table.cellForRow(at: now) as? MailRow)?.subject.text
      try app.adapter?.saveViewState()
      app.inbox.repository.flushSizes()
      try app.inbox.repository.close()
    }
    // The next launch: in place in the first frame, offline, and nothing is measured.
    await server.set(isOffline: true)
    let again = try InboxController(store, server)
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

  /// A server of messages in pages of 40.
  private actor Server: ChatServer {
    private var messages = (0..<120).map {
      ChatMessage(id: "p\($0)", text: String(repeating: "x", count: 5 + $0 % 4))
    }
    private var isThere = false

    func connect() { isThere = true }

    func messages(before id: String?) async throws -> (page: [ChatMessage], before: String?) {
      let end = id.flatMap { id in messages.firstIndex { $0.id == id } } ?? messages.count
      let start = max(0, end - 40)
      return (Array(messages[start..<end]), start > 0 ? messages[start].id : nil)
    }

    func send(_ edit: Repository.PendingEdit) async throws {
      if !isThere { throw Offline() }
      for case .insertItem(let item, _, _) in edit.changes {
        messages.append(try item.value(as: ChatMessage.self))
      }
    }
  }

  @Test func aChat() async throws {
    let store = folder.file("chat.sqlite")
    let server = Server()
    do {
      let app = try ChatController(store, server)
      show(app)
      func count() -> Int { app.adapter?.provider.numberOfItems ?? 0 }
      try await wait(app.list) { count() >= 40 }
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
      while try app.chat.gapCount() > 0 {
        let loaded = count()
        app.list.headlessDrag(to: CGPoint(x: 0, y: 0))
        let path = try #require(
          app.list.indexPathsForVisibleItems.sorted().first {
            app.list.cellForItem(at: $0) is BubbleCell
          })
        let id = try #require(app.adapter?.itemID(at: path))
        func place(_ path: IndexPath) throws -> CGFloat {
          try #require(app.list.layoutAttributesForItem(at: path)).frame.minY
            - app.list.contentOffset.y
        }
        let before = try place(path)
        try await wait(app.list) { try count() > loaded || app.chat.gapCount() == 0 }
        #expect(abs(try place(try #require(app.adapter?.indexPath(of: id))) - before) < 1)
      }
      #expect(try app.chat.provider().numberOfItems == 121)
      app.list.headlessDrag(to: CGPoint(x: 0, y: 1_000_000))
      expectEnd()
      // The server has the message: it stays where it is.
      await app.refresh()
      try await wait(app.list) { last()?.status.text == nil }
      #expect(last()?.text.text == "Hello" && app.banner.text == nil)
      #expect(try app.chat.pendingEdits().isEmpty)
      expectEnd()
      try app.say("Again")
      try await wait(app.list) { last()?.text.text == "Again" && last()?.status.text == "✓" }
      try app.adapter?.saveViewState()
      app.chat.repository.flushSizes()
      try app.chat.repository.close()
    }
    let again = try ChatController(store, server)
    show(again)
    func last() -> BubbleCell? {
      again.list.indexPathsForVisibleItems.max().flatMap {
        again.list.cellForItem(at: $0) as? BubbleCell
      }
    }
    #expect(last()?.text.text == "Again")
    #expect(last()?.status.text == "✓")
    #expect(again.adapter?.measurementCount == 0)
    try await wait(again.list) { last()?.status.text == nil }
    #expect(try again.chat.provider().numberOfItems == 122)
  }

  // MARK: The timeline

  /// A server of posts in pages of 20.
  private actor Posts: TimelineServer {
    private var posts: [Status] = []
    private(set) var asked: [String] = []

    init(_ count: Int) { posts = (0..<count).reversed().map { Self.post($0) } }

    private static func post(_ number: Int) -> Status {
      Status(id: "p\(number)", text: String(repeating: "x", count: number % 9))
    }
    func receive(_ count: Int) {
      let first = posts.count
      posts = (first..<first + count).reversed().map { Self.post($0) } + posts
    }

    func posts(below: ItemID?, above: ItemID?) async throws -> [Status] {
      asked.append(
        below.map { "below \($0)" } ?? above.map { "above \($0)" } ?? "newest")
      if let below {
        let start = posts.firstIndex { $0.id == below.rawValue }.map { $0 + 1 } ?? 0
        return Array(posts[start...].prefix(20))
      }
      let end = above.flatMap { id in posts.firstIndex { $0.id == id.rawValue } } ?? 20
      return Array(posts[max(0, end - 20)..<end])
    }
  }

  @Test func aTimeline() async throws {
    let store = folder.file("timeline.sqlite")
    let server = Posts(200)
    var eye: (id: ItemID, place: CGFloat) = ("none", 0)
    func place(of id: ItemID, _ app: TimelineController) throws -> CGFloat {
      let path = try #require(app.adapter?.indexPath(of: id))
      return try #require(app.list.layoutAttributesForItem(at: path)).frame.minY
        - app.list.contentOffset.y
    }
    func firstInSight(_ app: TimelineController) throws -> (id: ItemID, place: CGFloat) {
      let path = try #require(
        app.list.indexPathsForVisibleItems.sorted().first {
          app.list.cellForItem(at: $0) is StatusView
        })
      let id = try #require(app.adapter?.itemID(at: path))
      return (id, try place(of: id, app))
    }
    do {
      let app = try TimelineController(store, server)
      show(app)
      try await wait(app.list) { app.adapter?.indexPath(of: "p170") != nil }
      #expect(try firstInSight(app).id == "p199" && app.newPosts.text == nil)
      // At the very top too, what is new is above.
      await server.receive(12)
      await app.refresh()
      #expect(app.newPosts.text == "12 new")
      #expect(try firstInSight(app) == ("p199", 0))
      app.list.headlessDrag(to: CGPoint(x: 0, y: app.list.contentOffset.y - 200))
      app.list.layoutIfNeeded()
      let above = try (0..<12).count { item in
        let path = IndexPath(item: item, section: 0)
        return try #require(app.list.layoutAttributesForItem(at: path)).frame.maxY
          <= app.list.contentOffset.y + 1
      }
      // Those that came into sight had an estimated size until then.
      #expect((1..<12).contains(above))
      #expect(["\(above) new", "\(above - 1) new"].contains(app.newPosts.text))
      app.list.headlessDrag(to: .zero)
      #expect(app.newPosts.text == nil)
      // A page that does not meet what is there leaves a gap, and nothing moves.
      app.list.headlessDrag(to: CGPoint(x: 0, y: 1_200))
      eye = try firstInSight(app)
      await server.receive(100)
      await app.refresh()
      #expect(app.newPosts.text == "20 new")
      #expect(abs(try place(of: eye.id, app) - eye.place) < 1)
      #expect(try app.timeline.gapCount() == 2)
      try app.adapter?.saveViewState()
      app.timeline.repository.flushSizes()
      try app.timeline.repository.close()
    }
    let asked = await server.asked.count
    let again = try TimelineController(store, server)
    show(again)
    // The same post in the same place, across the gap; nothing is measured or asked.
    #expect(try firstInSight(again) == eye)
    #expect(again.adapter?.measurementCount == 0)
    // Who comes from below gets what is right above.
    for _ in 0..<3 {
      app(again, scrollsUpBy: 300)
    }
    try await wait(again.list) { again.adapter?.indexPath(of: "p212") != nil }
    #expect(await server.asked[asked...].contains("above p211"))
    again.showNewest()
    try await wait(again.list) { try firstInSight(again).id == "p311" }
    let ids = try again.timeline.tree().sections.flatMap(\.items).map(\.id)
    #expect(Set(ids).count == ids.count)
  }

  private func app(_ app: TimelineController, scrollsUpBy points: CGFloat) {
    app.list.headlessDrag(
      to: CGPoint(x: 0, y: max(0, app.list.contentOffset.y - points)))
    app.list.layoutIfNeeded()
  }
}
