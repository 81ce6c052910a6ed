/// The names that a store has for an app's cells, item types and views.
///
/// Its JSON is an output format: names and meanings stay.
public struct UsedNames: Codable, Sendable {
  /// The version of the format: 1.
  public var formatVersion = 1
  /// The path of the file, as it was given.
  public var file: String
  /// Cells, by the number of items; sorted by name, as the others are.
  public var cells: [Name] = []
  /// Types of items, by the number of items.
  public var types: [Name] = []
  /// Headers, footers and other views, by the number of sections, each kind by itself.
  public var views: [Name] = []
  /// The cells that the registry does not have; absent without one.
  public var unknownCells: [String]?
  /// The cells of the registry that the store does not have; absent without one.
  public var unusedCells: [String]?
  /// All that was found.
  public var findings: [Finding] = []

  /// A name.
  public struct Name: Codable, Hashable, Sendable {
    /// The name, as it is stored.
    public var name: String
    /// The kind of view, such as `header`, or `decoration`; absent for cells and types.
    public var kind: String?
    /// The number of uses by list; empty if lists had it earlier, and only their logs have it now.
    public var uses: [String: Int]
  }
}
