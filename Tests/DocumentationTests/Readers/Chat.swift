import Cellar
import CellarUIKit
import Foundation
import HeadlessUIKit

// An app of today: a chat that opens at its end and stays there, shows own messages at once with
// how far they got, and loads older ones above.

final class BubbleCell: UICollectionViewCell {
  let text = UILabel()
  let status = UILabel()
  var onRetry: (() -> Void)?

  override func sizeThatFits(_ size: CGSize) -> CGSize {
    CGSize(width: size.width, height: 20 + CGFloat((text.text ?? "").count % 5) * 15)
  }
}

/// The app's own code that talks to its server.
protocol ChatServer: Sendable {
  func page(before id: String?) async throws -> [ChatMessage]
  func send(_ edit: Repository.PendingEdit) async throws
}

// Program: begin
struct ChatMessage: ListItem {
  var id = UUID().uuidString
  var text: String
  static var measuring: ViewMeasuring { .sizeThatFits }

  func configure(_ cell: BubbleCell) {
    cell.text.text = text
    cell.status.text = nil
  }

  func configure(_ cell: BubbleCell, with state: any Sendable) {
    switch state as? LiveList.Delivery {
    case .waiting: cell.status.text = "…"
    case .sent: cell.status.text = "✓"
    case .failed(let why): cell.status.text = "\(why). Tap to try again."
    case .refused(_, let why): cell.status.text = why ?? "Refused"
    case nil: break
    }
  }

  func bind(_ cell: BubbleCell, send: @escaping @MainActor (ControlEvent) -> Void) {
    cell.onRetry = { send("retry") }
  }
}

final class ChatController: UIViewController, UICollectionViewDelegate {
  let chat: LiveList
  let server: any ChatServer
  let list = UICollectionView(frame: .zero, collectionViewLayout: ListCollectionLayout())
  let banner = UILabel()
  private(set) var adapter: CollectionAdapter?
  private var isLoading = false
  private var sending: Task<Void, any Error>?

  init(_ store: URL, _ server: any ChatServer) throws {
    var chat = try Repository(at: store).liveList("chat", items: [ChatMessage.self])
    try chat.authored(by: "pages").edit { try $0.insertSectionIfMissing("messages") }
    chat.sendsEdits = true
    (self.chat, self.server) = (chat, server)
    super.init(nibName: nil, bundle: nil)
    sending = Task { [chat] in
      try await chat.sendPendingEdits { edit in
        try await server.send(edit)
        return .accepted
      }
    }
  }

  deinit { sending?.cancel() }
  // Program: end
  required init?(coder: NSCoder) { nil }
  // Program: begin
  override func loadView() { view = list }

  override func viewDidLoad() {
    super.viewDidLoad()
    do { try showChat() } catch { banner.text = "\(error)" }
    loadOlder()
  }

  private func showChat() throws {
    let adapter = try CollectionAdapter(chat, in: list)
    adapter.sticksToEnd = true
    adapter.delegate = self
    adapter.handlers.on(.control("retry"), of: ChatMessage.self) { [chat] _, _ in chat.retry() }
    self.adapter = adapter
  }

  func say(_ text: String) throws {
    try chat.edit { try $0.insert(ChatMessage(text: text), in: "messages") }
  }

  func scrollViewDidScroll(_ scrollView: UIScrollView) {
    if scrollView.contentOffset.y < 300 { loadOlder() }
  }

  private func loadOlder() {
    if isLoading { return }
    isLoading = true
    Task {
      do { try await insertPage() } catch { banner.text = "\(error)" }
      isLoading = false
    }
  }

  private func insertPage() async throws {
    let oldest = adapter?.itemID(at: IndexPath(item: 0, section: 0))
    let page = try await server.page(before: oldest?.rawValue)
    var pages = chat.authored(by: "pages")
    pages.sendsEdits = false
    try await pages.edit { try $0.insert(page, in: "messages", at: .start) }
  }
}
// Program: end
