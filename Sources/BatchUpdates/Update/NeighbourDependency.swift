public import ListModel

/// The neighbours that an item's drawing depends on.
///
/// Examples: a cell that shows its date only if the item before has another one; a cell with round
/// corners at the end of a group. Neighbours are items of the same section.
public struct NeighbourDependency: OptionSet, Hashable, Sendable {
  /// One bit for each neighbour.
  public let rawValue: Int

  /// The neighbours whose bits are set.
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// The item before, or the fact that there is none.
  public static let previous = NeighbourDependency(rawValue: 1)
  /// The item after, or the fact that there is none.
  public static let next = NeighbourDependency(rawValue: 2)
}

/// Which items depend on their neighbours, by their type or by their cell.
///
/// A batch update reconfigures such an item when the neighbour that it depends on is inserted,
/// deleted or replaced by another one, or when that neighbour's content or cell changes.
public struct NeighbourDependencies: Hashable, Sendable {
  /// Dependencies by the type of an item's content.
  ///
  /// An entry here goes before one in ``cells``. It counts for contents of all versions of the type,
  /// which the stored name may end in.
  public var types: [TypeName: NeighbourDependency]
  /// Dependencies by cell, for items whose type has no entry.
  public var cells: [CellName: NeighbourDependency]

  /// Dependencies of the given types and cells; other items have none.
  public init(
    types: [TypeName: NeighbourDependency] = [:], cells: [CellName: NeighbourDependency] = [:]
  ) {
    self.types = types
    self.cells = cells
  }

  /// Whether no item depends on another.
  package var isEmpty: Bool { types.isEmpty && cells.isEmpty }

  /// The neighbours that an item of a state depends on.
  package func dependency(of state: ItemState) -> NeighbourDependency {
    if let type = state.type,
      let dependency = types[type] ?? type.nameAndVersion.flatMap({ types[$0.name] })
    {
      return dependency
    }
    return cells[state.cell] ?? []
  }
}
