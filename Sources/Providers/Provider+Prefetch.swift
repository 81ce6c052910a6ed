extension Provider {
  /// Reads a range of a section's items at once, before they are asked for.
  ///
  /// For a window around what is on the screen; any thread may do it. A list in memory has it all.
  ///
  /// - Parameters:
  ///   - range: Indexes; those beyond the section are left out.
  ///   - index: The section's.
  ///   - withContents: Whether contents are read too: of the first 2,000 items of the range, because
  ///     no more are kept.
  /// - Complexity: O(*m*), *m* items in the range.
  public func prefetch(
    _ range: Range<Int>, inSection index: Int, withContents: Bool = true
  ) {
    guard let stored = contents.stored, let section = sectionID(at: index) else { return }
    stored.load(
      range.clamped(to: 0..<numberOfItems(inSection: index)), of: section, at: index,
      withContents: withContents, ItemOrder(outline))
  }

  /// How many reads from the store have failed; what was asked for was `nil` then.
  ///
  /// Not 0 where the file was damaged or taken away, or where the list was changed after
  /// `Repository.suspend()` and this Provider was not advanced since.
  public var failedReadCount: Int { contents.stored?.failureCount ?? 0 }
}
