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
