import Foundation
import GRDB
public import ListModel

// Undo and redo for users, by the log alone.
extension Repository {
  /// A step that ``undo(in:by:pending:)`` or ``redo(in:by:pending:)`` took back.
  public struct UndoneStep: Hashable, Sendable {
    /// The commits that were taken back, ascending; more than one for edits of a group.
    public let revisions: [Int]
    /// The new commit; it is empty if everything stays as later commits have made it.
    public let commit: Commit
    /// The items of which at least a part could not be brought back, because a later commit of
    /// somebody else has changed, moved or deleted them or their section.
    public let keptItems: [ItemID]
    /// The same of sections.
    public let keptSections: [SectionID]
  }

  /// Takes back an author's newest edit, or group of edits, that was not taken back yet.
  ///
  /// One write transaction and one commit, whose ``/ListModel/Commit/undoes`` is the edit's revision.
  /// Calling it again goes further back. Commits of others are skipped and win where they have
  /// changed the same thing since. What to take back follows from the log, so it goes on after a
  /// relaunch.
  ///
  /// Steps are made by edits, imports and ``undo(_:of:by:)``; not by feeds, renaming and upgrades of
  /// contents. Steps that a version of Cellar made which did not know them are not found.
  ///
  /// - Parameters:
  ///   - list: The list.
  ///   - author: Whose edits are undone; also the author of the new commit.
  ///   - isPending: Whether the undo waits for a server's answer, as an edit of the outbox does. Give
  ///     `true` where the edit itself was pending, or the server keeps it.
  /// - Returns: `nil` if there is nothing to undo: no edit, or the log has not the whole step any
  ///   more, or it is older than the newest 10,000 commits of the list.
  /// - Throws: ``/ListModel/StoreError``; the list is then unchanged.
  /// - Complexity: O(*k*² + *k* log *n*), *k* changes of the step and since, *n* items.
  @discardableResult
  public func undo(
    in list: ListID, by author: Author = .app, pending isPending: Bool = false
  ) throws(StoreError) -> UndoneStep? {
    try takeBack(.undo, in: list, by: author, isPending: isPending)
  }

  /// Takes back an author's newest undo, unless the author has edited the list since.
  ///
  /// - Parameters:
  ///   - list: The list.
  ///   - author: Whose undo is taken back; also the author of the new commit.
  ///   - isPending: Whether the redo waits for a server's answer.
  /// - Returns: `nil` if there is nothing to redo.
  /// - Throws: ``/ListModel/StoreError``; the list is then unchanged.
  /// - Complexity: As ``undo(in:by:pending:)``.
  @discardableResult
  public func redo(
    in list: ListID, by author: Author = .app, pending isPending: Bool = false
  ) throws(StoreError) -> UndoneStep? {
    try takeBack(.redo, in: list, by: author, isPending: isPending)
  }

  /// The commits that the next ``undo(in:by:pending:)`` takes back, ascending; empty if there is
  /// nothing to undo.
  ///
  /// - Throws: ``/ListModel/StoreError``.
  /// - Complexity: O(*k*), *k* commits of the list since the step, at most 10,000; their changes are
  ///   not read.
  public func undoableCommits(
    in list: ListID, by author: Author = .app
  ) throws(StoreError) -> [Int] { try next(.undo, in: list, by: author) }

  /// The commits that the next ``redo(in:by:pending:)`` takes back; empty if there is nothing to redo.
  ///
  /// - Throws: ``/ListModel/StoreError``.
  /// - Complexity: As ``undoableCommits(in:by:)``.
  public func redoableCommits(
    in list: ListID, by author: Author = .app
  ) throws(StoreError) -> [Int] { try next(.redo, in: list, by: author) }

