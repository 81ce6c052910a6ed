import GRDB
public import ListModel

/// A fault that a check has found in a store.
public struct StoreProblem: Hashable, Sendable, CustomStringConvertible {
  /// The list that has the fault; `nil` for the store itself.
  public let list: ListID?
  /// The fault, in words.
  public let message: String

  /// List and message.
  public var description: String { list.map { "list \"\($0)\": \(message)" } ?? message }
}

extension Repository {
  /// Checks that the rows of the store agree: counts, order, references, sums of sizes, the log's
  /// chain and the digests.
  ///
  /// One read transaction. It does not replace SQLite's `PRAGMA integrity_check`, which checks the
  /// file's pages.
  ///
  /// - Returns: At most 100 problems; none for a sound store.
  /// - Throws: ``/ListModel/StoreError`` if the store can't be read.
  /// - Complexity: O(*n* + *k*), *n* rows, *k* changes in the logs.
  public func checkInvariants() throws(StoreError) -> [StoreProblem] {
    try read("check the store") { db in
      let check = StoreCheck(db)
      try check.run()
      return check.problems
    }
  }
}
