public import ListModel

extension Provider {
  /// The stored size of a section's header, footer or other view.
  ///
  /// The first call reads it from the store; later calls answer from memory. A list that comes from
  /// no store has no sizes.
  ///
  /// - Parameters:
  ///   - kind: The kind of view.
  ///   - index: The section's index.
  ///   - key: The key that the size must hold for.
  ///   - measurerVersion: The version of the code that measures now; `nil` for any.
  /// - Returns: `exact`; an estimate, and why it is not exact; or `missing`, also if there is no
  ///   such section or view.
  /// - Complexity: O(log *n* + *m*), *m* bytes of the view's content.
  public func size(
    of kind: Supplementary.Kind, inSection index: Int, for key: SizeKey,
    measurerVersion: Int? = nil
  ) -> SizeAnswer {
    guard let stored, hasSection(index) else { return .missing }
    return stored.size(
      of: kind, inSection: index, of: self, for: key, measurerVersion: measurerVersion)
  }

  /// Keeps the measured size of a section's header, footer or other view, for the content that it
  /// has in this list.
  ///
  /// The Provider knows the size at once. The store gets it soon after, together with others, on
  /// another thread; see `Repository.flushSizes()`. The size is deleted with the view or its
  /// section; undoing the deletion does not bring it back.
  ///
  /// - Parameters:
  ///   - size: The size in points.
  ///   - kind: The kind of view.
  ///   - index: The section's index.
  ///   - key: The axis, length and environment that the view was measured for.
  ///   - measurerVersion: The version of the code that measured.
  /// - Returns: `false` if nothing is kept: a length is not finite, negative or above 1,000,000
  ///   points, the key fits no pixel, or there is no such section or view.
  @discardableResult
  public func keep(
    _ size: Size, of kind: Supplementary.Kind, inSection index: Int, for key: SizeKey,
    measurerVersion: Int = 1
  ) -> Bool {
    guard let stored, hasSection(index), size.isStorable, key.isUsable else { return false }
    return stored.keep(
      size, of: kind, inSection: index, of: self, for: key, measurerVersion: measurerVersion)
  }

  /// Marks the kept sizes of a section's header, footer or other view as out of date, although it
  /// shows the same.
  ///
  /// Its sizes for all keys are estimates from now on, in this Provider at once and in the store
  /// soon.
  public func setNeedsLayout(of kind: Supplementary.Kind, inSection index: Int) {
    if hasSection(index) { stored?.setNeedsLayout(of: kind, inSection: index, of: self) }
  }
}
