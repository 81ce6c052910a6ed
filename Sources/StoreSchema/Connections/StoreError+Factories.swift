import Foundation
import GRDB
package import ListModel
import StoreFiles

extension StoreError {
  /// The error for a store that was just made, and that has a problem.
  ///
  /// `parts`: What of another store it was made of.
  package static func unsound(_ problem: StoreProblem, of parts: String) -> StoreError {
    problem.code == .unreadable
      ? StoreError(.inputOutput, "what was written can't be read again: \(problem)")
      : StoreError(.damagedStore, "its \(parts) make no sound store: \(problem)")
  }

  /// The error for a store of a newer library.
  ///
  /// `minimumReader`: The oldest version that can read the store, as it says; `nil` if not known.
  /// `known`: The version of this library.
  package static func newer(
    _ file: String, version: Int, minimumReader: Int? = nil, known: Int
  ) -> StoreError {
    let reading =
      switch minimumReader {
      case nil: ""
      case let reader? where reader <= known:
        " The store says that version \(known) can read it: Repository(readingOnly:) and "
          + "`cellar info FILE` do."
      case let reader?: " The store says that only versions from \(reader) on can read it."
      }
    return StoreError(
      .newerStore,
      "the store has schema version \(version), written by a newer Cellar; this one knows version "
        + "\(known).\(reading) Nothing was changed: update Cellar to open it",
      file: file)
  }

  /// The error for a store that got an earlier schema version while it was open.
  package static func older(_ file: String, version: Int, known: Int) -> StoreError {
    StoreError(
      .movedStore,
      "the store has schema version \(version), and had \(known) when it was opened: an older "
        + "copy was written into its file; nothing was read or written. Let go of this Repository and "
        + "open the store anew",
      file: file)
  }

  /// The error for a store of an earlier version that was opened for reading only.
  package static func needsMigration(_ file: String, version: Int, known: Int) -> StoreError {
    StoreError(
      .readOnly,
      "the store has schema version \(version); only one of version \(known) or "
        + "later can be read without being written. Open it once by Repository(at:), or run "
        + "`cellar up FILE`",
      file: file)
  }

  /// The error for a call that writes to a store that was opened for reading only.
  package static func readOnly(_ file: String, attempt: String) -> StoreError {
    StoreError(
      .readOnly,
      "can't \(attempt): this Repository only reads. Write by one that was opened by "
        + "Repository(at:), in the app for instance",
      file: file)
  }

  /// The error for a store that can't be read because nobody may write beside it.
  package static func needsIndex(_ file: String, cause: any Error) -> StoreError {
    StoreError(
      .notWritable,
      "the store can't be read: SQLite needs \(file)-shm, which is not there, and its folder can't "
        + "be written. Keep the store open in a process that may write there, or read a backup: "
        + "it needs no such file",
      file: file, cause: cause)
  }

  /// The error for a call of a Repository that was closed.
  package static func closed(_ file: String) -> StoreError {
    StoreError(
      .closed, "this Repository was closed; nothing was read or written. Open the store anew",
      file: file)
  }

  /// The error for writing while the Repository is suspended.
  package static func suspended(_ file: String, attempt: String) -> StoreError {
    StoreError(
      .suspended,
      "can't \(attempt): this Repository is suspended, so that the system can suspend the app. Nothing "
        + "was written. Call resume() when the app is active again, and do it then",
      file: file)
  }

  /// The error for a schema that no migration of Cellar makes.
  ///
  /// `objects`: The names of the tables, indexes and triggers that are missing or different.
  package static func otherSchema(_ file: String, version: Int, _ objects: [String]) -> StoreError {
    let named = objects.prefix(5).map { "\"\($0)\"" }.joined(separator: ", ")
    let more = objects.count > 5 ? " and \(objects.count - 5) more" : ""
    return damaged(
      file,
      because: "\(named)\(more) in its schema \(objects.count == 1 ? "is" : "are") missing or "
        + "not as a store of version \(version) has \(objects.count == 1 ? "it" : "them")")
  }

  /// The error for a store whose file was deleted, moved or replaced while it was open.
  package static func moved(_ file: String) -> StoreError {
    let isThere = FileManager.default.fileExists(atPath: file)
    return StoreError(
      .movedStore,
      (isThere
        ? "another file has taken the place of the store since it was opened"
        : "the store's file was deleted or moved since it was opened")
        + "; nothing was read or written. Let go of this Repository and open the store anew",
      file: file)
  }

