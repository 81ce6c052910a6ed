import Cellar
import CellarUIKit
import Foundation
import HeadlessUIKit

// An app of today: mail with unread marks, older mail that loads as one scrolls, a swipe that archives
// and can be undone, and pull to refresh. The place and the selection come back at the next launch.

final class MailRow: UITableViewCell {
  let sender = UILabel()
  let subject = UILabel()
  let mark = UIView()

  override func sizeThatFits(_ size: CGSize) -> CGSize { CGSize(width: size.width, height: 60) }
}

final class LoadingRow: UITableViewCell {
  let label = UILabel()
}

/// The app's own code that talks to its server.
protocol MailServer: Sendable {
  /// Some mail, the newest first: the newest, or what is older than a token says.
  func mail(olderThan token: String?) async throws -> (mail: [Mail], older: String?)
  /// Returns when the server has the edit.
  func send(_ edit: Repository.PendingEdit) async throws
}

// Program: begin
struct Mail: ListItem {
  var id: String, sender: String, subject: String, isRead = false
  static var measuring: ViewMeasuring { .sizeThatFits }

  func configure(_ row: MailRow) {
    row.sender.text = sender
    row.subject.text = subject
    row.mark.isHidden = isRead
  }
}

struct OlderMail: ListItem {
  var id: String
  static var cells: [CellName: ViewSource] { [Gap.cell: .type(LoadingRow.self)] }
  var cellName: CellName { Gap.cell }

  func configure(_ row: LoadingRow) { row.label.text = "Loading…" }

  func configure(_ row: LoadingRow, with state: any Sendable) {
    guard case .failed(let error)? = state as? LiveList.PageState else { return configure(row) }
    row.label.text = "\(error). Tap to try again."
  }

  func size(fitting room: Item.Room) -> Size? { Size(width: room.length, height: 44) }
}

struct MailLoader: PageLoader {
  let server: any MailServer

  func page(_ request: PageRequest) async throws -> Page {
    switch request.part {
    case .newest: break
    case .after: if request.cursor == nil { throw Page.Failure.outdatedCursor }
    case .before: throw Page.Failure.otherEdge
    case .around, .from: throw Page.Failure.unsupported
    }
    let answer = try await server.mail(olderThan: request.cursor)
    return try Page(answer.mail, after: answer.older)
  }
}

final class InboxController: UIViewController {
  let inbox: LiveList
  let table = UITableView(frame: .zero, style: .plain)
  let banner = UILabel()
  private(set) var adapter: TableAdapter?
  private var sending: Task<Void, any Error>?

  init(_ store: URL, _ server: any MailServer) throws {
    var inbox = try Repository(at: store).liveList(
      "inbox", items: [Mail.self, OlderMail.self], pages: MailLoader(server: server))
    inbox.sendsEdits = true
    self.inbox = inbox
    super.init(nibName: nil, bundle: nil)
    sending = Task { [inbox] in
      try await inbox.sendPendingEdits { edit in
        try await server.send(edit)
        return .accepted
      }
    }
  }

  deinit { sending?.cancel() }
  // Program: end
  required init?(coder: NSCoder) { nil }
  // Program: begin
  override func loadView() { view = table }

  override func viewDidLoad() {
    super.viewDidLoad()
    do { try showInbox() } catch { banner.text = "\(error)" }
    let refreshControl = UIRefreshControl()
    refreshControl.addAction(
      UIAction { [weak self] _ in Task { await self?.refresh() } }, for: .valueChanged)
    table.refreshControl = refreshControl
    Task { [weak self, inbox] in for await _ in inbox.pageStates() { self?.showFirstPage() } }
  }

  /// Without a mail, there is no gap that could say it.
  private func showFirstPage() {
    guard case .failed(let error) = inbox.pageState(of: nil) else { return }
    banner.text = "\(error). Pull to try again."
  }

  private func showInbox() throws {
    let adapter = try TableAdapter(inbox, in: table)
    adapter.onProblem = { [banner] in banner.text = "\($0)" }
    adapter.canDelete = { _ in true }
    adapter.onDelete = { [weak self] in try self?.archive($0) }
    adapter.handlers.on(.select, of: Mail.self) { [weak self] mail, context in
      self?.open(mail, context.id)
    }
    adapter.handlers.on(.select, of: OlderMail.self) { [inbox] _, _ in inbox.retryPages() }
    self.adapter = adapter
  }

  private func open(_ mail: Mail, _ id: ItemID) {
    adapter?.deselect(id)
    attempt { _ = try inbox.edit { try $0.update(id, as: Mail.self) { $0.isRead = true } } }
  }

  private func archive(_ id: ItemID) throws {
    try inbox.edit { try $0.delete([id]) }
    banner.text = "Archived. Tap to undo."
  }

  func undo() {
    attempt { _ = try inbox.undo() }
    banner.text = nil
  }

  func refresh() async {
    do { banner.text = "\(try await inbox.refresh()) new" } catch { banner.text = "\(error)" }
    table.refreshControl?.endRefreshing()
  }

  private func attempt(_ edit: () throws -> Void) {
    do { try edit() } catch { banner.text = "\(error)" }
  }
}
// Program: end
