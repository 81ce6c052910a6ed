import Foundation
public import ListModel
import ListTables
import StoreFiles
import StoreSchema

/// A list inside the closure of an edit: each operation is one change of the commit, and sees those
/// before.
///
/// Operations take values of the app's types, ids, or index paths of a view, one or several at
/// once. Each returns what it changed: where something is now, or where it was.
///
/// An operation that does not fit the list throws and changes nothing, and the edit can go on. An
/// editor works only inside the closure of `LiveList.edit`; afterwards every
/// operation throws ``/ListModel/StoreError/Code/invalidValue``.
///
/// An operation on one item or section takes O(log *n*), on several as many times that.
public final class ListEditor {
  let file: String
  let target: EditTarget
  private var open: Open?

  private struct Open {
    let rows: ListRows
    let session: EditSession
    var commit: PendingCommit
  }

  init(_ rows: ListRows, _ commit: PendingCommit, of target: EditTarget, in session: EditSession) {
    open = Open(rows: rows, session: session, commit: commit)
    file = session.repository.filePath
    self.target = target
  }

  /// Ends the edit.
  ///
  /// - Returns: The commit; `nil` if nothing was changed.
  func close() throws -> Commit? {
    defer { open = nil }
    guard var open, open.commit.count > 0 else { return nil }
    return try open.commit.finish()
  }

  /// Ends the edit without a commit.
  func discard() { open = nil }

  /// The editor of another list of the same store, whose changes belong to the same transaction.
  ///
  /// - Throws: ``/ListModel/StoreError``, also for a list of another store.
  package func editor(
    of target: EditTarget, in repository: Repository
  ) throws(StoreError) -> ListEditor {
    guard let session = open?.session else { throw isClosed() }
    guard repository === session.repository else {
      throw invalid("list \"\(target.list)\" is of another Repository than the edit")
    }
    try target.requireDistinctTypes()
    do { return try session.editor(of: target) } catch { throw failure(error) }
  }

  // MARK: One change

  /// Applies a change of any kind.
  ///
  /// - Returns: The log entry: the change with its paths.
  /// - Throws: ``/ListModel/StoreError`` if it does not fit the list; its `cause` is a
  ///   ``/ListModel/ChangeError``.
  @discardableResult
  public func apply(_ change: Change) throws(StoreError) -> LogEntry {
    try apply { commit in try commit.apply(change) }
  }

  /// Inserts an item at the end of a section as it was in another store: with its content revision.
  package func restore(_ item: Item, in section: SectionID) throws(StoreError) {
    _ = try apply { commit in try commit.restore(item, in: section) }
  }

  private func apply(
    _ change: (inout PendingCommit) throws -> Result<LogEntry, ChangeError>
  ) throws(StoreError) -> LogEntry {
    guard var open else { throw isClosed() }
    let number = open.commit.count
    let result: Result<LogEntry, ChangeError>
    // Taken out, because a second reference would copy the commit with each change.
    self.open = nil
    defer { self.open = open }
    do { result = try change(&open.commit) } catch { throw failure(error) }
    switch result {
    case .success(let entry): return entry
    case .failure(let error):
      throw StoreError(
        .init(error),
        "list \"\(open.rows.list)\": change \(number + 1) of the edit does not fit: \(error)"
          + open.rows.hint(for: error),
        file: file, cause: error)
    }
  }

  /// Sets the app's own data about the list: a title, a cursor, an ETag.
  ///
  /// It is part of the commit, is undone with it, and is there at every revision. No view shows it.
  ///
  /// ```swift
  /// try list.setMeta(JSON(encoding: Page(title: "New", next: cursor)))
  /// ```
  ///
  /// - Parameter meta: The whole data; `nil` or JSON's `null` removes it. If it means the same as
  ///   before, nothing is changed.
  /// - Throws: `StoreError`; the list is then unchanged.
  public func setMeta(_ meta: JSON?) throws(StoreError) {
    let new = meta == .null ? nil : meta
    if try self.meta().isEquivalent(to: new) { return }
    try apply(.updateList(meta: new))
  }

  /// Answers a question from the rows of the list as they are now.
  func ask<Value>(_ question: (ListRows) throws -> Value) throws(StoreError) -> Value {
    guard let open else { throw isClosed() }
    do { return try question(open.rows) } catch { throw failure(error) }
  }

  /// The error for a section that is not in the list.
  func nothing(at section: SectionID) -> StoreError { missing(.unknownSection(section)) }

  /// The error for an item that is not in the list.
  func nothing(at item: ItemID) -> StoreError { missing(.unknownItem(item)) }

  private func missing(_ error: ChangeError) -> StoreError {
    guard let rows = open?.rows else { return isClosed() }
    return StoreError(
      .init(error), "list \"\(rows.list)\": \(error)\(rows.hint(for: error))", file: file,
      cause: error)
  }

  /// The error for a change whose log entry is of another kind.
  func unexpected(_ entry: LogEntry) -> StoreError { invalid("a change became \(entry)") }

  func invalid(_ what: String) -> StoreError { StoreError(.invalidValue, what, file: file) }

  private func failure(_ error: any Error) -> StoreError {
    switch error {
    case let error as StoreError: error
    case is FormatError: .damaged(file, because: "\(error)", cause: error)
    default: .wrap(error, attempt: "edit the list", file: file)
    }
  }

  private func isClosed() -> StoreError {
    invalid("the edit has ended; an editor works only inside its closure")
  }
}
