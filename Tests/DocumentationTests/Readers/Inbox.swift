import Cellar
import CellarUIKit
import FeedClient
import Foundation
import HeadlessUIKit

// An app of today: mail by day with unread marks, a swipe that archives and can be undone, and pull
// to refresh from a feed. The place and the selection come back at the next launch.

final class MailRow: UITableViewCell {
  let sender = UILabel()
  let subject = UILabel()
  let mark = UIView()

  override func sizeThatFits(_ size: CGSize) -> CGSize { CGSize(width: size.width, height: 60) }
}

final class MailDayView: UITableViewHeaderFooterView {
  let label = UILabel()
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

struct MailDay: ListSupplementary {
  var title: String
  func configure(_ view: MailDayView) { view.label.text = title }
  func size(fitting room: Supplementary.Room) -> Size? { Size(width: room.length, height: 30) }
}

final class InboxController: UIViewController {
  let inbox: LiveList
  let server: FeedClient
  let table = UITableView(frame: .zero, style: .plain)
  let banner = UILabel()
  private(set) var adapter: TableAdapter?

  init(_ store: URL, _ server: FeedClient) throws {
    let repository = try Repository(at: store)
    var inbox = repository.liveList(
      "inbox", items: [Mail.self], supplementaries: [MailDay.self])
    inbox.sendsEdits = true
    self.inbox = inbox
    self.server = server
    super.init(nibName: nil, bundle: nil)
  }

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
  }

  private func showInbox() throws {
    let adapter = try TableAdapter(inbox, in: table)
    adapter.onProblem = { [banner] in banner.text = "\($0)" }
    adapter.canDelete = { _ in true }
    adapter.onDelete = { [weak self] in try self?.archive($0) }
    adapter.handlers.on(.select, of: Mail.self) { [weak self] mail, context in
      self?.open(mail, context.id)
    }
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
    do { try await server.catchUp(inbox) } catch { banner.text = "\(error)" }
    table.refreshControl?.endRefreshing()
  }

  private func attempt(_ edit: () throws -> Void) {
    do { try edit() } catch { banner.text = "\(error)" }
  }
}
// Program: end
