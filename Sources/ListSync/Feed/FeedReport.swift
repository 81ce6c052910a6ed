public import ListModel

/// Counts of a feed's lines: how many were applied, and how many skipped.
public struct FeedReport: Sendable {
  /// Counts of the lines about one list.
  public struct ListReport: Sendable {
    /// Lines that became commits.
    public var applied = 0
    /// Lines that were skipped because they had been applied before.
    public var skipped = 0
    /// Batch updates that were handed out.
    public var batchUpdates = 0
    /// The list's revision after the last line.
    public var revision = 0
  }

  /// The counts of each list that lines were about, and of each derived list with batch updates.
  public var lists: [ListID: ListReport] = [:]
  /// All lines that were read, except blank ones.
  public var lines = 0

  /// How often a batch update of a list was due, for tests.
  package var listsLookedAt = 0

  /// An empty report.
  public init() {}

  /// Lines that became commits, counted over all lists.
  public var applied: Int { lists.values.reduce(0) { $0 + $1.applied } }
}
