import Dispatch
import Foundation
import GRDB
package import ListModel
import ListTables

extension Repository {
  /// Edits a list that no item owns in one write transaction and one commit.
  ///
  /// - Returns: The closure's result, and the commit; `nil` if nothing changed.
  @discardableResult
  package func edit<Value>(
    _ list: ListID, by author: Author = .app, _ body: (ListEditor) throws -> Value
  ) throws -> (value: Value, commit: Commit?) {
    try edit(list, ownedBy: nil, by: author, body)
  }

  /// Edits a list that no item owns on another thread, after earlier edits that tasks wait for.
  @discardableResult
  package func edit<Value: Sendable>(
    _ list: ListID, by author: Author = .app,
    _ body: @escaping @Sendable (ListEditor) throws -> Value
  ) async throws -> (value: Value, commit: Commit?) {
    try await edit(list, ownedBy: nil, by: author, body)
  }

  /// Edits a list, which may be nested, on another thread.
  package func edit<Value: Sendable>(
    _ list: ListID, ownedBy owner: ListOwner?, by author: Author,
    _ body: @escaping @Sendable (ListEditor) throws -> Value
  ) async throws -> (value: Value, commit: Commit?) {
    let group = UndoGroup.current
    return try await editQueue.value {
      try UndoGroup.$current.withValue(group) {
        try self.edit(list, ownedBy: owner, by: author, body)
      }
    }
  }

  /// Edits a list, which may be nested.
  ///
  /// `pending`: The id of the edit, if it waits for a server's answer.
  package func edit<Value>(
    _ list: ListID, ownedBy owner: ListOwner?, by author: Author, pending: String? = nil,
    _ body: (ListEditor) throws -> Value
  ) throws -> (value: Value, commit: Commit?) {
    var value: Value?
    let group = undoGroup(of: list)
    do {
      let commit: Commit = try writer.write("edit \"\(list)\"") { transaction in
        let rows = try rowsToCommit(transaction, list, ownedBy: owner)
        let record = try rows.outbox.record(pending: pending)
        let editor = ListEditor(
          rows,
          PendingCommit(
            rows, by: author, time: WallClock.now, feed: nil,
            step: group?.step(by: author) ?? .own, record: record),
          file: file.path)
        do {
          value = try body(editor)
        } catch {
          editor.discard()
          throw BodyFailure(error: error)
        }
        guard let commit = try editor.close() else { throw NothingChanged() }
        transaction.didCommit = { group?.note(commit) }
        return commit
      }
      didCommit(commit)
      guard let value else { preconditionFailure("a closure that returned has a value") }
      return (value, commit)
    } catch let failure as BodyFailure {
      throw failure.error
    } catch is NothingChanged {
      guard let value else { preconditionFailure("a closure that returned has a value") }
      return (value, nil)
    } catch {
      throw failure(error, "edit \"\(list)\"")
    }
  }

  /// Rolls the transaction back, because there is nothing to commit.
  private struct NothingChanged: Error {}
  private struct BodyFailure: Error { let error: any Error }
}
