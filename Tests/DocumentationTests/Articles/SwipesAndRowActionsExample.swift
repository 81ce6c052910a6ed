import Cellar
import CellarUIKit
import Foundation
import HeadlessUIKit

/// The examples of an article, line by line; ``ScreenArticleTests`` compares and runs them.
@MainActor enum SwipesAndRowActionsExample {
  struct Mail: ListItem {
    var id: String, subject: String, isPinned = false
    func configure(_ row: MailRow) { row.shown = subject }
    func size(fitting room: Item.Room) -> Size? { Size(width: room.length, height: 60) }
  }

  final class MailRow: UITableViewCell { var shown = "" }

  static func letUsersDelete(_ adapter: TableAdapter) {
    // Article: begin
    adapter.canDelete = { _ in true }
    // Article: end
  }

  static func archive(
    _ inbox: LiveList, _ adapter: TableAdapter, offerUndo: @escaping () -> Void
  ) {
    // Article: begin
    adapter.onDelete = { mail in
      try inbox.edit { try $0.move(mail, in: "archive", to: .start) }
      offerUndo()
    }
    // Article: end
  }

  static func letUsersMove(_ inbox: LiveList, _ adapter: TableAdapter) {
    // Article: begin
    adapter.canMove = { $0 != "welcome" }
    adapter.onMove = { mail, section, place in
      guard section != "archive" else { throw ArchiveIsSorted() }
      try inbox.edit { try $0.move(mail, in: section, to: place) }
    }
    // Article: end
  }

  struct ArchiveIsSorted: Error {}

  // Article: begin
  final class InboxController: UIViewController, UITableViewDelegate {
    let table = UITableView(frame: .zero, style: .plain)
    let adapter: TableAdapter

    init(_ inbox: LiveList) throws {
      adapter = try TableAdapter(inbox, in: table)
      super.init(nibName: nil, bundle: nil)
      adapter.delegate = self
    }

    required init?(coder: NSCoder) { nil }

    override func loadView() { view = table }

    func tableView(
      _ tableView: UITableView, trailingSwipeActionsConfigurationForRowAt indexPath: IndexPath
    ) -> UISwipeActionsConfiguration? {
      guard let mail = adapter.itemID(at: indexPath) else { return nil }
      let pin = UIContextualAction(style: .normal, title: "Pin") { [weak self] _, _, done in
        done(self?.pin(mail) ?? false)
      }
      return UISwipeActionsConfiguration(actions: [pin])
    }

    private func pin(_ mail: ItemID) -> Bool {
      do {
        try adapter.list.edit { try $0.update(mail, \Mail.isPinned, to: true) }
        return true
      } catch {
        adapter.onProblem?(error)
        return false
      }
    }
  }
  // Article: end

  static func addMenu(_ inbox: LiveList, _ adapter: TableAdapter) {
    // Article: begin
    adapter.handlers.menu(of: Mail.self) { mail, _ in
      ItemMenu([
        .init(mail.isPinned ? "Unpin" : "Pin", .menu("pin")),
        .init("Delete", .menu("delete"), isDestructive: true),
      ])
    }
    adapter.handlers.on(.menu("delete"), of: Mail.self) { _, context in
      do { try inbox.edit { try $0.delete(context.id) } } catch { print(error) }
    }
    // Article: end
  }

  static func undo(_ inbox: LiveList) throws {
    // Article: begin
    if try inbox.canUndo() { try inbox.undo() }
    // Article: end
  }
}
