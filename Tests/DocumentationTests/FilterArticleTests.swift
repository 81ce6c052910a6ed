import Cellar
import CellarUIKit
import Foundation
import HeadlessUIKit
import TestSupport
import Testing

/// The article on lists that are functions of others does what it says.
@Suite @MainActor struct FilterArticleTests {
  private typealias Example = FilterSortGroupSearchExample
  private let folder: TemporaryFolder
  private let repository: Repository

  init() throws {
    folder = try TemporaryFolder()
    repository = try Repository(at: folder.file("store.sqlite"))
  }

  private var inbox: LiveList { repository.liveList("inbox", items: [Example.Message.self]) }

  /// So many messages of ten senders, of which each fourth is unread.
  private func fill(_ count: Int) throws {
    try inbox.edit { list in
      try list.insertSection("mail")
      try list.insert((0..<count).map(message), in: "mail")
    }
  }

  private nonisolated func message(_ number: Int) -> Example.Message {
    let senders = ["ann@x.org", "bob@x.org", "cy@x.org"]
    return Example.Message(
      id: "m\(number)", sender: senders[number % 3],
      subject: number % 5 == 0 ? "Re: \(number)" : "On \(number)",
      date: Date(timeIntervalSinceReferenceDate: Double(number)), isRead: number % 4 != 0,
      labels: number % 10 == 0 ? ["work"] : [])
  }

  private func ids(_ list: DerivedList) throws -> [String] {
    try list.tree().sections.flatMap { $0.items.map(\.id.rawValue) }
  }

