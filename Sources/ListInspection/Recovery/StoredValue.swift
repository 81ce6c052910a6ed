import StoreFiles
import StoreSchema

/// A value of a record, as the file has it.
enum StoredValue: Equatable {
  case null
  case integer(Int64)
  case real(Double)
  /// Bytes that should be UTF-8.
  case text(ArraySlice<UInt8>)
  case blob(ArraySlice<UInt8>)

  /// The columns of a record; `nil` if its lengths contradict each other.
  ///
  /// - SeeAlso: [The record format](https://sqlite.org/fileformat2.html#record_format).
  static func record(_ bytes: ArraySlice<UInt8>) -> [StoredValue]? {
    var head = VarintReader(bytes)
    guard let headSize = head.next(), headSize >= 1, headSize <= bytes.count else { return nil }
    let end = bytes.startIndex + headSize
    guard head.position <= end else { return nil }
    var values: [StoredValue] = []
    var position = end
    while head.position < end {
      guard let type = head.next(), head.position <= end, values.count < greatestCount,
        let length = length(ofType: type), length <= bytes.endIndex - position
      else { return nil }
      values.append(value(type, bytes[position..<(position + length)]))
      position += length
    }
    // A record takes all of its bytes; one that does not was misread.
    return position == bytes.endIndex ? values : nil
  }

  /// As many columns as SQLite lets a table have.
  private static let greatestCount = 2_000

  private static func length(ofType type: Int) -> Int? {
    switch type {
    case 0, 8, 9: 0
    case 1...4: type
    case 5: 6
    case 6, 7: 8
    case 12...: (type - 12) / 2
    default: nil
    }
  }

  private static func value(_ type: Int, _ bytes: ArraySlice<UInt8>) -> StoredValue {
    switch type {
    case 0: return .null
    case 1...6: return .integer(signed(bytes))
    case 7: return .real(Double(bitPattern: UInt64(bitPattern: Int64(bytes.bigEndianInteger))))
    case 8: return .integer(0)
    case 9: return .integer(1)
    default: return type % 2 == 0 ? .blob(bytes) : .text(bytes)
    }
  }

  private static func signed(_ bytes: ArraySlice<UInt8>) -> Int64 {
    let unused = 64 - 8 * bytes.count
    return (Int64(truncatingIfNeeded: bytes.bigEndianInteger) << unused) >> unused
  }

  /// Whether it is UTF-8 without U+0000, which no text of a list has.
  var isSoundText: Bool { isSoundText(from: 0) }

  /// Whether it is the id of a hidden list, which begins with U+0000.
  var isHiddenListID: Bool {
    guard case .text(let bytes) = self, bytes.first == 0 else { return false }
    return isSoundText(from: 1)
  }

  private func isSoundText(from start: Int) -> Bool {
    guard case .text(let all) = self else { return false }
    let bytes = all.dropFirst(start)
    var isASCII = true
    for byte in bytes {
      if byte == 0 { return false }
      isASCII = isASCII && byte < 0x80
    }
    // Decoding puts another character in the place of what is no UTF-8.
    return isASCII || String(decoding: bytes, as: UTF8.self).utf8.elementsEqual(bytes)
  }

  /// The text; `nil` for another value, and for one that is no sound text.
  var text: String? {
    guard case .text(let bytes) = self, isSoundText else { return nil }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The number; `nil` for another value.
  var integer: Int? {
    guard case .integer(let value) = self else { return nil }
    return Int(exactly: value)
  }
}

/// Reads SQLite's numbers of variable length, one after the other.
struct VarintReader {
  private let bytes: ArraySlice<UInt8>
  private(set) var position: Int

  init(_ bytes: ArraySlice<UInt8>) {
    self.bytes = bytes
    position = bytes.startIndex
  }

  /// The next number as it is stored; `nil` at the end.
  mutating func nextSigned() -> Int64? {
    var value: UInt64 = 0
    for count in 1...9 {
      guard position < bytes.endIndex else { return nil }
      let byte = bytes[position]
      position += 1
      if count == 9 { return Int64(bitPattern: value << 8 | UInt64(byte)) }
      value = value << 7 | UInt64(byte & 0x7F)
      if byte < 0x80 { return Int64(bitPattern: value) }
    }
    return nil
  }

  /// The next number; `nil` at the end, and for one that is no length.
  mutating func next() -> Int? {
    guard let value = nextSigned(), value >= 0, value <= 1 << 40 else { return nil }
    return Int(value)
  }
}
