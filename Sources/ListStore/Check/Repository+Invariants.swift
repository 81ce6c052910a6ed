import GRDB
public import ListModel

/// A fault that a check has found in a store.
public struct StoreProblem: Hashable, Sendable, CustomStringConvertible {
  /// The list that has the fault; `nil` for the store itself.
  public let list: ListID?
  /// What it is about.
  public let kind: Kind
  /// The fault, in words.
  public let message: String

  /// What a fault is about.
  public enum Kind: String, Sendable, CaseIterable {
    /// Rows that contradict each other, or name rows that are missing.
    case rows
    /// The order of sections or items, and their counts.
    case order
    /// A list that is not the one that its digest tells of.
    case digest
    /// The log of a list: missing commits, a broken chain, changes that lead elsewhere.
    case log
    /// Contents, actions or attributes.
    case content
    /// Measured sizes and their sums.
    case size
    /// The owners of nested lists.
    case owner
    /// Saved states of screens.
    case viewState
    /// A part that SQLite can't read.
    case unreadable
  }

  /// List and message.
  public var description: String { list.map { "list \"\($0)\": \(message)" } ?? message }
}

extension Repository {
  /// Checks that the rows of the store agree: counts, order, references, sums of sizes, the log's
  /// chain and the digests; and that contents are JSON, and sizes and saved states possible.
  ///
  /// One read transaction. A part that can't be read is a fault, and the others are checked. It
  /// does not replace SQLite's `PRAGMA integrity_check`, which checks the file's pages. A damaged
  /// store takes several times as long as a sound one.
  ///
  /// - Returns: At most 100 problems; none for a sound store.
  /// - Throws: ``/ListModel/StoreError`` if the store can't be read.
  /// - Complexity: O(*n* + *k*), *n* rows, *k* changes in the logs.
  public func checkInvariants() throws(StoreError) -> [StoreProblem] {
    try read("check the store") { db in
      if StoreProof.holds(for: db) { return [] }
      let check = StoreCheck(db)
      try check.run()
      return check.problems
    }
  }
}
