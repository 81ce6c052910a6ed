import Foundation
import ListModel

/// A JSON value as ``DerivedOracle`` reads it: numbers are exact, texts are scalars.
enum OracleValue {
  typealias Text = [Unicode.Scalar]

  case null
  case bool(Bool)
  case integer(Int)
  case double(Double)
  case string(Text)
  /// A string with half of a surrogate pair.
  case brokenString
  case array([OracleValue])
  case object([Text: OracleValue])

  init(parsing text: String) throws {
    var parser = Parser(text: Text(text.unicodeScalars))
    self = try parser.value()
    guard parser.peek() == nil else { throw DerivedOracle.Problem("not JSON") }
  }

  /// Reads a number; `token` is one.
  init(number token: String) {
    let parts = token.lowercased().split(separator: "e")
    let mantissa = parts[0].drop { $0 == "-" }.split(separator: ".")
    let sign = token.hasPrefix("-") ? "-" : ""
    var digits = mantissa.joined().drop { $0 == "0" }
    // An exponent of more digits than this is beyond all doubles.
    let power = parts.count > 1 ? parts[1].filter { $0 != "+" } : "0"
    var exponent = Int(power) ?? (power.hasPrefix("-") ? -1 << 60 : 1 << 60)
    exponent = min(max(exponent, -1 << 60), 1 << 60) - (mantissa.count > 1 ? mantissa[1].count : 0)
    while digits.last == "0" {
      digits.removeLast()
      exponent += 1
    }
    if digits.isEmpty {
      self = .integer(0)
    } else if (0..<19).contains(exponent),
      let integer = Int(sign + digits + String(repeating: "0", count: exponent))
    {
      self = .integer(integer)
    } else if digits.count + exponent > 400 {
      self = .double(sign.isEmpty ? .greatestFiniteMagnitude : -.greatestFiniteMagnitude)
    } else if digits.count + exponent < -400 {
      self = .double(0)
    } else {
      let double = Double("\(sign)\(digits)e\(exponent)") ?? .nan
      let greatest = Double.greatestFiniteMagnitude
      self = .double(min(max(double, -greatest), greatest))
    }
  }
}

// MARK: - Order

extension OracleValue {
  var isScalar: Bool {
    switch self {
    case .array, .object: false
    default: true
    }
  }

  /// Whether it equals a scalar; an array or object equals nothing.
  func equals(_ scalar: OracleValue) -> Bool { isScalar && order(scalar) == 0 }

  /// Whether both are numbers or both are strings.
  func isComparable(to other: OracleValue) -> Bool { rank == other.rank && rank >= 3 }

  /// Less than 0 if it stands before the other value; what is no scalar counts as `null`.
  func order(_ other: OracleValue) -> Int {
    func order<Number: Comparable>(_ lhs: Number, _ rhs: Number) -> Int {
      lhs < rhs ? -1 : lhs > rhs ? 1 : 0
    }
    switch (self, other) {
    case (.integer(let lhs), .integer(let rhs)): return order(lhs, rhs)
    case (.double(let lhs), .double(let rhs)): return order(lhs, rhs)
    case (.integer, .double): return -other.order(self)
    case (.double(let lhs), .integer(let rhs)):
      // Not as `Double(rhs)`, which rounds.
      let floor = lhs.rounded(.down)
      if floor >= 0x1p63 { return 1 }
      if floor < -0x1p63 { return -1 }
      return Int(floor) == rhs ? order(lhs, floor) : order(Int(floor), rhs)
    case (.string(let lhs), .string(let rhs)):
      return lhs == rhs ? 0 : lhs.lexicographicallyPrecedes(rhs) ? -1 : 1
    default: return order(rank, other.rank)
    }
  }

  private var rank: Int {
    switch self {
    case .null, .brokenString, .array, .object: 0
    case .bool(let flag): flag ? 2 : 1
    case .integer, .double: 3
    case .string: 4
    }
  }

  /// A string in lower case, scalar by scalar; another value as it is.
  var lowercased: OracleValue {
    guard case .string(let text) = self else { return self }
    return .string(text.flatMap { Text($0.properties.lowercaseMapping.unicodeScalars) })
  }
}

