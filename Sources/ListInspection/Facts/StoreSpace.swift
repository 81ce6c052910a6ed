/// What the bytes of a store are used for.
///
/// Its JSON is an output format: names and meanings stay.
public struct StoreSpace: Codable, Sendable {
  /// The version of the format: 1.
  public var formatVersion = 1
  /// The path of the file, as it was given.
  public var file: String
  /// The size of the file itself, in bytes.
  public var byteCount: Int
  /// The size of the write-ahead log beside it, in bytes; absent if there is none.
  ///
  /// It becomes smaller when the app closes the store.
  public var logByteCount: Int?
  /// How the bytes of tables were found.
  public var method: Method
  /// Bytes of pages that hold nothing: `VACUUM` gives them back.
  public var freeByteCount: Int
  /// Bytes that hold nothing in pages that are used in part.
  ///
  /// `VACUUM` gives back some of them. Absent if they were not measured.
  public var unusedByteCount: Int?
  /// The bytes of tables and their indexes, summed up by what they are for.
  public var parts: [Part: Int] = [:]
  /// The tables with their indexes, the largest first.
  public var tables: [Table] = []
  /// The lists, sorted by id.
  public var lists: [List] = []
  /// The bytes of contents that only logs name: of deleted items, and earlier ones of items.
  ///
  /// Truncating the logs gives them back. Absent if they can't be counted.
  public var loggedContentByteCount: Int?
  /// All that was found.
  public var findings: [Finding] = []

  /// How the bytes of tables were found.
  public enum Method: String, Codable, Sendable {
    /// SQLite counted the pages of each table.
    case pages
    /// The values were added up, because this SQLite does not count pages (`dbstat`): without
    /// indexes, and without what SQLite needs for a row and a page.
    case values
  }

  /// What a table is for.
  public enum Part: String, Codable, Sendable, CaseIterable, CodingKeyRepresentable {
    /// Contents of items: those that lists show, and those that only logs name.
    case contents
    /// Commits and changes, without contents.
    case log
    /// Ids, order and attributes of sections and items.
    case lists
    /// Measured sizes.
    case sizes
    /// Everything else.
    case other
  }

  /// A table with its indexes.
  public struct Table: Codable, Hashable, Sendable {
    /// The name.
    public var name: String
    /// What it is for.
    public var part: Part
    /// The bytes of its pages, or of its values.
    public var byteCount: Int
    /// The bytes in its pages that hold nothing; absent if they were not measured.
    public var unusedByteCount: Int?
  }

  /// What a list needs; values alone, without indexes and pages.
  public struct List: Codable, Hashable, Sendable {
    /// The list's id.
    public var list: String
    /// The number of items.
    public var itemCount: Int?
    /// The bytes of their contents and actions.
    public var contentByteCount: Int?
    /// The number of commits in the log.
    public var commitCount: Int?
    /// The bytes of the changes in the log, without contents.
    public var changeByteCount: Int?
    /// The number of measured sizes of items.
    public var sizeCount: Int?
  }
}
