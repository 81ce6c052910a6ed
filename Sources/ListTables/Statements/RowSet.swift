/// Rows by their ids; ids that are near each other share memory.
package struct RowSet {
  /// How many rows are in it.
  package private(set) var count = 0
  /// A bit for each of 64 ids.
  private var words: [Int: UInt64] = [:]

  /// No rows.
  package init() {}

  /// Adds a row.
  ///
  /// - Returns: Whether it was not there.
  package mutating func insert(_ id: Int) -> Bool {
    let isNew = Self.set(UInt64(1) << UInt64(id & 63), in: &words[id >> 6, default: 0])
    if isNew { count += 1 }
    return isNew
  }

  /// Adds rows.
  ///
  /// - Returns: Whether none of them was there.
  mutating func insert(_ other: RowSet) -> Bool {
    let before = count
    for (key, word) in other.words {
      let present = words[key, default: 0]
      count += (word & ~present).nonzeroBitCount
      words[key] = present | word
    }
    return count == before + other.count
  }

  /// Whether a row is in it.
  package func contains(_ id: Int) -> Bool {
    words[id >> 6, default: 0] >> UInt64(id & 63) & 1 == 1
  }

  private static func set(_ bit: UInt64, in word: inout UInt64) -> Bool {
    defer { word |= bit }
    return word & bit == 0
  }
}
