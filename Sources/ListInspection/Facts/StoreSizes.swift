public import ListModel

/// The measured sizes of items and of sections' views in a store, as far as they are for the length
/// along which their list scrolls.
///
/// Its JSON is an output format: names and meanings stay.
public struct StoreSizes: Codable, Sendable {
  /// The version of the format: 1.
  public var formatVersion = 1
  /// The path of the file, as it was given.
  public var file: String
  /// What sizes were measured for; ``Group/key`` is an index into it.
  public var keys: [Key] = []
  /// The lists that have sizes, sorted by id.
  public var lists: [List] = []
  /// All that was found.
  public var findings: [Finding] = []

  /// What sizes were measured for.
  public struct Key: Codable, Hashable, Sendable {
    /// The direction of scrolling: `vertical` or `horizontal`.
    public var axis: String
    /// The length across it, in device pixels.
    public var fittingPixels: Int
    /// A state that changes the size, such as `expanded`; empty for the usual one.
    public var variant: String
    /// The settings of the device.
    public var environment: LayoutEnvironment
    /// When sizes were last read or written for it, in milliseconds since 1970.
    public var usedAt: Int
    /// Whether it was used last of the keys of its axis: what the app shows now, most likely.
    public var isNewest: Bool
  }

  /// The sizes of a list.
  public struct List: Codable, Hashable, Sendable {
    /// The list's id.
    public var list: String
    /// The sizes by the cell or view that was measured and by key, the newest key first; for each
    /// key cells come before views.
    public var groups: [Group]
    /// How far the list may jump while it is scrolled, in points.
    ///
    /// The sum over stale sizes of the newest keys: how far each is from the median of the sizes of
    /// the item's cell, or of the view, that hold. Stale sizes of a cell or view of which no size
    /// holds are left out.
    public var estimatedError: Double
  }

  /// The sizes of a cell or a view for a key: their lengths along the direction of scrolling, in points.
  public struct Group: Codable, Hashable, Sendable {
    /// The name of the cell that was measured, or of the section's view.
    public var cell: String
    /// The kind of the section's view, such as its header; absent for a cell.
    public var kind: String?
    /// The index of its key in ``StoreSizes/keys``.
    public var key: Int
    /// The number of sizes.
    public var count: Int
    /// The number of different lengths.
    public var distinctCount: Int
    /// The least length.
    public var least: Double
    /// Half of the lengths are not greater.
    public var median: Double
    /// 95 of 100 lengths are not greater.
    public var percentile95: Double
    /// The greatest length.
    public var greatest: Double
    /// The sum of the lengths.
    public var sum: Double
    /// How many lengths are in each of eight equal ranges from the least to the greatest.
    public var histogram: [Int]
    /// The number of sizes that hold no longer, by the reason.
    public var staleCounts: [Reason: Int]
  }

  /// Why a size holds no longer.
  public enum Reason: String, Codable, Sendable, CaseIterable, CodingKeyRepresentable {
    /// The item or the view has other content.
    case content
    /// The item has another cell.
    case cell
    /// The section has another layout.
    case layout
    /// It is for a key that was used before the newest one of its axis.
    case key
  }
}
