/// A condition `matches`: what is looked for, and where.
package struct Search: Hashable, Sendable {
  /// Where the texts are; what is found at an earlier path ranks an item higher.
  package var paths: [ValuePath]
  /// What must be found, in whichever of them.
  package var text: SearchText

  /// A search for what somebody typed.
  package init(_ text: String, at paths: [ValuePath]) {
    self.paths = paths
    self.text = SearchText(text)
  }
}

/// Tells how well items match searches.
///
/// It looks at one item at a time, so that an item's rank does not depend on others: a commit changes the
/// ranks of those items alone that it names.
package final class Searcher {
  private let breaker: any WordBreaker
  private var known: [SearchText: [Phrase]] = [:]
  private var words = Words()

  /// What must stand somewhere in an item.
  package struct Phrase {
    /// At least one, next to each other.
    package var words: Words
    /// Whether the last one may go on.
    package var isBegun: Bool
  }

  /// `breaker`: Tells where words are.
  package init(_ breaker: any WordBreaker) { self.breaker = breaker }

  /// The phrases of a text that have words, up to ``mostWords``; none: everything matches.
  package func phrases(of text: SearchText) -> [Phrase] {
    if let phrases = known[text] { return phrases }
    var phrases: [Phrase] = []
    var left = Self.mostWords
    for phrase in text.phrases where left > 0 {
      var words = Words()
      phrase.utf8.withUnsafeBufferPointer { breaker.append(wordsOf: $0, to: &words) }
      if words.count == 0 { continue }
      let isCut = words.count > left
      phrases.append(
        Phrase(words: isCut ? words.prefix(left) : words, isBegun: phrase.isBegun && !isCut))
      left -= words.count
    }
    if known.count >= Self.mostKnown { known = [:] }
    known[text] = phrases
    return phrases
  }

  private static let mostKnown = 64

  /// How many words of a text are looked for; it may be a whole page that somebody has pasted.
  package static let mostWords = 64

  /// How well an item matches: more is better; `nil` if it does not match, 0 if nothing is looked for.
  ///
  /// For each path and each phrase in it, 65,536 × *h* ÷ (*h* + 2 + *n* ÷ 8), half of that at the second
  /// path, a quarter at the third, and so on. *n* is the number of words at the path, *h* twice the number
  /// of places, where a place at which a longer word begins counts half. All in whole numbers, which have
  /// no order of summing.
  func points(of search: Search, in item: some ReadableItem) -> Int? {
    let phrases = phrases(of: search.text)
    var isFound = phrases.map { _ in false }
    var points = 0
    for (index, path) in search.paths.enumerated() where !phrases.isEmpty {
      var hits = phrases.map { _ in 0 }
      var count = 0
      item.forEachText(at: path) { text in
        var text = text
        words.removeAll()
        text.withUTF8 { breaker.append(wordsOf: $0, to: &words) }
        count += words.count
        for (place, phrase) in phrases.enumerated() {
          hits[place] += words.hits(of: phrase.words, isBegun: phrase.isBegun)
        }
      }
      for (place, hits) in hits.enumerated() where hits > 0 {
        isFound[place] = true
        points += ((hits << 16) / (hits + 2 + count / 8)) >> index
      }
    }
    return isFound.allSatisfy(\.self) ? points : nil
  }
}

// MARK: Definitions

extension Condition {
  /// The searches in it, in their order.
  package var searches: [Search] {
    switch self {
    case .any(let conditions), .all(let conditions), .not(let conditions):
      conditions.flatMap(\.searches)
    case .test: []
    case .matches(let search): [search]
    }
  }

  /// The searches that each item matches for which it holds.
  fileprivate var requiredSearches: [Search] {
    switch self {
    case .all(let conditions): conditions.flatMap(\.requiredSearches)
    case .any, .not, .test: []
    case .matches(let search): [search]
    }
  }

  /// What is left to ask of items that are known to match some searches; `nil` if nothing is.
  fileprivate func rest(knowing searches: Set<Search>) -> Condition? {
    switch self {
    case .all(let conditions): .all(conditions.compactMap { $0.rest(knowing: searches) })
    case .matches(let search) where searches.contains(search): nil
    case .any, .not, .test, .matches: self
    }
  }
}

extension DerivedDefinition {
  /// All searches in its conditions, in their order.
  package var searches: [Search] { conditions.flatMap(\.searches) }

  /// The searches that every item of the list matches.
  package var requiredSearches: [Search] { conditions.flatMap(\.requiredSearches) }

  /// The conditions that are left to ask of items that are known to match some searches.
  package func conditions(knowing searches: Set<Search>) -> [Condition] {
    conditions.compactMap { $0.rest(knowing: searches) }
  }

  /// The keys that an item is ordered by.
  package func sortKeys(of item: Subject) -> [ValueKey] { keys(of: item) }

  func keys(of item: some ReadableItem) -> [ValueKey] {
    sort.map { term in
      guard term.path == .rank else { return item.key(for: term) }
      // The best come first. There is one search, or the definition would have been refused.
      return ValueKey(-(searches.first.flatMap { item.points(of: $0) } ?? 0))
    }
  }
}
