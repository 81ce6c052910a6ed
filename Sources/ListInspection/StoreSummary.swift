/// What a store file holds, in numbers.
///
/// Printed as JSON; names and meanings stay.
public struct StoreSummary: Codable, Sendable {
  /// 1; grows when a member changes its meaning.
  public var formatVersion = 1
  /// The file, as it was given.
  public var file: String
  /// The size of the file itself, in bytes.
  public var byteCount: Int
  /// The size of the write-ahead log beside it, in bytes; absent if there is none.
  public var logByteCount: Int?
  /// The schema version of the file.
  public var schemaVersion: Int
  /// The names of migrations that this tool knows and the file has not had.
  public var pendingMigrations: [String]
  /// What SQLite's own check of the file finds, and what the lists' counts, logs and digests do not
  /// agree in; `["ok"]` if nothing is wrong.
  public var integrity: [String]
  /// In the order of their ids.
  public var lists: [List]

  /// What one list holds.
  public struct List: Codable, Sendable {
    /// The list's id.
    public var list: String
    /// How many commits the list has had.
    public var revision: Int
    /// The number of the last feed line that it took; 0 if none.
    public var feedSequence: Int
    /// Sections at the head revision.
    public var sectionCount: Int
    /// Items at the head revision, of all sections.
    public var itemCount: Int
    /// How many commits and changes its log holds.
    public var commitCount: Int
    /// Changes in all those commits.
    public var changeCount: Int
    /// How many measured sizes it keeps.
    public var sizeCount: Int
    /// Items by the name of their cell.
    public var cells: [String: Int]
    /// Absent if the log is empty.
    public var lastCommit: LastCommit?
  }

  /// The newest commit of a list.
  public struct LastCommit: Codable, Sendable {
    /// The list's revision after it.
    public var revision: Int
    /// Who made it.
    public var author: String
    /// In milliseconds since 1970; absent if unknown.
    public var time: Int?
  }
}
