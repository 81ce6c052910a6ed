extension JSON {
  /// How many levels of arrays and objects a value has; 0 for a value that is neither.
  ///
  /// - Complexity: O(*n*), *n* bytes.
  package var levelCount: Int { Self.levelCount(of: text.utf8) }

  /// How many levels of arrays and objects a text has that is known to be JSON.
  package static func levelCount(of utf8: some Sequence<UInt8>) -> Int {
    var (level, most) = (0, 0)
    var (isInString, isEscaped) = (false, false)
    for byte in utf8 {
      if isEscaped {
        isEscaped = false
        continue
      }
      switch byte {
      case UInt8(ascii: "\\"): isEscaped = isInString
      case UInt8(ascii: "\""): isInString.toggle()
      case UInt8(ascii: "["), UInt8(ascii: "{"):
        if isInString { break }
        level += 1
        most = max(most, level)
      case UInt8(ascii: "]"), UInt8(ascii: "}"): if !isInString { level -= 1 }
      default: break
      }
    }
    return most
  }
}

extension JSONNode {
  /// The value as content of the app, which may nest less deep than what it stands in.
  ///
  /// - Throws: ``FormatError`` if it nests deeper than ``JSON/init(parsing:)`` allows: it could be stored,
  ///   and not be read again.
  package func content() throws(FormatError) -> JSON {
    let value = value()
    if mayNestTooDeep, value.levelCount > Self.maximumDepth {
      throw FormatError("nests deeper than \(Self.maximumDepth) levels", isBeyondLimit: true)
    }
    return value
  }
}
