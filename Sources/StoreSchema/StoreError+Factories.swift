import Foundation
import GRDB

extension StoreError {
  package static func fileNotFound(_ file: String) -> StoreError {
    let folder = URL(fileURLWithPath: file).deletingLastPathComponent().path
    let hasFolder = FileManager.default.fileExists(atPath: folder)
    return StoreError(
      .fileNotFound,
      "there is no such file" + (hasFolder ? "" : ", and no folder \(folder)"), file: file)
  }

  package static func notAStore(_ file: String, because reason: String) -> StoreError {
    StoreError(.notAStore, "not a Cellar store: \(reason)", file: file)
  }

  package static func damaged(
    _ file: String, because reason: String, cause: (any Error)? = nil
  ) -> StoreError {
    StoreError(
      .damagedStore,
      "the store is damaged: \(reason); nothing was changed. Keep the file, restore a copy, or "
        + "move it aside and let the list be loaded again",
      file: file, cause: cause)
  }

  package static func newer(_ file: String, version: Int) -> StoreError {
    StoreError(
      .newerStore,
      "the store has schema version \(version), written by a newer Cellar; this one knows version "
        + "\(Migration.latestVersion). Nothing was changed: update Cellar to open it",
      file: file)
  }

  package static func modifiedMigration(
    _ file: String, name: String, stored: String, known: String
  ) -> StoreError {
    StoreError(
      .modifiedMigration,
      "migration \(name.cut()) was applied with checksum \(stored.cut()), but this library has it with "
        + "\(known); nothing was changed. Use the library that made the store",
      file: file)
  }

  /// What a failure below means for a caller.
  ///
  /// - Parameters:
  ///   - error: What was thrown below.
  ///   - attempt: What was being done: "open the store".
  ///   - file: The store.
  /// - Returns: `error` itself if it is a ``StoreError``.
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
    switch error.resultCode {
    case .SQLITE_FULL:
      return make(.storeFull, "no room is left; free some, then try again")
    case .SQLITE_BUSY, .SQLITE_LOCKED:
      return make(.busy, "another connection holds the store; try again when it is done")
    case .SQLITE_READONLY, .SQLITE_PERM, .SQLITE_AUTH:
      return make(.notWritable, "the file or its folder can't be written")
    case .SQLITE_CANTOPEN:
      return make(.notWritable, "the file can't be opened, or its folder can't be written")
    case .SQLITE_NOTADB: return notAStore(file, because: detail)
    // Our SQL is right for our schema: a table or a column is missing, or rows break its rules.
    case .SQLITE_CORRUPT, .SQLITE_ERROR, .SQLITE_CONSTRAINT:
      return damaged(file, because: detail, cause: error)
    case .SQLITE_IOERR: return make(.inputOutput, "reading or writing failed")
    default: return make(.inputOutput, "SQLite refused")
    }
  }
}
