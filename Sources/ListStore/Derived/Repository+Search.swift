package import DerivedLists
import Foundation
package import ListModel
import ListTables

extension Repository {
  /// Makes a full-text index over texts of a list's items, unless there is one, and keeps it also while no
  /// derived list searches them.
  ///
  /// One write transaction; from then on, each commit of the list brings the index to where it is. The
  /// index goes with the list.
  ///
  /// - Parameters:
  ///   - list: The list; of a derived one, the list that owns its items gets the index.
  ///   - paths: JSON Pointers into the items' contents, in any order.
  /// - Throws: `StoreError` with ``/ListModel/StoreError/Code/listNotFound``, or
  ///   ``/ListModel/StoreError/Code/invalidValue`` for paths that lead out of contents, such as `#id`.
  /// - Complexity: O(*b*), *b* bytes of the list's contents.
  package func keepSearchIndex(of list: ListID, at paths: [ValuePath]) throws(StoreError) {
    try write("make a full-text index of \"\(list)\"") { transaction in
      let rows = try searchedRows(list, transaction)
      try transaction.statements.makeSearchIndex(of: rows, searchedPaths(paths), isKept: true)
    }
  }

  /// Deletes a full-text index, also one that a derived list searches: searching then reads the items.
  ///
  /// It comes back with ``keepSearchIndex(of:at:)``, and with the next definition of a derived list that
  /// searches these paths. Nothing happens if there is none.
  ///
  /// - Parameters:
  ///   - list: The list, as there.
  ///   - paths: The paths, as there.
  /// - Throws: As there.
  /// - Complexity: O(*b*), *b* bytes of the list's contents; O(1) for the only index of the store.
  package func dropSearchIndex(of list: ListID, at paths: [ValuePath]) throws(StoreError) {
    try write("drop a full-text index of \"\(list)\"") { transaction in
      let rows = try searchedRows(list, transaction)
      try transaction.statements.dropSearchIndex(of: rows, searchedPaths(paths))
    }
  }

  /// Makes all full-text indexes anew of the items: those that there are, and those that derived lists
  /// search.
  ///
  /// One write transaction.
  ///
  /// - Returns: What they are of.
  /// - Throws: `StoreError` if the store can't be read or written. The indexes are then as before.
  /// - Complexity: O(*b*), *b* bytes of the contents of the lists that have one.
  @discardableResult
  package func remakeSearchIndexes() throws(StoreError) -> [(list: ListID, paths: [ValuePath])] {
    try write("make full-text indexes anew") { transaction in
      try transaction.statements.remakeSearchIndexes()
      try transaction.statements.makeSearchIndexes(
        for: transaction.statements.derivedLists().map(\.definition))
      return try transaction.statements.searchedLists()
    }
  }

  /// Deletes all full-text indexes; ``remakeSearchIndexes()`` makes those of derived lists again.
  ///
  /// - Returns: Those that were kept without a derived list; one that can't be read is left out.
  @discardableResult
  package func dropSearchIndexes() throws(StoreError) -> [(list: ListID, paths: [ValuePath])] {
    try write("drop the full-text indexes") { try $0.statements.dropSearchIndexes() }
  }

  /// The full-text indexes that the store has.
  package func searchIndexes() throws(StoreError) -> [(list: ListID, paths: [ValuePath])] {
    try read("read the full-text indexes") { try Statements($0).searchedLists() }
  }

  private func searchedRows(_ list: ListID, _ transaction: WriteTransaction) throws -> ListRows {
    try rows(transaction, transaction.statements.owner(of: list))
  }

  private func searchedPaths(_ paths: [ValuePath]) throws -> SearchedPaths {
    guard !paths.isEmpty, let searched = SearchedPaths(paths) else {
      throw StoreError(
        .invalidValue,
        "a full-text index is over JSON Pointers into contents, such as /title, found "
          + "\(paths.map(\.text).joined(separator: ", "))", file: filePath)
    }
    return searched
  }
}
