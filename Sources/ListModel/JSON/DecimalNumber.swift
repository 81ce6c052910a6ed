/// The exact value of a number: a sign, the significant digits and a power of ten.
///
/// Foundation's `Decimal` can't serve: it rounds to 38 digits.
package struct DecimalNumber: Equatable {
  var isNegative = false
  var digits: [UInt8] = []
  var exponent = 0

  /// The value of a JSON number; `nil` if it is not 0 and its exponent does not fit into 64 bits.
  package init?(_ text: String) {
    var isFraction = false
    var exponentText = Substring()
    for (offset, byte) in text.utf8.enumerated() {
      if byte.isDigit {
        digits.append(byte)
        if isFraction { exponent -= 1 }
      } else if byte == UInt8(ascii: ".") {
        isFraction = true
      } else if byte == UInt8(ascii: "-") {
        isNegative = true
      } else {
        exponentText = text.dropFirst(offset + 1)
        break
      }
    }
    digits = Array(digits.drop { $0 == UInt8(ascii: "0") })
    while digits.last == UInt8(ascii: "0") {
      digits.removeLast()
      exponent += 1
    }
    if digits.isEmpty {
      (isNegative, exponent) = (false, 0)
      return
    }
    if !exponentText.isEmpty {
      guard let power = Int(exponentText) else { return nil }
      let (sum, overflow) = exponent.addingReportingOverflow(power)
      guard !overflow else { return nil }
      exponent = sum
    }
  }

  /// The value as a 64-bit integer; `nil` if it is not a whole number or too large.
  package var integer: Int? {
    if digits.isEmpty { return 0 }
    guard (0..<19).contains(exponent) else { return nil }
    let text = (isNegative ? "-" : "") + String(decoding: digits, as: UTF8.self)
    return Int(text + String(repeating: "0", count: exponent))
  }
}
