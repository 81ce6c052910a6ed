package import ListModel

/// The cells on screen and the items that they show, by item id: paths change while cells are on
/// screen.
///
/// A cell shows at most one item. An item can be in two cells for a moment, while a view reloads
/// it.
@MainActor package final class BoundCells<Cell: AnyObject> {
  private struct Binding {
    var item: ItemID
    weak var cell: Cell?
  }

  private var bindings: [ObjectIdentifier: Binding] = [:]
  private var cells: [ItemID: [ObjectIdentifier]] = [:]
  /// How many times a cell was bound.
  package private(set) var bindCount = 0
  /// How many times a cell was unbound.
  package private(set) var unbindCount = 0

  /// No cells.
  package init() {}

  /// How many cells are bound.
  package var count: Int { bindings.count }

  /// The items that cells show.
  package var items: Set<ItemID> { Set(cells.keys) }

  /// Binds a cell to an item.
  ///
  /// - Returns: The item that the cell was still bound to, if any.
  @discardableResult
  package func bind(_ cell: Cell, to item: ItemID) -> ItemID? {
    let previous = unbind(cell)
    bindings[ObjectIdentifier(cell)] = Binding(item: item, cell: cell)
    cells[item, default: []].append(ObjectIdentifier(cell))
    bindCount += 1
    return previous
  }

  /// Ends a cell's binding.
  ///
  /// - Returns: The item that the cell was bound to.
  @discardableResult
  package func unbind(_ cell: Cell) -> ItemID? {
    guard let binding = bindings.removeValue(forKey: ObjectIdentifier(cell)) else { return nil }
    cells[binding.item]?.removeAll { $0 == ObjectIdentifier(cell) }
    if cells[binding.item]?.isEmpty == true { cells[binding.item] = nil }
    unbindCount += 1
    return binding.item
  }

  /// The item that a cell is bound to.
  package func item(of cell: Cell) -> ItemID? { bindings[ObjectIdentifier(cell)]?.item }

  /// The cell that is bound to an item; the newest if there are two.
  package func cell(of item: ItemID) -> Cell? {
    cells[item]?.last.flatMap { bindings[$0]?.cell }
  }
}
