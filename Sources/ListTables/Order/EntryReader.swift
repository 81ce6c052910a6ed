import GRDB
import ListModel

/// Reads the entries of a block or of a row of the log: arrays of numbers and one name.
///
/// Foundation's decoder can't serve: it makes a string of each name, while a commit passes names on
/// as bytes, with their escapes. Cellar's own scanner for any JSON would check a whole block first.
///
/// Every length is checked, because a file can hold anything. Inlined, because a commit reads
/// hundreds of entries.
struct EntryReader {
  private let bytes: UnsafeRawBufferPointer
  private var offset = 0
  /// Where the current entry begins.
  private var start = 0
  private let source: Source

  /// The row that is read.
  enum Source {
    case block(Int)
    case change(Int)
  }

  init(_ bytes: UnsafeRawBufferPointer, of source: Source) {
    self.bytes = bytes
    self.source = source
  }

  /// - Returns: The first number of the next entry; `nil` after the last one.
  @inline(__always)
  mutating func nextEntry() throws -> Int? {
    if offset == 0 {
      try expect(UInt8(ascii: "["))
      if take(UInt8(ascii: "]")) { return try end() }
    } else {
      if take(UInt8(ascii: "]")) { return try end() }
      try expect(UInt8(ascii: ","))
    }
    start = offset
    try expect(UInt8(ascii: "["))
    return try digits()
  }

  /// Moves to the end of the entry.
  ///
  /// - Returns: The bytes of the whole entry, which need not be JSON.
  mutating func rest() throws -> [UInt8] {
    var depth = 1
    while depth > 0 {
      guard offset < bytes.count else { throw broken() }
      switch bytes[offset] {
      case UInt8(ascii: "\""): _ = try skipName()
      case UInt8(ascii: "["), UInt8(ascii: "{"):
        depth += 1
        offset += 1
      case UInt8(ascii: "]"), UInt8(ascii: "}"):
        depth -= 1
        offset += 1
      default: offset += 1
      }
    }
    return Array(bytes[start..<offset])
  }

  @inline(__always)
  mutating func endEntry() throws { try expect(UInt8(ascii: "]")) }

  /// A number after a comma.
  @inline(__always)
  mutating func number() throws -> Int {
    try expect(UInt8(ascii: ","))
    return try digits()
  }

  /// A number after a comma; `nil` at the end of the entry.
  @inline(__always)
  mutating func numberIfPresent() throws -> Int? {
    offset < bytes.count && bytes[offset] == UInt8(ascii: ",") ? try number() : nil
  }

  /// An item's state, which ends its entry; what is usual is left out there.
  @inline(__always)
  mutating func state(ofItem id: Int) throws -> StoredState {
    StoredState(
      cell: try number(), contentRevision: try numberIfPresent() ?? 0,
      content: try numberIfPresent() ?? id)
  }

  /// A name as it was read.
  enum Name {
    /// Bytes of the column.
    case plain(Range<Int>)
    case unescaped([UInt8])
  }

  /// A name after a comma.
  mutating func name() throws -> Name {
    try expect(UInt8(ascii: ","))
    let start = offset
    if try skipName() { return .plain((start + 1)..<(offset - 1)) }
    return .unescaped(Array(try unescapedName(from: start).utf8))
  }

  /// The range of a name after a comma, with its quotes.
  @inline(__always)
  mutating func quotedName() throws -> Range<Int> {
    try expect(UInt8(ascii: ","))
    let start = offset
    // Checked here, so that the name can be used later without a check.
    if try !skipName() { _ = try unescapedName(from: start) }
    return start..<offset
  }

  /// Moves past a name.
  ///
  /// - Returns: Whether it has no escapes.
  @inline(__always)
  private mutating func skipName() throws -> Bool {
    try expect(UInt8(ascii: "\""))
    var isPlain = true
    var position = offset
    while position < bytes.count {
      let byte = bytes[position]
      position += 1
      if byte == UInt8(ascii: "\"") {
        offset = position
        return isPlain
      }
      if byte == UInt8(ascii: "\\") {
        isPlain = false
        position += 1
      }
    }
    throw broken()
  }

  /// The bytes of UTF-8 of a name.
  func withBytes<Result>(
    of name: Name, _ body: (UnsafeRawBufferPointer) throws -> Result
  ) rethrows -> Result {
    switch name {
    case .plain(let range): try body(UnsafeRawBufferPointer(rebasing: bytes[range]))
    case .unescaped(let bytes): try bytes.withUnsafeBytes(body)
    }
  }

  /// A name with escapes, which are rare: read by the scanner for all JSON.
  private func unescapedName(from start: Int) throws -> String {
    try JSONNode(parsing: Array(bytes[start..<offset])).string()
  }

  @inline(__always)
  private mutating func digits() throws -> Int {
    var value = 0
    var position = offset
    while position < bytes.count, case let digit = bytes[position] &- UInt8(ascii: "0"), digit < 10
    {
      value = value &* 10 &+ Int(digit)
      position += 1
    }
    // 18 digits are less than the greatest number.
    guard position > offset, position - offset <= 18 else { throw broken() }
    offset = position
    return value
  }

  @inline(__always)
  private mutating func take(_ character: UInt8) -> Bool {
    guard offset < bytes.count, bytes[offset] == character else { return false }
    offset += 1
    return true
  }

  @inline(__always)
  private mutating func expect(_ character: UInt8) throws {
    guard take(character) else { throw broken() }
  }

  private func end() throws -> Int? {
    guard offset == bytes.count else { throw broken() }
    return nil
  }

  private func broken() -> DatabaseError {
    switch source {
    case .block(let id): .corrupt("block \(id) can't be read at byte \(offset) of its members")
    case .change(let id): .corrupt("row \(id) of the log can't be read at byte \(offset)")
    }
  }
}
