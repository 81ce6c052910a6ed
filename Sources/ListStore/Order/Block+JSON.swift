import GRDB
import ListModel

extension Block {
  /// What the column `members` holds.
  var json: [UInt8] {
    var json: [UInt8] = []
    json.reserveCapacity(level == 0 ? members.count * 40 + 2 : children.count * 16 + 2)
    json.append(UInt8(ascii: "["))
    if level == 0 {
      for (index, member) in members.enumerated() {
        if index > 0 { json.append(UInt8(ascii: ",")) }
        json.append(UInt8(ascii: "["))
        json.append(decimal: member.id)
        json.append(UInt8(ascii: ","))
        JSONWriter.append(quoted: member.utf8, to: &json)
        if section != nil {
          json.append(UInt8(ascii: ","))
          json.append(decimal: member.cell)
          json.append(UInt8(ascii: ","))
          json.append(decimal: member.contentRevision)
        }
        json.append(UInt8(ascii: "]"))
      }
    } else {
      for (index, child) in children.enumerated() {
        if index > 0 { json.append(UInt8(ascii: ",")) }
        json.append(UInt8(ascii: "["))
        json.append(decimal: child.block)
        json.append(UInt8(ascii: ","))
        json.append(decimal: child.count)
        json.append(UInt8(ascii: "]"))
      }
    }
    json.append(UInt8(ascii: "]"))
    return json
  }

  /// Reads the column `members`.
  func read(_ json: UnsafeRawBufferPointer) throws {
    var reader = BlockReader(json, block: id)
    if level == 0 {
      members.reserveCapacity(Self.maximumMembers)
      let shared = [UInt8](json)
      while let id = try reader.nextEntry() {
        let name = try reader.name()
        var member =
          switch name {
          case .plain(let range): Member(id: id, utf8: shared[range])
          case .unescaped(let bytes): Member(id: id, utf8: bytes[...])
          }
        if section != nil {
          member.cell = try reader.number()
          member.contentRevision = try reader.number()
        }
        try reader.endEntry()
        members.append(member)
      }
    } else {
      while let block = try reader.nextEntry() {
        children.append(Child(block: block, count: try reader.number()))
        try reader.endEntry()
      }
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

/// Reads the entries of a block: arrays of numbers and one name.
///
/// Every length is checked: a file can hold anything.
struct BlockReader {
  private let bytes: UnsafeRawBufferPointer
  private var offset = 0
  private let block: Int

  init(_ bytes: UnsafeRawBufferPointer, block: Int) {
    self.bytes = bytes
    self.block = block
  }

  /// - Returns: The first number of the next entry; `nil` behind the last one.
  mutating func nextEntry() throws -> Int? {
    if offset == 0 {
      try expect("[")
      if take("]") { return try end() }
    } else {
      if take("]") { return try end() }
      try expect(",")
    }
    try expect("[")
    return try digits()
  }

  mutating func endEntry() throws { try expect("]") }

  /// A number behind a comma.
  mutating func number() throws -> Int {
    try expect(",")
    return try digits()
  }

  /// A name as it was read.
  enum Name {
    /// Bytes of the column.
    case plain(Range<Int>)
    case unescaped([UInt8])
  }

  /// A name behind a comma.
  mutating func name() throws -> Name {
    try expect(",")
    try expect("\"")
    let start = offset
    while offset < bytes.count {
      switch bytes[offset] {
      case UInt8(ascii: "\""):
        offset += 1
        return .plain(start..<(offset - 1))
      case UInt8(ascii: "\\"): return .unescaped(try unescapedName(from: start))
      default: offset += 1
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
  private mutating func unescapedName(from start: Int) throws -> [UInt8] {
    while offset < bytes.count, bytes[offset] != UInt8(ascii: "\"") {
      offset += bytes[offset] == UInt8(ascii: "\\") ? 2 : 1
    }
    guard offset < bytes.count else { throw broken() }
    offset += 1
    return Array(try JSONNode(parsing: Array(bytes[(start - 1)..<offset])).string().utf8)
  }

  private mutating func digits() throws -> Int {
    var value = 0
    let start = offset
    while offset < bytes.count, case let digit = bytes[offset] &- UInt8(ascii: "0"), digit < 10 {
      let (tens, overflows) = value.multipliedReportingOverflow(by: 10)
      guard !overflows, tens <= Int.max - 9 else { throw broken() }
      value = tens + Int(digit)
      offset += 1
    }
    guard offset > start else { throw broken() }
    return value
  }

  private mutating func take(_ character: Unicode.Scalar) -> Bool {
    guard offset < bytes.count, bytes[offset] == UInt8(ascii: character) else { return false }
    offset += 1
    return true
  }

  private mutating func expect(_ character: Unicode.Scalar) throws {
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

extension [UInt8] {
  /// - Parameter number: At least 0.
  fileprivate mutating func append(decimal number: Int) {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 20) { digits in
      var start = 20
      var rest = number.magnitude
      repeat {
        start -= 1
        digits[start] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
        rest /= 10
      } while rest > 0
      append(contentsOf: digits[start...])
    }
  }
}
