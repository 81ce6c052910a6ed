/// The one range of bytes that a request asks for.
enum ByteRange: Hashable, Sendable {
  case from(Int, through: Int?)
  case last(Int)

  /// Reads the header field `Range`.
  ///
  /// - Returns: `nil` for what is no single range of bytes: such a field is ignored.
  init?(_ field: String?) {
    guard let field, field.lowercased().hasPrefix("bytes=") else { return nil }
    let parts = field.dropFirst("bytes=".count).split(
      separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 2 else { return nil }
    switch (Self.number(parts[0]), Self.number(parts[1])) {
    case (let first?, let last?) where first <= last: self = .from(first, through: last)
    case (let first?, nil) where parts[1].isEmpty: self = .from(first, through: nil)
    case (nil, let count?) where parts[0].isEmpty: self = .last(count)
    default: return nil
    }
  }

  private static func number(_ text: Substring) -> Int? {
    text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } ? Int(text) : nil
  }

  /// The bytes of an answer with so many; `nil` if it has none of them.
  func bytes(of count: Int) -> Range<Int>? {
    let range: Range<Int>
    switch self {
    case .from(let first, let last):
      guard first < count else { return nil }
      range = first..<min(last ?? .max, count - 1) + 1
    case .last(let number): range = max(0, count - number)..<count
    }
    return range.isEmpty ? nil : range
  }
}
