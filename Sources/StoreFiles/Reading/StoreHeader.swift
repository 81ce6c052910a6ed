package import Foundation
package import ListModel

/// The header of a store as of its last commit, read without a connection: nothing is created or
/// changed.
///
/// - SeeAlso: [The database header](https://sqlite.org/fileformat2.html#the_database_header).
package struct StoreHeader: Sendable {
  /// The `PRAGMA application_id` of every store: "Cllr".
  package static let applicationID = 0x436C_6C72

  /// `PRAGMA application_id` of the file.
  package let applicationID: Int
  /// `PRAGMA user_version`: the schema version, as of the last commit.
  package let schemaVersion: Int
  /// The size of a page, in bytes.
  package let pageSize: Int

  /// Reads the header of a file that should be a store.
  ///
  /// The last commit may be only in the write-ahead log, and the file may hold part of a commit
  /// that was cut off. So the log and the journal beside the file are read by SQLite's rules.
  ///
  /// - Throws: ``/ListModel/StoreError`` if the file is no store: missing, a folder, empty, no
  ///   database, another program's database, or cut off; or if a file beside it is not SQLite's.
  package init(of file: URL) throws(StoreError) {
    try self.init(of: file, naming: file.path)
  }

  /// Reads the header of a file that has another name in errors.
  package init(of file: URL, naming name: String) throws(StoreError) {
    let database = try DatabaseFile(StorePath.resolved(file, naming: name), naming: name)
    try self.init(First(of: database, naming: name), database, name)
  }

  private init(_ first: First, _ database: DatabaseFile, _ path: String) throws(StoreError) {
    try PageImage.requireDatabase(
      database.path, first.bytes, byteCount: first.fileSize, naming: path)
    guard let header = DatabaseHeader(first.bytes) else {
      throw .damaged(path, because: DatabaseHeader.fault(of: first.bytes))
    }
    applicationID = header.applicationID
    schemaVersion = header.schemaVersion
    pageSize = header.pageSize
    let wholeSize = header.pageCount * header.pageSize
    // With a log or a journal beside the file, SQLite does not go by this count. A commit that
    // ended since the header was read has deleted its journal and made the file whole.
    if header.hasPageCount, first.fileSize < wholeSize, !first.hasSidecar,
      try database.size < wholeSize
    {
      throw .damaged(
        path,
        because: "\(first.fileSize) bytes are there of \(header.pageCount) pages of \(pageSize) "
          + "bytes; the end was cut off")
    }
    guard applicationID == Self.applicationID else {
      throw .notAStore(
        path, because: "an SQLite database of another program (application id \(applicationID))")
    }
  }
}

extension StoreHeader {
  /// The first bytes of a database as of its last commit.
  private struct First {
    var bytes: [UInt8] = []
    /// The first bytes of the file itself.
    var fileSize = 0
    /// Whether a log or a journal is beside the file.
    var hasSidecar = false

    init(of database: DatabaseFile, naming name: String) throws(StoreError) {
      let lock = database.lock()
      defer { if lock == .taken { database.unlock() } }
      // If the log was started anew meanwhile, all of it had been copied into the file before. A
      // commit that ended without the lock has deleted its journal.
      for _ in 0..<20 {
        let before = try Beside(database, name)
        // While we hold the lock, a running writer does not write to the file, so its journal must
        // not be played back.
        try read(database, before, isWritten: lock == .taken && database.isReserved, name)
        if try before.isUnchanged(Beside(database, name)) { return }
      }
    }

    private mutating func read(
      _ database: DatabaseFile, _ beside: Beside, isWritten: Bool, _ name: String
    ) throws(StoreError) {
      fileSize = try database.size
      bytes = try database.bytes(at: 0, count: DatabaseHeader.byteCount)
      hasSidecar = (beside.log?.size ?? 0) > 0 || (beside.journal?.size ?? 0) > 0
      guard fileSize > 0 else { throw .notAStore(name, because: "the file is empty") }
      if let file = beside.journal, !isWritten {
        let journal = RollbackJournal(file, pageSize: DatabaseHeader.pageSize(bytes))
        try journal.check(file.path, naming: name)
        if journal.databasePageCount == 0 {
          throw .notAStore(
            name, because: "the file was empty before the commit that was cut off")
        }
        bytes = journal.firstPage ?? bytes
      }
      if let file = beside.log, WriteAheadLog.mayDiffer(file, from: bytes) {
        bytes = try WriteAheadLog(file, naming: name).firstPage ?? bytes
      }
    }
  }

  /// The files beside a database.
  private struct Beside {
    let log: SidecarFile?
    let journal: SidecarFile?
    private let head: WriteAheadLog.Head?
    private let isPending: Bool

    init(_ database: DatabaseFile, _ name: String) throws(StoreError) {
      log = try SidecarFile(.log, of: database.path, naming: name)
      journal = try SidecarFile(.journal, of: database.path, naming: name)
      _ = try SidecarFile.isThere(.logIndex, of: database.path, naming: name)
      head = log.flatMap(WriteAheadLog.Head.init)
      isPending = (journal?.bytes(at: 0, count: 1)?.first ?? 0) != 0
    }

    func isUnchanged(_ later: Beside) -> Bool {
      head == later.head && isPending == later.isPending
    }
  }
}
