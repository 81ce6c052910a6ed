import Cellar
import Foundation

// Beside the inbox, in another process: the newest three, of which one can be marked as read.

// Program: begin
struct InboxWidget {
  let inbox: LiveList

  init(_ store: URL) throws {
    var inbox = try Repository(existing: store).liveList("inbox", items: [Mail.self])
    inbox.author = "widget"
    inbox.sendsEdits = true
    self.inbox = inbox
  }

  func newest() throws -> [Mail] {
    let provider = try inbox.provider()
    let paths = (0..<provider.numberOfSections).lazy.flatMap { section in
      (0..<provider.numberOfItems(inSection: section)).lazy.map {
        ItemPath(section: section, item: $0)
      }
    }
    return try paths.prefix(3).compactMap { path in
      try provider.item(at: path).map { try inbox.types.value(of: $0) } as? Mail
    }
  }

  func markRead(_ mail: Mail) throws {
    try inbox.edit { try $0.update(ItemID(mail.id), as: Mail.self) { $0.isRead = true } }
  }
}
// Program: end
