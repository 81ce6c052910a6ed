import Foundation
import ListModel

/// Markup in which every text from outside is escaped: only literals are taken as they are.
struct HTML: ExpressibleByStringInterpolation {
  private(set) var text: String

  init(stringLiteral value: String) { text = value }

  init(stringInterpolation: Interpolation) { text = stringInterpolation.text }

  /// The parts of markup, one after another.
  init(_ parts: some Sequence<HTML>) { text = parts.map(\.text).joined() }

  struct Interpolation: StringInterpolationProtocol {
    fileprivate var text = ""

    init(literalCapacity: Int, interpolationCount: Int) { text.reserveCapacity(literalCapacity) }

    mutating func appendLiteral(_ literal: String) { text += literal }

    mutating func appendInterpolation(_ html: HTML) { text += html.text }

    mutating func appendInterpolation(_ string: String) { text += HTML.escaped(string) }

    /// Takes markup if a condition holds.
    mutating func appendInterpolation(if condition: Bool, _ html: @autoclosure () -> HTML) {
      if condition { text += html().text }
    }

    /// Takes a part of the page itself, such as its script, as it is.
    mutating func appendInterpolation(trusted part: String) { text += part }
  }

  /// A text for an element or for a quoted attribute, with invisible characters shown by their
  /// numbers.
  static func escaped(_ string: String) -> String {
    var escaped = ""
    for scalar in ShownText.line(string).unicodeScalars {
      switch scalar {
      case "&": escaped += "&amp;"
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      case "\"": escaped += "&quot;"
      case "'": escaped += "&#39;"
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }
}

/// Numbers and times as a page shows them.
enum Shown {
  /// A whole number with commas: "12,345".
  static func number(_ number: Int) -> String {
    var digits = String(number.magnitude)
    var groups: [Substring] = []
    while digits.count > 3 {
      groups.insert(digits.suffix(3), at: 0)
      digits = String(digits.dropLast(3))
    }
    return (number < 0 ? "-" : "") + ([Substring(digits)] + groups).joined(separator: ",")
  }

  /// "1 item", "2,000 items".
  static func count(_ number: Int, _ noun: String) -> String {
    "\(self.number(number)) \(noun)\(number == 1 ? "" : "s")"
  }

  /// A length in points, with a fraction only where there is one.
  static func points(_ length: Double) -> String {
    guard length.isFinite, abs(length) < 1e15 else { return "?" }
    let tenths = (length * 10).rounded()
    let whole = number(Int(tenths / 10))
    let rest = Int(abs(tenths)) % 10
    return rest == 0 ? whole : "\(whole).\(rest)"
  }

  /// A number of bytes in the unit that fits: "1.5 MB".
  static func bytes(_ count: Int) -> String {
    var value = Double(count)
    for unit in ["bytes", "KB", "MB"] {
      if value < 1_000 { return "\(points(value)) \(unit)" }
      value /= 1_000
    }
    return "\(points(value)) GB"
  }

  /// A time in milliseconds since 1970, in UTC; empty if it is not known.
  static func time(_ milliseconds: Int?) -> String {
    guard let milliseconds, milliseconds.magnitude < 1 << 52 else { return "" }
    return Date(timeIntervalSince1970: Double(milliseconds) / 1_000).formatted(.iso8601)
      .replacingOccurrences(of: "T", with: " ").replacingOccurrences(of: "Z", with: " UTC")
  }

  /// A text of at most so many characters.
  static func cut(_ text: String, to limit: Int) -> String {
    text.unicodeScalars.count <= limit
      ? text : String(String.UnicodeScalarView(text.unicodeScalars.prefix(limit - 1))) + "…"
  }
}
