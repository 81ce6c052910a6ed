import Cellar
import CellarUIKit
import Foundation
import HeadlessUIKit

/// The examples of an article, line by line; ``FilterArticleTests`` compares and runs them.
enum FilterSortGroupSearchExample {
  struct Message: ListItem {
    var id: String, sender: String, subject: String, date: Date
    var isRead = false, size = 0, labels: [String] = [], folder = "in"
    func configure(_ cell: MessageCell) { cell.shown = subject }
    func size(fitting room: Item.Room) -> Size? { Size(width: room.length, height: 44) }
  }

  final class MessageCell: UICollectionViewCell { var shown = "" }

  final class SenderView: UICollectionReusableView { var shown = "" }

  static func unread(_ inbox: LiveList) throws -> DerivedList {
    // Article: begin
    let unread = try inbox.derived("unread", of: Message.self) {
      $0.where { !$0.isRead && $0.size < 1_000_000 }.sorted(by: \.date, .reverse)
    }
    // Article: end
    return unread
  }

  // Article: begin
  @MainActor final class Mailbox {
    let inbox: LiveList
    let unread: DerivedList
    let bySender: DerivedList
    let results: PassingList<Message>
    let adapter: CollectionAdapter

    init(_ repository: Repository, in view: UICollectionView) throws {
      inbox = repository.liveList("inbox", items: [Message.self])
      unread = try inbox.derived("unread", of: Message.self) { $0.where { !$0.isRead } }
      bySender = try inbox.derived("bySender", of: Message.self) {
        $0.sorted(by: \.date, .reverse).sections(by: \.sender, header: SenderHeader.self)
      }
      results = try inbox.passing(of: Message.self)
      adapter = try CollectionAdapter(inbox, in: view)
    }

    func showAll() { adapter.show(inbox) }
    func showUnread() { adapter.show(unread) }
    func showBySender() { adapter.show(bySender) }

    func searchTextChanged(_ text: String) throws {
      if text.isEmpty { return showAll() }
      try results.show { $0.where { $0.subject.contains(text) } }
      adapter.show(results)
    }

    func keep(_ badge: UILabel) async throws {
      for try await count in unread.counts() { badge.text = "\(count)" }
    }
  }
  // Article: end

  // Article: begin
  struct SenderHeader: ListSupplementary {
    var value: String
    func configure(_ view: SenderView) { view.shown = value }
    func size(fitting room: Supplementary.Room) -> Size? { Size(width: room.length, height: 30) }
  }
  // Article: end

  static func conditions(_ inbox: LiveList) throws -> DerivedList {
    // Article: begin
    let work = try inbox.derived("work", of: Message.self) {
      $0.where { $0.labels.contains("work") || $0.sender.isIn(["ann@x.org", "bob@x.org"]) }
        .where { $0.subject.hasPrefix("Re: ") && !$0.isRead }
        .sorted(by: \.sender, comparing: .caseless)
        .sorted(by: \.date, .reverse)
        .limit(50)
    }
    // Article: end
    return work
  }

  struct Bar: Sendable {
    var show: @Sendable (Double) -> Void
  }

  static func byDay(_ inbox: LiveList, _ bar: Bar) async throws -> DerivedList {
    // Article: begin
    let byDay = try await inbox.derived("byDay", of: Message.self, progress: { bar.show($0) }) {
      $0.sorted(by: \.date, .reverse)
    }
    // Article: end
    return byDay
  }

  static func long(_ inbox: LiveList) throws -> DerivedList {
    // Article: begin
    let long = try inbox.derived("long", of: Message.self, version: 1) {
      $0.where { $0.computed { $0.subject.count } > 40 }
        .sections(by: { $0.sender.prefix(1).uppercased() })
    }
    // Article: end
    return long
  }

  static func search(
    _ inbox: LiveList, _ results: PassingList<Message>, _ text: String
  ) throws {
    // Article: begin
    try inbox.keepSearchIndex(of: Message.self, over: \.subject, \.sender)
    try results.show { $0.where { $0.matches(text, in: $0.subject, $0.sender) }.ranked() }
    // Article: end
  }

  // Article: begin
  static func note(_ unread: DerivedList) throws -> String? {
    try unread.source.gapCount() == 0 ? nil : "There may be more: not all mail is loaded."
  }

  static func loadMore(_ unread: DerivedList) async throws {
    guard let gap = try unread.source.gaps().last else { return }
    try await unread.source.loadPage(of: gap)
  }
  // Article: end

  static func edit(_ unread: DerivedList, _ id: ItemID) throws {
    // Article: begin
    try unread.update(id, \Message.isRead, to: true)
    try unread.undo()
    // Article: end
  }

  static func folders(_ inbox: LiveList) throws -> DerivedList {
    // Article: begin
    let folders = try inbox.derived("folders", of: Message.self) { $0.sections(by: \.folder) }
      .settingOnMove(of: Message.self) { message, section in message.folder = section.rawValue }
    // Article: end
    return folders
  }

  static func collapse(_ bySender: DerivedList) throws -> DerivedList {
    // Article: begin
    let shown = try bySender.collapsible()
    try shown.collapse(["ann@x.org"])
    let collapsed = try shown.collapsedSections()
    // Article: end
    assert(collapsed == ["ann@x.org"])
    return shown
  }
}
