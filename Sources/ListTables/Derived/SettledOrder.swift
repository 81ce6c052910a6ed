/// Finds places in an order of which some elements are not in theirs.
///
/// The others are, so a place is found by halving; what is not is skipped.
enum SettledOrder {
  /// The index before which an element belongs.
  ///
  /// `precedes`: Whether the element stands before the one at an index; `nil` for one that is not in its
  /// place.
  static func placement(
    among count: Int, _ precedes: (Int) throws -> Bool?
  ) rethrows -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      var probe = middle
      var answer: Bool?
      while probe < high {
        answer = try precedes(probe)
        if answer != nil { break }
        probe += 1
      }
      // Nothing from the middle on is in its place, or the element stands before what is.
      if answer != false { high = middle } else { low = probe + 1 }
    }
    return low
  }

  /// The index that an element gets which leaves its own, and belongs before another one; `nil` if
  /// between the two nothing is in its place, so that it can stay.
  static func move(
    from index: Int, to place: Int, isSettled: (Int) throws -> Bool
  ) rethrows -> Int? {
    if index < place { return index == place - 1 ? nil : place - 1 }
    return try (place..<index).contains(where: isSettled) ? place : nil
  }
}
