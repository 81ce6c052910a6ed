/// Something that whoever looks at a store should know.
///
/// Its JSON is an output format: names and meanings stay.
public struct Finding: Codable, Hashable, Sendable, CustomStringConvertible {
  /// How bad it is.
  public var severity: Severity
  /// What it is, as one word that scripts can compare.
  public var code: Code
  /// Where it is: a file, a table, or a list; `nil` for the store as a whole.
  public var place: String?
  /// What was found, in a sentence.
  public var message: String
  /// What it means for the app.
  public var meaning: String
  /// What to do.
  public var advice: String

  /// How bad a finding is.
  public enum Severity: String, Codable, Sendable, CaseIterable, Comparable {
    /// Nothing is wrong; it explains what is seen.
    case notice
    /// What is seen may not be all that the app has written.
    case warning
    /// Something in the file is damaged, or can't be read.
    case error

    /// Whether one is less bad than another.
    public static func < (lhs: Severity, rhs: Severity) -> Bool {
      allCases.firstIndex(of: lhs) ?? 0 < allCases.firstIndex(of: rhs) ?? 0
    }
  }

  /// What a finding is.
  public enum Code: String, Codable, Sendable, CaseIterable {
    /// The path is a link; what it leads to was looked at.
    case link
    /// The first bytes are not those of a database.
    case header
    /// The end of the file is missing.
    case truncated
    /// The store keeps a write-ahead log, and none or an empty one is beside it.
    case logMissing
    /// The log's last bytes are broken, as after a power failure.
    case logTorn
    /// The log's last transaction was not committed.
    case logUncommitted
    /// The file beside the store is no log of its, or of another store.
    case logForeign
    /// A transaction was cut off, and its journal takes it back.
    case journal
    /// Another process has the store open.
    case open
    /// The store's schema is of a newer version.
    case newerSchema
    /// The store's schema is of an earlier version.
    case olderSchema
    /// A table, an index, a trigger or a view is not as the schema's version has it.
    case otherSchema
    /// A migration was applied with other SQL than this program knows.
    case otherMigration
    /// Another program than Cellar has written to the store.
    case bypassed
    /// SQLite's own check of the file's pages.
    case pages
    /// Something can't be read.
    case unreadable
    /// Rows that contradict each other.
    case rows
    /// A list's order, or its counts.
    case order
    /// A list that is not the one that its digest tells of.
    case digest
    /// A list's log.
    case log
    /// Contents of items.
    case content
    /// Measured sizes.
    case size
    /// Owners of nested lists.
    case owner
    /// Saved states of screens.
    case viewState
    /// Names of cells that the app does not know.
    case unknownCell
  }

  /// Severity, place and message.
  public var description: String {
    "\(severity.rawValue): " + (place.map { "\($0): " } ?? "") + message
  }
}
