/// Something that finds out what changed by comparing a whole list before and after.
///
/// What Cellar is measured beside. A differ of another package is passed in from outside, to
/// ``Benchmarks/main(differs:)``.
public protocol Differ: Sendable {
  /// What the report calls it.
  var name: String { get }

  /// Compares two lists of rows, each id once in each.
  ///
  /// - Returns: How many rows were deleted, inserted, moved or updated. It keeps the work from
  ///   being optimised away, and is checked: two equal lists give 0, others do not.
  func changes(from before: [Row], to after: [Row]) -> Int

  /// Whether so many changes of so many items are found in reasonable time and memory.
  func handles(items: Int, changes: Int) -> Bool
}

extension Differ {
  /// Always.
  public func handles(items: Int, changes: Int) -> Bool { true }
}

/// A row as a differ sees it.
public struct Row: Hashable, Sendable {
  /// 20 characters.
  ///
  /// Texts before and after do not share storage, as if the list had been fetched again.
  public let id: String
  /// Stands for the content: rows of one id with another content were updated.
  public let content: Int
}
