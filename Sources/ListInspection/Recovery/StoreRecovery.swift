public import Foundation
public import ListModel
package import StoreSchema

/// What was recovered from a damaged store.
///
/// Its JSON is an output format: names and meanings stay.
public struct StoreRecovery: Codable, Sendable {
  /// The version of the format: 1.
  ///
  /// It grows when a member changes its meaning.
  public var formatVersion = 1
  /// The path of the damaged file, as it was given.
  public var file: String
  /// The path of the new store.
  public var newFile: String
  /// The schema version of the damaged file.
  public var schemaVersion: Int
  /// The size of a page of the damaged file, in bytes.
  public var pageSize: Int
  /// The number of its pages that are there, those of the write-ahead log included.
  public var pageCount: Int
  /// Whether the first 100 bytes are no header of a database; nothing of a list is in them.
  public var isHeaderDamaged: Bool
  /// The pages that its header counts and that are cut off.
  public var missingPageCount: Int
  /// The pages that a rollback journal has as they were before a transaction that was cut off; absent
  /// if there is no such journal.
  public var journalPageCount: Int?
  /// The pages that the tables need and that hold something else.
  public var damagedPageCount: Int
  /// The tables of the damaged file that have lost something, by name.
  public var damagedTables: [String: Table]
  /// The lists, sorted by id.
  public var lists: [List]
  /// What an app or a person has added to the store: tables, indexes, views and triggers.
  public var appObjects: [AppObject]
  /// What the new store lacks, a sentence each; empty if nothing is lost.
  public var losses: [String]
  /// What else is not as it was, a sentence each: nothing is lost by it.
  public var notes: [String]

  /// Whether nothing is lost: every list is the one that its digest says, with its log, and what an
  /// app has added is there.
  public var isComplete: Bool { losses.isEmpty }

  /// A table of the damaged file.
  public struct Table: Codable, Sendable {
    /// The rows that were read.
    public var rowCount: Int
    /// Of these, the rows of pages that no other page led to: they may be older than the rest.
    public var strayRowCount: Int
    /// The rows that are there and were not taken: damaged, contradicting others, or referring to
    /// rows that are lost.
    public var refusedRowCount: Int
    /// The places where a page with rows is lost; how many rows it had is not known.
    public var holeCount: Int
  }

  /// A table, an index, a view or a trigger that an app or a person has added to the store.
  public struct AppObject: Codable, Sendable {
    /// `table`, `index`, `view` or `trigger`.
    public var kind: String
    /// Its name.
    public var name: String
    /// Whether the new store has it.
    public var isKept: Bool
    /// Why the new store does not have it; absent if it has.
    public var reason: String?
    /// The rows of a table that the new store has; absent for what has no rows of its own.
    public var rowCount: Int?
    /// The rows of a table that are there and can't be read; absent as above.
    public var lostRowCount: Int?
    /// The places of a table where a page with rows is lost; absent as above.
    public var lostPageCount: Int?
  }

  /// A list of the new store.
  public struct List: Codable, Sendable {
    /// The list's id.
    public var list: String
    /// Whether sections, items and their order are those of the digest that the store keeps.
    ///
    /// If not, something of the list is missing or damaged; a content may also be another one than
    /// it was, if its damage left it valid JSON.
    public var isComplete: Bool
    /// The list's revision in the damaged file; absent if it is lost.
    public var revision: Int?
    /// The revision from which the log was kept; absent if the new store has a new log.
    public var logFloor: Int?
    /// The sections of the new list.
    public var sectionCount: Int
    /// Of these, the sections whose layout, views and meta are lost.
    public var bareSectionCount: Int
    /// The items of the new list.
    public var itemCount: Int
    /// The items that the damaged file counts.
    public var expectedItemCount: Int
    /// The items that are lost, by the part that is: `content`; `cell`; `place`, and with it the
    /// cell and the content; or `name`, and with it everything.
    public var lostItemCounts: [String: Int]
    /// Some of the items that are lost, as far as their ids are known: at most 100.
    public var lostItems: [String]
    /// The items of the new list that may stand in another order: what told their order is lost.
    public var unorderedItemCount: Int
    /// The deleted items that were added; absent if none were asked for.
    public var deletedItemCount: Int?
  }

  /// Reads a damaged store page by page and writes what it has into a new store.
  ///
  /// SQLite does not open the file, so the file can have any damage: a header of zeros, pages of
  /// zeros, an end that was cut off. Commits that are only in the write-ahead log are read. A
  /// transaction that was cut off is left out: its rollback journal has the pages from before it.
  /// Neither the file nor any file beside it is changed.
  ///
  /// A list whose rows agree with its digest keeps its revision, and its log as far back as the
  /// hashes of the commits agree. One whose rows agree with each other but not with its digest is
  /// taken as its rows are, and its log begins anew. Any other list is made anew, with commits by
  /// the author "recovered". An item is taken only with its own cell and content. If its place is lost, it
  /// comes last in its section, or in a section `recovered` if that is lost, too. Deleted rows come
  /// back only if `includesDeleted` asks for them. Measured sizes of a list that is made anew are left
  /// out.
  ///
  /// What an app has added is carried over, and none of its SQL runs on the way: the rows of its
  /// tables, its indexes of columns, the texts of its views, triggers and virtual tables. An index of
  /// an expression, or one with a condition, is left out and named.
  ///
  /// ```swift
  /// let recovery = try StoreRecovery.recover(damaged, to: newFile)
  /// for loss in recovery.losses { print(loss) }
  /// ```
  ///
  /// - Parameters:
  ///   - file: The damaged store.
  ///   - newFile: The new store, which must not exist. It appears whole or not at all.
  ///   - includesDeleted: Whether items are added that are not in a list any more, but in its log or
  ///     on free pages of the file: to a section `deleted` of that list, with the last state that is
  ///     found.
  /// - Returns: What was found, and what is missing.
  /// - Throws: `StoreError` with ``/ListModel/StoreError/Code/notAStore`` if no page of the file
  ///   has a list, ``/ListModel/StoreError/Code/newerStore``, ``/ListModel/StoreError/Code/busy``
  ///   if the file changes meanwhile, or ``/ListModel/StoreError/Code/notWritable`` if `newFile`
  ///   exists or can't be written. There is then no new file.
  /// - Complexity: O(*n*), all bytes of the file, which are written to a temporary file and to the
  ///   new one.
  public static func recover(
    _ file: URL, to newFile: URL, includesDeleted: Bool = false
  ) throws(StoreError) -> StoreRecovery {
    try recover(
      file, to: newFile, includesDeleted: includesDeleted, migrations: Migration.all)
  }

  /// Reads a damaged store as a library with other migrations does.
  ///
  /// Otherwise as ``recover(_:to:includesDeleted:)``.
  package static func recover(
    _ file: URL, to newFile: URL, includesDeleted: Bool = false, migrations: [Migration]
  ) throws(StoreError) -> StoreRecovery {
    try Salvage(file, includesDeleted: includesDeleted, migrations: migrations).run(to: newFile)
  }
}
