extension RandomAccessCollection where Index == Int {
  /// The index of the first element for which a condition holds; the end index if it holds for
  /// none.
  ///
  /// A binary search: in a collection that is sorted by a key, `partitioningIndex { $0.key >= key
  /// }` is where the key is, or would be inserted. swift-algorithms has the same method; it is not
  /// worth a dependency.
  ///
  /// - Parameter belongsInSecondPart: The condition. If it holds for an element, it must hold for
  ///   all elements after that one.
  /// - Returns: An index in `startIndex...endIndex`, also if the condition breaks that rule.
  /// - Complexity: O(log *n*) calls of the condition, *n* elements.
  // Inlinable: without it, a log of 100 changes takes 1.2 to 1.4 times as long to compile.
  @inlinable
  package func partitioningIndex(
    where belongsInSecondPart: (Element) throws -> Bool
  ) rethrows -> Int {
    var low = startIndex
    var high = endIndex
    while low < high {
      let middle = low + (high - low) / 2
      if try belongsInSecondPart(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
