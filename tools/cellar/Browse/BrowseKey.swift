/// A key that the browser knows.
package enum BrowseKey: Hashable, Sendable {
  case up, down, left, right, pageUp, pageDown, home, end
  case enter, backspace, escape
  /// Control and C, which a raw terminal gives as a byte.
  case interrupt
  case character(Character)
}

/// Makes keys of the bytes of a terminal, which may cut a sequence anywhere.
package struct KeyParser: Sendable {
  private var bytes: [UInt8] = []

  /// A parser that has read nothing.
  package init() {}

  /// Whether it has the beginning of a sequence, or an escape that may be a key or a beginning.
  package var isWaiting: Bool { !bytes.isEmpty }

  /// The most bytes of a sequence; longer ones are no key's.
  private static let mostBytes = 32

  /// Takes bytes.
  ///
  /// - Returns: The keys that are whole.
  package mutating func feed(_ more: some Sequence<UInt8>) -> [BrowseKey] {
    bytes += more
    var keys: [BrowseKey] = []
    var index = 0
    while index < bytes.count, let (key, count) = Self.next(bytes[index...]) {
      if let key { keys.append(key) }
      index += count
    }
    bytes.removeFirst(index)
    return keys
  }

  /// Ends a sequence that did not go on: an escape alone is the key.
  package mutating func flush() -> [BrowseKey] {
    defer { bytes = [] }
    return bytes == [0x1B] ? [.escape] : []
  }

  /// The first key, if any, and how many bytes it takes; `nil` if more bytes are needed.
  private static func next(_ bytes: ArraySlice<UInt8>) -> (key: BrowseKey?, count: Int)? {
    guard let first = bytes.first else { return nil }
    switch first {
    case 0x1B: return sequence(bytes)
    case 0x0A, 0x0D: return (.enter, 1)
    case 0x08, 0x7F: return (.backspace, 1)
    case 0x03: return (.interrupt, 1)
    case 0x02: return (.pageUp, 1)
    case 0x06: return (.pageDown, 1)
    case 0x00...0x1F: return (nil, 1)
    default: return character(bytes)
    }
  }

  /// An escape with what follows it.
  private static func sequence(_ bytes: ArraySlice<UInt8>) -> (key: BrowseKey?, count: Int)? {
    guard let second = bytes.dropFirst().first else { return nil }
    // Both forms of the arrows; an escape before anything else is the key.
    guard second == UInt8(ascii: "[") || second == UInt8(ascii: "O") else { return (.escape, 1) }
    let rest = bytes.dropFirst(2)
    guard let end = rest.firstIndex(where: { !(0x20...0x3F).contains($0) }) else {
      return bytes.count > mostBytes ? (nil, bytes.count) : nil
    }
    let count = end - bytes.startIndex + 1
    return (key(ending: bytes[end], parameters: rest[..<end]), count)
  }

  private static func key(ending end: UInt8, parameters: ArraySlice<UInt8>) -> BrowseKey? {
    switch Character(Unicode.Scalar(end)) {
    case "A": return .up
    case "B": return .down
    case "C": return .right
    case "D": return .left
    case "H": return .home
    case "F": return .end
    case "~": break
    default: return nil
    }
    // Behind a semicolon are Shift and the like.
    let number = parameters.prefix { $0 != UInt8(ascii: ";") }
    return switch String(decoding: number, as: UTF8.self) {
    case "1", "7": .home
    case "4", "8": .end
    case "5": .pageUp
    case "6": .pageDown
    default: nil
    }
  }

  private static func character(_ bytes: ArraySlice<UInt8>) -> (key: BrowseKey?, count: Int)? {
    let length =
      switch bytes[bytes.startIndex] {
      case 0xC2...0xDF: 2
      case 0xE0...0xEF: 3
      case 0xF0...0xF4: 4
      default: 1
      }
    guard bytes.count >= length else { return nil }
    let text = String(decoding: bytes.prefix(length), as: UTF8.self)
    guard text.utf8.elementsEqual(bytes.prefix(length)) else { return (nil, 1) }
    return (text.first.map(BrowseKey.character), length)
  }
}