// MARK: - Text

extension OracleValue {
  /// The id of the value's section.
  var sectionID: SectionID {
    guard case .string(let text) = self else {
      return SectionID(stringLiteral: rank == 0 ? "none" : json)
    }
    if text.isEmpty { return "\"\"" }
    let whole = String(String.UnicodeScalarView(text))
    if whole.utf8.count <= 256, !text.contains("\0") { return SectionID(stringLiteral: whole) }
    var prefix = ""
    for scalar in text where scalar != "\0" {
      guard prefix.utf8.count + String(scalar).utf8.count <= 237 else { break }
      prefix.unicodeScalars.append(scalar)
    }
    let hash = Self.hexadecimalSHA256(of: Array(whole.utf8)).prefix(16)
    return SectionID(stringLiteral: "\(prefix)…\(hash)")
  }

  /// The value as JSON; what is no scalar is `null`.
  var json: String {
    switch self {
    case .null, .brokenString, .array, .object: return "null"
    case .bool(let flag): return flag ? "true" : "false"
    case .integer(let number): return String(number)
    case .double(let number): return Self.text(of: number)
    case .string(let text):
      let escaped = text.map { scalar in
        if scalar == "\"" || scalar == "\\" { return "\\\(scalar)" }
        if scalar.value >= 0x20 { return String(scalar) }
        let digits = String(scalar.value, radix: 16)
        return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      }
      return "\"" + escaped.joined() + "\""
    }
  }

  /// The text of ECMAScript's `Number::toString`, which RFC 8785 uses.
  static func text(of number: Double) -> String {
    if number == 0 { return "0" }
    // Swift's description has the same digits: the fewest that are read back as the number.
    let parts = number.magnitude.description.split(separator: "e")
    let mantissa = parts[0].split(separator: ".")
    let all = mantissa.joined()
    let leading = all.prefix { $0 == "0" }.count
    let digits = all.dropFirst(leading).reversed().drop { $0 == "0" }.reversed().map(String.init)
    // The value is 0.digits × 10^point.
    let point = mantissa[0].count - leading + (parts.count > 1 ? Int(parts[1]) ?? 0 : 0)
    let sign = number < 0 ? "-" : ""
    let zeros = { (count: Int) in String(repeating: "0", count: count) }
    switch point {
    case digits.count...21:
      return sign + digits.joined() + zeros(point - digits.count)
    case 1...21: return sign + digits[..<point].joined() + "." + digits[point...].joined()
    case -5...0: return sign + "0." + zeros(-point) + digits.joined()
    default:
      let fraction = digits.count > 1 ? "." + digits[1...].joined() : ""
      return "\(sign)\(digits[0])\(fraction)e\(point > 0 ? "+" : "-")\(abs(point - 1))"
    }
  }

  /// SHA-256 (FIPS 180-4) as 64 hexadecimal digits.
  static func hexadecimalSHA256(of message: [UInt8]) -> String {
    let primes = (2...311).filter { number in (2..<number).allSatisfy { number % $0 != 0 } }
    // The first 32 bits of the fractions of roots; a double has enough.
    func fraction(_ root: Double) -> UInt32 {
      UInt32((root - root.rounded(.down)) * 0x1p32)
    }
    let constants = primes.map { fraction(cbrt(Double($0))) }
    var state = primes.prefix(8).map { fraction(Double($0).squareRoot()) }
    var bytes = message + [0x80]
    while bytes.count % 64 != 56 { bytes.append(0) }
    bytes += (0..<8).map { UInt8(truncatingIfNeeded: (message.count * 8) >> (56 - 8 * $0)) }
    func turned(_ word: UInt32, _ counts: [UInt32]) -> UInt32 {
      counts.reduce(0) { $0 ^ (word >> $1 | word << (32 - $1)) }
    }
    for start in stride(from: 0, to: bytes.count, by: 64) {
      var words = stride(from: start, to: start + 64, by: 4).map { place in
        bytes[place..<(place + 4)].reduce(0) { $0 << 8 | UInt32($1) }
      }
      for place in 16..<64 {
        let (early, late) = (words[place - 15], words[place - 2])
        words.append(
          words[place - 16] &+ (turned(early, [7, 18]) ^ early >> 3)
            &+ words[place - 7] &+ (turned(late, [17, 19]) ^ late >> 10))
      }
      var row = state
      for place in 0..<64 {
        let choice = row[4] & row[5] ^ ~row[4] & row[6]
        let majority = row[0] & row[1] ^ row[0] & row[2] ^ row[1] & row[2]
        let first =
          row[7] &+ turned(row[4], [6, 11, 25]) &+ choice &+ constants[place] &+ words[place]
        row.insert(first &+ turned(row[0], [2, 13, 22]) &+ majority, at: 0)
        row[4] &+= first
        row.removeLast()
      }
      state = zip(state, row).map { $0 &+ $1 }
    }
    return state.map { word in
      let digits = String(word, radix: 16)
      return String(repeating: "0", count: 8 - digits.count) + digits
    }.joined()
  }
}

