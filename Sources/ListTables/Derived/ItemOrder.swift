import DerivedLists
import GRDB
import ListModel

/// The items of a list in their order, without names and contents.
///
/// It is read once, to select some of the items again and again. It takes 40 bytes an item, and the keys
/// of the items for each path at which they were asked for.
package struct ItemOrder: Sendable {
  /// The sections, and which items each has.
  private(set) var sections: [Section] = []
  private(set) var items: ContiguousArray<Entry> = []
  /// The items by the rows of their contents.
  private(set) var contents: ContiguousArray<ContentEntry> = []
  /// The keys at paths that were read, in the order of ``contents``.
  var keys: [ValuePath: KeyColumn] = [:]

  struct Section: Sendable {
    var id: SectionID
    var items: Range<Int>
  }

  struct Entry: Sendable {
    /// The item's row.
    var row: Int
    /// The row of its content.
    var content: Int
    /// The row of its cell.
    var cell: UInt32
  }

  /// An item, by the row of its content.
  struct ContentEntry: Sendable {
    var content: Int
    /// Its index in the list.
    var item: Int32
    /// The row of its cell.
    var cell: UInt32
  }

  /// Reads the order of a list.
  ///
  /// - Complexity: O(*n*).
  init(of rows: ListRows) throws {
    var orders = OrderReader()
    try rows.forEachSection { section in
      let start = items.count
      while items.count - start < section.itemCount {
        let block = try orders.placedBlock(
          holding: items.count - start, root: section.root, count: section.itemCount,
          rows.statements)
        guard block.count > 0, block.start == items.count - start else {
          throw DatabaseError.corrupt("section \"\(section.section)\" counts wrongly")
        }
        try orders.forEachItem(in: block, rows.statements) { row, _, state in
          guard let cell = UInt32(exactly: state.cell) else {
            throw DatabaseError.corrupt("block \(block.block) holds an impossible item")
          }
          items.append(Entry(row: row, content: state.content, cell: cell))
        }
      }
      sections.append(Section(id: section.section, items: start..<items.count))
    }
    guard items.count <= Block.greatestCount else {
      throw DatabaseError.corrupt("list \"\(rows.list)\" has too many items")
    }
  }

  /// Sorts the items by the rows of their contents, once.
  mutating func sortByContent() {
    if contents.count == items.count { return }
    contents = []
    contents.reserveCapacity(items.count)
    for (index, entry) in items.enumerated() {
      contents.append(
        ContentEntry(content: entry.content, item: Int32(index), cell: entry.cell))
    }
    contents.sort { $0.content < $1.content }
  }

  /// The section of an item: the last one that does not begin behind it.
  func section(of index: Int) -> SectionID {
    var (low, high) = (0, sections.count)
    while high - low > 1 {
      let middle = (low + high) / 2
      if sections[middle].items.lowerBound <= index { low = middle } else { high = middle }
    }
    return sections[low].id
  }
}
