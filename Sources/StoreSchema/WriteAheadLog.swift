import Foundation
package import ListModel

/// What the write-ahead log beside a database holds, read without SQLite and by SQLite's rules: a frame
/// counts if its salts are the log's, its checksum and all before it hold, and a commit follows it.
///
/// The file is the head of 32 bytes, then the committed frames, the frames that no commit follows, and
/// what is torn or stale.
///
/// - SeeAlso: [The WAL file format](https://sqlite.org/fileformat2.html#the_write_ahead_log).
package struct WriteAheadLog: Equatable, Sendable {
  /// The size of the file when it was looked at, in bytes.
  package let byteCount: Int
  /// In bytes; 0 if the head of the file is not one of a log.
  package private(set) var pageSize = 0
  /// Frames of commits; each holds a page.
  package private(set) var frameCount = 0
  /// Commits that are in the log, be they in the database as well or not.
  package private(set) var commitCount = 0
  /// The size of the database after the last commit, in pages; 0 if there is no commit.
  package private(set) var pageCount = 0
  /// The bytes up to the end of the last commit, the head included; 0 if there is no commit.
  package private(set) var committedByteCount = 0
  /// The bytes of whole frames that no commit follows: being written, or given up.
  package private(set) var uncommittedByteCount = 0
  /// The bytes of frames that belong to this log and do not hold, as after a power failure.
  package private(set) var tornByteCount = 0
  /// The bytes of frames from before the log was last begun again.
  package private(set) var staleByteCount = 0
  /// The first 100 bytes of the database's first page as of the last commit; `nil` if no commit has it.
  private(set) var firstPage: [UInt8]?

  static let headSize = 32
  static let frameHeadSize = 24
  static let databaseHeaderSize = 100

  /// Reads the log of a database; `nil` if there is none.
  ///
  /// - Parameters:
  ///   - database: The path of the database, without links.
  ///   - name: What errors name.
  /// - Throws: ``/ListModel/StoreError`` if it can't be read, or has a format that SQLite refuses.
  /// - Complexity: O(*n*), *n* bytes up to the first that do not hold; in memory one frame or 256 KB.
  package init?(ofDatabase database: String, naming name: String) throws(StoreError) {
    guard let file = try Companion(.log, of: database, naming: name) else { return nil }
    try self.init(file, naming: name)
  }

  init(_ file: Companion, naming name: String) throws(StoreError) {
    byteCount = file.size
    guard let head = Head(file), head.isWhole else {
      tornByteCount = byteCount
      return
    }
    guard head.format == Head.knownFormat else {
      throw StoreError(
        .notReadable,
        "\(file.path) has format \(head.format), which this SQLite does not read; open the store "
          + "with the program that wrote it",
        file: name)
    }
    pageSize = head.pageSize
    let end = readFrames(file, head)
    committedByteCount =
      frameCount == 0 ? 0 : Self.headSize + frameCount * (Self.frameHeadSize + pageSize)
    readRest(file, head, from: end)
  }

  /// Reads the frames that hold.
  ///
  /// - Returns: Where they end.
  private mutating func readFrames(_ file: Companion, _ head: Head) -> Int {
    let frameSize = Self.frameHeadSize + pageSize
    var sums = head.sums
    var candidate: [UInt8]?
    var found = 0
    var offset = Self.headSize
    let buffer = UnsafeMutableRawBufferPointer.allocate(
      byteCount: frameSize * max(1, 262_144 / frameSize), alignment: 8)
    defer { buffer.deallocate() }
    // Not what is appended meanwhile: a writer may be faster than this.
    read: while offset < byteCount {
      let wanted = UnsafeMutableRawBufferPointer(
        rebasing: buffer[..<min(buffer.count, byteCount - offset)])
      let filled = file.read(into: wanted, at: offset)
      for start in stride(from: 0, through: filled - frameSize, by: frameSize) {
        let frame = UnsafeRawBufferPointer(rebasing: buffer[start..<(start + frameSize)])
        let page = frame[0..<4].bigEndianInteger
        guard frame[8..<16].elementsEqual(head.salts), page != 0 else { break read }
        sums.add(UnsafeRawBufferPointer(rebasing: frame[..<8]))
        sums.add(UnsafeRawBufferPointer(rebasing: frame[Self.frameHeadSize...]))
        guard sums.equal(frame[16..<24]) else { break read }
        found += 1
        if page == 1 {
          candidate = Array(frame[Self.frameHeadSize...].prefix(Self.databaseHeaderSize))
        }
        // A frame that ends a commit says how large the database is then.
        let pages = frame[4..<8].bigEndianInteger
        if pages > 0 {
          pageCount = pages
          frameCount = found
          commitCount += 1
          firstPage = candidate ?? firstPage
        }
      }
      offset += filled - filled % frameSize
      if filled < buffer.count { break }
    }
    uncommittedByteCount = (found - frameCount) * frameSize
    return Self.headSize + found * frameSize
  }

  /// Tells what is torn from what is left over; by the heads of the frames, which is all there is.
  private mutating func readRest(_ file: Companion, _ head: Head, from end: Int) {
    let frameSize = Self.frameHeadSize + pageSize
    for offset in stride(from: end, to: byteCount, by: frameSize) {
      let count = min(frameSize, byteCount - offset)
      if let salts = file.bytes(at: offset + 8, count: 8), salts != head.salts {
        staleByteCount += count
      } else {
        tornByteCount += count
      }
    }
  }

  /// Whether the log may say anything else about a database than its own first page.
  ///
  /// Only heads of frames are read, whether they hold or not. Where all copies of the first page agree,
  /// it does not matter which of them counts: that spares a launch the checksums of the whole log.
  ///
  /// - Complexity: O(*f*), *f* frames, of each a head.
  static func mayDiffer(_ file: Companion, from firstPage: [UInt8]) -> Bool {
    guard let head = Head(file), head.isPlausible else { return false }
    guard head.format == Head.knownFormat, firstPage.count == databaseHeaderSize else {
      return true
    }
    var offset = headSize
    // Not what is appended meanwhile: a writer may be faster than this.
    let end = file.size
    while offset < end, let frame = file.bytes(at: offset, count: frameHeadSize),
      frame[8..<16].elementsEqual(head.salts)
    {
      let page = frame[0..<4].bigEndianInteger
      if page == 0 { break }
      if page == 1 {
        guard let copy = file.bytes(at: offset + frameHeadSize, count: databaseHeaderSize),
          StoreHeader.isEqual(copy, firstPage)
        else { return true }
      }
      offset += frameHeadSize + head.pageSize
    }
    return false
  }
}

