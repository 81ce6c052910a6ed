import Cellar
import Foundation

/// The examples of an article, line by line; ``TaskArticleTests`` compares and runs them.
enum UndoExample {
  static func undoAndRedo(
    _ shelf: LiveList
  ) throws -> (Repository.UndoneStep?, Repository.UndoneStep?) {
    // Article: begin
    try shelf.undoGroup {
      try shelf.edit { try $0.delete("emma") }
      try shelf.edit { try $0.setMeta(JSON(encoding: "no Emma")) }
    }
    let undone = try shelf.undo()
    let redone = try shelf.redo()
    // Article: end
    return (undone, redone)
  }

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

  static func pages(_ shelf: LiveList) throws {
    // Article: begin
    var page = try shelf.history(limit: 20)
    while let last = page.last {
      for commit in page { print(commit.revision, commit.author, commit.undoes ?? 0) }
      page = try shelf.history(before: last.revision, limit: 20)
    }
    // Article: end
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
