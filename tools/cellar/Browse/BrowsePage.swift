package import ListModel

/// A place in a store that the browser shows.
package enum BrowsePlace: Hashable, Sendable {
  case lists
  case list(ListID)
  case section(SectionID, in: ListID)
  case item(ItemID, in: ListID)
  /// The whole history of an item whose list has a long log.
  case history(ItemID, in: ListID)
  /// What the shown revision has changed.
  case changes(ListID)
  case findings
  case help

  /// The list that it is about.
  package var list: ListID? {
    switch self {
    case .list(let list), .section(_, let list), .item(_, let list), .history(_, let list),
      .changes(let list):
      list
    case .lists, .findings, .help: nil
    }
  }

  /// What the path has for it.
  package var name: String {
    switch self {
    case .lists: "lists"
    case .list(let list): list.rawValue
    case .section(let section, _): section.rawValue
    case .item(let item, _): item.rawValue
    case .history(let item, _): item.rawValue + ", history"
    case .changes: "changes"
    case .findings: "findings"
    case .help: "keys"
    }
  }
}

/// Some of the rows of a place, with what is known of all.
package struct BrowsePage: Sendable {
  /// A row of a table, or a line of text.
  package struct Row: Hashable, Sendable {
    /// What stands in the columns; in a text, the line.
    package var columns: [String]
    /// Where the row leads to.
    package var target: BrowsePlace?

    /// A row.
    package init(_ columns: [String], target: BrowsePlace? = nil) {
      self.columns = columns
      self.target = target
    }
  }

  /// The revisions that a list can be shown at.
  package struct Revisions: Hashable, Sendable {
    /// The shown one.
    package var shown: Int
    /// All of them.
    package var all: ClosedRange<Int>

    /// A choice of revisions.
    package init(shown: Int, all: ClosedRange<Int>) {
      self.shown = shown
      self.all = all
    }
  }

  /// The file and the names that lead from it to the place.
  package var path: [String]
  /// What is known of the place as a whole.
  package var facts = ""
  /// Whether ``facts`` says that something is wrong.
  package var isWrong = false
  /// The names of the columns; none for a text.
  package var headings: [String] = []
  /// The number of all rows.
  package var count = 0
  /// The rows that were asked for.
  package var rows: [Row] = []
  /// The index of the first of ``rows`` among all.
  package var first = 0
  /// The revisions of its list.
  package var revisions: Revisions?

  /// A page without rows.
  package init(path: [String]) { self.path = path }

  /// Whether it is a text, in which no row is chosen.
  package var isText: Bool { headings.isEmpty }

  /// The row at an index among all; `nil` if it was not asked for.
  package func row(at index: Int) -> Row? {
    rows.indices.contains(index - first) ? rows[index - first] : nil
  }

  /// Takes the rows of a range out of all of them.
  package mutating func take(_ all: some RandomAccessCollection<Row>, in range: Range<Int>) {
    count = all.count
    let range = range.clamped(to: 0..<count)
    first = range.lowerBound
    rows = Array(all.dropFirst(range.lowerBound).prefix(range.count))
  }
}
