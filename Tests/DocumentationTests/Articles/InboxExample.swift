import Cellar
import Foundation

/// The examples of the article on apps that are suspended, line by line; ``InboxArticleTests``
/// compares and runs them.
enum InboxExample {
  struct App {
    let repository: Repository

    // Article: begin
    func didEnterBackground() { repository.suspend() }

    func willEnterForeground() throws {
      repository.resume()
      let imported = try repository.importInbox()
      for rejected in imported.rejected { print(rejected.file, rejected.error) }
    }
    // Article: end
  }

  static func leave(_ item: Item, for store: URL) throws {
    // Article: begin
    let inbox = Repository.Inbox(for: store)
    try inbox.append([.insertItem(item, in: "new", at: .start)], to: "shelf", by: "share")
    // Article: end
  }
}
