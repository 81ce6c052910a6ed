package import DerivedLists
import Foundation
package import ListModel
package import ListTables

extension Repository {
  /// Makes a full-text index over texts of a list's items, unless there is one, and keeps it also while no
  /// derived list searches them.
  ///
  /// A long list's is made in slices, which keep nobody out for long. From then on, each commit of the list
  /// brings the index to where it is. The index goes with the list.
  ///
  /// - Parameters:
  ///   - list: The list; of a derived one, the list that owns its items gets the index.
  ///   - paths: JSON Pointers into the items' contents, in any order.
  /// - Throws: `StoreError` with ``/ListModel/StoreError/Code/listNotFound``, or
  ///   ``/ListModel/StoreError/Code/invalidValue`` for paths that lead out of contents, such as `#id`.
  /// - Complexity: O(*b*), *b* bytes of the list's contents.
  package func keepSearchIndex(of list: ListID, at paths: [ValuePath]) throws(StoreError) {
    let searched = try searchedPaths(paths)
    // An app asks for it at each launch: mostly it is there.
    let (isThere, long): (Bool, ListID?) = try read("read \"\(list)\"") { db in
      let statements = Statements(db)
      guard let rows = try statements.rows(statements.owner(of: list)) else { return (false, nil) }
      return (
        try statements.keepsSearchIndex(of: rows, searched), rows.isLong ? rows.list : nil
      )
    }
    if isThere { return }
    if let long { try fillSearchIndex(of: long, searched, isKept: true) }
    try write("make a full-text index of \"\(list)\"") { transaction in
      let rows = try searchedRows(list, transaction)
      try transaction.statements.makeSearchIndex(of: rows, searched, isKept: true)
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

  /// Makes the full-text indexes in slices that definitions search, and that are missing of long lists.
  func fillSearchIndexes(for definitions: [DerivedDefinition]) throws(StoreError) {
    let missing = try read("read the full-text indexes") { db in
      try statements(db).missingSearchIndexes(for: definitions)
        .filter(\.list.isLong).map { (list: $0.list.list, paths: $0.paths) }
    }
    for (list, paths) in missing { try fillSearchIndex(of: list, paths, isKept: false) }
  }

  /// Makes a full-text index in slices; what is missing of it then, whoever needs it makes in one
  /// transaction.
  ///
  /// What another process has left of it is gone on with.
  private func fillSearchIndex(
    of list: ListID, _ paths: SearchedPaths, isKept: Bool
  ) throws(StoreError) {
    let attempt = "make a full-text index of \"\(list)\""
    let begun: SearchIndexDraft? = try read(attempt) { db in
      try Statements(db).rows(list).map { try SearchIndexDraft(of: $0, paths, isKept: isKept) }
    }
    guard var draft = begun else { return }
    while true {
      switch try fillSlice(of: &draft) {
      case .done: return
      case .more: break
      case .unknown:
        try read(attempt) { try draft.look(Statements($0)) }
        continue
      }
      pauseAfterSlice()
    }
  }

  /// Adds a slice to a full-text index, in one write transaction.
  package func fillSlice(
    of draft: inout SearchIndexDraft
  ) throws(StoreError) -> SearchIndexDraft.Outcome {
    var (filled, pace) = (draft, draft.pace)
    let outcome = try writeSlice("make a full-text index", &pace) { transaction, isTime in
      try filled.fill(transaction.statements, isTime: isTime)
    }
    filled.pace = pace
    draft = filled
    return outcome
  }

  /// The full-text indexes that the store has.
  package func searchIndexes() throws(StoreError) -> [(list: ListID, paths: [ValuePath])] {
    try read("read the full-text indexes") { try Statements($0).searchedLists() }
  }

  private func searchedRows(_ list: ListID, _ transaction: WriteTransaction) throws -> ListRows {
    try rows(transaction, transaction.statements.owner(of: list))
  }

  private func searchedPaths(_ paths: [ValuePath]) throws(StoreError) -> SearchedPaths {
    guard !paths.isEmpty, let searched = SearchedPaths(paths) else {
      throw StoreError(
        .invalidValue,
        "a full-text index is over JSON Pointers into contents, such as /title, found "
          + "\(paths.map(\.text).joined(separator: ", "))", file: filePath)
    }
    return searched
  }
}
