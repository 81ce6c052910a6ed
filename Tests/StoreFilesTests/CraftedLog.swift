import Foundation

/// A write-ahead log that is written byte by byte, as the file format says.
///
/// - SeeAlso: [The WAL file format](https://sqlite.org/fileformat2.html#the_write_ahead_log).
struct CraftedLog {
  private(set) var bytes: [UInt8] = []
  private let isBigEndian: Bool
  private let salts: [UInt8]
  private var sums: (UInt32, UInt32) = (0, 0)

  init(
    pageSize: Int, isBigEndian: Bool = false, formatVersion: Int = 3_007_000,
    salts: [UInt8] = [1, 2, 3, 4, 5, 6, 7, 8]
  ) {
    self.isBigEndian = isBigEndian
    self.salts = salts
    bytes = Self.bytes(isBigEndian ? 0x377F_0683 : 0x377F_0682)
    bytes += Self.bytes(formatVersion) + Self.bytes(pageSize) + Self.bytes(0) + salts
    add(bytes[...])
    bytes += Self.bytes(Int(sums.0)) + Self.bytes(Int(sums.1))
  }

  /// Appends a frame.
  ///
  /// - Parameters:
  ///   - page: The number of the page, from 1.
  ///   - content: The page.
  ///   - pageCount: The size of the database in pages, if the frame ends a commit.
  mutating func append(page: Int, _ content: [UInt8], pageCount: Int = 0) {
    let header = Self.bytes(page) + Self.bytes(pageCount)
    add(header[...])
    add(content[...])
    bytes += header + salts + Self.bytes(Int(sums.0)) + Self.bytes(Int(sums.1)) + content
  }

  private mutating func add(_ words: ArraySlice<UInt8>) {
    var offset = words.startIndex
    func word() -> UInt32 {
      defer { offset += 4 }
      let word = words[offset..<(offset + 4)]
      return (isBigEndian ? Array(word) : word.reversed()).reduce(0) { $0 << 8 | UInt32($1) }
    }
    while offset < words.endIndex {
      sums.0 &+= word() &+ sums.1
      sums.1 &+= word() &+ sums.0
    }
  }

  static func bytes(_ number: Int) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
  }
}
