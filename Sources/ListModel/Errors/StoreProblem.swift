/// A fault that a check has found in a store.
public struct StoreProblem: Hashable, Sendable, CustomStringConvertible {
  /// The list that has the fault; `nil` for the store itself.
  public let list: ListID?
  /// What it is.
  public let code: Code
  /// The fault, in words.
  public let message: String

  /// What is found in a store or in the files that belong to it, as one word that scripts can compare.
  ///
  /// A check of rows finds the codes from ``rows`` to ``unreadable``; `Inspection` of the module
  /// ListInspection finds all of them.
  public enum Code: String, Codable, Sendable, CaseIterable {
    /// The path is a link; what it leads to was looked at.
    case link
    /// The first bytes are not those of a database.
    case header
    /// The end of the file is missing.
    case truncated
    /// The file goes on after the pages that its header counts.
    case longer
    /// The store's write-ahead log is not beside it, although it was in use when it was copied.
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
    /// An index or a table that no migration makes has SQL that runs by itself.
    case foreignSQL
    /// A migration was applied with other SQL than this program knows.
    case otherMigration
    /// Another program than Cellar has written to the store.
    case bypassed
    /// SQLite's own check of the file's pages.
    case pages
    /// Rows that contradict each other, or name rows that are missing.
    case rows
    /// The order of sections or items, and their counts.
    case order
    /// A list that is not the one that its digest tells of.
    case digest
    /// A list's log: missing commits, a broken chain, changes that lead elsewhere.
    case log
    /// Contents, actions or attributes.
    case content
    /// Measured sizes and their sums.
    case size
    /// Owners of nested lists.
    case owner
    /// Saved states of screens.
    case viewState
    /// A derived list that is not what its definition makes of its source.
    case derived
    /// Full-text indexes.
    case search
    /// A part that can't be read.
    case unreadable
    /// Names of cells that the app does not know.
    case unknownCell
  }

  /// A fault of a list or of the store itself.
  package init(list: ListID?, code: Code, message: String) {
    (self.list, self.code, self.message) = (list, code, message)
  }

  /// List and message.
  public var description: String { list.map { "list \"\($0)\": \(message)" } ?? message }
}
