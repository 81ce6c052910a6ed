public import ListModel
public import Providers

/// Which items are selected: by identity, so that it survives moves, reloads and relaunches.
public struct ItemSelection: Hashable, Sendable, Codable {
  /// How many items can be selected.
  public enum Mode: String, Hashable, Sendable, Codable {
    /// None.
    case none
    /// One at a time.
    case single
    /// Any number.
    case multiple
  }

  /// How many can be; where it allows fewer than are selected, the latest stay.
  public var mode: Mode { didSet { drop() } }
  /// In the order in which they were selected.
  public private(set) var items: [ItemID]

  /// Nothing is selected.
  public init(_ mode: Mode = .single) {
    self.mode = mode
    items = []
  }

  /// Items are selected, in this order.
  ///
  /// - Parameters:
  ///   - mode: How many can be; where it allows fewer, the latest stay.
  ///   - items: Those; one that is named again stays where it was named first.
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
  /// - Returns: Those that are not selected any more.
  @discardableResult
  public mutating func select(_ item: ItemID) -> [ItemID] {
    if mode == .none || contains(item) { return [] }
    items.append(item)
    return drop()
  }

  /// Takes the selection of an item away.
  ///
  /// - Returns: Whether it was selected.
  @discardableResult
  public mutating func deselect(_ item: ItemID) -> Bool {
    guard let index = items.firstIndex(of: item) else { return false }
    items.remove(at: index)
    return true
  }

  /// Forgets items that the list does not have any more.
  ///
  /// - Returns: Those.
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
