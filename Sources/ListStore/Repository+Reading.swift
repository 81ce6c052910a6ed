import Foundation
public import ListModel
public import Providers
public import StoreSchema

extension Repository {
  /// The revision of a list: how many commits it has had.
  ///
  /// - Throws: ``StoreError`` with ``StoreError/Code/listNotFound``.
  public func revision(of list: ListID) throws(StoreError) -> Int {
    try read("read the revision of \"\(list)\"") { db in try rows(db, list).revision }
  }

  /// Rebuilds a list from its rows, at its head revision.
  ///
  /// One read transaction.
  ///
  /// - Throws: ``StoreError`` with ``StoreError/Code/listNotFound``.
  /// - Complexity: O(*n*), *n* items.
  public func provider(for list: ListID) throws(StoreError) -> Provider {
    Provider(try tree(of: list))
  }

  /// Reads a list, whole, at its head revision or at an earlier one.
  ///
  /// One read transaction.
  ///
  /// - Parameters:
  ///   - list: The list.
  ///   - revision: In `0...` the head revision; 0 is the list before its first commit.
  /// - Returns: The list as it was after that commit.
  /// - Throws: ``StoreError`` with ``StoreError/Code/listNotFound`` or
  ///   ``StoreError/Code/revisionNotFound``.
  /// - Complexity: O(*n* + *m* · *k*), *n* items, *k* changes since that revision, *m* items in the
  ///   sections that they touch.
  public func tree(of list: ListID, at revision: Int? = nil) throws(StoreError) -> ListTree {
    try read("read \"\(list)\"") { db in
      let rows = try rows(db, list)
      guard let revision else { return try rows.tree() }
      guard (0...rows.revision).contains(revision) else {
        throw StoreError(
          .revisionNotFound,
          "\"\(list)\" has revisions 0...\(rows.revision), not \(revision)", file: file.path)
      }
      return try rows.tree(at: revision)
    }
  }

  /// Reads the log of a list.
  ///
  /// One read transaction.
  ///
  /// - Parameters:
  ///   - list: The list.
  ///   - revision: Commits after this one are read.
  ///   - limit: The most commits to read.
  /// - Returns: Commits in the order of their revisions, without gaps.
  /// - Throws: ``StoreError`` with ``StoreError/Code/listNotFound``.
  public func commits(
    of list: ListID, after revision: Int = 0, limit: Int = .max
  ) throws(StoreError) -> [Commit] {
    try read("read the log of \"\(list)\"") { db in
      let rows = try rows(db, list)
      guard max(revision, 0) < rows.revision, limit > 0 else { return [] }
      let first = max(revision, 0) + 1
      let last = first + min(limit - 1, rows.revision - first)
      return try rows.commits(in: first...last)
    }
  }

  /// Reads the log from a revision to the head, unless it is too long.
  ///
  /// One read transaction; of a log that is too long, the changes up to the limit are counted and
  /// none is read.
  ///
  /// - Parameters:
  ///   - list: The list.
  ///   - revision: Commits after this one are read.
  ///   - changes: The most changes.
  /// - Returns: Commits in the order of their revisions, without gaps; `nil` if they have more
  ///   changes.
  /// - Throws: ``StoreError`` with ``StoreError/Code/listNotFound``.
  package func commits(
    of list: ListID, after revision: Int, ofAtMost changes: Int
  ) throws(StoreError) -> [Commit]? {
    try read("read the log of \"\(list)\"") { db in
      let rows = try rows(db, list)
      guard max(revision, 0) < rows.revision else { return [] }
      if changes < .max,
        try rows.changeCount(after: revision, upTo: changes + 1) > changes
      {
        return nil
      }
      return try rows.commits(in: max(revision, 0) + 1...rows.revision)
    }
  }
}
