/// What a full-text search looks for: the words and phrases of a text that somebody typed.
///
/// No text is wrong. White space separates words, and quotes of any kind enclose a phrase: words that
/// stand next to each other. A word is found as a whole. One that ends in `*` is found where a word
/// begins with it, and so is the last one, because it may still be typed; white space behind it ends it.
/// All else is text: `AND`, `-`, parentheses, colons.
package struct SearchText: Hashable, Sendable {
  /// Words next to each other, or one word.
  package struct Phrase: Hashable, Sendable {
    /// The text, in which there may be no word; as bytes, because strings with other scalars can be equal.
    package var utf8: [UInt8]
    /// Whether its last word may go on.
    package var isBegun: Bool

    package func hash(into hasher: inout Hasher) {
      hasher.combine(utf8.count)
      hasher.combine(utf8.first)
    }
  }

  /// All of them must be found.
  package private(set) var phrases: [Phrase] = []

  /// The quotes of keyboards and of languages; each ends what any of them has begun.
  private static let quotes: Set<Unicode.Scalar> = ["\"", "“", "”", "„", "‟", "«", "»"]

  /// Not of all bytes, which may be many: texts are looked up for each item.
  package func hash(into hasher: inout Hasher) {
    hasher.combine(phrases.count)
    hasher.combine(phrases.first)
  }

  /// Reads a text.
  package init(_ text: String) {
    var phrase = String.UnicodeScalarView()
    var isQuoted = false
    var previous: Unicode.Scalar?
    for scalar in text.unicodeScalars {
      defer { previous = scalar }
      let isQuote = Self.quotes.contains(scalar)
      if isQuote || !isQuoted && scalar.properties.isWhitespace {
        add(&phrase)
        if isQuote { isQuoted.toggle() }
      } else if scalar == "*", !isQuoted, let previous, Self.quotes.contains(previous) {
        // Behind a phrase.
        if !phrases.isEmpty { phrases[phrases.count - 1].isBegun = true }
      } else {
        phrase.append(scalar)
      }
    }
    add(&phrase, isLast: previous?.properties.isWhitespace == false)
  }

  private mutating func add(_ phrase: inout String.UnicodeScalarView, isLast: Bool = false) {
    if phrase.isEmpty { return }
    phrases.append(Phrase(utf8: Array(String(phrase).utf8), isBegun: isLast || phrase.last == "*"))
    phrase = .init()
  }
}
