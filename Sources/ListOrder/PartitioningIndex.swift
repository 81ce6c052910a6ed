extension RandomAccessCollection where Index == Int {
  /// The position of the first element of which something is false, in a collection where it is
  /// true up to there.
  package func partitioningIndex(where isBefore: (Element) -> Bool) -> Int {
    var low = startIndex
    var high = endIndex
    while low < high {
      let middle = low + (high - low) / 2
      if isBefore(self[middle]) { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
