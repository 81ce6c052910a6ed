package import Foundation
package import ListModel

/// The pages of a database as of its last commit, read without SQLite's pager: also of a file that
/// SQLite refuses to open.
///
/// Pages are those of the write-ahead log; else those that a rollback journal restores; else those of
/// the file. Nothing is created or changed. One page is in memory at a time, and the place of each
/// page that the log or the journal has.
///
/// - SeeAlso: [The database file format](https://sqlite.org/fileformat2.html).
package final class PageImage {
  /// The size of a page, in bytes.
  package let pageSize: Int
  /// The bytes of a page that hold data; the rest is reserved.
  package let usableSize: Int
  /// The number of pages: what the header, the log or the journal says, but no more than there are.
  package let pageCount: Int
  /// How many pages the database had according to its header or log, but are not in the files.
  package let missingPageCount: Int
  /// The header; `nil` if the first bytes are not those of a database.
  package let header: DatabaseHeader?
  /// The write-ahead log; `nil` if there is none.
  package let log: WriteAheadLog?
  /// The journal of a transaction that was cut off; `nil` if there is none.
  package let journal: RollbackJournal?
  private let database: DatabaseFile
  private let logFile: SidecarFile?
  private let journalFile: SidecarFile?
  private let offsets: [Int: Int]
  private let fileSize: Int
  private let extents: FileExtents
  private let zeros: [UInt8]

  /// Opens a file and reads its log and its journal.
  ///
  /// - Throws: ``/ListModel/StoreError`` if it is no regular file, is empty, has no page of a database
  ///   as far as a look tells, or can't be read, or if the journal makes SQLite delete another file.
  package init(of file: URL) throws(StoreError) {
    let name = file.path
    database = try DatabaseFile(StorePath.resolved(file, naming: name), naming: name)
    fileSize = try database.size
    logFile = try SidecarFile(.log, of: database.path, naming: name)
    log = try logFile.map { file throws(StoreError) in try WriteAheadLog(file, naming: name) }
    guard fileSize > 0 || (log?.pageCount ?? 0) > 0 else {
      throw .notAStore(name, because: "the file is empty")
    }
    if let log, let logFile { offsets = log.pageOffsets(logFile) } else { offsets = [:] }
    var first = try database.bytes(at: 0, count: DatabaseHeader.byteCount)
    let stored = DatabaseHeader(first)?.pageSize ?? 0
    journalFile = try SidecarFile(.journal, of: database.path, naming: name)
    let journal = journalFile.map { RollbackJournal($0, pageSize: stored) }
    try journal?.check(database.path + Sidecar.journal.rawValue, naming: name)
    first = log?.firstPage ?? journal?.firstPage ?? first
    header = DatabaseHeader(first)
    extents = FileExtents(of: database.path, upTo: fileSize)
    let (size, share) = try Self.pageSize(
      of: database, extents, preferred: [log?.pageSize ?? 0, journal?.pageSize ?? 0, stored])
    if share == 0, header == nil, log == nil, journal == nil,
      try !Self.isLikely(database.path, naming: name)
    {
      throw .notAStore(name, because: "it has no page of a database")
    }
    pageSize = size
    zeros = [UInt8](repeating: 0, count: size)
    self.journal = journal?.isPending == true && journal?.pageSize == size ? journal : nil
    let reserved = header?.reservedByteCount ?? 0
    usableSize = reserved <= 32 ? size - reserved : size
    // The last page may be there in part.
    let present = max(
      (fileSize + size - 1) / size, offsets.keys.max() ?? 0,
      self.journal?.pageOffsets.keys.max() ?? 0)
    let logged = log?.pageCount ?? 0
    let known = logged > 0 ? logged : self.journal?.databasePageCount
    let said = known ?? header?.pageCount ?? 0
    // A count that is damaged can be any number; the freed end of a file can stay.
    missingPageCount = said > present && said < present * 1_000 ? said - present : 0
    pageCount = known.map { min($0, present) } ?? present
  }

  /// Reads a page; bytes that the file does not have are 0.
  ///
  /// - Parameter number: The page, from 1.
  /// - Returns: ``pageSize`` bytes.
  /// - Throws: ``/ListModel/StoreError`` if the system refuses to read.
  package func page(_ number: Int) throws(StoreError) -> [UInt8] {
    if let offset = offsets[number], let bytes = logFile?.bytes(at: offset, count: pageSize) {
      return bytes
    }
    if let offset = journal?.pageOffsets[number],
      let bytes = journalFile?.bytes(at: offset, count: pageSize)
    {
      return bytes
    }
    let start = (number - 1) * pageSize
    if extents.isHole(start..<(start + pageSize)) { return zeros }
    var bytes = try database.bytes(at: start, count: pageSize)
    bytes.append(contentsOf: repeatElement(0, count: pageSize - bytes.count))
    return bytes
  }

  /// Whether the files have other sizes than when they were opened.
  package var hasChanged: Bool {
    get throws(StoreError) {
      try database.size != fileSize || (logFile?.size ?? 0) != (log?.byteCount ?? 0)
        || (journal.map { $0.byteCount != journalFile?.size } ?? false)
    }
  }

  /// Refuses what is certainly no database: an empty file, a text, a file of holes.
  ///
  /// A database whose first page is overwritten has other pages all the same, or a log.
  ///
  /// - Parameters:
  ///   - path: A regular file; no link.
  ///   - bytes: Its first bytes.
  ///   - byteCount: Its size.
  ///   - name: Its name in errors.
  /// - Throws: ``/ListModel/StoreError`` with ``/ListModel/StoreError/Code/notAStore``.
  package static func requireDatabase(
    _ path: String, _ bytes: [UInt8], byteCount: Int, naming name: String
  ) throws(StoreError) {
    if byteCount == 0 { throw .notAStore(name, because: "the file is empty") }
    if DatabaseHeader.isBeginning(bytes) { return }
    let hasPages = byteCount >= 1_024 && byteCount % 512 == 0
    if !hasPages { throw .notAStore(name, because: "not an SQLite database") }
    let hasCompanion = [Sidecar.log, .journal].contains { kind in
      (FileStatus(of: path + kind.rawValue)?.byteCount ?? 0) > 0
    }
    if hasCompanion { return }
    guard try isLikely(path, naming: name) else {
      throw .notAStore(name, because: "it has no page of a database")
    }
  }

  /// Whether a file has a page of a database, as far as a look at its beginning and at some others
  /// tells.
  ///
  /// `path`: A regular file; no link.
  private static func isLikely(_ path: String, naming name: String) throws(StoreError) -> Bool {
    let database = try DatabaseFile(path, naming: name)
    let extents = try FileExtents(of: path, upTo: database.size)
    return try pageSize(of: database, extents, preferred: [], looks: 2_048).share > 0
  }

  // MARK: The size of a page

  /// The size with which most bytes are in pages of b-trees, and how many of a thousand; of several
  /// sizes, a preferred one.
  ///
  /// `looks`: About how many pages to look at.
  private static func pageSize(
    of file: DatabaseFile, _ extents: FileExtents, preferred: [Int], looks: Int = 128
  ) throws(StoreError) -> (size: Int, share: Int) {
    var best = (size: preferred.first(where: isPageSize) ?? 4_096, share: 0)
    let sizes = preferred.filter(isPageSize) + (9...16).map { 1 << $0 }
    for size in sizes {
      let share = try share(ofPages: size, in: file, extents, looks)
      if share > best.share { best = (size, share) }
    }
    return best
  }

  private static func isPageSize(_ size: Int) -> Bool {
    (512...65_536).contains(size) && size & (size - 1) == 0
  }

  /// How many of a thousand pages that were looked at are pages of b-trees.
  private static func share(
    ofPages size: Int, in file: DatabaseFile, _ extents: FileExtents, _ looks: Int
  ) throws(StoreError) -> Int {
    // The whole pages of all parts, counted through.
    let pages = extents.ranges.map { ($0.lowerBound + size - 1) / size..<$0.upperBound / size }
      .filter { !$0.isEmpty }
    let count = pages.reduce(0) { $0 + $1.count }
    let step = max(1, count / looks)
    var (seen, good) = (0, 0)
    var skipped = 0
    for part in pages {
      for index in stride(from: part.lowerBound + skipped, to: part.upperBound, by: step) {
        seen += 1
        if isTreePage(try file.bytes(at: index * size, count: size), isFirst: index == 0) {
          good += 1
        }
      }
      skipped = ((skipped - part.count) % step + step) % step
    }
    // One of very many counts, too.
    return seen == 0 ? 0 : max(good * 1_000 / seen, min(good, 1))
  }

  /// Whether bytes look like a page of a b-tree: cells begin in its second half, and end with it.
  private static func isTreePage(_ bytes: [UInt8], isFirst: Bool) -> Bool {
    let start = isFirst ? 100 : 0
    guard [2, 5, 10, 13].contains(bytes[start]) else { return false }
    let cells = bytes[(start + 3)..<(start + 5)].bigEndianInteger
    let head = start + (bytes[start] < 8 ? 12 : 8)
    guard cells > 0, head + 2 * cells <= bytes.count else { return false }
    var greatest = 0
    for cell in 0..<cells {
      let offset = head + 2 * cell
      let place = bytes[offset..<(offset + 2)].bigEndianInteger
      guard place >= head + 2 * cells, place < bytes.count else { return false }
      greatest = max(greatest, place)
    }
    return greatest >= bytes.count / 2
  }
}
