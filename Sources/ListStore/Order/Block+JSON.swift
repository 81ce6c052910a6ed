import GRDB
import ListModel

extension Block {
  /// The text of the column `members`.
  var json: [UInt8] {
    if level > 0 {
      return BlockWriter.entries(atMost: children.count * BlockWriter.greatestLength) { writer in
        for child in children {
          writer.beginEntry(child.block)
          writer.append(child.count)
          writer.endEntry()
        }
      }
    }
    let isOfItems = section != nil
    let names = members.reduce(0) { $0 + $1.quotedName.count }
    let length = names + members.count * BlockWriter.greatestLength
    return BlockWriter.entries(atMost: length) { writer in
      for member in members {
        writer.beginEntry(member.id)
        writer.append(quoted: member.quotedName)
        if isOfItems {
          writer.append(member.cell)
          writer.append(member.contentRevision)
        }
        writer.endEntry()
      }
    }
  }

  /// Reads the column `members`.
  func read(_ json: UnsafeRawBufferPointer) throws {
    var reader = BlockReader(json, block: id)
    if level == 0 {
      var members: [Member] = []
      members.reserveCapacity(Self.maximumMembers)
      let isOfItems = section != nil
      let shared = [UInt8](json)
      while let id = try reader.nextEntry() {
        var member = Member(id: id, quotedName: shared[try reader.quotedName()])
        if isOfItems {
          member.cell = try reader.number()
          member.contentRevision = try reader.number()
        }
        try reader.endEntry()
        members.append(member)
      }
      self.members = members
    } else {
      var children: [Child] = []
      children.reserveCapacity(Self.maximumChildren)
      while let block = try reader.nextEntry() {
        children.append(Child(block: block, count: try reader.number()))
        try reader.endEntry()
      }
      guard children.areDistinct else {
        throw DatabaseError.corrupt("block \(id) has a block below it twice")
      }
      self.children = children
    }
    var found = members.count
    for child in children where found <= Self.greatestCount {
      found += min(child.count, Self.greatestCount)
    }
    guard Self.levels.contains(level), found == count, count <= Self.greatestCount else {
      throw DatabaseError.corrupt("block \(id) counts \(count) members and has \(found)")
    }
  }
}

extension [Block.Child] {
  /// Whether no block is among them twice, which could make an order without end.
  ///
  /// If an order grew at its end, the ids ascend, which is quick to check.
  var areDistinct: Bool {
    if indices.dropFirst().allSatisfy({ self[$0 - 1].block < self[$0].block }) { return true }
    return Set(lazy.map(\.block)).count == count
  }
}

/// Writes the entries of a block into memory that is large enough for all.
struct BlockWriter {
  private let buffer: UnsafeMutableBufferPointer<UInt8>
  private var count = 0

  /// The most bytes of an entry without its name: numbers, commas and brackets.
  static let greatestLength = 3 * 20 + 6

  /// The entries that `body` writes, in brackets; they take `length` bytes at most.
  static func entries(
    atMost length: Int, _ body: (inout BlockWriter) -> Void
  ) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: length + 2) { buffer, count in
      var writer = BlockWriter(buffer: buffer)
      writer.append(byte: UInt8(ascii: "["))
      body(&writer)
      writer.append(byte: UInt8(ascii: "]"))
      count = writer.count
    }
  }

  private init(buffer: UnsafeMutableBufferPointer<UInt8>) { self.buffer = buffer }

  /// - Parameter first: The first number, at least 0.
  mutating func beginEntry(_ first: Int) {
    if count > 1 { append(byte: UInt8(ascii: ",")) }
    append(byte: UInt8(ascii: "["))
    append(digitsOf: first.magnitude)
  }

  mutating func endEntry() { append(byte: UInt8(ascii: "]")) }

  /// Appends a comma and a number of at least 0.
  mutating func append(_ number: Int) {
    append(byte: UInt8(ascii: ","))
    append(digitsOf: number.magnitude)
  }

  /// Appends a comma and a name in quotes.
  mutating func append(quoted name: ArraySlice<UInt8>) {
    append(byte: UInt8(ascii: ","))
    name.withUnsafeBufferPointer { name in
      _ = UnsafeMutableBufferPointer(rebasing: buffer[count...]).update(fromContentsOf: name)
      count += name.count
    }
  }

  private mutating func append(byte: UInt8) {
    buffer[count] = byte
    count += 1
  }

  private mutating func append(digitsOf number: UInt) {
    if number < 10 { return append(byte: UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number)) }
    var length = 2
    var bound: UInt = 100
    while length < 20, number >= bound {
      length += 1
      (bound, _) = bound.multipliedReportingOverflow(by: 10)
    }
    var rest = number
    for position in (count..<count + length).reversed() {
      buffer[position] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
      rest /= 10
    }
    count += length
  }
}

/// Reads the entries of a block: arrays of numbers and one name.
///
/// Foundation's decoder can't serve: it makes a string of each name, while a commit passes names on
/// as bytes, with their escapes. Cellar's own scanner for any JSON would check a whole block first.
///
/// Every length is checked, because a file can hold anything. Inlined, because a commit reads
/// hundreds of entries.
struct BlockReader {
  private let bytes: UnsafeRawBufferPointer
  private var offset = 0
  private let block: Int

  init(_ bytes: UnsafeRawBufferPointer, block: Int) {
    self.bytes = bytes
    self.block = block
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
    try expect(UInt8(ascii: "["))
    return try digits()
  }

  @inline(__always)
  mutating func endEntry() throws { try expect(UInt8(ascii: "]")) }

  /// A number after a comma.
  @inline(__always)
  mutating func number() throws -> Int {
    try expect(UInt8(ascii: ","))
    return try digits()
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
    .corrupt("block \(block) can't be read at byte \(offset) of its members")
  }
}
