public import ListModel

/// The neighbours in its section that an item's drawing depends on: for a date that is shown only
/// where it changes, for corners that are round at the ends of a group.
public struct NeighbourDependency: OptionSet, Hashable, Sendable {
  /// One bit a neighbour.
  public let rawValue: Int

  /// A dependency of the bits that are set.
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// The item before it, or that there is none.
  public static let previous = NeighbourDependency(rawValue: 1)
  /// The item after it, or that there is none.
  public static let next = NeighbourDependency(rawValue: 2)
}

/// Which items depend on their neighbours, declared by their type or by their cell.
///
/// A batch update then also reconfigures an item that was there before, where the neighbour that it
/// depends on came, went, is another one, or changed its content or cell.
public struct NeighbourDependencies: Hashable, Sendable {
  /// By the type of an item's content; decides where it has an entry.
  public var types: [TypeName: NeighbourDependency]
  /// By cell, for items whose type has no entry.
  public var cells: [CellName: NeighbourDependency]

  /// Dependencies of types and cells; of all others, none.
  public init(
    types: [TypeName: NeighbourDependency] = [:], cells: [CellName: NeighbourDependency] = [:]
  ) {
    self.types = types
    self.cells = cells
  }

  /// Whether no item depends on another.
  package var isEmpty: Bool { types.isEmpty && cells.isEmpty }

  /// What an item in a state depends on.
  package func dependency(of state: ItemState) -> NeighbourDependency {
    if let type = state.type, let dependency = types[type] { return dependency }
    return cells[state.cell] ?? []
  }
}
