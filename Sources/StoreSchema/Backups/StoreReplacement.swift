import Foundation
import GRDB
import ListModel
import StoreFiles

/// Puts a store that was made in a draft's folder in the place of another one.
struct StoreReplacement {
  private let file: URL
  private let draft: StoreDraft
  private let former: Former
  private let migrations: [Migration]

  /// What becomes of the store that is replaced.
  enum Former {
    /// It is backed up first.
    case backedUp
    /// It was copied, and is only replaced if it is still the same.
    case copied(PrivateCopy, isLogForeign: Bool)
    /// It is gone, unless SQLite can't read it.
    case gone
  }

  init(of file: URL, by draft: StoreDraft, former: Former, _ migrations: [Migration]) {
    self.file = file
    self.draft = draft
    self.former = former
    self.migrations = migrations
  }

  /// Replaces the store while no other connection has it.
  ///
  /// - Returns: Where the former store is kept, if it was this call that kept it.
  func replace(busyTimeout: Double) throws -> URL? {
    guard FileIdentity(ofLinkOrFile: file.path) != nil else { return try replaceNothing() }
    let path = try StorePath.resolved(file, naming: file.path)
    if case .copied(let copy, let isLogForeign) = former {
      guard try copy.isLike(file) else { throw StoreError.changedSinceItWasLookedAt(file) }
      // SQLite would mix another store's log into this one.
      if isLogForeign { return try replaceDamaged(path) }
    }
    do {
      _ = try StoreHeader(of: file)
    } catch {
      try requireNoOtherProgram(path, error)
      return try replaceDamaged(path)
    }
    do {
      return try replaceSound(path, busyTimeout)
    } catch let error as DatabaseError
      where [.SQLITE_CORRUPT, .SQLITE_NOTADB].contains(error.resultCode)
    {
      return try replaceDamaged(path)
    } catch let error as StoreError where error.code == .damagedStore {
      return try replaceDamaged(path)
    }
  }

  /// A log without its database must not be taken for the new one's.
  private func replaceNothing() throws -> URL? {
    let aside = try Quarantine(file).keep()
    try Quarantine(file).removeSidecars()
    guard try draft.publish(as: file) else {
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
  private func replaceSound(_ path: String, _ busyTimeout: Double) throws -> URL? {
    try DatabaseQueue.withStore(URL(fileURLWithPath: path), busyTimeout: busyTimeout) { queue in
      try queue.inDatabase { db in
        try db.takeForItself(file)
        // A connection that keeps its lock keeps an emptied journal too, which would stay after a
        // kill or an error.
        unlink(path + Sidecar.journal.rawValue)
        // The connection keeps its lock, so that nobody commits between the backup and the exchange.
        let backup = try backUp(db)
        do {
          try db.inTransaction(.exclusive) {
            if db.hasMoved { throw StoreError.moved(file.path) }
            try requireSame()
            try draft.replace(URL(fileURLWithPath: path))
            return .rollback
          }
        } catch {
          if let backup { unlink(backup.path) }
          throw error
        }
        return backup
      }
    }
  }

  private func backUp(_ db: Database) throws -> URL? {
    guard case .backedUp = former else { return nil }
    return try StoreBackup.make(of: file, migrations) { try StoreBackup.vacuum(db, into: $0) }?.file
  }

  /// Refuses a store that is not the one that was copied.
  ///
  /// The copy goes the same way to one file as the store has gone, and has the same bytes then.
  private func requireSame() throws {
    guard case .copied(let copy, _) = former else { return }
    try DatabaseQueue.withStore(copy.file) { queue in
      try queue.inDatabase { try $0.takeForItself(copy.file) }
    }
    guard try copy.isLike(file) else { throw StoreError.changedSinceItWasLookedAt(file) }
  }

  /// Replaces a store that SQLite can't read.
  ///
  /// If this process is killed before the exchange, the damaged file has lost its log; the copy has
  /// both.
  private func replaceDamaged(_ path: String) throws -> URL? {
    let database = try DatabaseFile(path, naming: file.path, isLockable: true)
    if case .busy = database.lockForReplacement() { throw StoreError.openElsewhere(file) }
    var kept: URL?
    if case .copied = former {} else { kept = try StoreBackup.copyFiles(of: file) }
    try Quarantine(URL(fileURLWithPath: path)).removeSidecars()
    try draft.replace(URL(fileURLWithPath: path))
    return kept
  }

  private func requireNoOtherProgram(_ path: String, _ error: StoreError) throws {
    guard error.code == .notAStore else { return }
    let header = DatabaseHeader(try DatabaseFile.firstBytes(of: path, naming: file.path))
    if let header, header.applicationID != StoreHeader.applicationID { throw error }
  }
}

extension Database {
  /// Keeps other connections out, brings the commits of a log into the file, and takes back what a
  /// journal does.
  ///
  /// `file`: The store.
  ///
  /// - Throws: ``/ListModel/StoreError`` with ``/ListModel/StoreError/Code/busy`` if another
  ///   connection has it open.
  func takeForItself(_ file: URL) throws {
    try execute(sql: "PRAGMA locking_mode = EXCLUSIVE")
    do {
      // All of its rows: the file is written after the first one.
      if try String.fetchAll(self, sql: "PRAGMA journal_mode = DELETE") == ["delete"] { return }
    } catch let error as DatabaseError where error.resultCode == .SQLITE_BUSY {}
    throw StoreError.openElsewhere(file)
  }
}

extension StoreError {
  fileprivate static func changedSinceItWasLookedAt(_ file: URL) -> StoreError {
    StoreError(
      .changedMeanwhile,
      "it has changed since it was looked at; nothing was repaired. Look again", file: file.path)
  }
}
