import Cellar
import Foundation

/// The examples of an article, line by line; ``TaskArticleTests`` compares and runs them.
enum OfflineLaunchExample {
  typealias Book = EditsExample.Book

  static func open(_ file: URL, _ show: (String) -> Void) -> Repository? {
    // Article: begin
    func openStore() -> Repository? {
      do {
        return try Repository(at: file)
      } catch {
        switch error.code {
        case .newerStore: show("This shelf was written by a newer version. Please update the app.")
        case .storeFull: show("There is no room left on this device.")
        default: show(error.message)
        }
        return nil
      }
    }
    // Article: end
    return openStore()
  }

  static func read(_ shelf: LiveList) throws -> (count: Int, first: ItemID?) {
    // Article: begin
    let provider = try shelf.provider()
    let count = provider.numberOfItems
    let first = provider.itemID(at: ItemPath(section: 0, item: 0))
    // Article: end
    return (count, first)
  }

  static func titlesInWidget(of file: URL) throws -> [String] {
    // Article: begin
    func titles(in file: URL) throws -> [String] {
      let shelf = try Repository(readingOnly: file).liveList("shelf", items: [Book.self])
      let provider = try shelf.provider()
      return try (0..<provider.numberOfItems(inSection: 0)).compactMap { index in
        try provider.item(at: ItemPath(section: 0, item: index))?.value(as: Book.self).title
      }
    }
    // Article: end
    return try titles(in: file)
  }

  static func suspend(_ repository: Repository) {
    // Article: begin
    repository.suspend()
    // Article: end
  }
}
