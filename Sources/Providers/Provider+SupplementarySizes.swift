public import ListModel

extension Provider {
  /// The stored size of a section's header, footer or other view.
  ///
  /// It is read when it is first asked for, and then answered from memory. A list that comes from no
  /// store has no sizes.
  ///
  /// - Parameters:
  ///   - kind: Which view of the section.
  ///   - index: The section's.
  ///   - key: What the size must hold for.
  ///   - measurerVersion: The version of the code that measures now; `nil`: any.
  /// - Returns: `exact`, an estimate and why it is no more, or `missing`; also `missing` where there is
  ///   no such section or view.
  /// - Complexity: O(log *n* + *m*), *m* bytes of the view's content.
  public func size(
    of kind: Supplementary.Kind, inSection index: Int, for key: SizeKey,
    measurerVersion: Int? = nil
  ) -> SizeAnswer {
    guard let section = sectionID(at: index) else { return .missing }
    return items.size(of: kind, in: section, for: key, measurerVersion: measurerVersion)
  }

  /// Keeps the size of a section's header, footer or other view that was just measured, with the content that it
  /// has here.
  ///
  /// It is known at once, and written to the store soon, together with others, on another thread; see
  /// `Repository.flushSizes()`. It goes with the view or its section: one that is put back by undoing
  /// is measured again.
  ///
  /// - Parameters:
  ///   - size: In points.
  ///   - kind: Which view of the section.
  ///   - index: The section's.
  ///   - key: What was fixed while measuring.
  ///   - measurerVersion: The version of the code that measured.
  /// - Returns: `false` for what no measuring can give (a length that is not finite, negative or above
  ///   1,000,000 points, a key that fits no pixel), and where there is no such section or view; nothing
  ///   is kept then.
  @discardableResult
  public func keep(
    _ size: Size, of kind: Supplementary.Kind, inSection index: Int, for key: SizeKey,
    measurerVersion: Int = 1
  ) -> Bool {
    guard size.isStorable, key.isUsable, let section = sectionID(at: index) else { return false }
    return items.keep(size, of: kind, in: section, for: key, measurerVersion: measurerVersion)
  }

  /// Says that the size of a section's header or footer does not hold any more, though it shows the
  /// same.
  ///
  /// What is kept of it, for any key, is an estimate from now on, here at once and in the store soon.
  public func setNeedsLayout(of kind: Supplementary.Kind, inSection index: Int) {
    guard let section = sectionID(at: index) else { return }
    items.setNeedsLayout(of: kind, in: section)
  }
}
