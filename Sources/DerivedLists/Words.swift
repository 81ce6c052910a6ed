/// The words of a text in their order, as a full-text search compares them: without case, accents and
/// what stands between them.
package struct Words: Sendable {
  private var utf8: [UInt8] = []
  private var ends: [Int] = []

  /// No words.
  package init() {}

  /// How many there are.
  package var count: Int { ends.count }

  /// The bytes of a word.
  package subscript(index: Int) -> ArraySlice<UInt8> { utf8[range(of: index)] }

  /// Adds a word.
  package mutating func append(_ word: UnsafeBufferPointer<UInt8>) {
    utf8.append(contentsOf: word)
    ends.append(utf8.count)
  }

  /// The first words.
  func prefix(_ count: Int) -> Words {
    var words = self
    words.ends = Array(ends.prefix(count))
    words.utf8 = Array(utf8.prefix(words.ends.last ?? 0))
    return words
  }

  /// Has no words any more, and keeps its memory.
  package mutating func removeAll() {
    utf8.removeAll(keepingCapacity: true)
    ends.removeAll(keepingCapacity: true)
  }

  private func range(of index: Int) -> Range<Int> {
    (index == 0 ? 0 : ends[index - 1])..<ends[index]
  }

  /// How often a phrase stands here: 2 for each place, 1 where its last word is begun and goes on.
  ///
  /// `phrase`: At least one word.
  func hits(of phrase: Words, isBegun: Bool) -> Int {
    guard count >= phrase.count else { return 0 }
    var hits = 0
    for start in 0...(count - phrase.count) {
      let isThere = (0..<(phrase.count - 1)).allSatisfy { has(phrase, $0, at: start + $0) }
      guard isThere else { continue }
      let last = phrase.count - 1
      if has(phrase, last, at: start + last) {
        hits += 2
      } else if isBegun, has(phrase, last, at: start + last, isBegun: true) {
        hits += 1
      }
    }
    return hits
  }

  /// Whether the word at a place is one of others, or begins with it.
  private func has(
    _ other: Words, _ index: Int, at place: Int, isBegun: Bool = false
  ) -> Bool {
    let own = range(of: place)
    let wanted = other.range(of: index)
    guard own.count == wanted.count || isBegun && own.count > wanted.count else { return false }
    return utf8.withUnsafeBufferPointer { utf8 in
      other.utf8.withUnsafeBufferPointer { other in
        UnsafeBufferPointer(rebasing: utf8[own]).starts(
          with: UnsafeBufferPointer(rebasing: other[wanted]))
      }
    }
  }
}

/// Breaks texts into words.
package protocol WordBreaker: AnyObject {
  /// Adds the words of a text.
  ///
  /// `utf8`: The text, which is Unicode.
  func append(wordsOf utf8: UnsafeBufferPointer<UInt8>, to words: inout Words)
}
