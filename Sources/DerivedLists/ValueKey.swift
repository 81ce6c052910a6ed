package import ListModel

/// A scalar as bytes whose order is that of the values: `null`, `false`, `true`, numbers, strings.
///
/// Nothing is decoded to compare two of them. A first byte tells the kind; `null` has no bytes.
/// Numbers follow as a double that is rounded down, and, for integers that no double is equal to,
/// what is missing; strings as UTF-8, whose bytes have the order of the scalars.
package struct ValueKey: Hashable, Sendable, Comparable {
  /// The bytes.
  package let bytes: [UInt8]
  /// Whether it is a number that was rounded to a double: such a one is never written as an integer,
  /// though it may be equal to one.
  package let isRounded: Bool

  /// A key from its bytes.
  package init(bytes: [UInt8], isRounded: Bool = false) {
    self.bytes = bytes
    self.isRounded = isRounded
  }

  /// `null`, and what is not there.
  package static let null = ValueKey(bytes: [])

  fileprivate enum Kind: UInt8 {
    case no = 1
    case yes = 2
    case number = 3
    case string = 4
  }

  package init(_ value: Bool) { self.init(bytes: [(value ? Kind.yes : Kind.no).rawValue]) }

  package init(_ text: String) { self.init(bytes: [Kind.string.rawValue] + Array(text.utf8)) }

  package init(_ integer: Int) {
    var floor = Double(integer)
    // 2⁶³ is no `Int`.
    if Int(exactly: floor).map({ $0 > integer }) ?? true { floor = floor.nextDown }
    self.init(bytes: Self.number(floor, rest: integer - Int(floor)))
  }

  package init(_ number: Double) {
    // -0 is equal to 0.
    self.init(bytes: Self.number(number == 0 ? 0 : number), isRounded: true)
  }

  private static func number(_ value: Double, rest: Int = 0) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: 11) { bytes, count in
      put(value, in: UnsafeMutableRawBufferPointer(bytes))
      if rest != 0 { (bytes[9], bytes[10]) = (UInt8(rest >> 8), UInt8(rest & 0xFF)) }
      count = rest == 0 ? 9 : 11
    }
  }

  /// Writes the 9 bytes of the key of a number.
  private static func put(_ value: Double, in bytes: UnsafeMutableRawBufferPointer) {
    let bits = value.bitPattern
    let ordered = value.sign == .minus ? ~bits : bits | 1 << 63
    bytes[0] = Kind.number.rawValue
    bytes.storeBytes(of: ordered.bigEndian, toByteOffset: 1, as: UInt64.self)
  }

  /// Calls a closure with the bytes of the key of a value that a store has.
  static func withKey<Result>(
    of value: StoredJSON, _ body: (UnsafeRawBufferPointer) -> Result
  ) -> Result {
    func write(_ count: Int, _ put: (UnsafeMutableRawBufferPointer) -> Void) -> Result {
      withUnsafeTemporaryAllocation(byteCount: count, alignment: 1) { bytes in
        put(bytes)
        return body(UnsafeRawBufferPointer(rebasing: bytes[..<count]))
      }
    }
    if let text = value.plainText {
      return write(text.count + 1) { bytes in
        bytes[0] = Kind.string.rawValue
        UnsafeMutableRawBufferPointer(rebasing: bytes[1...]).copyBytes(from: text)
      }
    }
    // A double is equal to it.
    if value.kind == .number, let integer = value.plainInteger {
      return write(9) { put(Double(integer), in: $0) }
    }
    if value.kind == .bool {
      return write(1) { $0[0] = (value.isTrue ? Kind.yes : Kind.no).rawValue }
    }
    return (value.node.map(ValueKey.init) ?? .null).bytes.withUnsafeBytes(body)
  }

  /// The scalar that a store has, as that of a node.
  init(_ value: StoredJSON) {
    if value.plainText != nil || value.kind == .number && value.plainInteger != nil {
      self.init(bytes: Self.withKey(of: value) { Array($0) })
    } else {
      self = value.node.map(ValueKey.init) ?? .null
    }
  }

  /// The scalar at a node; `null` for an array, an object, and a string that is no Unicode.
  package init(_ node: JSONNode) {
    switch node.kind {
    case .null, .array, .object: self = .null
    case .bool: self.init(node.value().text == "true")
    case .string: self = (try? node.string()).map(ValueKey.init) ?? .null
    case .number:
      guard let text = try? node.numberText() else {
        self = .null
        return
      }
      if let integer = DecimalNumber(text)?.integer {
        self.init(integer)
      } else {
        let number = Double(text) ?? 0
        self.init(
          min(max(number, -.greatestFiniteMagnitude), .greatestFiniteMagnitude))
      }
    }
  }

  package static func == (lhs: ValueKey, rhs: ValueKey) -> Bool { lhs.bytes == rhs.bytes }
  package func hash(into hasher: inout Hasher) {
    // At once: an array hashes its bytes one by one.
    bytes.withUnsafeBytes { hasher.combine(bytes: $0) }
  }
  package static func < (lhs: ValueKey, rhs: ValueKey) -> Bool {
    lhs.bytes.withUnsafeBytes { lhs in rhs.bytes.withUnsafeBytes { lhs.compare(to: $0) < 0 } }
  }

  private var kind: Kind? { bytes.first.flatMap(Kind.init) }

  /// Whether both are numbers, or both strings: what has an order for conditions.
  func isComparable(toKindOf key: UnsafeRawBufferPointer) -> Bool {
    bytes.first == key.first && (kind == .number || kind == .string)
  }

  /// The UTF-8 of a string, by the bytes of its key; `nil` for another value.
  static func text(ofKey key: UnsafeRawBufferPointer) -> Slice<UnsafeRawBufferPointer>? {
    key.first == Kind.string.rawValue ? key.dropFirst() : nil
  }

  /// The UTF-8 of a string; `nil` for another value.
  package var utf8: ArraySlice<UInt8>? { kind == .string ? bytes.dropFirst() : nil }

  /// A string; `nil` for another value.
  package var string: String? { utf8.map { String(decoding: $0, as: UTF8.self) } }

  /// A string, or a number as it is written in the id of a section; `nil` for another value.
  package var text: String? { kind == .number ? numberText : string }

  /// The value as JSON.
  package var json: String {
    switch kind {
    case .no: "false"
    case .yes: "true"
    case .number: numberText
    case .string: JSONWriter.quoted(string ?? "")
    case nil: "null"
    }
  }

  /// A number as text: an integer by its digits, another one as RFC 8785 writes it.
  fileprivate var numberText: String {
    let ordered = bytes.dropFirst().prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
    let number = Double(bitPattern: ordered >> 63 == 1 ? ordered & ~(1 << 63) : ~ordered)
    guard !isRounded, let floor = Int(exactly: number) else { return number.shortestText }
    return String(floor + bytes.dropFirst(9).reduce(0) { $0 << 8 | Int($1) })
  }
}

