import Cellar
import CellarUIKit
import HeadlessUIKit

/// The examples of an article, line by line; ``ArticleTests`` compares and runs them.
@MainActor enum ComingFromDiffableDataSourcesExample {
  struct Mail: ListItem {
    var id: String, subject: String, isRead = false
    func configure(_ cell: MailCell) { cell.subject = subject }
    func size(fitting room: Item.Room) -> Size? {
      Size(width: room.length, height: 60)
    }
  }
  final class MailCell: UICollectionViewCell { var subject: String? }

  static func apply(_ inbox: LiveList, unread: [Mail], read: [Mail]) throws {
    // Article: begin
    try inbox.replace {
      ListSection("unread") {
        for mail in unread { mail }
      }
      ListSection("read") {
        for mail in read { mail }
      }
    }
    // Article: end
  }

  static func change(_ inbox: LiveList) throws {
    // Article: begin
    try inbox.edit { list in
      try list.update("m1", as: Mail.self) { $0.isRead = true }
      try list.move("m1", in: "read", to: .start)
    }
    // Article: end
  }

  static func keep(
    _ inbox: LiveList, _ source: UICollectionViewDiffableDataSource<SectionID, ItemID>
  ) throws -> DiffableFollower {
    // Article: begin
    let follower = try DiffableFollower(inbox, source)
    // Article: end
    return follower
  }
}
