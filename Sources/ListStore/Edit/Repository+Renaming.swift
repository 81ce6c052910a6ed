import Foundation
public import ListModel

extension Repository {
  /// Changes the cell name of all items that have a name, for a cell class that was renamed.
  ///
  /// Readers see commits, and measured sizes stay exact. Each commit renames at most 1,000 items, so
  /// no writer waits long; a call that was interrupted can be repeated. To write nothing, declare an
  /// alias in the app's view registry instead.
  ///
  /// - Parameters:
  ///   - old: The name that the items have.
  ///   - new: The name that they get; other items may have it already.
  ///   - author: The author of the commits.
  ///   - progress: Gets the fraction of the work that is done, from 0 to 1, now and then.
  /// - Returns: The number of renamed items by list; lists without such items are left out.
  /// - Throws: ``/ListModel/StoreError``, with ``/ListModel/StoreError/Code/invalidValue`` for the cell of gaps,
  ///   whose name is reserved; earlier transactions stay.
  /// - Complexity: O(*n* + *k* log *n*), *n* items of the store, *k* of them renamed.
  @discardableResult
  public func renameCell(
    _ old: CellName, to new: CellName, by author: Author = .app,
    progress: (Double) -> Void = { _ in }
  ) throws(StoreError) -> [ListID: Int] {
    if old == new { return [:] }
    if old == Gap.cell || new == Gap.cell {
      throw StoreError(
        .invalidValue,
        "can't rename cell \"\(old)\" to \"\(new)\": \"\(Gap.cell)\" is reserved for what a list has not loaded",
        file: filePath)
    }
    return try rename("rename cell \"\(old)\"", .cell(old), by: author, progress) { $0.cell = new }
  }

  /// Changes the type name of all items that have a name, for an item type that was renamed.
  ///
  /// Contents stay as they are. A name with a content version is renamed, too: with `Book`, also
  /// `Book@2`, which becomes `Novel@2`. Otherwise as ``renameCell(_:to:by:progress:)``. To write nothing,
  /// declare an alias of the type instead.
  ///
  /// - Parameters:
  ///   - old: The name that the items have.
  ///   - new: The name that they get; other items may have it already.
  ///   - author: The author of the commits.
  ///   - progress: Gets the fraction of the work that is done, from 0 to 1, now and then.
  /// - Returns: The number of renamed items by list; lists without such items are left out.
  /// - Throws: ``/ListModel/StoreError``, with ``/ListModel/StoreError/Code/invalidValue`` if the new
  ///   name with a version is longer than 256 bytes; earlier transactions stay.
  /// - Complexity: O(*n* + *k* log *n*), *n* items of the store, *k* of them renamed.
  @discardableResult
  public func renameType(
    _ old: TypeName, to new: TypeName, by author: Author = .app,
    progress: (Double) -> Void = { _ in }
  ) throws(StoreError) -> [ListID: Int] {
    if old == new { return [:] }
    return try rename(
      "rename type \"\(old)\"", .types { name, _ in name?.version(ofType: old) != nil }, by: author,
      progress
    ) { state in
      guard let version = state.type?.version(ofType: old) else { return }
      do { state.type = try new.stored(version: version) } catch {
        throw StoreError(
          .invalidValue, "type \"\(new)\" can't have version \(version): \(error)",
          file: filePath, cause: error)
      }
    }
  }

  private func rename(
    _ attempt: String, _ filter: ItemFilter, by author: Author,
    _ progress: (Double) -> Void, _ change: (inout ItemState) throws -> Void
  ) throws(StoreError) -> [ListID: Int] {
    do {
      return try changeItems(filter, keepingSizes: true, by: author, progress) { _, items in
        try items.map { item in
          var state = item.state
          try change(&state)
          return state
        }
      }
    } catch {
      throw failure(error, attempt)
    }
  }
}

extension TypeName {
  /// The version that a stored name is of a type; `nil` if it is of another type.
  package func version(ofType type: TypeName) -> Int? {
    if self == type { return 1 }
    guard let (name, version) = nameAndVersion, name == type else { return nil }
    return version
  }
}
