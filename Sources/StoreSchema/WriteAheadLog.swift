import Foundation

/// The write-ahead log beside a database, read without SQLite: nothing is opened, locked or changed.
///
/// - SeeAlso: [The WAL file format](https://sqlite.org/fileformat2.html#the_write_ahead_log).
enum WriteAheadLog {
  private static let headerSize = 32
  private static let frameHeaderSize = 24

  /// The first bytes of the database's first page as of the last commit in the log; `nil` if the log
  /// is absent, empty, of another database, or holds no commit with that page.
  ///
  /// Frames are told from leftovers by their salts. Their checksums are not computed: that would
  /// read the whole log at each opening, to guard one number against a torn write that SQLite itself
  /// will find.
  ///
  /// - Complexity: O(*f*), *f* frames, of each a header.
  static func newestHeader(besideDatabase path: String, byteCount: Int) -> [UInt8]? {
    guard let log = FileHandle(forReadingAtPath: path + "-wal") else { return nil }
    defer { try? log.close() }
    // One call of the system a frame: there can be thousands, and a launch waits for it.
    func bytes(at offset: Int, count: Int) -> [UInt8]? {
      let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
        filled = max(0, pread(log.fileDescriptor, buffer.baseAddress, count, off_t(offset)))
      }
      return bytes.count == count ? bytes : nil
    }
    guard let header = bytes(at: 0, count: headerSize),
      header[0..<4].elementsEqual([0x37, 0x7F, 0x06, 0x82])
        || header[0..<4].elementsEqual([0x37, 0x7F, 0x06, 0x83])
    else { return nil }
    let pageSize = header[8..<12].bigEndianInteger
    guard (512...65_536).contains(pageSize), byteCount <= pageSize else { return nil }
    let salts = header[16..<24]

    var committed: Int?
    var candidate: Int?
    var offset = headerSize
    while let frame = bytes(at: offset, count: frameHeaderSize), frame[8..<16] == salts {
      if frame[0..<4].bigEndianInteger == 1 { candidate = offset + frameHeaderSize }
      // A frame that ends a commit says how large the database is then.
      if frame[4..<8].bigEndianInteger > 0 { committed = candidate ?? committed }
      offset += frameHeaderSize + pageSize
    }
    return committed.flatMap { bytes(at: $0, count: byteCount) }
  }
}

extension ArraySlice<UInt8> {
  /// Up to eight bytes as a number, the most significant first.
  var bigEndianInteger: Int { reduce(0) { $0 << 8 | Int($1) } }
}
