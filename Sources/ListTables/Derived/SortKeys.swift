import DerivedLists

/// The keys that items are ordered by, one behind another.
///
/// No item has an array of its own for them: what is compared again and again lies together in memory.
struct SortKeys {
  private let terms: [DerivedDefinition.SortTerm]
  private var bytes: ContiguousArray<UInt8> = []
  private var ends: ContiguousArray<Int> = []

  /// No keys yet.
  ///
  /// `terms`: Each item has a key for each.
  init(_ terms: [DerivedDefinition.SortTerm]) { self.terms = terms }

  /// Adds the keys of an item.
  ///
  /// - Returns: Their number.
  mutating func append(_ keys: [ValueKey]) -> Int {
    if terms.isEmpty { return 0 }
    let number = ends.count / terms.count
    for key in keys {
      key.bytes.withUnsafeBytes { bytes.append(contentsOf: $0) }
      ends.append(bytes.count)
    }
    return number
  }

  /// Items in their order.
  ///
  /// `keys`: The number of an item's keys.
  /// `index`: Decides between those that have the same keys.
  func sorted<Item>(
    _ items: [Item], keys: (Item) -> Int, index: (Item) -> Int
  ) -> [Item] {
    guard let term = terms.first else { return items.sorted { index($0) < index($1) } }
    return bytes.withUnsafeBytes { bytes in
      ends.withUnsafeBufferPointer { ends in
        let reader = Reader(terms: terms, bytes: bytes, ends: ends)
        // The first bytes in which the keys differ decide most comparisons.
        let common = term.isLocalized ? 0 : reader.commonCount(of: items.lazy.map(keys))
        var order = items.enumerated().map { place, item in
          (
            first: term.isLocalized ? 0 : reader.first(of: keys(item), behind: common),
            keys: keys(item), index: index(item), place: place
          )
        }
        order.sort { lhs, rhs in
          if lhs.first != rhs.first { return lhs.first < rhs.first }
          let order = reader.order(lhs.keys, rhs.keys)
          return order == 0 ? lhs.index < rhs.index : order < 0
        }
        return order.map { items[$0.place] }
      }
    }
  }

  private struct Reader {
    let terms: [DerivedDefinition.SortTerm]
    let bytes: UnsafeRawBufferPointer
    let ends: UnsafeBufferPointer<Int>

    func key(_ number: Int, _ term: Int) -> UnsafeRawBufferPointer {
      let place = number * terms.count + term
      let start = place == 0 ? 0 : ends[place - 1]
      return UnsafeRawBufferPointer(rebasing: bytes[start..<ends[place]])
    }

    /// How many bytes the first keys of some items begin with that all have.
    func commonCount(of numbers: some Collection<Int>) -> Int {
      guard let number = numbers.first else { return 0 }
      let first = key(number, 0)
      var count = first.count
      for number in numbers.dropFirst() {
        let other = key(number, 0)
        count = min(count, other.count)
        count = (0..<count).first { first[$0] != other[$0] } ?? count
      }
      return count
    }

    /// A number that is less than another item's only if that stands behind it.
    func first(of number: Int, behind common: Int) -> UInt64 {
      let rest = key(number, 0).dropFirst(common)
      var first: UInt64 = 0
      for byte in rest.prefix(8) { first = first << 8 | UInt64(byte) }
      first <<= UInt64(8 * max(0, 8 - rest.count))
      return terms[0].isDescending ? ~first : first
    }

    /// Less than 0 if an item stands before another, 0 if no key tells them apart.
    func order(_ lhs: Int, _ rhs: Int) -> Int {
      for (place, term) in terms.enumerated() {
        let (lhs, rhs) = (key(lhs, place), key(rhs, place))
        let order =
          term.isLocalized
          ? term.collation.order(ValueKey(bytes: Array(lhs)), ValueKey(bytes: Array(rhs)))
          : lhs.compare(to: rhs)
        if order != 0 { return term.isDescending ? -order : order }
      }
      return 0
    }
  }
}
