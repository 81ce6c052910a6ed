import Foundation
package import ListModel

/// The contents of the rollback journal beside a database, read without SQLite but by its rules.
///
/// If a transaction was not ended, its journal restores the database as it was before.
///
/// - SeeAlso: [The rollback journal
///   format](https://sqlite.org/fileformat2.html#the_rollback_journal).
package struct RollbackJournal: Sendable {
  /// The size of the file, in bytes.
  package let byteCount: Int
  /// Whether SQLite would play it back.
  ///
  /// After its transaction has ended, a journal may still be there, with zeros for a head.
  package let isPending: Bool
  /// The name of the super-journal, which a transaction over several databases has.
  ///
  /// After playing the journal back, SQLite deletes the file of this name, whatever file it is.
  package let superJournal: String?
  /// The pages that it restores.
  package private(set) var pageCount = 0
  /// The size of the database before the transaction, in pages; `nil` if the journal says nothing.
  package private(set) var databasePageCount: Int?
  /// The size of the database's pages, in bytes; 0 if the journal says nothing.
  private(set) var pageSize = 0
  /// Where the bytes of each page that it restores are in its file, by page number.
  private(set) var pageOffsets: [Int: Int] = [:]
  /// The first 100 bytes of the database's first page before the transaction, if it was changed.
  private(set) var firstPage: [UInt8]?

  private static let magic: [UInt8] = [0xD9, 0xD5, 0x05, 0xF9, 0x20, 0xA1, 0x63, 0xD7]
  /// The bytes of a head that SQLite reads; the first head has the size of a sector.
  private static let headSize = 512
  /// The byte of a database that is only locked, never written.
  private static let lockedOffset = 0x4000_0000

  /// Reads a journal.
  ///
  /// - Parameters:
  ///   - file: The journal.
  ///   - pageSize: The page size of the database, for journals of old versions, which don't have
  ///     it.
  /// - Complexity: O(*n*) if it is pending, *n* bytes; in memory a page, and the place of each.
  init(_ file: SidecarFile, pageSize: Int) {
    byteCount = file.size
    isPending = (file.bytes(at: 0, count: 1)?.first ?? 0) != 0
    guard isPending else {
      superJournal = nil
      return
    }
    superJournal = Self.superJournal(file, byteCount)
    readPages(file, pageSize)
  }

  /// Reads the journal of a database; `nil` if there is none.
  ///
  /// - Parameters:
  ///   - database: The path of the database, without links.
  ///   - pageSize: The page size of the database.
  ///   - name: The file's name in errors.
  /// - Throws: ``/ListModel/StoreError`` if it can't be read, or if SQLite would delete another file
  ///   after playing it back.
  package init?(
    ofDatabase database: String, pageSize: Int, naming name: String
  ) throws(StoreError) {
    guard let file = try SidecarFile(.journal, of: database, naming: name) else { return nil }
    self.init(file, pageSize: pageSize)
    try check(file.path, naming: name)
  }

  /// The name at the end of a journal: its characters, their count, their sum and the magic number.
  private static func superJournal(_ file: SidecarFile, _ byteCount: Int) -> String? {
    guard byteCount >= 16, let tail = file.bytes(at: byteCount - 16, count: 16),
      tail[8...].elementsEqual(magic)
    else { return nil }
    // Longer ones than any path are none. SQLite's own limit is 512, other file layers have others.
    let length = tail[0..<4].bigEndianInteger
    guard (1...min(65_536, max(1, byteCount - 16))).contains(length),
      let name = file.bytes(at: byteCount - 16 - length, count: length)
    else { return nil }
    let sum = name.reduce(UInt32(0)) { $0 &+ UInt32(bitPattern: Int32(Int8(bitPattern: $1))) }
    guard Int(sum) == tail[4..<8].bigEndianInteger else { return nil }
    return String(decoding: name.prefix { $0 != 0 }, as: UTF8.self)
  }

  /// Goes through the pages in the order in which SQLite restores them, and stops where SQLite
  /// would.
  private mutating func readPages(_ file: SidecarFile, _ databasePageSize: Int) {
    var offset = 0
    var sectorSize = Self.headSize
    var pageSize = databasePageSize
    while offset + sectorSize <= byteCount, let head = file.bytes(at: offset, count: 28),
      head[..<8].elementsEqual(Self.magic)
    {
      if offset == 0 {
        sectorSize = head[20..<24].bigEndianInteger
        let size = head[24..<28].bigEndianInteger
        if size != 0 { pageSize = size }
        guard (512...65_536).contains(pageSize), pageSize & (pageSize - 1) == 0,
          (32...65_536).contains(sectorSize), sectorSize & (sectorSize - 1) == 0
        else { return }
        databasePageCount = head[16..<20].bigEndianInteger
        self.pageSize = pageSize
      }
      offset += sectorSize
      let recordSize = pageSize + 8
      var count = head[8..<12].bigEndianInteger
      // Written without waiting for the disk: whatever follows.
      if count == 0xFFFF_FFFF { count = (byteCount - sectorSize) / recordSize }
      for _ in 0..<count {
        guard let record = file.bytes(at: offset, count: recordSize) else { return }
        offset += recordSize
        let page = record[..<4].bigEndianInteger
        if page == 0 || page == Self.lockedOffset / pageSize + 1 { return }
        if page > databasePageCount ?? 0 { continue }
        guard Self.sum(record, pageSize, from: head[12..<16].bigEndianInteger) else { return }
        pageCount += 1
        pageOffsets[page] = offset - recordSize + 4
        if page == 1 { firstPage = Array(record[4..<104]) }
      }
      // The next head begins a sector.
      offset = (offset + sectorSize - 1) / sectorSize * sectorSize
    }
  }

  /// Whether the checksum of a record holds: of every 200th byte.
  private static func sum(_ record: [UInt8], _ pageSize: Int, from start: Int) -> Bool {
    var sum = UInt32(truncatingIfNeeded: start)
    for index in stride(from: pageSize - 200, to: 0, by: -200) { sum &+= UInt32(record[4 + index]) }
    return Int(sum) == record[(4 + pageSize)...].bigEndianInteger
  }
}

extension RollbackJournal {
  /// Refuses a journal that names a super-journal.
  ///
  /// Cellar writes each store alone, so no store has one. And SQLite would delete the file that the
  /// journal names, which can be any file.
  func check(_ path: String, naming name: String) throws(StoreError) {
    guard let superJournal else { return }
    throw StoreError(
      .damagedStore,
      "\(path) names \(superJournal) as the journal of several databases, which SQLite would delete; "
        + "no Cellar writes that. Nothing was opened or changed: restore a copy of the store, or move "
        + "the journal away if you know that its commit ended",
      file: name)
  }
}
