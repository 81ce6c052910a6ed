import BatchUpdates
import Foundation
import GRDB
public import ListModel
import ListTables

// Undo and redo for users, by the log alone.
extension Repository {
  /// A step that `LiveList.undo` or `LiveList.redo` took back.
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
  /// One write transaction and one commit. Steps are made by edits, imports and
  /// ``undoCommit(_:of:by:)``; not by feeds, renaming and upgrades of contents. Of what later commits
  /// of others have changed since, theirs stays.
  ///
  /// - Returns: `nil` if there is nothing to undo: no edit, or the log has not the whole step any
  ///   more, or it is older than the newest 10,000 commits of the list.
  /// - Complexity: O(*k* log *n*), *k* changes of the step and since, *n* items.
  @discardableResult
  package func undo(
    in list: ListID, by author: Author = .app, pending isPending: Bool = false
  ) throws(StoreError) -> UndoneStep? {
    try takeBack(.undo, in: list, by: author, isPending: isPending)
  }

  /// Takes back an author's newest undo, unless the author has edited the list since.
  @discardableResult
  package func redo(
    in list: ListID, by author: Author = .app, pending isPending: Bool = false
  ) throws(StoreError) -> UndoneStep? {
    try takeBack(.redo, in: list, by: author, isPending: isPending)
  }

  /// The commits that the next ``undo(in:by:pending:)`` takes back, ascending.
  ///
  /// - Complexity: O(*k*), *k* commits of the list since the step, at most 10,000; their changes are
  ///   not read.
  package func undoableCommits(
    in list: ListID, by author: Author = .app
  ) throws(StoreError) -> [Int] { try next(.undo, in: list, by: author) }

  /// The commits that the next ``redo(in:by:pending:)`` takes back, ascending.
  package func redoableCommits(
    in list: ListID, by author: Author = .app
  ) throws(StoreError) -> [Int] { try next(.redo, in: list, by: author) }

  /// Makes all edits of a list inside a closure one step for ``undo(in:by:pending:)``.
  ///
  /// A group inside a group of the same list belongs to the outer one.
  package func undoGroup<Value>(
    in list: ListID, _ body: () throws -> Value
  ) rethrows -> Value {
    let group = undoGroup(of: list) ?? UndoGroup(of: list, in: self)
    return try UndoGroup.$current.withValue(group) { try body() }
  }

  /// Makes all edits of a list inside a closure one step, also those in its child tasks.
  package nonisolated(nonsending) func undoGroup<Value>(
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
    let plan = try rows.undo(revisions, file: filePath)
    var commit = PendingCommit(
      rows, by: author, time: WallClock.now, feed: nil, undoes: first, step: .of(first),
      record: try rows.outbox.record(pending: isPending ? EditRecord.newName() : nil))
    for (index, change) in plan.changes.enumerated() {
      if case .failure(let error) = try commit.apply(change) {
        throw StoreError.rejected(
          error, change: index, of: plan.changes.count, in: rows, file: filePath)
      }
    }
    return UndoneStep(
      revisions: revisions, commit: try commit.finish(), keptItems: plan.keptItems.sorted(),
      keptSections: plan.keptSections.sorted())
  }
}
