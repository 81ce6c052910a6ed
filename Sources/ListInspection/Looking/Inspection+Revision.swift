public import ListModel
import ListStore

extension Inspection {
  /// A list at a revision, compared with the digest of its commit.
  ///
  /// - Parameters:
  ///   - list: The list.
  ///   - revision: The revision; `nil` for the head.
  /// - Returns: The list as it was after that commit.
  /// - Throws: `StoreError` with ``/ListModel/StoreError/Code/listNotFound``,
  ///   ``/ListModel/StoreError/Code/revisionNotFound``, or
  ///   ``/ListModel/StoreError/Code/damagedStore`` if the list does not match its digest.
  public func tree(of list: ListID, at revision: Int? = nil) throws(StoreError) -> ListTree {
    try naming { () throws(StoreError) in try lists().tree(of: list, at: revision) }
  }

  /// The last revision of a list that was committed at a time or before it.
  ///
  /// - Parameters:
  ///   - list: The list.
  ///   - time: In milliseconds since 1970.
  /// - Returns: The greatest such revision.
  /// - Throws: `StoreError` with ``/ListModel/StoreError/Code/listNotFound``, or
  ///   ``/ListModel/StoreError/Code/revisionNotFound`` if the log has no commit so early.
  public func revision(of list: ListID, at time: Int) throws(StoreError) -> Int {
    try naming { () throws(StoreError) in
      let found = try lists().look(at: list, "read the log of \"\(list)\"") { stored in
        try stored.revision(at: time)
      }
      guard let found else {
        throw StoreError(
          .revisionNotFound, "the log of \"\(list)\" has no commit at that time or before it")
      }
      return found
    }
  }
}