extension WriteAheadLog {
  /// The first 32 bytes of a log.
  struct Head: Equatable {
    static let knownFormat = 3_007_000
    private let bytes: [UInt8]

    /// `nil` if they are not there.
    init?(_ file: Companion) {
      guard let bytes = file.bytes(at: 0, count: headSize) else { return nil }
      self.bytes = bytes
    }

    var format: Int { bytes[4..<8].bigEndianInteger }
    var pageSize: Int { bytes[8..<12].bigEndianInteger }
    /// Of this log since it was last begun again.
    var salts: [UInt8] { Array(bytes[16..<24]) }

    /// The sums that the first frame goes on from.
    var sums: Checksum {
      var sums = Checksum(isBigEndian: bytes[3] & 1 == 1)
      bytes[..<24].withUnsafeBytes { sums.add($0) }
      return sums
    }

    /// Whether they may be the head of a log at all.
    var isPlausible: Bool {
      bytes[0..<4].bigEndianInteger & ~1 == 0x377F_0682
        && (512...65_536).contains(pageSize) && pageSize & (pageSize - 1) == 0
    }

    /// Whether they are one.
    var isWhole: Bool { isPlausible && bytes.withUnsafeBytes { sums.equal($0[24..<32]) } }
  }

  /// The two running sums over everything in a log.
  struct Checksum {
    let isBigEndian: Bool
    private var first: UInt32 = 0
    private var second: UInt32 = 0

    init(isBigEndian: Bool) { self.isBigEndian = isBigEndian }

    /// Goes on over a multiple of eight bytes.
    mutating func add(_ words: UnsafeRawBufferPointer) {
      guard let start = words.baseAddress else { return }
      var (first, second) = (first, second)
      // One loop for each order of bytes: a launch may wait for this.
      if isBigEndian == (UInt32(bigEndian: 1) == 1) {
        for offset in stride(from: 0, to: words.count & ~7, by: 8) {
          let pair = (start + offset).loadUnaligned(as: UInt64.self).littleEndian
          first &+= UInt32(truncatingIfNeeded: pair) &+ second
          second &+= UInt32(truncatingIfNeeded: pair >> 32) &+ first
        }
      } else {
        for offset in stride(from: 0, to: words.count & ~7, by: 8) {
          let pair = (start + offset).loadUnaligned(as: UInt64.self).bigEndian
          first &+= UInt32(truncatingIfNeeded: pair >> 32) &+ second
          second &+= UInt32(truncatingIfNeeded: pair) &+ first
        }
      }
      (self.first, self.second) = (first, second)
    }

    /// Whether eight bytes are these sums.
    func equal(_ bytes: some Collection<UInt8>) -> Bool {
      bytes.bigEndianInteger == Int(truncatingIfNeeded: UInt64(first) << 32 | UInt64(second))
    }
  }
}
