extension Provider {
  /// Reads a range of a section's items at once, before they are asked for.
  ///
  /// Call it for the items around those on the screen, on any thread. For a list in memory it does
  /// nothing.
  ///
  /// - Parameters:
  ///   - range: Indexes of items; those beyond the section are left out.
  ///   - index: The section's index.
  ///   - withContents: Whether to read contents too. Contents of about 2,000 items are kept, so
  ///     only those of the range's first 2,000 items are read.
  /// - Complexity: O(*m*), *m* items in the range.
  public func prefetch(
    _ range: Range<Int>, inSection index: Int, withContents: Bool = true
  ) {
    stored?.prefetch(
      range.clamped(to: 0..<numberOfItems(inSection: index)), inSection: index, of: self,
      withContents: withContents)
  }

  /// How many reads from the store have failed; each answered `nil`.
  ///
  /// Reads fail if the file was damaged or moved away. They also fail if the list was changed after
  /// `Repository.suspend()`, until this Provider is advanced.
  public var failedReadCount: Int { stored?.failureCount ?? 0 }
}
