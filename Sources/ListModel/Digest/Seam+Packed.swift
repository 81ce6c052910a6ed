// Seams as a log stores them. Most follow from the seam or the entry before: an insertion behind
// the item that was just inserted takes one byte instead of 24.

/// What the bytes of a packed seam refer to.
private struct SeamContext {
  var seam = Seam(parent: Seam.none, previous: Seam.none, next: Seam.none)
  /// The hash of the section or item of the entry before.
  var member = Seam.none

  // A byte of flags, then the hashes that follow, eight bytes each, the highest first. A part
  // without a flag is as in the seam before.
  static let parentFollows: UInt8 = 1
  static let previousFollows: UInt8 = 2
  static let previousIsMember: UInt8 = 4
  static let nextFollows: UInt8 = 8
  static let nextIsMember: UInt8 = 16

  func flags(of new: Seam) -> UInt8 {
    var flags: UInt8 = 0
    if new.parent != seam.parent { flags |= Self.parentFollows }
    if new.previous != seam.previous {
      flags |= new.previous == member ? Self.previousIsMember : Self.previousFollows
    }
    if new.next != seam.next {
      flags |= new.next == member ? Self.nextIsMember : Self.nextFollows
    }
    return flags
  }
}

/// Packs the seams of consecutive log entries.
package struct SeamWriter {
  /// The bytes so far.
  package private(set) var bytes: [UInt8] = []
  private var context = SeamContext()

  package init() {}

  /// Begins anew, for instance with another row of the log.
  package mutating func removeAll() {
    bytes.removeAll(keepingCapacity: true)
    context = SeamContext()
  }

  /// Appends the seams of an entry, at most 50 bytes.
  ///
  /// `member`: The hash of the section or item that the entry names.
  package mutating func append(_ seams: some Collection<Seam>, member: UInt64) {
    for seam in seams {
      let flags = context.flags(of: seam)
      bytes.append(flags)
      if flags & SeamContext.parentFollows != 0 { append(seam.parent) }
      if flags & SeamContext.previousFollows != 0 { append(seam.previous) }
      if flags & SeamContext.nextFollows != 0 { append(seam.next) }
      context.seam = seam
    }
    context.member = member
  }

  private mutating func append(_ hash: UInt64) {
    withUnsafeBytes(of: hash.bigEndian) { bytes.append(contentsOf: $0) }
  }
}

/// Reads packed seams.
package struct SeamReader {
  private let bytes: [UInt8]
  private var offset = 0
  private var context = SeamContext()

  package init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// Whether all bytes were read.
  package var isAtEnd: Bool { offset == bytes.count }

  /// Reads the seams of the next entry.
  ///
  /// `count`: How many it has: see ``LogEntry/seamCount``.
  /// `member`: The hash of the section or item that the entry names.
  /// Returns: `nil` if the bytes end too early.
  package mutating func next(_ count: Int, member: UInt64) -> [Seam]? {
    var seams: [Seam] = []
    for _ in 0..<count {
      guard offset < bytes.count else { return nil }
      let flags = bytes[offset]
      offset += 1
      var seam = context.seam
      if flags & SeamContext.parentFollows != 0 {
        guard let hash = hash() else { return nil }
        seam.parent = hash
      }
      if flags & SeamContext.previousIsMember != 0 { seam.previous = context.member }
      if flags & SeamContext.previousFollows != 0 {
        guard let hash = hash() else { return nil }
        seam.previous = hash
      }
      if flags & SeamContext.nextIsMember != 0 { seam.next = context.member }
      if flags & SeamContext.nextFollows != 0 {
        guard let hash = hash() else { return nil }
        seam.next = hash
      }
      context.seam = seam
      seams.append(seam)
    }
    context.member = member
    return seams
  }

  private mutating func hash() -> UInt64? {
    guard bytes.count - offset >= 8 else { return nil }
    defer { offset += 8 }
    return bytes[offset..<(offset + 8)].reduce(0) { $0 << 8 | UInt64($1) }
  }
}
