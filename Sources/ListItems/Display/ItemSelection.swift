public import ListModel
public import Providers

/// The selected items, by id: a selection survives moves, reloads and relaunches.
public struct ItemSelection: Hashable, Sendable, Codable {
  /// How many items can be selected.
  public enum Mode: String, Hashable, Sendable, Codable {
    /// No item.
    case none
    /// One item at a time.
    case single
    /// Any number of items.
    case multiple
  }

  /// How many items can be selected.
  ///
  /// If it allows fewer than are selected, the latest stay.
  public var mode: Mode { didSet { drop() } }
  /// The selected items, in the order in which they were selected.
  public private(set) var items: [ItemID]

  /// No item is selected.
  public init(_ mode: Mode = .single) {
    self.mode = mode
    items = []
  }

  /// Selected items.
  ///
  /// - Parameters:
  ///   - mode: How many items can be selected. If it allows fewer than are given, the latest stay.
  ///   - items: The items in the order of their selection; repetitions are ignored.
  public init(_ mode: Mode, _ items: [ItemID]) {
    self.mode = mode
    var seen: Set<ItemID> = []
    self.items = items.filter { seen.insert($0).inserted }
    drop()
  }

  /// Whether an item is selected.
  public func contains(_ item: ItemID) -> Bool { items.contains(item) }

  /// Selects an item.
  ///
  /// - Returns: The items that this deselects.
  @discardableResult
  public mutating func select(_ item: ItemID) -> [ItemID] {
    if mode == .none || contains(item) { return [] }
    items.append(item)
    return drop()
  }

  /// Deselects an item.
  ///
  /// - Returns: Whether it was selected.
  @discardableResult
  public mutating func deselect(_ item: ItemID) -> Bool {
    guard let index = items.firstIndex(of: item) else { return false }
    items.remove(at: index)
    return true
  }

  /// Deselects the items that a list does not have.
  ///
  /// - Returns: These items.
  @discardableResult
  public mutating func keep(in provider: Provider) -> [ItemID] {
    let gone = items.filter { provider.path(of: $0) == nil }
    items.removeAll { gone.contains($0) }
    return gone
  }

  @discardableResult
  private mutating func drop() -> [ItemID] {
    let allowed = mode == .none ? 0 : mode == .single ? 1 : items.count
    let dropped = Array(items.dropLast(allowed))
    items = items.suffix(allowed)
    return dropped
  }
}
