import ListModel
import TestSupport
import Testing

@Suite struct JSONEquivalenceTests {
  private static let equal: [(lhs: String, rhs: String)] = [
    ("1", "1.0"), ("1", "1e0"), ("1", "10e-1"), ("1", "0.1e1"), ("1.50", "15E-1"), ("100", "1e2"),
    ("1e+2", "100.00"),
    ("0", "-0"), ("0", "0.0"), ("-0.000", "0e5"), ("0", "0e99999999999999999999"),
    ("9223372036854775807", "9223372036854775807.0"), ("1e400", "10e399"), ("1e400", "1E+400"),
    ("1e9223372036854775807", "1.0e9223372036854775807"),
    ("10e9223372036854775806", "1e9223372036854775807"),
    ("\"\\u00e9\"", "\"\u{E9}\""), ("\"\\u0041\"", "\"A\""), ("\"\\/\"", "\"/\""),
    ("\"\\ud834\\udd1e\"", "\"\u{1D11E}\""),
    ("\"\\n\"", "\"\\u000A\""), ("[1,2]", "[ 1.0 , 2e0 ]"),
    ("{\"a\":1,\"b\":2}", "{\"b\":2,\"a\":1}"),
    ("{\"\\u0061\":1}", "{\"a\":1}"),
    ("{\"x\":[{\"a\":1,\"b\":[0]}]}", "{\"x\":[{\"b\":[-0.0],\"a\":10e-1}]}"), ("{}", "{ }"),
    ("\"\\ud800\"", "\"\\ud800\""),
    ("{\"\\ud800\":1,\"b\":2}", "{\"b\":2.0,\"\\ud800\":1e0}"),
    ("{\"a\":{\"\\udc00\":[]},\"b\":2}", "{\"b\":2,\"a\":{\"\\udc00\":[]}}"),
  ]

  @Test(arguments: equal)
  func sameMeaning(lhs: String, rhs: String) throws {
    #expect(try JSON(parsing: lhs).isEquivalent(to: JSON(parsing: rhs)))
    #expect(try JSON(parsing: rhs).isEquivalent(to: JSON(parsing: lhs)))
  }

  private static let different: [(lhs: String, rhs: String)] = [
    ("1", "2"), ("1", "-1"), ("1", "10"), ("1", "0.1"), ("1", "\"1\""), ("0", "false"),
    ("1", "true"), ("0", "null"),
    ("true", "false"), ("null", "{}"), ("[]", "{}"), ("\"\"", "null"), ("1.01", "1.001"),
    ("12", "21"),
    ("9223372036854775807", "9223372036854775806"),
    ("18446744073709551615", "18446744073709551614"),
    ("123456789012345678901234567890", "123456789012345678901234567891"),
    ("0.1000000000000000055511151231257827", "0.1"), ("9007199254740993", "9007199254740992.0"),
    ("1e400", "1e401"), ("1e400", "2e400"), ("1e400", "-1e400"), ("1e-400", "0"),
    ("1e99999999999999999999", "2e99999999999999999999"),
    ("1e99999999999999999999", "1e-99999999999999999999"),
    ("10e9223372036854775807", "1"), ("1e-9223372036854775808", "0.1e-9223372036854775808"),
    ("\"\u{E9}\"", "\"e\u{301}\""), ("\"\\u00e9\"", "\"e\\u0301\""), ("\"a\"", "\"A\""),
    ("\"a\"", "\"a \""),
    ("[1,2]", "[2,1]"), ("[1]", "[1,1]"), ("[1]", "[[1]]"), ("{\"a\":1}", "{\"a\":2}"),
    ("{\"a\":1}", "{\"b\":1}"),
    ("{\"a\":1}", "{\"a\":1,\"b\":1}"), ("{\"a\":null}", "{}"),
    ("{\"\u{E9}\":1}", "{\"e\u{301}\":1}"), ("{\"a\":{\"b\":[1]}}", "{\"a\":{\"b\":[2]}}"),
    ("{\"\\ud800\":1}", "{\"\\udc00\":1}"), ("{\"\\ud800\":1}", "{\"\\\"\\\\ud800\\\"\":1}"),
    ("{\"a\":1,\"a\":2}", "{\"a\":2}"), ("{\"a\":1,\"a\":2}", "{\"a\":1}"),
  ]

  @Test(arguments: different)
  func otherMeaning(lhs: String, rhs: String) throws {
    #expect(try !JSON(parsing: lhs).isEquivalent(to: JSON(parsing: rhs)))
    #expect(try !JSON(parsing: rhs).isEquivalent(to: JSON(parsing: lhs)))
  }

  @Test func randomValuesMeanTheSameHoweverTheyAreWritten() {
    forEachSeed(0..<3_000) { generator in
      let value = SampleValue.random(depth: 4, using: &generator)
      let lhs = try JSON(parsing: value.written(using: &generator))
      let rhs = try JSON(parsing: value.written(using: &generator))
      if !lhs.isEquivalent(to: rhs) { throw RandomFailure("\(lhs) is not \(rhs)") }
      let changed = value.withOneLeafChanged(using: &generator)
      let other = try JSON(parsing: changed.written(using: &generator))
      if lhs.isEquivalent(to: other) { throw RandomFailure("\(lhs) is \(other)") }
    }
  }
}

