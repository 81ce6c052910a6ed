import Foundation
import ListModel
import StoreFiles

/// The files of a store as they lie in their folder, read byte by byte: SQLite opens none of them.
///
/// Its JSON is an output format: names and meanings stay.
public struct StoreEvidence: Codable, Sendable {
  /// The store's file and those beside it, as far as they are there.
  public var files: [File]
  /// The first bytes of the database; `nil` if they are not those of one.
  public var header: Header?
  /// The write-ahead log; `nil` if there is none.
  public var log: Log?
  /// The rollback journal; `nil` if there is none.
  public var journal: Journal?
  /// What is to be known about these files.
  public var findings: [Finding]

  /// A file.
  public struct File: Codable, Hashable, Sendable {
    /// Its path, without links.
    public var path: String
    /// Its size in bytes.
    public var byteCount: Int
    /// When it was changed last, in nanoseconds since 1970.
    public var modifiedAt: Int
    /// Its inode, which tells a file from another one under the same name.
    var inode: UInt64
    var device: UInt64

    private enum CodingKeys: String, CodingKey { case path, byteCount, modifiedAt, inode, device }
  }

  /// The header of a database.
  public struct Header: Codable, Sendable {
    /// The size of a page in bytes.
    public var pageSize: Int
    /// How many pages the database has, by its header.
    public var pageCount: Int
    /// How many whole pages are in the file.
    public var presentPageCount: Int
    /// The schema version that the file itself says; the log may have a later one.
    public var schemaVersion: Int
    /// The program that made the file: 1131179122 for Cellar.
    public var applicationID: Int
    /// Whether commits go to a write-ahead log.
    public var keepsLog: Bool
    /// The version of SQLite that wrote last, such as 3040001 for 3.40.1.
    public var sqliteVersion: Int
  }

  /// A write-ahead log.
  public struct Log: Codable, Sendable {
    /// Its size in bytes.
    public var byteCount: Int
    /// The commits that it holds.
    public var commitCount: Int
    /// The pages in these commits.
    public var frameCount: Int
    /// Bytes of a transaction that no commit ended.
    public var uncommittedByteCount: Int
    /// Bytes that are broken.
    public var tornByteCount: Int
    /// Bytes from before the log was last started anew.
    public var staleByteCount: Int
  }

  /// A rollback journal.
  public struct Journal: Codable, Sendable {
    /// Its size in bytes.
    public var byteCount: Int
    /// Whether it takes back a transaction that was cut off.
    public var isPending: Bool
    /// The pages that it restores.
    public var pageCount: Int
  }
}

extension StoreEvidence {
  /// Looks at the files of a store.
  ///
  /// - Throws: ``/ListModel/StoreError`` if there is no regular file, or it can't be read, or a
  ///   file beside it is no file of SQLite's.
  /// - Complexity: O(*n*), *n* bytes of the log.
  init(of file: URL) throws(StoreError) {
    let name = file.path
    let path = try StorePath.resolved(file)
    files = []
    findings = []
    if let target = StorePath.linkTarget(of: name) { note(.link(name, to: target, path)) }
    files = Self.files(at: path)
    let bytes = try DatabaseFile.firstBytes(of: path, naming: name)
    let byteCount = files.first?.byteCount ?? 0
    try PageImage.requireDatabase(path, bytes, byteCount: byteCount, naming: name)
    header = Header(bytes, byteCount: byteCount)
    noteHeader(path, bytes)
    if let found = try WriteAheadLog(ofDatabase: path, naming: name) {
      log = Log(found)
      noteLog(found, path)
    } else if lacksLog, files.contains(where: { $0.path.hasSuffix("-shm") }) {
      // Whoever closes a store last removes both.
      note(.logMissing(path, "-shm is beside it, and no -wal"))
    }
    if let found = try RollbackJournal(
      ofDatabase: path, pageSize: header?.pageSize ?? 0, naming: name)
    {
      journal = Journal(
        byteCount: found.byteCount, isPending: found.isPending, pageCount: found.pageCount)
      if found.isPending { note(.journal(path, pageCount: found.pageCount)) }
    }
    if let holder = LockHolder.connections(ofDatabase: path) { note(.open(path, holder)) }
  }

  /// Whether the store keeps a write-ahead log and has none, as one that was closed, or that was
  /// copied without it.
  public var lacksLog: Bool { header?.keepsLog == true && (log?.byteCount ?? 0) == 0 }

  private mutating func note(_ finding: Finding) { findings.append(finding) }

  private mutating func noteHeader(_ path: String, _ bytes: [UInt8]) {
    guard let header else { return note(.header(path, bytes)) }
    // With a log or a journal beside it, SQLite does not go by the file's own header.
    guard !files.dropFirst().contains(where: { !$0.path.hasSuffix("-shm") && $0.byteCount > 0 })
    else { return }
    if header.presentPageCount < header.pageCount { note(.truncated(path, header)) }
    let rest = (files.first?.byteCount ?? 0) - header.pageCount * header.pageSize
    if rest > 0 { note(.longer(path, header, rest)) }
  }

  private mutating func noteLog(_ log: WriteAheadLog, _ path: String) {
    let name = path + "-wal"
    if log.byteCount == 0 { return }
    if log.pageSize == 0 || header.map({ $0.pageSize != log.pageSize }) ?? false {
      return note(.logForeign(name, why: "its head is not that of a log of this store"))
    }
    if log.tornByteCount > 0 { note(.logTorn(name, log)) }
    if log.uncommittedByteCount > 0 { note(.logUncommitted(name, log.uncommittedByteCount)) }
  }

  /// The files of a store that are there now.
  static func files(at path: String) -> [File] {
    ["", "-wal", "-shm", "-journal"].compactMap { File(path + $0) }
  }

  /// Compares the files with how they are now.
  ///
  /// The index of the log, `-shm`, is left out: readers write into it, too.
  ///
  /// - Returns: The paths of those that have changed, come or gone.
  func changedFiles() -> [String] {
    guard let path = files.first?.path else { return [] }
    let known = Set(files.filter { !$0.path.hasSuffix("-shm") })
    let found = Set(Self.files(at: path).filter { !$0.path.hasSuffix("-shm") })
    return Set(known.symmetricDifference(found).map(\.path)).sorted()
  }
}

extension StoreEvidence.File {
  init?(_ path: String) {
    guard let status = FileStatus(of: path), status.kind == .file else { return nil }
    self.init(
      path: path, byteCount: status.byteCount, modifiedAt: status.modifiedAt,
      inode: status.identity.inode, device: status.identity.device)
  }
}

extension StoreEvidence.Header {
  /// - Returns: `nil` if the bytes are not the header of a database.
  init?(_ bytes: [UInt8], byteCount: Int) {
    guard let header = DatabaseHeader(bytes) else { return nil }
    pageSize = header.pageSize
    guard (512...65_536).contains(pageSize), pageSize & (pageSize - 1) == 0 else { return nil }
    presentPageCount = byteCount / pageSize
    pageCount = header.hasPageCount ? header.pageCount : presentPageCount
    schemaVersion = header.schemaVersion
    applicationID = header.applicationID
    keepsLog = header.keepsLog
    sqliteVersion = header.sqliteVersion
  }
}

extension StoreEvidence.Log {
  init(_ log: WriteAheadLog) {
    self.init(
      byteCount: log.byteCount, commitCount: log.commitCount, frameCount: log.frameCount,
      uncommittedByteCount: log.uncommittedByteCount, tornByteCount: log.tornByteCount,
      staleByteCount: log.staleByteCount)
  }
}
