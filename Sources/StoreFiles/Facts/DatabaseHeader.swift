/// The first 100 bytes of an SQLite database.
///
/// - SeeAlso: [The database header](https://sqlite.org/fileformat2.html#the_database_header).
package struct DatabaseHeader: Sendable {
  /// How many bytes it has.
  package static let byteCount = 100

  private let bytes: [UInt8]

  /// The header; `nil` if the bytes are fewer or other ones.
  package init?(_ bytes: [UInt8]) {
    guard bytes.count == Self.byteCount, Self.isBeginning(bytes) else { return nil }
    self.bytes = bytes
  }

  /// Whether bytes begin as every SQLite database does.
  package static func isBeginning(_ bytes: [UInt8]) -> Bool {
    bytes.starts(with: "SQLite format 3\0".utf8)
  }

  /// What is wrong with the first bytes of a database that are no header.
  package static func fault(of bytes: [UInt8]) -> String {
    if bytes.count < byteCount { return "only \(bytes.count) bytes of it are there" }
    return bytes.allSatisfy { $0 == 0 }
      ? "its first \(bytes.count) bytes are zero" : "its first bytes are not those of a database"
  }

  /// The page size in the first bytes of a database; 0 if they are too few.
  static func pageSize(_ bytes: [UInt8]) -> Int {
    let stored = bytes.count < 18 ? 0 : bytes[16..<18].bigEndianInteger
    return stored == 1 ? 65_536 : stored
  }

  /// Whether two copies agree in what tells stores and their versions apart.
  static func isEqual(_ copy: [UInt8], _ other: [UInt8]) -> Bool {
    [0..<18, 60..<64, 68..<72].allSatisfy { copy[$0] == other[$0] }
  }

  private func integer(at offset: Int) -> Int { bytes[offset..<(offset + 4)].bigEndianInteger }

  /// The size of a page, in bytes; any number if the header is damaged.
  package var pageSize: Int { Self.pageSize(bytes) }
  /// The bytes at the end of each page that SQLite does not use.
  package var reservedByteCount: Int { Int(bytes[20]) }
  /// The number of pages; writers of before SQLite 3.7 leave it as it is.
  package var pageCount: Int { integer(at: 28) }
  /// Whether the last writer kept ``pageCount`` up to date.
  package var hasPageCount: Bool { integer(at: 24) == integer(at: 92) }
  /// The first page of the list of free pages; 0 for none.
  package var firstFreePage: Int { integer(at: 32) }
  /// `PRAGMA user_version`.
  package var schemaVersion: Int { integer(at: 60) }
  /// `PRAGMA application_id`.
  package var applicationID: Int { integer(at: 68) }
  /// Whether commits go to a write-ahead log.
  package var keepsLog: Bool { bytes[18] == 2 || bytes[19] == 2 }
  /// The version of SQLite that wrote last, such as 3040001 for 3.40.1.
  package var sqliteVersion: Int { integer(at: 96) }
}

extension Collection<UInt8> {
  /// Up to eight bytes as a number, with the most significant byte first.
  package var bigEndianInteger: Int { reduce(0) { $0 << 8 | Int($1) } }
}
