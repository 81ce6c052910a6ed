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

  static func deleteAndUndo(_ shelf: LiveList) throws -> Commit? {
    // Article: begin
    guard let deletion = try shelf.commit({ try $0.delete("emma") }) else { return nil }
    let undo = try shelf.undoCommit(deletion.revision)
    // Article: end
    return undo
  }

  static func history(_ shelf: LiveList) throws -> (ListTree, [Commit]) {
    // Article: begin
    let before = try shelf.tree(at: 1)
    let since = try shelf.commits(after: 1)
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
