import GRDB
public import ListModel

/// Something in a store that should not be.
public struct StoreProblem: Hashable, Sendable, CustomStringConvertible {
  /// The list that it is in; `nil` for the store itself.
  public let list: ListID?
  /// What was found, and what should be there instead.
  public let message: String

  /// List and message.
  public var description: String { list.map { "list \"\($0)\": \(message)" } ?? message }
}

extension Repository {
  /// Checks everything that this library keeps in step: counts, order, rows that nothing refers to,
  /// sums of sizes, the log's chain and the digests.
  ///
  /// One read transaction. Does not replace SQLite's `PRAGMA integrity_check`, which looks at the
  /// file below.
  ///
  /// - Returns: What is wrong; at most 100 problems.
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
