import ListStore
import ListTables

extension Inspection {
  /// What the log tells of a revision of a list.
  ///
  /// Its JSON is an output format: names and meanings stay.
  public struct RevisionFacts: Codable, Sendable {
    /// The version of the format: 1.
    public var formatVersion = 1
    /// The path of the file, as it was given.
    public var file: String
    /// The list's id.
    public var list: String
    /// The revision.
    public var revision: Int
    /// The list's newest revision.
    public var newest: Int
    /// The earliest revision that the log leads back to.
    public var floor: Int
    /// How many changes the log has; a deleted section counts with its items.
    public var logChangeCount: Int
    /// How many changes the log has after this revision, counted likewise.
    public var laterChangeCount: Int
    /// The commit that made this revision; absent at ``floor``, before which nothing is kept.
    public var commit: Timeline.Commit?
    /// Whether the commit has more than 2,000 changes: its counts are those of the first 2,000.
    public var isCut = false
  }
}

extension Inspection.Timeline.Commit {
  /// A commit with its first changes.
  init(
    _ row: LoggedCommit, _ entries: [Inspection.Timeline.Entry], limit: Int
  ) {
    self.init(
      revision: row.revision, time: row.time, author: row.author ?? "?",
      feedSequence: row.feedSequence, changeCount: entries.count,
      counts: Dictionary(entries.map { ($0.operation, 1) }, uniquingKeysWith: +),
      entries: Array(entries.prefix(limit)))
  }
}
