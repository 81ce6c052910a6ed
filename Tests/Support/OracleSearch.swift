import Foundation

/// What a condition `matches` looks for, as ``DerivedOracle`` reads it.
///
/// Its words are right for the letters that ``RandomDefinitions`` uses, not for all of Unicode.
struct OracleSearch {
  typealias Text = OracleValue.Text

  /// Words that stand next to each other; the last one may go on.
  private struct Phrase {
    let words: [Text]
    let isOpen: Bool
  }

  private let phrases: [Phrase]

  init(_ typed: Text) {
    var phrases: [(text: Text, isOpen: Bool)] = []
    var rest = typed[...]
    func isQuote(_ scalar: Unicode.Scalar) -> Bool { "\"“”„‟«»".unicodeScalars.contains(scalar) }
    while let first = rest.first {
      if first.properties.isWhitespace {
        rest.removeFirst()
      } else if isQuote(first) {
        let text = rest.dropFirst().prefix { !isQuote($0) }
        rest = rest.dropFirst(1 + text.count)
        let isClosed = !rest.isEmpty
        if isClosed { rest.removeFirst() }
        var isOpen = text.last == "*" || !isClosed && text.last?.properties.isWhitespace == false
        while isClosed, rest.first == "*" {
          rest.removeFirst()
          isOpen = true
          break
        }
        phrases.append((Text(text), isOpen))
      } else {
        let text = rest.prefix { !$0.properties.isWhitespace && !isQuote($0) }
        rest = rest.dropFirst(text.count)
        phrases.append((Text(text), text.last == "*" || rest.isEmpty))
      }
    }
    self.phrases = phrases.compactMap { phrase in
      let words = Self.words(of: phrase.text)
      return words.isEmpty ? nil : Phrase(words: words, isOpen: phrase.isOpen)
    }
  }

  /// How well an item matches; `nil` if it does not.
  ///
  /// `values`: What stands at each path.
  func points(of values: [OracleValue]) -> Int? {
    let texts = values.map { Self.texts(in: $0).map(Self.words) }
    var points = 0
    for phrase in phrases {
      var isFound = false
      for (path, texts) in texts.enumerated() {
        let halves = texts.map { Self.halves(of: phrase, in: $0) }.reduce(0, +)
        if halves == 0 { continue }
        isFound = true
        let length = texts.map(\.count).reduce(0, +)
        points += 65_536 * halves / (halves + 2 + length / 8) / (1 << path)
      }
      if !isFound { return nil }
    }
    return points
  }

  /// Two for each place where a phrase stands, one where a longer word goes on.
  private static func halves(of phrase: Phrase, in text: [Text]) -> Int {
    text.indices.map { place in
      let part = text[place...].prefix(phrase.words.count)
      guard part.count == phrase.words.count,
        part.dropLast().elementsEqual(phrase.words.dropLast()),
        let last = part.last, let wanted = phrase.words.last
      else { return 0 }
      return last == wanted ? 2 : phrase.isOpen && last.starts(with: wanted) ? 1 : 0
    }.reduce(0, +)
  }

  /// The strings and the numbers in a value.
  private static func texts(in value: OracleValue) -> [Text] {
    switch value {
    case .null, .bool, .brokenString: []
    case .string(let text): [text]
    case .integer, .double: [Text(value.json.unicodeScalars)]
    case .array(let elements): elements.flatMap(texts)
    case .object(let members): members.values.flatMap(texts)
    }
  }

  /// The words of a text: letters and digits, in lower case and without accents.
  private static func words(of text: Text) -> [Text] {
    var words: [Text] = []
    var isInWord = false
    for scalar in text {
      let isAccent = (0x300...0x331).contains(scalar.value)
      guard
        scalar.properties.isAlphabetic || scalar.properties.numericType != nil
          || isAccent && isInWord
      else {
        isInWord = false
        continue
      }
      if !isInWord { words.append([]) }
      isInWord = true
      if isAccent { continue }
      let plain = scalar == "ς" ? "σ" : String(scalar).lowercased()
      let base = plain.decomposedStringWithCanonicalMapping.unicodeScalars.first ?? scalar
      words[words.count - 1].append(base)
    }
    return words
  }
}
