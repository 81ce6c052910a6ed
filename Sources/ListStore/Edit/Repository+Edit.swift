import Dispatch
import Foundation
import GRDB
package import ListModel
import ListTables

extension Repository {
  /// Edits a list in one write transaction and one commit.
  ///
  /// - Returns: The closure's result, and the commit; `nil` if nothing changed.
  @discardableResult
  package func edit<Value>(
    _ list: ListID, ownedBy owner: ListOwner? = nil, by author: Author = .app,
    _ body: (ListEditor) throws -> Value
  ) throws -> (value: Value, commit: Commit?) {
    try edit(EditTarget(list, ownedBy: owner, by: author), body)
  }

  /// Edits a list that no item owns on another thread, after earlier edits that tasks wait for.
  @discardableResult
  package func edit<Value: Sendable>(
    _ list: ListID, by author: Author = .app,
    _ body: @escaping @Sendable (ListEditor) throws -> Value
  ) async throws -> (value: Value, commit: Commit?) {
    try await edit(EditTarget(list, by: author), body)
  }

  /// Edits a list on another thread.
  package func edit<Value: Sendable>(
    _ target: EditTarget, pending: String? = nil,
    _ body: @escaping @Sendable (ListEditor) throws -> Value
  ) async throws -> (value: Value, commit: Commit?) {
    try await afterEdits { try self.edit(target, pending: pending, body) }
  }

  /// Does something on another thread, after earlier edits that tasks wait for.
  package func afterEdits<Value: Sendable>(
    _ body: @escaping @Sendable () throws -> Value
  ) async throws -> Value {
    let group = UndoGroup.current
    return try await editQueue.value {
      try UndoGroup.$current.withValue(group) { try body() }
    }
  }

  /// Edits a list, and those that the closure opens besides, in one write transaction.
  ///
  /// `pending`: The id of the edit, if it waits for a server's answer.
  ///
  /// - Returns: The closure's result, and the commit of the list; `nil` if nothing of it changed.
  package func edit<Value>(
    _ target: EditTarget, pending: String? = nil, _ body: (ListEditor) throws -> Value
  ) throws -> (value: Value, commit: Commit?) {
    var value: Value?
    var commits: [Commit] = []
    do {
      try target.requireDistinctTypes()
      commits = try writer.write("edit \"\(target.list)\"") { transaction in
        let session = EditSession(
          of: self, in: transaction, by: target.author, pending: pending)
        defer { session.discard() }
        let editor = try session.editor(of: target)
        do { value = try body(editor) } catch { throw BodyFailure(error: error) }
        let commits = try session.commits()
        if commits.isEmpty { throw NothingChanged() }
        transaction.didCommit = {
          for commit in commits { self.undoGroup(of: commit.list)?.note(commit) }
        }
        return commits
      }
      for commit in commits { didCommit(commit) }
    } catch let failure as BodyFailure {
      throw failure.error
    } catch is NothingChanged {
      // The transaction was rolled back, because there is nothing to commit.
    } catch {
      throw failure(error, "edit \"\(target.list)\"")
    }
    guard let value else { preconditionFailure("a closure that returned has a value") }
    return (value, commits.first { $0.list == target.list })
  }

  private struct NothingChanged: Error {}
  private struct BodyFailure: Error { let error: any Error }
}
