import DerivedLists
import GRDB
import ListModel

/// A full-text index of a long list that is made in slices, each a transaction of its own that keeps nobody
/// out for long.
///
/// Items are added in the order of their rows. Commits meanwhile change the texts of those that are there, and
/// leave the others to later slices; no search uses the index before it has all.
package struct SearchIndexDraft {
  private let paths: SearchedPaths
  private let isKept: Bool
  private let list: ListID
  /// The list's row.
  private let row: Int
  /// The revision at which the contents were read.
  private let revision: Int
  private let contents: [(item: Int, content: Int)]
  /// Whether all items are there, so that the words are sorted into one whole.
  private var isFilled = false
  private var isMerged = false
  /// How long slices have taken.
  package var pace = SlicePace()

  /// What a slice leads to.
  package enum Outcome {
    /// How much of the index there is, from 0 to 1.
    case more(Double)
    /// The list has changed: its contents must be read again.
    case outdated
    case done
  }

  /// Reads which contents a list has.
  ///
  /// - Parameters:
  ///   - rows: The list.
  ///   - paths: Where the texts are.
  ///   - isKept: Whether the index stays without a derived list that searches these paths.
  /// - Throws: `DatabaseError` or `FormatError` if the list can't be read.
  package init(of rows: ListRows, _ paths: SearchedPaths, isKept: Bool) throws {
    self.paths = paths
    self.isKept = isKept
    (list, row, revision) = (rows.list, rows.id, rows.revision)
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
    guard let rows = try statements.rows(list), rows.id == row else { return .outdated }
    if isFilled {
      let isLeft = try statements.mergeSearchText(isFirst: !isMerged)
      isMerged = true
      return isLeft ? .more(1) : .done
    }
    guard rows.revision == revision else { return .outdated }
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
    return .more(Double(next) / Double(max(1, contents.count)))
  }

  private static let addedAtOnce = 32
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
