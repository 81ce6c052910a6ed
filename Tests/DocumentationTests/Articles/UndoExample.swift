import Cellar
import Foundation

/// The examples of an article, line by line; ``TaskArticleTests`` compares and runs them.
enum UndoExample {
  static func deleteAndUndo(_ repository: Repository) throws -> Commit? {
    // Article: begin
    let deletion = try repository.edit("shelf") { list in try list.delete("emma") }
    guard let revision = deletion.commit?.revision else { return nil }
    let undo = try repository.undo(revision, of: "shelf")
    // Article: end
    return undo
  }

  static func history(_ repository: Repository) throws -> (ListTree, [Commit]) {
    // Article: begin
    let before = try repository.tree(of: "shelf", at: 1)
    let since = try repository.commits(of: "shelf", after: 1)
    // Article: end
    return (before, since)
  }

  static func open(_ file: URL) throws -> Repository {
    // Article: begin
    var options = Repository.Options()
    options.logRetention = LogRetention(changes: 100_000)
    let repository = try Repository(at: file, options: options)
    // Article: end
    return repository
  }
}
