// Neighbours as a log stores them. Most follow from the ones before or the entry before: an insertion behind
// the item that was just inserted takes one byte instead of 24.

/// What the bytes of packed neighbours refer to.
private struct NeighboursContext {
  var around = Neighbours(parent: Neighbours.none, previous: Neighbours.none, next: Neighbours.none)
  /// The hash of the section or item of the entry before.
  var member = Neighbours.none

  // A byte of flags, then the hashes that follow, eight bytes each, the highest first. A part
  // without a flag is as in the neighbours before.
  static let parentFollows: UInt8 = 1
  static let previousFollows: UInt8 = 2
  static let previousIsMember: UInt8 = 4
  static let nextFollows: UInt8 = 8
  static let nextIsMember: UInt8 = 16

  func flags(of new: Neighbours) -> UInt8 {
    var flags: UInt8 = 0
    if new.parent != around.parent { flags |= Self.parentFollows }
    if new.previous != around.previous {
      flags |= new.previous == member ? Self.previousIsMember : Self.previousFollows
    }
    if new.next != around.next {
      flags |= new.next == member ? Self.nextIsMember : Self.nextFollows
    }
    return flags
  }
}

/// Packs the neighbours of consecutive log entries.
package struct NeighboursWriter {
  /// The bytes so far.
  package private(set) var bytes: [UInt8] = []
  private var context = NeighboursContext()

  package init() {}

  /// Begins anew, for instance with another row of the log.
  package mutating func removeAll() {
    bytes.removeAll(keepingCapacity: true)
    context = NeighboursContext()
  }

  /// Appends the neighbours of an entry, at most 50 bytes.
  ///
  /// `member`: The hash of the section or item that the entry names.
  package mutating func append(_ neighbours: some Collection<Neighbours>, member: UInt64) {
    for around in neighbours {
      let flags = context.flags(of: around)
      bytes.append(flags)
      if flags & NeighboursContext.parentFollows != 0 { append(around.parent) }
      if flags & NeighboursContext.previousFollows != 0 { append(around.previous) }
      if flags & NeighboursContext.nextFollows != 0 { append(around.next) }
      context.around = around
    }
    context.member = member
  }

  private mutating func append(_ hash: UInt64) {
    withUnsafeBytes(of: hash.bigEndian) { bytes.append(contentsOf: $0) }
  }
}

/// Reads packed neighbours.
package struct NeighboursReader {
  private let bytes: [UInt8]
  private var offset = 0
  private var context = NeighboursContext()

  package init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// Whether all bytes were read.
  package var isAtEnd: Bool { offset == bytes.count }

  /// Reads the neighbours of the next entry.
  ///
  /// `count`: How many it has: see ``LogEntry/placeCount``.
  /// `member`: The hash of the section or item that the entry names.
  /// Returns: `nil` if the bytes end too early.
  package mutating func next(_ count: Int, member: UInt64) -> [Neighbours]? {
    var neighbours: [Neighbours] = []
    for _ in 0..<count {
      guard offset < bytes.count else { return nil }
      let flags = bytes[offset]
      offset += 1
      var around = context.around
      if flags & NeighboursContext.parentFollows != 0 {
        guard let hash = hash() else { return nil }
        around.parent = hash
      }
      if flags & NeighboursContext.previousIsMember != 0 { around.previous = context.member }
      if flags & NeighboursContext.previousFollows != 0 {
        guard let hash = hash() else { return nil }
        around.previous = hash
      }
      if flags & NeighboursContext.nextIsMember != 0 { around.next = context.member }
      if flags & NeighboursContext.nextFollows != 0 {
        guard let hash = hash() else { return nil }
        around.next = hash
      }
      context.around = around
      neighbours.append(around)
    }
    context.member = member
    return neighbours
  }

  private mutating func hash() -> UInt64? {
    guard bytes.count - offset >= 8 else { return nil }
    defer { offset += 8 }
    return bytes[offset..<(offset + 8)].reduce(0) { $0 << 8 | UInt64($1) }
  }
}
