public import ListModel

/// Which cell shows which item: by identity, so that a path that has moved on unbinds nobody else.
///
/// A cell shows one item at most. An item may be in two cells for a while, when a view reloads it: the
/// one that leaves is unbound when it leaves.
@MainActor public final class BoundCells<Cell: AnyObject> {
  private struct Binding {
    var item: ItemID
    weak var cell: Cell?
  }

  private var bindings: [ObjectIdentifier: Binding] = [:]
  private var cells: [ItemID: [ObjectIdentifier]] = [:]
  /// How often a cell was bound.
  public private(set) var bindCount = 0
  /// How often one was unbound.
  public private(set) var unbindCount = 0

  /// Nothing is shown.
  public init() {}

  /// How many cells are bound.
  public var count: Int { bindings.count }

  /// The items that are shown.
  public var items: Set<ItemID> { Set(cells.keys) }

  /// Notes that a cell shows an item.
  ///
  /// - Returns: The item that it showed until now, if it was never unbound from that.
  @discardableResult
  public func bind(_ cell: Cell, to item: ItemID) -> ItemID? {
    let previous = unbind(cell)
    bindings[ObjectIdentifier(cell)] = Binding(item: item, cell: cell)
    cells[item, default: []].append(ObjectIdentifier(cell))
    bindCount += 1
    return previous
  }

  /// Notes that a cell shows nothing any more.
  ///
  /// - Returns: The item that it showed.
  @discardableResult
  public func unbind(_ cell: Cell) -> ItemID? {
    guard let binding = bindings.removeValue(forKey: ObjectIdentifier(cell)) else { return nil }
    cells[binding.item]?.removeAll { $0 == ObjectIdentifier(cell) }
    if cells[binding.item]?.isEmpty == true { cells[binding.item] = nil }
    unbindCount += 1
    return binding.item
  }

  /// The item that a cell shows.
  public func item(of cell: Cell) -> ItemID? { bindings[ObjectIdentifier(cell)]?.item }

  /// The cell that shows an item; the newest, where there are two.
  public func cell(of item: ItemID) -> Cell? {
    cells[item]?.last.flatMap { bindings[$0]?.cell }
  }
}
