import DerivedLists
import GRDB
import GRDBSQLite

/// Breaks texts into words as the full-text index does: by FTS5's own tokenizer.
final class UnicodeWords: WordBreaker {
  private let tokenizer: any FTS5Tokenizer

  /// The tokenizer of the table `searchText`.
  ///
  /// `isOfIndex`: Whether the symbol is a word that separates texts in the table, and in no text.
  init(_ db: Database, isOfIndex: Bool = false) throws {
    let separator = isOfIndex ? ["tokenchars", "␞"] : []
    tokenizer = try db.makeTokenizer(
      FTS5TokenizerDescriptor(components: ["unicode61", "remove_diacritics", "2"] + separator))
  }

  func append(wordsOf utf8: UnsafeBufferPointer<UInt8>, to words: inout Words) {
    guard let start = utf8.baseAddress else { return }
    withUnsafeMutablePointer(to: &words) { words in
      start.withMemoryRebound(to: CChar.self, capacity: utf8.count) { text in
        // It fails only without memory.
        _ = tokenizer.tokenize(
          context: words, tokenization: .document, pText: text, nText: CInt(utf8.count)
        ) { words, _, token, count, _, _ in
          guard let words, let token, count > 0 else { return SQLITE_OK }
          let kept = min(Int(count), UnicodeWords.greatestLength)
          token.withMemoryRebound(to: UInt8.self, capacity: kept) { token in
            words.assumingMemoryBound(to: Words.self).pointee
              .append(UnsafeBufferPointer(start: token, count: kept))
          }
          return SQLITE_OK
        }
      }
    }
  }

  /// FTS5 cuts longer words off: its `FTS5_MAX_TOKEN_SIZE`.
  private static let greatestLength = 32_768
}
