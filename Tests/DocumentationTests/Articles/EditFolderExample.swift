import Cellar
import Foundation

/// The examples of the article on apps that are suspended, line by line; ``EditFolderArticleTests``
/// compares and runs them.
enum EditFolderExample {
  struct App {
    let repository: Repository

    // Article: begin
    func didEnterBackground() { repository.suspend() }

    func willEnterForeground() throws {
      repository.resume()
      let imported = try repository.importEdits()
      for rejected in imported.rejected { print(rejected.file, rejected.error) }
    }
    // Article: end
  }

  struct Book: ListItem {
    var id: String, title: String
    func configure(_ cell: BookCell) {}
  }
  final class BookCell {}

  static func leave(_ book: Book, for store: URL) throws {
    // Article: begin
    let edits = Repository.EditFolder(for: store)
    try edits.edit("shelf", by: "share") { list in
      try list.upsert(book, in: "new", at: .start)
      try list.set(["isRead": false], of: "dune")
      list.deleteIfPresent("emma")
    }
    // Article: end
  }
}
