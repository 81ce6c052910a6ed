import BatchUpdates
public import Foundation
public import ListModel
import ListTables
import StoreFiles

extension Repository {
  /// The outcome of an import.
  public struct Imported: Sendable {
    /// One for each edit that changed its list, in the order in which the edits were left.
    public fileprivate(set) var commits: [Commit] = []
    /// The edits that do not fit their lists any more, or are none.
    ///
    /// Where several processes import at the same time, one of them gets each.
    public fileprivate(set) var rejected: [Rejected] = []

    /// An edit that was put aside.
    public struct Rejected: Sendable {
      /// Its file, which is kept in `rejected` inside of the folder until the app deletes it.
      public let file: URL
      /// Why it was not imported.
      public let error: StoreError
    }
  }

  /// Applies the edits that other processes have left in the store's ``EditFolder``.
  ///
  /// Call it when the app becomes active. Each edit is one commit; up to 1,000 of them are one
  /// transaction. Each is imported once, also where the process or its power ends at any moment,
  /// and where several processes import. An edit that does not fit is put aside, and those after it
  /// are imported.
  ///
  /// - Returns: The commits, and the edits that were put aside; nothing if there is no folder.
  /// - Throws: ``/ListModel/StoreError`` if the store can't be written or the folder can't be read.
  ///   What was imported before stays; the rest waits in the folder.
  /// - Complexity: O(*k* log *n*), *k* changes, *n* items.
  @discardableResult
  public func importEdits() throws(StoreError) -> Imported {
    let files = LeftEditFiles(folder: EditFolder(for: file).url)
    var imported = Imported()
    while try importSlice(of: files, &imported) {}
    files.deleteTornFiles()
    return imported
  }

  /// What one transaction has made of a slice of the edit folder.
  private struct Slice {
    /// Names of edits that the store has; their files may be there still.
    var done: [String]
    /// Whether edits wait that are not in this slice.
    var hasMore: Bool
    var commits: [Commit] = []
    var rejected: [(name: String, error: StoreError)] = []
  }

  /// - Returns: Whether there may be more.
  private func importSlice(
    of files: LeftEditFiles, _ imported: inout Imported
  ) throws(StoreError) -> Bool {
    do {
      if try files.names().isEmpty { return false }
      let slice = try write("import edits") { try importSlice(of: files, $0) }
      for commit in slice.commits { didCommit(commit) }
      imported.commits += slice.commits
      // Without the log on the disk, a power failure could take the commits and leave no files.
      // The names stay in the store, so that files which stay are not imported again.
      try DurableFile.synchronise(filePath + "-wal")
      files.delete(slice.done)
      for (name, error) in slice.rejected {
        guard let file = try files.reject(name) else { continue }
        imported.rejected.append(.init(file: file, error: error))
      }
      return slice.hasMore
    } catch { throw .editFolder(error, "import edits", files.folder) }
  }

  /// Looks into the folder inside the transaction, so that another process which imports can't have
  /// forgotten the names of files that are still seen here.
  private func importSlice(
    of files: LeftEditFiles, _ transaction: WriteTransaction
  ) throws -> Slice {
    let names = try files.names()
    let known = try transaction.importedEdits().intersection(names)
    let new = names.filter { !known.contains($0) }
    var slice = Slice(done: Array(known), hasMore: new.count > LeftEditFiles.sliceCount)
    for name in new.prefix(LeftEditFiles.sliceCount) {
      do throws(StoreError) {
        guard let edit = try wrapping("read an edit that was left", { try files.edit(name) }) else {
          continue
        }
        if let commit = try commit(edit.get(), transaction) { slice.commits.append(commit) }
        slice.done.append(name)
      } catch {
        guard error.isOfOneEdit else { throw error }
        slice.rejected.append((name, error))
      }
    }
    try transaction.setImportedEdits(Set(slice.done))
    return slice
  }

  private func wrapping<Value>(_ attempt: String, _ body: () throws -> Value) throws(StoreError)
    -> Value
  {
    do { return try body() } catch { throw failure(error, attempt) }
  }

  /// Commits an edit, or leaves the store as it is.
  ///
  /// - Returns: `nil` if there is nothing to do, such as to delete what is not there.
  private func commit(
    _ edit: LeftEdit, _ transaction: WriteTransaction
  ) throws(StoreError) -> Commit? {
    try wrapping("import an edit of \"\(edit.list)\"") {
      let isNew = try transaction.rows(edit.list) == nil
      let rows = try rowsToCommit(transaction, edit.list, ownedBy: nil)
      let changes: [Change]
      do { changes = try self.changes(edit.changes, of: rows) } catch {
        if isNew { _ = try transaction.delete([edit.list]) }
        throw error
      }
      if changes.isEmpty, !edit.changes.isEmpty {
        if isNew { _ = try transaction.delete([edit.list]) }
        return nil
      }
      let record =
        edit.isPending
        ? EditRecord(EditRecord.newName(), isPending: true) : try rows.outbox.record()
      return try commit(
        changes, to: rows, by: edit.author, time: edit.time, feed: nil, step: .own,
        record: record)
    }
  }

  /// The changes that an edit's are for a list as it is now.
  ///
  /// Whether all of them fit is found before one of them is written.
  private func changes(_ changes: [LeftChange], of rows: ListRows) throws -> [Change] {
    var overlay = try ListOverlay(rows)
    var fitting: [Change] = []
    for (index, change) in changes.enumerated() {
      let made: Change?
      do { made = try change.change(in: overlay) } catch let error as FormatError {
        throw StoreError(
          .invalidValue,
          "list \"\(rows.list)\": change \(index + 1) of \(changes.count) does not fit: \(error)",
          file: filePath, cause: error)
      }
      guard let made else { continue }
      if case .failure(let error) = try overlay.apply(made) {
        throw StoreError.rejected(
          error, change: index, of: changes.count, in: rows, file: filePath)
      }
      fitting.append(made)
    }
    return fitting
  }
}

extension StoreError {
  /// Whether it is about the edit, and not about the store or the folder.
  fileprivate var isOfOneEdit: Bool {
    cause is ChangeError || [.malformedFeed, .feedLimit, .invalidValue].contains(code)
  }
}

extension WriteTransaction {
  /// The files that were imported and may not be deleted yet.
  fileprivate func importedEdits() throws -> Set<String> {
    let text = try statements("SELECT importedEdits FROM store").first { try $0.textIfPresent(0) }
    guard let text = text ?? nil else { return [] }
    return Set(try [String](JSONNode(parsing: Array(text.utf8))))
  }

  fileprivate func setImportedEdits(_ names: Set<String>) throws {
    var writer = JSONWriter()
    writer.array(names.sorted()) { writer, name in writer.value(name) }
    try statements("UPDATE store SET importedEdits = ?").run(names.isEmpty ? nil : writer.text)
  }
}
