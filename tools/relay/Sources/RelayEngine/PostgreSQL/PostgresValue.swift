/// A parameter of a statement, in PostgreSQL's binary format.
enum PostgresValue: Sendable {
  case integer(Int)
  case text(String)
  case bytes([UInt8])
  case integers([Int])
  case texts([String?])
  case byteArrays([[UInt8]])
  /// Texts that are bytes of UTF-8 already.
  case utf8([[UInt8]])
  case null

  /// The type's object id, fixed in PostgreSQL.
  var type: UInt32 {
    switch self {
    case .integer: 20
    case .text, .null: 25
    case .bytes: 17
    case .integers: 1016
    case .texts, .utf8: 1009
    case .byteArrays: 1001
    }
  }

  /// The bytes that are sent; `nil` for null.
  var bytes: [UInt8]? {
    switch self {
    case .integer(let integer): Self.bigEndian(Int64(integer))
    case .text(let text): Array(text.utf8)
    case .bytes(let bytes): bytes
    case .integers(let integers):
      Self.array(of: 20, integers.map { Self.bigEndian(Int64($0)) })
    case .texts(let texts): Self.array(of: 25, texts.map { $0.map { Array($0.utf8) } })
    case .byteArrays(let arrays): Self.array(of: 17, arrays)
    case .utf8(let texts): Self.array(of: 25, texts)
    case .null: nil
    }
  }

  private static func bigEndian(_ value: some FixedWidthInteger) -> [UInt8] {
    withUnsafeBytes(of: value.bigEndian) { Array($0) }
  }

  private static func array(of type: Int32, _ elements: [[UInt8]?]) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(20 + elements.reduce(0) { $0 + 4 + ($1?.count ?? 0) })
    // Dimensions, whether there are nulls, the type, the length, the first index.
    bytes += bigEndian(Int32(elements.isEmpty ? 0 : 1)) + bigEndian(Int32(1)) + bigEndian(type)
    if elements.isEmpty { return bytes }
    bytes += bigEndian(Int32(elements.count)) + bigEndian(Int32(1))
    for element in elements {
      bytes += bigEndian(Int32(element?.count ?? -1))
      if let element { bytes += element }
    }
    return bytes
  }
}

/// A row of an answer, in PostgreSQL's binary format.
struct PostgresRow: Sendable {
  let columns: [[UInt8]?]

  /// A column that is `bigint`.
  func integer(_ index: Int) throws(EngineError) -> Int {
    guard let bytes = columns[index], bytes.count == 8 else {
      throw EngineError(.failed, "PostgreSQL has answered with another type than bigint")
    }
    return Int(bytes.reduce(Int64(0)) { $0 << 8 | Int64($1) })
  }

  func bytes(_ index: Int) -> [UInt8] { columns[index] ?? [] }

  /// A column that is `text`; `nil` for null.
  func text(_ index: Int) -> String? { columns[index].map { String(decoding: $0, as: UTF8.self) } }

  /// A column that is `boolean`.
  func isTrue(_ index: Int) -> Bool { columns[index] == [1] }
}