  /// A plain list is a class with a list, an adapter and what makes them: eight lines.
  @Test nonisolated func aMailboxIsTwentyFiveLinesMore() throws {
    let article = try #require(
      Article.all.first { $0.path.hasSuffix("/FilterSortGroupSearch.md") })
    let counts = try article.examples().map { example in
      example.filter { !$0.allSatisfy(\.isWhitespace) }.count
    }
    #expect(counts[1] + counts[2] - 8 <= 25)
  }

  @Test func aMailboxOfTwentyThousand() async throws {
    try fill(20_000)
    let window = UIWindow(frame: CGRect(x: 0, y: 0, width: 320, height: 480))
    let view = UICollectionView(
      frame: window.bounds, collectionViewLayout: ListCollectionLayout())
    window.addSubview(view)
    let mailbox = try Example.Mailbox(repository, in: view)
    mailbox.adapter.onProblem = { Issue.record("\($0)") }
    func shown() throws -> [String] {
      mailbox.adapter.update()
      view.layoutIfNeeded()
      view.headless.finishAnimations()
      return view.indexPathsForVisibleItems.sorted().prefix(3).compactMap {
        mailbox.adapter.itemID(at: $0)?.rawValue
      }
    }
    #expect(try shown() == ["m0", "m1", "m2"])
    mailbox.showUnread()
    #expect(try shown() == ["m0", "m4", "m8"])
    mailbox.showBySender()
    #expect(try shown() == ["m19998", "m19995", "m19992"])
    let header = view.supplementaryView(
      forElementKind: UICollectionView.elementKindSectionHeader,
      at: IndexPath(item: 0, section: 0))
    #expect((header as? Example.SenderView)?.shown == "ann@x.org")
    try mailbox.searchTextChanged("n 1999")
    #expect(try shown() == ["m1999", "m19991", "m19992"])
    try mailbox.searchTextChanged("")
    #expect(try shown() == ["m0", "m1", "m2"])
    // The badge.
    let badge = UILabel()
    let counting = Task { try await mailbox.keep(badge) }
    defer { counting.cancel() }
    while badge.text != "5000" { try await Task.sleep(for: .milliseconds(1)) }
    try mailbox.unread.update("m4", \Example.Message.isRead, to: true)
    while badge.text != "4999" { try await Task.sleep(for: .milliseconds(1)) }
  }

  @Test func whatCanBeSaid() throws {
    try fill(60)
    #expect(try ids(Example.unread(inbox)).prefix(3) == ["m56", "m52", "m48"])
    #expect(try ids(Example.conditions(inbox)) == ["m0", "m40", "m20"])
  }

  @Test func aLongListIsMadeWithProgress() async throws {
    try fill(3_000)
    let (parts, continuation) = AsyncStream.makeStream(of: Double.self)
    let byDay = try await Example.byDay(inbox, Example.Bar { continuation.yield($0) })
    continuation.finish()
    var last = 0.0
    for await part in parts {
      #expect(part >= last)
      last = part
    }
    #expect(last == 1)
    #expect(try byDay.count() == 3_000 && byDay.revision() == 1)
  }

  @Test func whatNoPropertySays() throws {
    try fill(60)
    let long = try Example.long(inbox)
    #expect(try ids(long) == [])
    try inbox.edit { list in
      let subject = String(repeating: "long", count: 11)
      for id in ["m7", "m8"] as [ItemID] {
        try list.update(id, \Example.Message.subject, to: subject)
      }
    }
    // Of bob@x.org and cy@x.org.
    #expect(try ids(long) == ["m7", "m8"])
    #expect(try long.sectionCounts().map(\.section) == ["B", "C"])
  }

  @Test func searching() throws {
    try fill(60)
    let results = try inbox.passing(of: Example.Message.self)
    func found(_ text: String) throws -> [ItemID] {
      try Example.search(inbox, results, text)
      return try results.provider().tree.sections.flatMap { $0.items.map(\.id) }
    }
    #expect(try found("RE 4") == ["m40", "m45"])
    #expect(try found("\"on 4\"") == ["m4"])
    #expect(try found("ON 4").count == 9)
    #expect(try found("ann 58)(*") == [])
    #expect(try found("").count == 60)
    try inbox.edit { try $0.update("m7", \Example.Message.subject, to: "Ré: été") }
    #expect(try found("ete") == ["m7"])
    let stored = try inbox.derived("ete", of: Example.Message.self) {
      $0.where { $0.matches("ETE", in: $0.subject, $0.labels) }.ranked()
    }
    #expect(try ids(stored) == ["m7"])
  }

  @Test func editing() throws {
    try fill(60)
    let unread = try Example.unread(inbox)
    let before = try ids(unread)
    try Example.edit(unread, "m8")
    #expect(try ids(unread) == before)
    #expect(try unread.source.commits().last?.undoes != nil)
    let folders = try Example.folders(inbox)
    #expect(try folders.sectionCounts().map(\.section) == ["in"])
  }

  @Test func collapsedSectionsSurviveARelaunch() throws {
    try fill(60)
    func bySender(_ repository: Repository) throws -> DerivedList {
      try repository.liveList("inbox", items: [Example.Message.self])
        .derived("bySender", of: Example.Message.self) {
          $0.sections(by: \.sender, header: Example.SenderHeader.self)
        }
    }
    let shown = try Example.collapse(bySender(repository))
    func counts(_ list: DerivedList) throws -> [Int] { try list.sectionCounts().map(\.count) }
    #expect(try counts(shown) == [0, 20, 20])
    #expect(try counts(bySender(repository)) == [20, 20, 20])
    try repository.close()
    let again = try Repository(at: folder.file("store.sqlite"))
    let list = try bySender(again).collapsible()
    #expect(try list.collapsedSections() == ["ann@x.org"])
    #expect(try counts(list) == [0, 20, 20])
    let provider = try list.provider()
    #expect(provider.attributes(ofSection: 0)?.header?.view == Example.SenderHeader.viewName)
    // One commit, which says what comes and what goes.
    let revision = try list.revision()
    try list.collapse(["bob@x.org"])
    #expect(try counts(list) == [20, 0, 20])
    #expect(try list.revision() == revision + 1)
    // Another sender's mail goes on to come; a collapsed one's does not.
    try list.source.edit { list in
      let message = Example.Message(id: "x", sender: "bob@x.org", subject: "", date: .now)
      try list.insert(message, in: "mail")
    }
    #expect(try counts(list) == [20, 0, 20])
    #expect(try counts(bySender(again)) == [20, 21, 20])
    #expect(throws: StoreError.self) { try bySender(again).collapse([]) }
  }
}
