import Foundation
import GRDB
public import ListModel
public import StoreSchema

extension Repository {
  /// Applies changes to a list, in order, and logs them.
  ///
  /// One write transaction: the rows and the log change together, readers see one commit. A list
  /// that the store does not have is made by its first commit.
  ///
  /// Once this returns, the commit survives the end of the process, however it ends. A power failure
  /// may take the last commits, never one from the middle: SQLite syncs its write-ahead log at
  /// checkpoints (`synchronous = NORMAL`).
  ///
  /// - Parameters:
  ///   - changes: Each applies to the list that the one before left. None is a commit too.
  ///   - list: The list.
  ///   - author: Who makes them.
  /// - Returns: The commit, with the paths that each change had.
  /// - Throws: ``StoreError`` if a change does not fit the list (its `cause` is a ``ChangeError``) or
  ///   the store can't be written. The list is then unchanged.
  @discardableResult
  public func commit(
    _ changes: [Change], to list: ListID, by author: Author = .app
  ) throws(StoreError) -> Commit {
    try write("commit to \"\(list)\"") { db in
      var rows = try ListRows(db, list) ?? ListRows.create(db, list)
      let entries = try apply(changes, to: &rows)
      let now = Int(Date().timeIntervalSince1970 * 1_000)
      return try rows.log(entries, by: author, time: now, feed: nil)
    }
  }

  func apply(_ changes: [Change], to rows: inout ListRows) throws -> [LogEntry] {
    var entries: [LogEntry] = []
    entries.reserveCapacity(changes.count)
    for (index, change) in changes.enumerated() {
      switch try rows.resolve(change) {
      case .success(let entry):
        try rows.apply(entry)
        entries.append(entry)
      case .failure(let error):
        throw StoreError.rejected(
          error, change: index, of: changes.count, list: rows.list, file: file.path)
      }
    }
    return entries
  }
}

extension StoreError {
  /// A change that does not fit the list.
  static func rejected(
    _ error: ChangeError, change: Int, of count: Int, list: ListID, file: String
  ) -> StoreError {
    StoreError(
      code(for: error),
      "list \"\(list)\": change \(change + 1) of \(count) does not fit: \(error); nothing of its "
        + "commit was applied",
      file: file, cause: error)
  }

  private static func code(for error: ChangeError) -> Code {
    switch error {
    case .unknownSection, .sectionAnchorNotFound: .sectionNotFound
    case .unknownItem, .itemAnchorNotFound: .itemNotFound
    case .duplicateSection, .duplicateItem: .duplicateID
    case .sectionIndexOutOfBounds, .itemIndexOutOfBounds: .placeOutOfBounds
    case .invalidLayout: .invalidValue
    case .logMismatch: .damagedStore
    }
  }
}
