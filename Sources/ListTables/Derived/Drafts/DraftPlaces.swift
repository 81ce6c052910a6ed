import GRDB
import ListModel

/// Where the items of a draft are, as the store has them: see ``DerivedDraft``.
struct DraftPlaces {
  /// The draft's row.
  let list: Int
  /// The revision of the draft at which they were read, or that the maker's own slices have led to.
  var revision: Int
  /// Whether the items are all that the draft has; slices add others.
  var isWhole: Bool
  /// By the items' rows.
  private(set) var places: [Place] = []
  /// The indexes of the places, by the items' ids; `nil` if the ids were not read.
  private(set) var names: [ItemID: Int]?

  struct Place {
    /// The item's row.
    var row: Int
    /// The block that holds the item.
    var block: Int
    /// Whether `borrowedItem` has a row that tells so.
    var hasRow: Bool
  }

  /// Those of a draft that is begun.
  init(ofNew draft: ListRows) {
    (list, revision, isWhole, names) = (draft.id, draft.revision, false, [:])
  }

  /// Reads those of a draft.
  init(of draft: ListRows, withNames: Bool) throws {
    (list, revision, isWhole) = (draft.id, draft.revision, true)
    var placed = RowSet()
    try draft.statements("SELECT item FROM borrowedItem WHERE list = ?").forEach(draft.id) {
      _ = placed.insert(try $0.integer(0))
    }
    var ids: [ItemID] = []
    var orders = OrderReader()
    try draft.forEachSection { section in
      var index = 0
      while index < section.itemCount {
        let block = try orders.placedBlock(
          holding: index, root: section.root, count: section.itemCount, draft.statements)
        guard block.count > 0, block.start == index else {
          throw DatabaseError.corrupt("section \"\(section.section)\" counts wrongly")
        }
        try orders.forEachItem(in: block, draft.statements) { row, name, _ in
          places.append(Place(row: row, block: block.block, hasRow: placed.contains(row)))
          if withNames { ids.append(try ItemID(String(decoding: name, as: UTF8.self))) }
        }
        index += block.count
      }
    }
    if withNames {
      let rows = places.map(\.row)
      let order = rows.indices.sorted { rows[$0] < rows[$1] }
      places = order.map { places[$0] }
      names = Dictionary(zip(order.map { ids[$0] }, order.indices)) { first, _ in first }
    } else {
      places.sort { $0.row < $1.row }
    }
  }

  /// The place of an item; `nil` if the draft did not have it.
  func place(of item: ItemID) -> Place? { names?[item].map { places[$0] } }

  /// The index of an item in a section; `nil` if it is not in it.
  func index(of item: ItemID, in section: SectionRow, _ draft: ListRows) throws -> Int? {
    guard let place = place(of: item) else { return nil }
    let block = draft.tree.currentBlock(ofItem: place.row, stored: place.block)
    let found = try draft.tree.index(of: place.row, in: block)
    return found.root.id == section.root ? found.index : nil
  }
}

extension ListRows {
  /// Forgets which items of a draft are in other blocks now, of those that have no row that tells their
  /// places: their sizes are not counted anywhere yet.
  ///
  /// - Returns: Whether items are in other blocks.
  func forgetMovesWithoutRows() throws -> Bool {
    let moved = tree.displacedItems.keys
    for item in moved
    where try borrowed[item] == nil && statements.block(ofBorrowed: item, in: id) == nil {
      tree.forgetItem(item)
    }
    return !moved.isEmpty
  }
}
