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

final class LoadingBubble: UICollectionViewCell {
  let text = UILabel()
}

/// The app's own code that talks to its server.
protocol ChatServer: Sendable {
  /// Some messages, the newest last: the newest, or what comes before a cursor.
  func messages(before cursor: String?) async throws -> (page: [ChatMessage], before: String?)
  /// Returns when the server has the edit.
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

struct OlderMessages: ListItem {
  var id: String
  static var cells: [CellName: ViewSource] { [Gap.cell: .type(LoadingBubble.self)] }
  var cellName: CellName { Gap.cell }

  func configure(_ cell: LoadingBubble) { cell.text.text = "Loading…" }

  func configure(_ cell: LoadingBubble, with state: any Sendable) {
    guard case .failed(let error)? = state as? LiveList.PageState else { return configure(cell) }
    cell.text.text = "\(error). Tap to try again."
  }

  func size(fitting room: Item.Room) -> Size? { Size(width: room.length, height: 44) }
}

struct ChatLoader: PageLoader {
  let server: any ChatServer

  func page(_ request: PageRequest) async throws -> Page {
    switch request.part {
    case .newest: break
    case .before: if request.cursor == nil { throw Page.Failure.outdatedCursor }
    case .after: throw Page.Failure.otherEdge
    case .around, .from: throw Page.Failure.unsupported
    }
    let answer = try await server.messages(before: request.cursor)
    return try Page(answer.page, before: answer.before)
  }
}

final class ChatController: UIViewController {
  let chat: LiveList
  let list = UICollectionView(frame: .zero, collectionViewLayout: ListCollectionLayout())
  let banner = UILabel()
  private(set) var adapter: CollectionAdapter?
  private var sending: Task<Void, any Error>?

  init(_ store: URL, _ server: any ChatServer) throws {
    var chat = try Repository(at: store).liveList(
      "chat", items: [ChatMessage.self, OlderMessages.self], pages: ChatLoader(server: server),
      paging: LiveList.Paging(newest: .end, section: "messages"))
    try chat.authored(by: "pages").edit { try $0.insertSectionIfMissing("messages") }
    chat.sendsEdits = true
    self.chat = chat
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
    Task { await refresh() }
  }

  private func showChat() throws {
    let adapter = try CollectionAdapter(chat, in: list)
    adapter.sticksToEnd = true
    adapter.handlers.on(.control("retry"), of: ChatMessage.self) { [chat] _, _ in chat.retry() }
    adapter.handlers.on(.select, of: OlderMessages.self) { [chat] _, _ in chat.retryPages() }
    self.adapter = adapter
  }

  func say(_ text: String) throws {
    try chat.edit { try $0.insert(ChatMessage(text: text), in: "messages") }
  }

  func refresh() async {
    do { try await chat.refresh() } catch { banner.text = "\(error)" }
  }
}
// Program: end
