import DerivedLists
import GRDB
import ListModel

/// A full-text index of a long list that is made in slices, each a transaction of its own that keeps nobody
/// out for long.
///
/// Items are added in the order of their rows. Commits meanwhile change the texts of those that are there, and
/// leave the others to later slices; no search uses the index before it has all.
package struct SearchIndexDraft {
  private let list: ListID
  private let paths: SearchedPaths
  private let isKept: Bool
  /// What was read of the list: its row, its revision and its contents.
  private var row = 0
  private var revision = 0
  private var contents: [(item: Int, content: Int)] = []
  /// How often others have changed the list before a slice could be added.
  private var missCount = 0
  /// Whether all items are there, so that the words are merged into one whole.
  private var isFilled = false
  private var hasBegunToMerge = false
  /// How long slices have taken.
  package var pace = SlicePace()

  /// What a slice leads to.
  package enum Outcome {
    case more
    /// Others have changed the list, which must be read again: see ``look(_:)``.
    case unknown
    case done
  }

  /// Begins with what a list has.
  ///
  /// - Parameters:
  ///   - rows: The list.
  ///   - paths: Where the texts are.
  ///   - isKept: Whether the index stays without a derived list that searches these paths.
  /// - Throws: `DatabaseError` or `FormatError` if the list can't be read.
  package init(of rows: ListRows, _ paths: SearchedPaths, isKept: Bool) throws {
    (list, self.paths, self.isKept) = (rows.list, paths, isKept)
    try read(rows)
  }

  /// Reads which contents the list has, after ``Outcome/unknown``.
  package mutating func look(_ statements: Statements) throws {
    // The next slice finds out that it is gone.
    if let rows = try statements.rows(list) { try read(rows) }
  }

  private mutating func read(_ rows: ListRows) throws {
    (row, revision) = (rows.id, rows.revision)
    contents = try rows.contentsByItem()
  }

  /// Adds items to the index, until a closure says that it is time to end.
  ///
  /// - Parameters:
  ///   - statements: Those of a write transaction.
  ///   - isTime: The closure.
  /// - Returns: What it leads to.
  /// - Throws: `DatabaseError` or `FormatError` if something can't be read or written.
  package mutating func fill(_ statements: Statements, isTime: () -> Bool) throws -> Outcome {
    guard let rows = try statements.rows(list) else { return .done }
    if isFilled {
      let isLeft = try statements.mergeSearchText(isFirst: !hasBegunToMerge)
      hasBegunToMerge = true
      return isLeft ? .more : .done
    }
    if rows.id != row || rows.revision != revision {
      missCount += 1
      if missCount <= Self.mostMisses { return .unknown }
      try read(rows)
    }
    missCount = 0
    let index = try statements.beginSearchIndex(of: rows, paths, isKept: isKept)
    guard let filled = index.filledUpTo else { return .done }
    var next = contents.firstIndex(startingAfter: filled)
    repeat {
      for (item, content) in contents[next..<min(next + Self.addedAtOnce, contents.count)] {
        try statements.add(content, ofItem: item, to: index)
      }
      next = min(next + Self.addedAtOnce, contents.count)
    } while next < contents.count && !isTime()
    isFilled = next == contents.count
    try statements.note(index, filledUpTo: isFilled ? nil : contents[next - 1].item)
    // What FTS5 holds in memory until the transaction ends.
    try statements.writeSearchText()
    return .more
  }

  private static let addedAtOnce = 32
  // After that the list is read in the transaction of a slice, which keeps others out.
  private static let mostMisses = 3
}

extension [(item: Int, content: Int)] {
  /// The index of the first element with a greater item; they are sorted by their items.
  fileprivate func firstIndex(startingAfter item: Int) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if self[middle].item <= item { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
