public import ListModel

/// What became of a feed's lines.
public struct FeedReport: Sendable {
  /// What became of the lines about one list.
  public struct ListReport: Sendable {
    /// Lines that became commits.
    public var applied = 0
    /// Lines that had been applied before.
    public var skipped = 0
    /// Batch updates that were handed out.
    public var batchUpdates = 0
    /// The list's revision after the last line.
    public var revision = 0
  }

  /// The lists that lines were about.
  public var lists: [ListID: ListReport] = [:]
  /// Lines read so far, whatever they were about.
  public var lines = 0

  /// How often a list was looked at because a batch update of it was due; tests count that.
  package var listsLookedAt = 0

  /// A report of nothing yet.
  public init() {}

  /// Lines that became commits, of all lists.
  public var applied: Int { lists.values.reduce(0) { $0 + $1.applied } }
}
