import Foundation
import GRDB
import ListModel

/// Puts a store that was made in a draft's folder in the place of another one.
struct StoreReplacement {
  private let file: URL
  private let draft: URL

  init(of file: URL, by draft: URL) {
    self.file = file
    self.draft = draft
  }

  /// Replaces the store while no other connection has it.
  ///
  /// - Returns: Where the former store was kept, if SQLite can't open it.
  func replace(busyTimeout: Double) throws -> URL? {
    guard FileIdentity(ofLinkOrFile: file.path) != nil else { return try replaceNothing() }
    let path = try StorePath.resolved(file, naming: file.path)
    do {
      _ = try StoreHeader(of: file)
    } catch {
      try requireNoOtherProgram(path, error)
      return try replaceDamaged(path)
    }
    do {
      try replaceSound(path, busyTimeout)
      return nil
    } catch let error as DatabaseError
      where [.SQLITE_CORRUPT, .SQLITE_NOTADB].contains(error.resultCode)
    {
      return try replaceDamaged(path)
    }
  }

  /// A log without its database must not be taken for the new one's.
  private func replaceNothing() throws -> URL? {
    let aside = try SetAside(file).keep()
    try SetAside(file).removeCompanions()
    guard try StoreFile.publish(draft, as: file) else {
      throw StoreError(
        .changedMeanwhile, "another process has just made a store there; nothing was changed",
        file: file.path)
    }
    return aside
  }

  /// Replaces a store that SQLite can open.
  ///
  /// The commits of its log go into its file first. Then there is no log which SQLite could take for
  /// the new store's if this process is killed.
  private func replaceSound(_ path: String, _ busyTimeout: Double) throws {
    let queue = try DatabaseQueue(
      path: path,
      configuration: .store(
        busyTimeout: busyTimeout, timeLimit: 10 * TimeLimit.seconds(for: file)))
    try queue.inDatabase { db in
      try db.execute(sql: "PRAGMA locking_mode = EXCLUSIVE")
      let mode = try String.fetchOne(db, sql: "PRAGMA journal_mode = DELETE")
      guard mode == "delete" else { throw DatabaseError(resultCode: .SQLITE_BUSY) }
      try db.inTransaction(.exclusive) {
        if db.hasMoved { throw StoreError.moved(file.path) }
        try swap(to: path)
        return .rollback
      }
    }
    try queue.close()
  }

  /// Nothing can be read of the former store, so all of its files are kept.
  private func replaceDamaged(_ path: String) throws -> URL? {
    let database = try DatabaseFile(path, naming: file.path, isLockable: true)
    if case .busy = database.lockForReplacement() { throw StoreError.openElsewhere(file) }
    let former = SetAside(URL(fileURLWithPath: path))
    let aside = try former.keep()
    try former.removeCompanions()
    try swap(to: path)
    return aside
  }

  private func swap(to path: String) throws {
    guard rename(draft.path, path) == 0 else {
      throw StoreError(
        .notWritable,
        "the file can't be replaced: \(StoreError.reason(errorNumber: errno))", file: file.path)
    }
  }

  private func requireNoOtherProgram(_ path: String, _ error: StoreError) throws {
    guard error.code == .notAStore else { return }
    let bytes = try StoreFiles.firstBytes(of: path, naming: file.path)
    guard bytes.count == WriteAheadLog.databaseHeaderSize,
      bytes.starts(with: Array("SQLite format 3\0".utf8)),
      bytes[68..<72].bigEndianInteger != StoreHeader.applicationID
    else { return }
    throw error
  }
}

extension StoreError {
  /// The error for a file that can't be replaced or moved, because a connection has it open.
  static func openElsewhere(_ file: URL) -> StoreError {
    let holder =
      LockHolder.connections(ofDatabase: file.path) ?? "another connection has the store open"
    return StoreError(
      .busy, "\(holder); nothing was changed. Close it, then try again", file: file.path)
  }
}
