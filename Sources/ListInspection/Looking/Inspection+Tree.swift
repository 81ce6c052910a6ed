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
}
