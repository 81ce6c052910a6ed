/// Consecutive elements of a sequence, stored as one value.
protocol CountedRun: Sendable {
  /// How many elements the run stands for, at least 1.
  var count: Int { get }
  /// The run in two parts: the elements before an offset, and the elements from that offset on.
  ///
  /// The offset is greater than 0 and less than the count.
  func split(at offset: Int) -> (Self, Self)
}

/// Records which leaf holds each run, so that an element can be found by its identity.
protocol RunLocator<Run> {
  associatedtype Run: CountedRun
  /// Records that a leaf holds a run, perhaps the same leaf as before.
  mutating func place(_ run: Run, inLeaf leaf: Int32)
}

/// Records nothing: for sequences whose elements are found by offset alone.
struct NoLocator<Run: CountedRun>: RunLocator {
  func place(_ run: Run, inLeaf leaf: Int32) {}
}