/// A JSON value that can be written in many ways.
private indirect enum SampleValue {
  case word(String)
  case number(digits: String, exponent: Int, isNegative: Bool)
  case string([Unicode.Scalar])
  case array([SampleValue])
  case object([(name: String, value: SampleValue)])

  private static let scalars: [Unicode.Scalar] = [
    "a", "B", "/", "\"", "\\", "\n", "\u{1F}", "\u{E9}", "e", "\u{301}", "\u{2028}", "\u{1D11E}",
  ]

  static func random(depth: Int, using generator: inout SeededGenerator) -> SampleValue {
    switch generator.number(0..<(depth > 0 ? 7 : 4)) {
    case 0: return .word(["true", "false", "null"][generator.number(0..<3)])
    case 1, 2:
      // The digits end in none of 0, so that one written form stands for one value.
      let digits = generator.percent(20) ? "1844674407370955161" : String(generator.number(0..<99))
      return .number(
        digits: digits + String(generator.number(1..<10)), exponent: generator.number(-4..<5),
        isNegative: generator.percent(30))
    case 3:
      return .string(
        (0..<generator.number(0..<5)).map { _ in
          scalars[generator.number(0..<scalars.count)]
        })
    case 4:
      return .array(
        (0..<generator.number(0..<4)).map { _ in
          .random(depth: depth - 1, using: &generator)
        })
    default:
      let names = ["a", "\u{E9}", "e\u{301}", "x\"y", ""].shuffled(using: &generator)
      return .object(
        names.prefix(generator.number(0..<5)).map { name in
          (name, .random(depth: depth - 1, using: &generator))
        })
    }
  }

  func withOneLeafChanged(using generator: inout SeededGenerator) -> SampleValue {
    switch self {
    case .word(let word): return .word(word == "true" ? "false" : "true")
    case .number(let digits, let exponent, let isNegative):
      switch generator.number(0..<3) {
      case 0: return .number(digits: digits, exponent: exponent + 1, isNegative: isNegative)
      case 1: return .number(digits: digits, exponent: exponent, isNegative: !isNegative)
      default: return .number(digits: "1" + digits, exponent: exponent, isNegative: isNegative)
      }
    case .string(let scalars): return .string(scalars + ["\u{301}"])
    case .array(var elements):
      guard let index = elements.indices.randomElement(using: &generator) else {
        return .array([.word("null")])
      }
      elements[index] = elements[index].withOneLeafChanged(using: &generator)
      return .array(elements)
    case .object(var members):
      guard let index = members.indices.randomElement(using: &generator), generator.percent(80)
      else {
        return .object(members + [("new", .word("null"))])
      }
      members[index].value = members[index].value.withOneLeafChanged(using: &generator)
      return .object(members)
    }
  }

  func written(using generator: inout SeededGenerator) -> String {
    switch self {
    case .word(let word): return word
    case .number(let digits, let exponent, let isNegative):
      let zeros = generator.number(0..<3)
      let shift = generator.number(-2..<3)
      var text = digits + String(repeating: "0", count: zeros)
      var power = exponent - zeros
      if shift > 0, text.count > shift, text.first != "0" {
        text.insert(".", at: text.index(text.endIndex, offsetBy: -shift))
        power += shift
      }
      while text.first == "0", text.dropFirst().first?.isNumber == true { text.removeFirst() }
      let letter = generator.percent(50) ? "e" : "E"
      let plus = power >= 0 && generator.percent(50) ? "+" : ""
      let omits = power == 0 && generator.percent(50)
      return (isNegative ? "-" : "") + text + (omits ? "" : "\(letter)\(plus)\(power)")
    case .string(let scalars): return Self.quoted(scalars, using: &generator)
    case .array(let elements):
      var parts: [String] = []
      for element in elements { parts.append(element.written(using: &generator)) }
      return "[" + parts.joined(separator: generator.percent(30) ? " ,\n" : ",") + "]"
    case .object(let members):
      var parts: [String] = []
      for member in members.shuffled(using: &generator) {
        let name = Self.quoted(Array(member.name.unicodeScalars), using: &generator)
        parts.append(
          name + (generator.percent(30) ? " : " : ":") + member.value.written(using: &generator))
      }
      return "{" + parts.joined(separator: ",") + "}"
    }
  }

  private static func quoted(_ scalars: [Unicode.Scalar], using generator: inout SeededGenerator)
    -> String
  {
    var text = "\""
    for scalar in scalars {
      let mustEscape = scalar == "\"" || scalar == "\\" || scalar.value < 0x20
      guard mustEscape || generator.percent(30) else {
        text.unicodeScalars.append(scalar)
        continue
      }
      for unit in String(scalar).utf16 {
        let digits = String(unit, radix: 16, uppercase: generator.percent(50))
        text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      }
    }
    return text + "\""
  }
}
