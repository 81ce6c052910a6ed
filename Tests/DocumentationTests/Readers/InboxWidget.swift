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
    var newest: [Mail] = []
    for path in paths where newest.count < 3 {
      guard let item = provider.item(at: path), !item.state.isGap else { continue }
      if let mail = try inbox.types.value(of: item) as? Mail { newest.append(mail) }
    }
    return newest
  }

  func markRead(_ mail: Mail) throws {
    try inbox.edit { try $0.update(ItemID(mail.id), as: Mail.self) { $0.isRead = true } }
  }
}
// Program: end
