import Foundation
public import ListModel
import ListStore
import ListTables

extension Inspection {
  /// The most changes of a commit that are read to count them.
  private static let mostCountedChanges = 2_000

  /// What the log tells of a revision: who made it, when, and what it changed.
  ///
  /// Only this commit is read. Places are told without the ids of sections, which later commits may
  /// have moved; ``tree(of:at:)`` has them.
  ///
  /// - Parameters:
  ///   - revision: The revision; `nil` for the newest.
  ///   - list: The list.
  ///   - entries: The most changes of the commit that are told one by one.
  ///   - content: How much is told of contents.
  /// - Returns: What the log tells.
  /// - Throws: `StoreError` with ``/ListModel/StoreError/Code/listNotFound``, or
  ///   ``/ListModel/StoreError/Code/revisionNotFound`` if the log does not lead back to it, or has
  ///   no such commit.
  /// - Complexity: O(log *n* + *k*), *n* commits, *k* changes of this one, at most 2,000.
  public func facts(
    ofRevision revision: Int? = nil, in list: ListID, entries: Int = 20,
    content: ContentDetail = .hash
  ) throws(StoreError) -> RevisionFacts {
    try naming { () throws(StoreError) in
      try lists().read(list: list, "read the log of \"\(list)\"") { stored in
        let revision = revision ?? stored.revision
        guard (stored.logFloor...max(stored.logFloor, stored.revision)).contains(revision) else {
          throw StoreError(
            .revisionNotFound,
            "the log of \"\(list)\" has revisions \(stored.logFloor) to \(stored.revision), not "
              + "\(revision)")
        }
        var facts = RevisionFacts(
          file: file.path, list: list.rawValue, revision: revision, newest: stored.revision,
          floor: stored.logFloor,
          logChangeCount: try stored.changeCount(after: stored.logFloor),
          laterChangeCount: try stored.changeCount(after: revision))
        guard revision > facts.floor else { return facts }
        guard let row = try stored.commits(upTo: revision, limit: 1).first,
          row.revision == revision
        else {
          throw StoreError(.revisionNotFound, "revision \(revision) is not in the log")
        }
        let (changes, isCut) = try stored.firstEntries(of: row, limit: Self.mostCountedChanges)
        facts.commit = Timeline.Commit(
          row, changes.map { Timeline.Entry($0, content) }, limit: entries)
        facts.isCut = isCut
        return facts
      }
    }
  }

  /// Where an item is now.
  ///
  /// - Returns: Its section and its path; `nil` if the list does not have it.
  /// - Throws: `StoreError` with ``/ListModel/StoreError/Code/listNotFound``, or if its place can't
  ///   be read.
  /// - Complexity: O(log *n*), *n* items.
  public func place(of item: ItemID, in list: ListID) throws(StoreError) -> Timeline.Place? {
    try naming { () throws(StoreError) in
      try lists().read(list: list, "find item \"\(item)\"") { stored in
        guard let (section, path) = try stored.place(of: item) else { return nil }
        var place = Timeline.Place(path)
        place.section = section.rawValue
        return place
      }
    }
  }
}