  /// The error for a write inside the closure of an edit.
  package static func nestedEdit(_ file: String, attempt: String) -> StoreError {
    StoreError(
      .nestedEdit,
      "can't \(attempt) inside the closure of an edit of the same store: finish the edit first, or "
        + "use the editor that the closure was given. Nothing was done, the edit can go on",
      file: file)
  }

  /// The error for a migration that was applied with other SQL than the library's.
  package static func modifiedMigration(
    _ file: String, name: String, stored: String, known: String
  ) -> StoreError {
    StoreError(
      .modifiedMigration,
      "migration \(name.cut()) was applied with checksum \(stored.cut()), but this library has it with "
        + "\(known); nothing was changed. Use the library that made the store",
      file: file)
  }

  /// The error for a migration or a backup that fails a check; `reason` is part of a sentence.
  package static func verificationFailed(
    _ file: String, _ subject: String, because reason: String
  ) -> StoreError {
    StoreError(
      .verificationFailed,
      "\(subject) was rolled back: \(reason). The store is as it was before: keep it, and report this",
      file: file)
  }

  /// The error for a migration that has no way down.
  package static func irreversible(
    _ file: String, _ migration: String, because reason: String
  ) -> StoreError {
    StoreError(
      .irreversibleMigration,
      "\(migration) can't be undone: \(reason). Nothing was changed: restore a backup of an earlier "
        + "version instead",
      file: file)
  }

  /// Turns any error into a `StoreError` that says what failed, why, and what to do.
  ///
  /// - Parameters:
  ///   - error: The error, mostly SQLite's.
  ///   - attempt: What was attempted, as in "open the store".
  ///   - file: The store.
  /// - Returns: The error; `error` itself if it is a ``/ListModel/StoreError``.
  package static func wrap(_ error: any Error, attempt: String, file: String) -> StoreError {
    if let error = error as? StoreError { return error }
    guard let error = error as? DatabaseError else {
      return StoreError(
        .inputOutput, "can't \(attempt): \(reason(error))", file: file, cause: error)
    }
    let detail = error.message?.cut() ?? "SQLite error \(error.extendedResultCode.rawValue)"
    func make(_ code: Code, _ reason: String) -> StoreError {
      StoreError(code, "can't \(attempt): \(reason) (\(detail))", file: file, cause: error)
    }
    if let full = DiskSpace.reason(of: error, file: file) { return make(.storeFull, full) }
    switch error.resultCode {
    case .SQLITE_BUSY, .SQLITE_LOCKED:
      let known = LockHolder.sentence(file: file)
      if known == nil, LockSupport.isMissing(beside: file) { return .noLocks(file, cause: error) }
      let holders = known ?? "another connection holds the store"
      return make(.busy, "\(holders); try again when it is done")
    case .SQLITE_PROTOCOL:
      let holders = LockHolder.sentence(file: file).map { "\($0). " } ?? ""
      return make(
        .inputOutput,
        "\(holders)the store's locks do not work, or another process recovers its write-ahead "
          + "log and does not end. Keep the store on a local disk, not on one that is shared "
          + "over a network; end the other process")
    case .SQLITE_INTERRUPT:
      return make(
        .timeLimit,
        "it took longer than any sound store of this size takes: the store is damaged, or made to "
          + "be slow. Nothing was changed")
    case .SQLITE_NOMEM:
      return make(
        .memoryLimit,
        "it takes more memory than SQLite may have: the store is damaged, or it or the query was "
          + "made for that. Nothing was changed")
    case .SQLITE_TOOBIG:
      return make(.invalidValue, "a value is longer than a store can hold")
    case .SQLITE_READONLY where error.extendedResultCode == .SQLITE_READONLY_DBMOVED:
      return moved(file)
    case .SQLITE_READONLY, .SQLITE_PERM, .SQLITE_AUTH:
      return make(.notWritable, "the file or its folder can't be written")
    case .SQLITE_CANTOPEN:
      return make(.notWritable, "the file can't be opened, or its folder can't be written")
    case .SQLITE_NOTADB: return notAStore(file, because: detail)
    // Cellar's SQL fits its schema, so a table or a column is missing, or rows break the schema's
    // rules.
    case .SQLITE_CORRUPT, .SQLITE_ERROR, .SQLITE_CONSTRAINT, .SQLITE_MISMATCH, .SQLITE_FORMAT:
      return damaged(file, because: detail, cause: error)
    case .SQLITE_IOERR: return make(.inputOutput, "reading or writing failed")
    default: return make(.inputOutput, "SQLite refused")
    }
  }
}
