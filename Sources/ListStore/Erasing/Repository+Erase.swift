import Dispatch
public import Foundation
public import ListModel
import ListTables

extension Repository {
  /// Something that `erase(_:by:)` deletes for good.
  public enum Erasable: Hashable, Sendable {
    /// An item, also one that was deleted; with the lists that it owns.
    case item(ItemID, of: ListID)
    /// A section, also one that was deleted, and the items that are in it or were last in it.
    case section(SectionID, of: ListID)
    /// A list with its log, and the lists that its items own.
    case list(ListID)

    /// The list that it is, or is in.
    var list: ListID {
      switch self {
      case .item(_, let list), .section(_, let list), .list(let list): list
      }
    }
  }

  /// What `erase(_:by:)` has done.
  public struct Erased: Sendable {
    /// How many items were erased.
    public internal(set) var itemCount = 0
    /// How many sections were erased.
    public internal(set) var sectionCount = 0
    /// The lists that were erased: those that were named, and those that erased items owned.
    public internal(set) var lists: Set<ListID> = []
    /// One commit for each list of which something was erased.
    ///
    /// It deletes what was still there, and is empty if nothing was.
    public internal(set) var commits: [Commit] = []
    /// The files that were deleted: backups, copies of damaged files, stores that were moved aside,
    /// and edits of other processes that were put aside.
    public internal(set) var deletedFiles: [URL] = []
    /// The backup that was made in the place of those that were deleted; `nil` if there were none.
    public internal(set) var backup: URL?
    /// Why bytes of what was erased may still be in files; empty if none are.
    ///
    /// The lists have lost it already. The rest is done by the next call of
    /// `erase(_:by:)`, which need not name anything, or when the store is opened
    /// next.
    public internal(set) var remaining: [StoreError] = []

    /// Whether nothing of it is left in any file of the store.
    public var isComplete: Bool { remaining.isEmpty }
  }

  /// Deletes things for good: no byte of them stays in the store's files.
  ///
  /// ```swift
  /// let erased = try repository.erase([.item("emma", of: "shelf")])
  /// ```
  ///
  /// Where deleting keeps what it deletes for undo, this takes it out of the log as
  /// well: each commit stays, with its author and time, but with another id at random and without
  /// contents. It also takes it out of pending edits, of saved selections and scroll positions, of the
  /// file's free pages, and of the write-ahead log. Backups, copies of damaged files and stores that
  /// were moved aside are deleted; if there was a backup, one of the store as it is now is made.
  /// The article "Deleting for good" of `Cellar` says what remains, and what is beyond a library.
  ///
  /// One write transaction, or nothing is erased. Screens of this process get a batch update; those of
  /// others one by comparison, or a reload. Then the file is written anew, which takes as long as a
  /// backup and twice the room for a while. If the process ends in between, the next opening of the
  /// store goes on.
  ///
  /// Edits in the store's ``EditFolder`` are imported first.
  ///
  /// - Parameters:
  ///   - things: What is erased. If it is empty, only what was deleted before is taken out of free
  ///     pages and of the write-ahead log, and old files are deleted as above.
  ///   - author: The author of the commits.
  /// - Returns: What was done, and what is still to be done.
  /// - Throws: ``/ListModel/StoreError``, and nothing is erased: with
  ///   ``/ListModel/StoreError/Code/itemNotFound`` or ``/ListModel/StoreError/Code/sectionNotFound``
  ///   for something of which neither the list nor its log knows, with
  ///   ``/ListModel/StoreError/Code/listNotFound``, or with
  ///   ``/ListModel/StoreError/Code/damagedStore`` for a log that can't be read.
  /// - Complexity: O(*b*), *b* bytes of the store.
  public func erase(_ things: [Erasable], by author: Author = .app) throws(StoreError) -> Erased {
    try writer.requireWritable("erase")
    sizeQueue.flush()
    try importEdits()
    var erased = Erased()
    if !things.isEmpty { try eraseRows(of: things, by: author, &erased) }
    clean(&erased)
    return erased
  }

  /// Deletes things for good, on another thread: as the call that blocks.
  ///
  /// - Parameters:
  ///   - things: What is erased.
  ///   - author: The author of the commits.
  /// - Returns: As the call that blocks.
  /// - Throws: ``/ListModel/StoreError``, or `CancellationError` if the task was cancelled before it
  ///   began.
  public func erase(_ things: [Erasable], by author: Author = .app) async throws -> Erased {
    try await DispatchQueue.global(qos: .utility).value { try self.erase(things, by: author) }
  }
}