extension UnsafeRawBufferPointer {
  /// Less than 0 if these bytes come before others, 0 if they are the same.
  package func compare(to other: UnsafeRawBufferPointer) -> Int {
    let count = Swift.min(self.count, other.count)
    for index in 0..<count where self[index] != other[index] {
      return Int(self[index]) - Int(other[index])
    }
    return self.count - other.count
  }
}

// MARK: Sections

extension ValueKey {
  /// The id of the section of a value.
  ///
  /// `hash`: The SHA-256 of bytes, in hexadecimal.
  package func sectionID(hash: ([UInt8]) -> String) -> SectionID {
    let name =
      switch kind {
      case .no: "false"
      case .yes: "true"
      case .number: numberText
      case nil: "none"
      case .string: Self.sectionName(string ?? "", hash)
      }
    // Short, and without U+0000.
    return (try? SectionID(name)) ?? DerivedDefinition.onlySection
  }

  private static func sectionName(_ text: String, _ hash: ([UInt8]) -> String) -> String {
    if text.isEmpty { return "\"\"" }
    let bytes = Array(text.utf8)
    if bytes.count <= SectionID.maximumByteCount, !bytes.contains(0) { return text }
    var prefix = String.UnicodeScalarView()
    var count = 0
    for scalar in text.unicodeScalars where scalar != "\0" {
      count += UTF8.width(scalar)
      if count > 237 { break }
      prefix.append(scalar)
    }
    return String(prefix) + "…" + hash(bytes).prefix(16)
  }
}

extension Double {
  /// The number as RFC 8785 and ECMAScript write it.
  fileprivate var shortestText: String {
    if self == 0 { return "0" }
    // Swift writes the same digits, the fewest that no other number has.
    var text = Substring(description)
    let sign = text.first == "-" ? "-" : ""
    text = text.drop { $0 == "-" }
    let parts = text.split(separator: "e")
    let digitsAndPoint = parts[0].split(separator: ".", omittingEmptySubsequences: false)
    let fraction = digitsAndPoint.count > 1 && digitsAndPoint[1] != "0" ? digitsAndPoint[1] : ""
    var digits = digitsAndPoint[0] + fraction
    // The value is 0.digits × 10 to this power.
    var power = digitsAndPoint[0].count + (parts.count > 1 ? Int(parts[1]) ?? 0 : 0)
    let leading = digits.prefix { $0 == "0" }.count
    digits = digits.dropFirst(leading)
    power -= leading
    while digits.last == "0" { digits.removeLast() }
    let count = digits.count
    func zeros(_ count: Int) -> String { String(repeating: "0", count: count) }
    let magnitude: String
    switch power {
    case count...21 where power >= count: magnitude = digits + zeros(power - count)
    case 1...21: magnitude = digits.prefix(power) + "." + digits.dropFirst(power)
    case -5...0: magnitude = "0." + zeros(-power) + digits
    default:
      let rest = digits.dropFirst()
      let exponent = power - 1
      magnitude =
        digits.prefix(1) + (rest.isEmpty ? "" : "." + rest) + "e" + (exponent < 0 ? "-" : "+")
        + String(abs(exponent))
    }
    return sign + magnitude
  }
}
