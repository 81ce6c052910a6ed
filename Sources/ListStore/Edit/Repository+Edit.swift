import Foundation
public import ListModel

extension Repository {
  /// Edits a list: one write transaction, one commit of all that the closure does.
  ///
  /// A list that the store does not have is made, unless nothing is put into it. Where the closure
  /// throws, or changes nothing, the store is as before.
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
  ///   - author: Who edits it.
  ///   - body: Makes the changes; other writers wait for it, so it does nothing that takes long. It
  ///     can't write to the same Repository, and what it reads there is the store before the edit.
  /// - Returns: What the closure returned, and the commit; `nil` if nothing was changed.
  /// - Throws: `StoreError`, with ``/ListModel/StoreError/Code/nestedEdit`` inside another edit
  ///   of the same Repository; or what the closure throws.
  @discardableResult
  public func edit<Value>(
    _ list: ListID, by author: Author = .app, _ body: (ListEditor) throws -> Value
  ) throws -> (value: Value, commit: Commit?) {
    try edit(list, ownedBy: nil, by: author, body)
  }

  /// Edits a list that may be a nested one.
  package func edit<Value>(
    _ list: ListID, ownedBy owner: ListOwner?, by author: Author,
    _ body: (ListEditor) throws -> Value
  ) throws -> (value: Value, commit: Commit?) {
    var value: Value?
    do {
      let commit: Commit = try writer.write("edit \"\(list)\"") { transaction in
        let rows = try rowsToCommit(transaction, list, ownedBy: owner)
        let editor = ListEditor(
          rows, PendingCommit(rows, by: author, time: Self.now, feed: nil), file: file.path)
        do {
          value = try body(editor)
        } catch {
          editor.discard()
          throw BodyFailure(error: error)
        }
        guard let commit = try editor.close() else { throw NothingChanged() }
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

  /// Ends the transaction without a commit.
  private struct NothingChanged: Error {}
  private struct BodyFailure: Error { let error: any Error }
}
