public import ListModel
import StoreSchema

/// A list while it is edited: every operation is a change of one commit, and the next one sees what it
/// did.
///
/// By id or by path, one or many. Paths count in the list as it is at that moment. What an operation
/// returns is what it truly changed: where things are now, or where they were.
///
/// An operation that does not fit throws and changes nothing; the edit can go on. Of use inside the
/// closure of ``Repository/edit(_:by:_:)`` alone: later, every operation throws
/// ``/ListModel/StoreError/Code/invalidValue``.
///
/// Operations on one item or section take O(log *n*); those on many, as many times that.
public final class ListEditor {
  let file: String
  private var open: Open?

  private struct Open {
    let rows: ListRows
    var commit: PendingCommit
  }

  init(_ rows: ListRows, _ commit: PendingCommit, file: String) {
    open = Open(rows: rows, commit: commit)
    self.file = file
  }

  /// Ends the edit.
  ///
  /// - Returns: The commit; `nil` if nothing was changed.
  func close() throws -> Commit? {
    defer { open = nil }
    guard let open, open.commit.count > 0 else { return nil }
    return try open.commit.finish()
  }

  /// Ends the edit without a commit.
  func discard() { open = nil }

  // MARK: One change

  /// Makes a change.
  ///
  /// - Returns: The change with the paths that it had.
  /// - Throws: ``/ListModel/StoreError`` if it does not fit the list; its `cause` is a
  ///   ``/ListModel/ChangeError``.
  @discardableResult
  public func apply(_ change: Change) throws(StoreError) -> LogEntry {
    guard var open else { throw isClosed() }
    let number = open.commit.count
    let result: Result<LogEntry, ChangeError>
    // Taken out: a commit that is held twice would be copied by each change.
    self.open = nil
    defer { self.open = open }
    do { result = try open.commit.apply(change) } catch { throw failure(error) }
    switch result {
    case .success(let entry): return entry
    case .failure(let error):
      throw StoreError(
        .init(error),
        "list \"\(open.rows.list)\": change \(number + 1) of the edit does not fit: \(error)"
          + open.rows.hint(for: error),
        file: file, cause: error)
    }
  }

  /// Asks the list as it is.
  func ask<Value>(_ question: (ListRows) throws -> Value) throws(StoreError) -> Value {
    guard let open else { throw isClosed() }
    do { return try question(open.rows) } catch { throw failure(error) }
  }

  /// The error for a section that is not in the list.
  func nothing(at section: SectionID) -> StoreError { missing(.unknownSection(section)) }

  /// The error for an item that is not in the list.
  func nothing(at item: ItemID) -> StoreError { missing(.unknownItem(item)) }

  private func missing(_ error: ChangeError) -> StoreError {
    guard let rows = open?.rows else { return isClosed() }
    return StoreError(
      .placeOutOfBounds, "list \"\(rows.list)\": \(error)\(rows.hint(for: error))", file: file,
      cause: error)
  }

  /// The error for an index at which no section is.
  private func nothing(at section: Int) throws(StoreError) -> StoreError {
    let (list, count) = try ask { ($0.list, try $0.sectionCount()) }
    return StoreError(
      .placeOutOfBounds,
      "list \"\(list)\" has \(count) section\(count == 1 ? "" : "s"); there is none at \(section)",
      file: file)
  }

  /// The error for a path at which no item is.
  private func nothing(at path: ItemPath) throws(StoreError) -> StoreError {
    guard let id = try section(at: path.section) else { return try nothing(at: path.section) }
    let (list, count) = (try ask { $0.list }, try numberOfItems(in: id))
    return StoreError(
      .placeOutOfBounds,
      "section \(path.section), \"\(id)\", of list \"\(list)\" has \(count) "
        + "item\(count == 1 ? "" : "s"); there is nothing at \(path)",
      file: file)
  }

  func invalid(_ what: String) -> StoreError { StoreError(.invalidValue, what, file: file) }

  private func failure(_ error: any Error) -> StoreError {
    switch error {
    case let error as StoreError: error
    case is FormatError: .damaged(file, because: "\(error)", cause: error)
    default: .wrap(error, attempt: "edit the list", file: file)
    }
  }

  private func isClosed() -> StoreError {
    invalid("the edit has ended; an editor is of use inside the closure that it is given to alone")
  }
}

// MARK: - Questions

extension ListEditor {
  /// How many sections there are.
  public func numberOfSections() throws(StoreError) -> Int { try ask { try $0.sectionCount() } }

  /// How many items a section has.
  public func numberOfItems(in section: SectionID) throws(StoreError) -> Int {
    try ask { try $0.sectionRow(section)?.itemCount } ?? 0
  }

  /// The section at an index; `nil` if there is none.
  public func section(at index: Int) throws(StoreError) -> SectionID? {
    try ask { rows in
      try (0..<rows.sectionCount()).contains(index) ? rows.sectionRow(at: index).section : nil
    }
  }

  /// The index of a section; `nil` if there is none.
  public func index(of section: SectionID) throws(StoreError) -> Int? {
    try ask { try $0.sectionIndex(of: section) }
  }

  /// The path of an item; `nil` if there is none.
  public func path(of item: ItemID) throws(StoreError) -> ItemPath? {
    try ask { try $0.location(of: item)?.path }
  }

  /// The id of the item at a path; `nil` if there is none.
  public func itemID(at path: ItemPath) throws(StoreError) -> ItemID? {
    try ask { rows in
      guard try (0..<rows.sectionCount()).contains(path.section) else { return nil }
      let section = try rows.sectionRow(at: path.section)
      guard (0..<section.itemCount).contains(path.item) else { return nil }
      return try ItemID(rows.tree.member(at: path.item, root: section.root).name)
    }
  }

  /// An item; `nil` if there is none.
  public func item(_ id: ItemID) throws(StoreError) -> Item? {
    try ask { rows in
      guard let path = try rows.location(of: id)?.path else { return nil }
      return Item(id: id, state: try rows.state(of: id, at: path))
    }
  }

  /// The section at an index, or why there is none.
  func knownSection(at index: Int) throws(StoreError) -> SectionID {
    guard let section = try section(at: index) else { throw try nothing(at: index) }
    return section
  }

  /// The item at a path, or why there is none.
  func knownItem(at path: ItemPath) throws(StoreError) -> ItemID {
    guard let item = try itemID(at: path) else { throw try nothing(at: path) }
    return item
  }
}
