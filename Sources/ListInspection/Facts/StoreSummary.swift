/// A store file in numbers.
///
/// Its JSON is an output format: names and meanings stay.
public struct StoreSummary: Codable, Sendable {
  /// The version of the format: 1.
  ///
  /// It grows when a member changes its meaning.
  public var formatVersion = 1
  /// The path of the file, as it was given.
  public var file: String
  /// The size of the file itself, in bytes.
  public var byteCount: Int
  /// The size of the write-ahead log beside it, in bytes; absent if there is none.
  public var logByteCount: Int?
  /// The header of the file; absent if it is not that of a database.
  public var header: StoreEvidence.Header?
  /// The write-ahead log; absent if there is none.
  public var log: StoreEvidence.Log?
  /// The rollback journal; absent if there is none.
  public var journal: StoreEvidence.Journal?
  /// The schema version of the store.
  public var schemaVersion: Int
  /// The names of the migrations that the file still needs.
  public var pendingMigrations: [String] = []
  /// Whether the whole store was checked: stores of more than 64 MB are not.
  public var isChecked = false
  /// The findings that are errors, a sentence each; `["ok"]` if nothing is wrong.
  public var integrity: [String] = []
  /// All that was found.
  public var findings: [Finding] = []
  /// The lists, sorted by id.
  public var lists: [List] = []

  /// One list in numbers; those that can't be read, or take too long in a large store, are absent.
  public struct List: Codable, Sendable {
    /// The list's id.
    public var list: String
    /// What it is derived from; absent for a list that is not derived.
    public var derived: Inspection.DerivedFacts?
    /// The list's revision: the number of commits that it has had.
    public var revision: Int?
    /// The number of the last feed line that it took; 0 if none.
    public var feedSequence: Int?
    /// The number of sections at the head revision.
    public var sectionCount: Int?
    /// The number of items at the head revision, of all sections.
    public var itemCount: Int?
    /// How many of its items are gaps: what stands there is not loaded.
    public var gapCount: Int?
    /// The number of commits in its log.
    public var commitCount: Int?
    /// The number of changes in these commits.
    public var changeCount: Int?
    /// The number of its measured sizes.
    public var sizeCount: Int?
    /// The number of items by cell name.
    public var cells: [String: Int]?
    /// The newest commit; absent if the log is empty.
    public var lastCommit: LastCommit?
  }

  /// The newest commit of a list.
  public struct LastCommit: Codable, Sendable {
    /// The list's revision after it.
    public var revision: Int
    /// The author.
    public var author: String
    /// The time in milliseconds since 1970; absent if unknown.
    public var time: Int?
  }
}
