/// The names of cells, item types and views that a store holds, each with the number of its uses.
///
/// A store keeps names; the app says what they stand for. A name that the app does not know shows
/// the fallback.
public struct StoredNames: Hashable, Sendable {
  /// The number of items by cell name.
  public var cells: [CellName: Int]
  /// The number of items by type name; items that name no type are left out.
  public var types: [TypeName: Int]
  /// The number of sections by view name, for each kind of view.
  public var views: [Supplementary.Kind: [ViewName: Int]]

  /// Names with the number of their uses.
  public init(
    cells: [CellName: Int] = [:], types: [TypeName: Int] = [:],
    views: [Supplementary.Kind: [ViewName: Int]] = [:]
  ) {
    self.cells = cells
    self.types = types
    self.views = views
  }

  /// Whether there are no names.
  public var isEmpty: Bool { cells.isEmpty && types.isEmpty && views.isEmpty }
}