// MARK: - Parsing

/// A parser of JSON over scalars.
private struct Parser {
  let text: OracleValue.Text
  private var position = 0

  init(text: OracleValue.Text) { self.text = text }

  private let problem = DerivedOracle.Problem("not JSON")

  /// The next scalar that is no white space; `nil` at the end.
  mutating func peek() -> Unicode.Scalar? {
    while position < text.count, [" ", "\t", "\n", "\r"].contains(text[position]) { position += 1 }
    return position < text.count ? text[position] : nil
  }

  private mutating func next() throws -> Unicode.Scalar {
    guard position < text.count else { throw problem }
    position += 1
    return text[position - 1]
  }

  private mutating func take(_ scalar: Unicode.Scalar) -> Bool {
    guard peek() == scalar else { return false }
    position += 1
    return true
  }

  mutating func value() throws -> OracleValue {
    if take("{") {
      var members: [OracleValue.Text: OracleValue] = [:]
      try elements(until: "}") { parser in
        let name = try parser.value()
        guard parser.take(":") else { throw parser.problem }
        let value = try parser.value()
        switch name {
        case .string(let name): members[name] = value
        // No pointer has such a name.
        case .brokenString: break
        default: throw parser.problem
        }
      }
      return .object(members)
    }
    if take("[") {
      var elements: [OracleValue] = []
      try self.elements(until: "]") { elements.append(try $0.value()) }
      return .array(elements)
    }
    if take("\"") { return try string() }
    var word = ""
    while let scalar = position < text.count ? text[position] : nil,
      scalar.properties.isAlphabetic || "+-.0123456789".unicodeScalars.contains(scalar)
    {
      word.unicodeScalars.append(scalar)
      position += 1
    }
    switch word {
    case "null": return .null
    case "true": return .bool(true)
    case "false": return .bool(false)
    default:
      guard word.contains(where: \.isNumber), Double(word) != nil else { throw problem }
      return OracleValue(number: word)
    }
  }

  private mutating func elements(
    until end: Unicode.Scalar, _ element: (inout Parser) throws -> Void
  ) throws {
    if take(end) { return }
    repeat { try element(&self) } while take(",")
    guard take(end) else { throw problem }
  }

  private mutating func string() throws -> OracleValue {
    var units: [UInt16] = []
    while true {
      let scalar = try next()
      if scalar == "\"" { break }
      guard scalar == "\\" else {
        units += scalar.utf16
        continue
      }
      switch try next() {
      case "b": units.append(0x8)
      case "f": units.append(0xC)
      case "n": units.append(0xA)
      case "r": units.append(0xD)
      case "t": units.append(0x9)
      case "u":
        var digits = ""
        for _ in 0..<4 { digits.unicodeScalars.append(try next()) }
        guard let unit = UInt16(digits, radix: 16) else { throw problem }
        units.append(unit)
      case let other: units += other.utf16
      }
    }
    var text: OracleValue.Text = []
    var decoder = UTF16()
    var iterator = units.makeIterator()
    while true {
      switch decoder.decode(&iterator) {
      case .scalarValue(let scalar): text.append(scalar)
      case .emptyInput: return .string(text)
      case .error: return .brokenString
      }
    }
  }
}
