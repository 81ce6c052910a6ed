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
          // What is usual is left out.
          let isFirstContent = member.content == member.id
          if member.contentRevision != 0 || !isFirstContent {
            writer.append(member.contentRevision)
          }
          if !isFirstContent { writer.append(member.content) }
        }
        writer.endEntry()
      }
    }
  }

  /// Reads the column `members`.
  func read(_ json: UnsafeRawBufferPointer) throws {
    var reader = EntryReader(json, of: .block(id))
    if level == 0 {
      var members: [Member] = []
      members.reserveCapacity(Self.maximumMembers)
      let isOfItems = section != nil
      let shared = [UInt8](json)
      while let id = try reader.nextEntry() {
        var member = Member(id: id, quotedName: shared[try reader.quotedName()])
        if isOfItems { member.set(try reader.state(ofItem: id)) }
        try reader.endEntry()
        members.append(member)
      }
      setMembers(members, byteCount: json.count)
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

extension Block {
  /// The first item in the column `members` of a block of level 0; `nil` if there is none.
  static func firstMember(_ json: UnsafeRawBufferPointer, of block: Int) throws -> Member? {
    var reader = EntryReader(json, of: .block(block))
    guard let id = try reader.nextEntry() else { return nil }
    let name = try reader.quotedName()
    var member = Member(id: id, quotedName: Array(json[name])[...])
    member.set(try reader.state(ofItem: id))
    try reader.endEntry()
    return member
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
  static let greatestLength = 4 * 20 + 7

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
