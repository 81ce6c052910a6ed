/// The rows that a query gave.
///
/// Its JSON is an output format: names and meanings stay.
public struct QueryResult: Codable, Hashable, Sendable {
  /// The version of the format: 1.
  public var formatVersion = 1
  /// The path of the file, as it was given.
  public var file: String
  /// The names of the columns, in their order; two can have the same.
  public var columns: [String]
  /// The rows; each has a value for each column.
  public var rows: [[Value]] = []
  /// Whether there are more rows than were asked for.
  public var isCut = false

  /// A value of SQLite's.
  ///
  /// In JSON, a blob is an object with the member `hex`. A number that is not finite is a string, as
  /// JSON has no such numbers.
  public enum Value: Hashable, Sendable {
    /// NULL.
    case null
    /// An integer.
    case integer(Int)
    /// A number.
    case real(Double)
    /// A text; bytes that are no UTF-8 are replaced.
    case text(String)
    /// Bytes.
    case blob([UInt8])
  }
}

extension QueryResult.Value: Codable {
  private enum CodingKeys: String, CodingKey { case hex }

  /// Reads JSON that ``encode(to:)`` wrote; a number without a fraction is an integer.
  public init(from decoder: any Decoder) throws {
    if let object = try? decoder.container(keyedBy: CodingKeys.self) {
      let digits = Array(try object.decode(String.self, forKey: .hex).utf8)
      self = .blob(
        stride(from: 0, to: digits.count - 1, by: 2).compactMap {
          UInt8(String(decoding: digits[$0...$0 + 1], as: UTF8.self), radix: 16)
        })
      return
    }
    let value = try decoder.singleValueContainer()
    if value.decodeNil() {
      self = .null
    } else if let number = try? value.decode(Int.self) {
      self = .integer(number)
    } else if let number = try? value.decode(Double.self) {
      self = .real(number)
    } else {
      self = .text(try value.decode(String.self))
    }
  }

  /// Writes JSON.
  public func encode(to encoder: any Encoder) throws {
    if case .blob = self {
      var object = encoder.container(keyedBy: CodingKeys.self)
      return try object.encode(hex, forKey: .hex)
    }
    var value = encoder.singleValueContainer()
    switch self {
    case .null: try value.encodeNil()
    case .integer(let number): try value.encode(number)
    case .real(let number) where number.isFinite: try value.encode(number)
    case .real(let number): try value.encode("\(number)")
    case .text(let text): try value.encode(text)
    case .blob: break
    }
  }

  private var hex: String {
    guard case .blob(let bytes) = self else { return "" }
    let digits = Array("0123456789abcdef".utf8)
    return String(
      decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
  }
}

extension QueryResult.Value: CustomStringConvertible {
  /// The value as text: `NULL`, a number, the text itself, or `x'0a1b'` for bytes.
  public var description: String {
    switch self {
    case .null: "NULL"
    case .integer(let number): "\(number)"
    case .real(let number): "\(number)"
    case .text(let text): text
    case .blob: "x'\(hex)'"
    }
  }
}
