import Dispatch
import Foundation
public import ListModel

extension Repository {
  /// Edits a list in one write transaction and one commit.
  ///
  /// The first commit of a list makes the list. If the closure throws or changes nothing, the store
  /// stays as it was.
  ///
  /// ```swift
  /// try repository.edit("shelf") { shelf in
  ///   try shelf.insertSectionIfMissing("today")
  ///   try shelf.insert(Book(id: "emma", title: "Emma"), in: "today", at: .start)
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - list: The list.
  ///   - author: The author of the commit.
  ///   - body: Makes the changes. Other writers wait while it runs. It can't write to the same
  ///     Repository in another way; reads of the Repository see the store before the edit.
  /// - Returns: The closure's result, and the commit; `nil` if nothing changed.
  /// - Throws: `StoreError`, with ``/ListModel/StoreError/Code/nestedEdit`` inside another edit
  ///   of the same Repository; or what the closure throws.
  @discardableResult
  public func edit<Value>(
    _ list: ListID, by author: Author = .app, _ body: (ListEditor) throws -> Value
  ) throws -> (value: Value, commit: Commit?) {
    try edit(list, ownedBy: nil, by: author, body)
  }

  /// Edits a list on another thread: as the call that blocks.
  ///
  /// In an `async` function the compiler takes this one, with `await`. Where the closure or its result
  /// is not `Sendable`, or the edit must be done before the function goes on, call the other one from
  /// a function that is not `async`.
  ///
  /// ```swift
  /// try await repository.edit("shelf") { try $0.delete("emma") }
  /// ```
  ///
  /// - Parameters:
  ///   - list: The list.
  ///   - author: The author of the commit.
  ///   - body: Makes the changes, after earlier edits that tasks wait for.
  /// - Returns: The closure's result, and the commit; `nil` if nothing changed.
  /// - Throws: The same errors; or `CancellationError` if the task was cancelled before the edit
  ///   began.
  @discardableResult
  public func edit<Value: Sendable>(
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
        let record = try rows.editRecord(pending: pending)
        let editor = ListEditor(
          rows,
          PendingCommit(
            rows, by: author, time: Self.now, feed: nil,
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
