import CellarUIKit
import Foundation
import HeadlessUIKit
import ListItems
import ListModel
import ListStore
import ListSync
import ScreenSupport
import SuiteSupport
import TestSupport
import Testing

/// How far a user's edits are on their way to the server reaches the cells by itself.
@Suite(.timeLimit) @MainActor struct DeliveryTests {
  private final class MessageCell: UICollectionViewCell {
    var delivery: LiveList.Delivery?
  }

  private struct Message: ListItem {
    var id: String
    func configure(_ cell: MessageCell) { cell.delivery = nil }
    func configure(_ cell: MessageCell, with state: any Sendable) {
      cell.delivery = state as? LiveList.Delivery
    }
    func size(fitting room: Item.Room) -> Size? { Size(width: room.length, height: 40) }
  }

  private let folder: TemporaryFolder
  private let chat: LiveList
  private let view: UICollectionView
  private let adapter: CollectionAdapter
  private let window = UIWindow(frame: CGRect(x: 0, y: 0, width: 320, height: 480))

  init() throws {
    folder = try TemporaryFolder()
    var chat = try Repository(at: folder.file("store.sqlite")).liveList(
      "chat", items: [Message.self])
    chat.sendsEdits = true
    try chat.authored(by: "setup").edit { try $0.insertSection("messages") }
    self.chat = chat
    view = UICollectionView(frame: window.bounds, collectionViewLayout: ListCollectionLayout())
    window.addSubview(view)
    adapter = try CollectionAdapter(chat, in: view)
    view.layoutIfNeeded()
  }

  private func say(_ id: String) throws {
    try chat.edit { try $0.insert(Message(id: id), in: "messages") }
    update()
  }

  private func update() {
    adapter.update()
    view.layoutIfNeeded()
    view.headless.finishAnimations()
  }

  private func shown(_ id: ItemID) -> LiveList.Delivery? {
    (adapter.cell(of: id) as? MessageCell)?.delivery
  }

  private func wait(for delivery: LiveList.Delivery?, of id: ItemID) async throws {
    while shown(id) != delivery {
      try await Task.sleep(for: .milliseconds(1))
      view.layoutIfNeeded()
    }
    #expect(adapter.delivery(of: id) == delivery)
  }

  private struct Offline: Error, CustomStringConvertible { let description = "no network" }

  /// A server that answers as the test says.
  private actor Server {
    var isThere = false
    private(set) var asked = 0
    func set(_ isThere: Bool) { self.isThere = isThere }
    func answer() throws -> LiveList.EditAnswer {
      asked += 1
      if !isThere { throw Offline() }
      return .accepted
    }
  }

  @Test func aMessageIsWaitingThenFailedThenSent() async throws {
    // The set-up of the list waits, too.
    for edit in try chat.pendingEdits() { try chat.repository.accept(edit.id, of: "chat") }
    try say("a")
    #expect(shown("a") == .waiting)
    let server = Server()
    let chat = chat
    // Longer than the test: only a retry sends it again.
    let sending = Task {
      try await chat.sendPendingEdits(retryingAfter: 1_000...1_000) { @Sendable _ in
        try await server.answer()
      }
    }
    try await wait(for: .failed(why: "no network"), of: "a")
    try say("b")
    #expect(shown("b") == .waiting)
    await server.set(true)
    #expect(await server.asked == 1)
    chat.retry()
    try await wait(for: .sent, of: "a")
    try await wait(for: .sent, of: "b")
    // The call ends as following a feed does.
    sending.cancel()
    try await sending.value
  }

  @Test func whatIsRefusedCanBeMadeAgain() async throws {
    try say("a")
    let first = try #require(chat.pendingEdits().last)
    try chat.reject(first.id, why: "too long")
    update()
    #expect(adapter.indexPath(of: "a") == nil)
    #expect(try chat.deliveries()["a"] == .refused(first.id, why: "too long"))
    try chat.retry(first.id)
    update()
    #expect(shown("a") == .waiting)
    #expect(try !chat.pendingEdits().contains { $0.id == first.id })
  }
}
