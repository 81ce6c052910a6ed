import DerivedLists

/// Words of letters and digits, in lower case: enough for rules that have nothing to do with accents.
final class PlainWords: WordBreaker {
  func append(wordsOf utf8: UnsafeBufferPointer<UInt8>, to words: inout Words) {
    for word in String(decoding: utf8, as: UTF8.self).lowercased()
      .split(whereSeparator: { !$0.isLetter && !$0.isNumber })
    {
      Array(word.utf8).withUnsafeBufferPointer { words.append($0) }
    }
  }
}