  /// Makes all edits of a list inside a closure one step for ``undo(in:by:pending:)``.
  ///
  /// They stay commits of their own. A group inside a group of the same list belongs to the outer one.
  ///
  /// - Parameters:
  ///   - list: The list.
  ///   - body: Edits the list, in the same task or thread.
  /// - Returns: What the closure returns.
  /// - Throws: What the closure throws; the edits before stay.
  public func undoGroup<Value>(
    in list: ListID, _ body: () throws -> Value
  ) rethrows -> Value {
    let group = undoGroup(of: list) ?? UndoGroup(of: list, in: self)
    return try UndoGroup.$current.withValue(group) { try body() }
  }

  /// Makes all edits of a list inside a closure one step, also those in its child tasks.
  ///
  /// - Parameters:
  ///   - list: The list.
  ///   - body: Edits the list.
  /// - Returns: What the closure returns.
  /// - Throws: What the closure throws; the edits before stay.
  public nonisolated(nonsending) func undoGroup<Value>(
    in list: ListID, _ body: nonisolated(nonsending) () async throws -> Value
  ) async rethrows -> Value {
    let group = undoGroup(of: list) ?? UndoGroup(of: list, in: self)
    return try await UndoGroup.$current.withValue(group) { try await body() }
  }

  /// The steps that an author could undo one after another.
  ///
  /// - Parameters:
  ///   - list: The list.
  ///   - author: Whose steps.
  ///   - revision: Steps that began at this revision or before are left out.
  /// - Returns: The revisions of each, ascending; the newest step first.
  /// - Throws: ``/ListModel/StoreError``.
  package func undoableSteps(
    in list: ListID, by author: Author, after revision: Int = 0
  ) throws(StoreError) -> [[Int]] {
    try read("look for what to undo in \"\(list)\"") { db in
      try ListRows(db, list)?.steps(to: .undo, by: author, after: revision) ?? []
    }
  }

  private func next(
    _ direction: UndoDirection, in list: ListID, by author: Author
  ) throws(StoreError) -> [Int] {
    try read("look for what to \(direction) in \"\(list)\"") { db in
      try ListRows(db, list)?.newestStep(to: direction, by: author) ?? []
    }
  }

  private func takeBack(
    _ direction: UndoDirection, in list: ListID, by author: Author, isPending: Bool
  ) throws(StoreError) -> UndoneStep? {
    let undone: UndoneStep? = try write("\(direction) in \"\(list)\"") { transaction in
      guard let rows = try transaction.rows(list) else { return nil }
      try rows.checkHead()
      guard let revisions = try rows.newestStep(to: direction, by: author),
        let first = revisions.first
      else { return nil }
      return try takeBack(revisions, from: first, of: rows, by: author, isPending: isPending)
    }
    if let undone { didCommit(undone.commit) }
    return undone
  }

  private func takeBack(
    _ revisions: [Int], from first: Int, of rows: ListRows, by author: Author, isPending: Bool
  ) throws -> UndoneStep {
    let commits = try rows.commits(in: first...rows.revision, isChecked: true)
    guard commits.count == rows.revision - first + 1 else {
      throw DatabaseError.corrupt("revision \(first) is not in the log")
    }
    var commit = PendingCommit(
      rows, by: author, time: Self.now, feed: nil, undoes: first, step: .of(first),
      record: try rows.editRecord(pending: isPending ? EditRecord.newName() : nil))
    var kept: (items: Set<ItemID>, sections: Set<SectionID>) = ([], [])
    for revision in revisions.reversed() {
      let later = commits[(revision - first + 1)...].flatMap(\.entries) + commit.entries
      let plan = try rows.undo(of: commits[revision - first].entries, before: later)
      for (index, change) in plan.changes.enumerated() {
        if case .failure(let error) = try commit.apply(change) {
          throw StoreError.rejected(
            error, change: index, of: plan.changes.count, in: rows, file: file.path)
        }
      }
      kept.items.formUnion(plan.keptItems)
      kept.sections.formUnion(plan.keptSections)
    }
    return UndoneStep(
      revisions: revisions, commit: try commit.finish(), keptItems: kept.items.sorted(),
      keptSections: kept.sections.sorted())
  }
}
