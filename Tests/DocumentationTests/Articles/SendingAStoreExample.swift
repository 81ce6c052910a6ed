import Foundation
import ListInspection

/// The examples of an article, line by line; ``TaskArticleTests`` compares and runs them.
enum SendingAStoreExample {
  static func files(of store: URL, in folder: URL) throws -> [URL] {
    // Article: begin
    func report(on store: URL, to folder: URL) throws -> [URL] {
      let file = folder.appendingPathComponent("store.sqlite")
      let page = folder.appendingPathComponent("report.html")
      _ = try Inspection(of: store).redact(to: file)
      try Data(Inspection(of: file).report().html.utf8).write(to: page)
      return [file, page]
    }
    // Article: end
    return try report(on: store, to: folder)
  }
}
