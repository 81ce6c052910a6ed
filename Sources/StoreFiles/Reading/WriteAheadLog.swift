import Foundation
package import ListModel

/// The contents of the write-ahead log beside a database, read without SQLite but by its rules.
///
/// A frame counts if its salts are those of the log, its checksum and all checksums before it are
/// right, and a commit follows it. The file consists of a head of 32 bytes, the committed frames,
/// the frames that no commit follows, and torn or stale bytes.
///
/// - SeeAlso: [The WAL file format](https://sqlite.org/fileformat2.html#the_write_ahead_log).
package struct WriteAheadLog: Equatable, Sendable {
  /// The size of the file when it was looked at, in bytes.
  package let byteCount: Int
  /// The size of a page in bytes; 0 if the file has no head of a log.
  package private(set) var pageSize = 0
  /// How many frames are committed; each holds a page.
  package private(set) var frameCount = 0
  /// How many commits are in the log, whether they are in the database as well or not.
  package private(set) var commitCount = 0
  /// The size of the database after the last commit, in pages; 0 if there is no commit.
  package private(set) var pageCount = 0
  /// The bytes up to the end of the last commit, the head included; 0 if there is no commit.
  package private(set) var committedByteCount = 0
  /// The bytes of frames that no commit follows: a transaction that is being written, or was given up,
  /// for instance by a process that was killed.
  package private(set) var uncommittedByteCount = 0
  /// The bytes of frames of this log that are broken, as after a power failure.
  package private(set) var tornByteCount = 0
  /// The bytes of frames from before the log was last started anew.
  package private(set) var staleByteCount = 0
  /// The first 100 bytes of the database's first page as of the last commit; `nil` if no commit has
  /// it.
  private(set) var firstPage: [UInt8]?

  static let headSize = 32
  static let frameHeadSize = 24

  /// Reads the log of a database; `nil` if there is none.
  ///
  /// - Parameters:
  ///   - database: The path of the database, without links.
  ///   - name: The file's name in errors.
  /// - Throws: ``/ListModel/StoreError`` if it can't be read, or has a format that SQLite refuses.
  /// - Complexity: O(*n*), *n* bytes up to the first broken frame; one frame or 256 KB is in
  ///   memory.
  package init?(ofDatabase database: String, naming name: String) throws(StoreError) {
    guard let file = try SidecarFile(.log, of: database, naming: name) else { return nil }
    try self.init(file, naming: name)
  }

  /// `commits`: The most commits to read; what follows them does not count.
  init(_ file: SidecarFile, naming name: String, upTo commits: Int = .max) throws(StoreError) {
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
    let end = readFrames(file, head, upTo: commits) { _, _ in }
    committedByteCount =
      frameCount == 0 ? 0 : Self.headSize + frameCount * (Self.frameHeadSize + pageSize)
    readRest(file, head, from: end)
  }

  /// The pages of the log, in the order in which they were written, and where their frames are in
  /// its file; also those that no commit follows.
  ///
  /// - Complexity: As for reading the log, which is read once more.
  func pages(_ file: SidecarFile) -> [(page: Int, offset: Int)] {
    guard let head = Head(file), head.isWhole else { return [] }
    var pages: [(page: Int, offset: Int)] = []
    var copy = self
    _ = copy.readFrames(file, head) { pages.append(($0, $1)) }
    return pages
  }

  /// Where the last committed copy of each page of the log is in its file, by page number.
  ///
  /// - Complexity: As for reading the log, which is read once more.
  func pageOffsets(_ file: SidecarFile) -> [Int: Int] {
    var offsets: [Int: Int] = [:]
    for (page, offset) in pages(file) where offset < committedByteCount {
      offsets[page] = offset + Self.frameHeadSize
    }
    return offsets
  }

  /// Reads the frames up to the first broken one.
  ///
  /// - Parameters:
  ///   - file: The log.
  ///   - head: Its head.
  ///   - commits: The most commits to read.
  ///   - visit: Gets the page and the offset of each frame, committed or not.
  /// - Returns: The offset at which they end.
  private mutating func readFrames(
    _ file: SidecarFile, _ head: Head, upTo commits: Int = .max,
    _ visit: (_ page: Int, _ offset: Int) -> Void
  ) -> Int {
    let frameSize = Self.frameHeadSize + pageSize
    var sums = head.sums
    var candidate: [UInt8]?
    var found = 0
    var offset = Self.headSize
    let buffer = UnsafeMutableRawBufferPointer.allocate(
      byteCount: frameSize * max(1, 262_144 / frameSize), alignment: 8)
    defer { buffer.deallocate() }
    // Not the frames that are appended meanwhile: a writer may be faster than this loop.
    read: while offset < byteCount {
      let wanted = UnsafeMutableRawBufferPointer(
        rebasing: buffer[..<min(buffer.count, byteCount - offset)])
      let filled = file.read(into: wanted, at: offset)
      for start in stride(from: 0, through: filled - frameSize, by: frameSize) {
        if commitCount >= commits { break read }
        let frame = UnsafeRawBufferPointer(rebasing: buffer[start..<(start + frameSize)])
        let page = frame[0..<4].bigEndianInteger
        guard frame[8..<16].elementsEqual(head.salts), page != 0 else { break read }
        sums.add(UnsafeRawBufferPointer(rebasing: frame[..<8]))
        sums.add(UnsafeRawBufferPointer(rebasing: frame[Self.frameHeadSize...]))
        guard sums.equal(frame[16..<24]) else { break read }
        found += 1
        visit(page, offset + start)
        if page == 1 {
          candidate = Array(frame[Self.frameHeadSize...].prefix(DatabaseHeader.byteCount))
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

  /// Distinguishes torn frames from stale ones, by the heads of the frames.
  private mutating func readRest(_ file: SidecarFile, _ head: Head, from end: Int) {
    let frameSize = Self.frameHeadSize + pageSize
    for offset in stride(from: end, to: byteCount, by: frameSize) {
      let count = min(frameSize, byteCount - offset)
      if isStale(file, head, at: offset) {
        staleByteCount += count
      } else if offset == end, isBegun(file, head, at: offset) {
        uncommittedByteCount += count
      } else {
        tornByteCount += count
      }
    }
  }

  private func isStale(_ file: SidecarFile, _ head: Head, at offset: Int) -> Bool {
    guard let salts = file.bytes(at: offset + 8, count: 8) else { return false }
    return salts != head.salts
  }

  /// Whether a broken frame is what a process leaves that is killed while it writes.
  ///
  /// SQLite writes the head of a frame, and then its page. Where the file was longer before, an old page
  /// is there; that can't be told from a page that a power failure has torn, unless the frame ends no
  /// commit.
  private func isBegun(_ file: SidecarFile, _ head: Head, at offset: Int) -> Bool {
    let next = offset + Self.frameHeadSize + pageSize
    if byteCount < next { return byteCount == offset + Self.frameHeadSize }
    guard let pages = file.bytes(at: offset + 4, count: 4), pages.allSatisfy({ $0 == 0 }) else {
      return false
    }
    return next == byteCount || isStale(file, head, at: next)
  }

  /// Whether the log may have another first page than the database.
  ///
  /// Only the heads of frames are read, and no checksums. If all copies of the first page agree, it
  /// does not matter which of them counts. That spares a launch the checksums of the whole log.
  ///
  /// - Complexity: O(*f*), *f* frames; the head of each is read.
  static func mayDiffer(_ file: SidecarFile, from firstPage: [UInt8]) -> Bool {
    guard let head = Head(file), head.isPlausible else { return false }
    guard head.format == Head.knownFormat, firstPage.count == DatabaseHeader.byteCount else {
      return true
    }
    var offset = headSize
    // Not the frames that are appended meanwhile: a writer may be faster than this loop.
    let end = file.size
    while offset < end, let frame = file.bytes(at: offset, count: frameHeadSize),
      frame[8..<16].elementsEqual(head.salts)
    {
      let page = frame[0..<4].bigEndianInteger
      if page == 0 { break }
      if page == 1 {
        guard let copy = file.bytes(at: offset + frameHeadSize, count: DatabaseHeader.byteCount),
          DatabaseHeader.isEqual(copy, firstPage)
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

    /// `nil` if the file is shorter.
    init?(_ file: SidecarFile) {
      guard let bytes = file.bytes(at: 0, count: headSize) else { return nil }
      self.bytes = bytes
    }

    var format: Int { bytes[4..<8].bigEndianInteger }
    var pageSize: Int { bytes[8..<12].bigEndianInteger }
    /// The salts of this log since it was last started anew.
    var salts: [UInt8] { Array(bytes[16..<24]) }

    /// The checksums from which the first frame's are continued.
    var sums: Checksum {
      var sums = Checksum(isBigEndian: bytes[3] & 1 == 1)
      bytes[..<24].withUnsafeBytes { sums.add($0) }
      return sums
    }

    /// Whether the bytes can be the head of a log.
    var isPlausible: Bool {
      bytes[0..<4].bigEndianInteger & ~1 == 0x377F_0682
        && (512...65_536).contains(pageSize) && pageSize & (pageSize - 1) == 0
    }

    /// Whether the bytes are the head of a log.
    var isWhole: Bool { isPlausible && bytes.withUnsafeBytes { sums.equal($0[24..<32]) } }
  }

  /// The two running checksums over everything in a log.
  struct Checksum {
    let isBigEndian: Bool
    private var first: UInt32 = 0
    private var second: UInt32 = 0

    init(isBigEndian: Bool) { self.isBigEndian = isBigEndian }

    /// Continues over a multiple of eight bytes.
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
