extension Identifier {
  /// Whether it stands for a section or an item that was erased.
  ///
  /// The log of a list has such an id where it had that of what was erased: at random, so it tells
  /// nothing of it. Its content is `null`.
  public var isErased: Bool { rawValue.utf8.starts(with: Self.erasedPrefix.utf8) }

  /// A new id for something that is erased.
  package static func erased() -> Self {
    let digits = String(UInt64.random(in: .min ... .max), radix: 16)
    do {
      return try Self(erasedPrefix + String(repeating: "0", count: 16 - digits.count) + digits)
    } catch { preconditionFailure("it is not empty and not too long: \(error)") }
  }

  /// No app makes ids with a control character before this word.
  package static var erasedPrefix: String { "\u{1F}erased " }
}
