import BatchUpdates
import Foundation
import GRDB
package import ListModel
import ListTables

extension Repository {
  /// Applies changes to a list, in order, as one commit; an empty array makes a commit, too.
  ///
  /// - Parameters:
  ///   - changes: Each applies to the list as the one before left it.
  ///   - list: The list; its first commit makes it.
  ///   - owner: The item that owns the list; `nil` unless it is a nested one.
  ///   - author: The author of the commit.
  /// - Returns: The commit, with the paths of each change.
  /// - Throws: ``/ListModel/StoreError`` if a change does not fit the list (its `cause` is a
  ///   ``/ListModel/ChangeError``) or the store can't be written. The list is then unchanged.
  @discardableResult
  package func commit(
    _ changes: [Change], to list: ListID, ownedBy owner: ListOwner? = nil, by author: Author = .app
  ) throws(StoreError) -> Commit {
    let group = undoGroup(of: list)
    let commit: Commit = try write("commit to \"\(list)\"") { transaction in
      let rows = try rowsToCommit(transaction, list, ownedBy: owner)
      let commit = try self.commit(
        changes, to: rows, by: author, time: WallClock.now, feed: nil,
        step: group?.step(by: author) ?? .own, record: rows.outbox.record())
      transaction.didCommit = { group?.note(commit) }
      return commit
    }
    didCommit(commit)
    return commit
  }

  /// Undoes a commit, whoever made it, by a new commit; later commits win.
  ///
  /// - Throws: `StoreError` with ``/ListModel/StoreError/Code/listNotFound``, or
  ///   ``/ListModel/StoreError/Code/revisionNotFound`` if the log does not have the commit.
  /// - Complexity: O(*k* log *n*), *k* changes of the commit and since, *n* items.
  @discardableResult
  package func undoCommit(
    _ revision: Int, of list: ListID, by author: Author = .app
  ) throws(StoreError) -> Commit {
    let commit: Commit = try write("undo revision \(revision) of \"\(list)\"") { transaction in
      let rows = try rows(transaction, list)
      try rows.checkHead()
      guard (1...max(1, rows.revision)).contains(revision), rows.revision > 0 else {
        throw StoreError(
          .revisionNotFound,
          "\"\(list)\" has commits 1...\(rows.revision), not \(revision)", file: filePath)
      }
      try rows.requireLog(after: revision - 1, file: filePath)
      return try self.commit(
        rows.undo([revision], file: filePath).changes, to: rows, by: author, time: WallClock.now,
        feed: nil,
        undoes: revision,
        step: .own, record: rows.outbox.record())
    }
    didCommit(commit)
    return commit
  }

  /// Makes one commit of what a closure applies, which is no step for undo.
  ///
  /// - Returns: `nil` if there is no such list any more, or nothing was applied; then nothing is
  ///   written.
  func commit(
    to list: ListID, by author: Author, _ attempt: String,
    _ body: (ListRows, inout PendingCommit) throws -> Void
  ) throws(StoreError) -> Commit? {
    struct NothingToCommit: Error {}
    do {
      let commit: Commit = try writer.write(attempt) { transaction in
        guard let rows = try transaction.rows(list) else { throw NothingToCommit() }
        var commit = PendingCommit(rows, by: author, time: WallClock.now, feed: nil)
        try body(rows, &commit)
        // Thrown, so that the list stays at its revision.
        if commit.count == 0 { throw NothingToCommit() }
        return try commit.finish()
      }
      didCommit(commit)
      return commit
    } catch is NothingToCommit {
      return nil
    } catch {
      throw failure(error, attempt)
    }
  }

  func commit(
    _ changes: [Change], to rows: ListRows, by author: Author, time: Int?, feed: FeedLine?,
    undoes: Int? = nil, step: CommitStep = .none, record: EditRecord? = nil
  ) throws -> Commit {
    let result = try rows.commit(
      changes, by: author, time: time, feed: feed, undoes: undoes, step: step, record: record)
    switch result {
    case .success(let commit): return commit
    case .failure(let rejected):
      throw StoreError.rejected(
        rejected.error, change: rejected.index, of: changes.count, in: rows, file: filePath)
    }
  }

  /// The rows of a list that will get a commit; makes the list if there is none.
  ///
  /// A nested list is made only through its owner, and only while the owner is there: otherwise
  /// nothing would ever delete it.
  ///
  /// - Throws: ``/ListModel/StoreError``, also for an id that is reserved for a nested list.
  func rowsToCommit(
    _ transaction: WriteTransaction, _ list: ListID, ownedBy owner: ListOwner?
  ) throws -> ListRows {
    if let rows = try transaction.rows(list) { return rows }
    guard ListOwner.isNested(list) else { return try transaction.rowsOfKnownOrNewList(list) }
    guard let owner else {
      throw StoreError(
        .invalidValue,
        "\"\(list)\" is reserved for the nested list of an item: such a list is made by its first "
          + "change through the item that owns it")
    }
    let ownerRows = try rows(transaction, owner.list)
    guard try ownerRows.items.find(owner.item) != nil else {
      throw StoreError(
        .itemNotFound,
        "list \"\(owner.list)\" has no item \"\(owner.item)\" that could own a list "
          + "\"\(owner.name)\"")
    }
    let made = try transaction.rowsOfKnownOrNewList(list)
    try ownerRows.ownedLists.add(made.id, ownedBy: owner)
    return made
  }
}

extension StoreError {
  /// The error for a change that does not fit the list.
  static func rejected(
    _ error: ChangeError, change: Int, of count: Int, in rows: ListRows, file: String
  ) -> StoreError {
    StoreError(
      Code(error),
      "list \"\(rows.list)\": change \(change + 1) of \(count) does not fit: \(error)"
        + "\(rows.hint(for: error)); nothing of its commit was applied",
      file: file, cause: error)
  }
}

extension StoreError.Code {
  init(_ error: ChangeError) {
    self =
      switch error {
      case .unknownSection, .sectionAnchorNotFound: .sectionNotFound
      case .unknownItem, .itemAnchorNotFound: .itemNotFound
      case .duplicateSection, .duplicateItem: .duplicateID
      case .sectionIndexOutOfBounds, .itemIndexOutOfBounds: .placeOutOfBounds
      case .invalidLayout, .invalidDecoration, .invalidGap: .invalidValue
      case .logMismatch: .damagedStore
      }
  }
}
