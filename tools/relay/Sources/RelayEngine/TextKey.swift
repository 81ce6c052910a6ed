/// A text as a key: equal to another one if their bytes are.
///
/// As `String`s, `é` and `e` with U+0301 are equal. Ids, subjects and tokens are not.
package struct TextKey: Hashable, Comparable, ExpressibleByStringLiteral, Sendable {
  package let text: String

  package init(_ text: some StringProtocol) { self.text = String(text) }

  package init(stringLiteral text: String) { self.text = text }

  package static func == (lhs: TextKey, rhs: TextKey) -> Bool {
    lhs.text.utf8.elementsEqual(rhs.text.utf8)
  }

  /// Whether its bytes come first.
  package static func < (lhs: TextKey, rhs: TextKey) -> Bool {
    lhs.text.utf8.lexicographicallyPrecedes(rhs.text.utf8)
  }

  package func hash(into hasher: inout Hasher) {
    var text = text
    text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
  }
}
