public import ListModel
import ListOrder

extension Provider {
  /// The stored size of the item at a path.
  ///
  /// The first call reads the sizes of a block of items at once; later calls answer from memory. A
  /// list that comes from no store has no sizes.
  ///
  /// - Parameters:
  ///   - path: The item's path.
  ///   - key: The key that the size must hold for.
  ///   - measurerVersion: The version of the code that measures now; `nil` for any.
  /// - Returns: `exact`; an estimate, and why it is not exact; or `missing`.
  /// - Complexity: O(log *n*).
  public func size(
    at path: ItemPath, for key: SizeKey, measurerVersion: Int? = nil
  ) -> SizeAnswer {
    guard let stored, hasItem(at: path) else { return .missing }
    return stored.size(at: path, in: self, for: key, measurerVersion: measurerVersion)
  }

  /// Calls a closure with the stored sizes of a range of a section's items, in order.
  ///
  /// Faster than ``size(at:for:measurerVersion:)`` for each item. Sizes are read in groups of 1,024
  /// items, each group just before the closure gets its first size. The closure may call any method
  /// of this Provider, and keep sizes.
  ///
  /// - Parameters:
  ///   - range: Indexes of items; those beyond the section are left out.
  ///   - index: The section's index.
  ///   - key: The key that the sizes must hold for.
  ///   - measurerVersion: The version of the code that measures now; `nil` for any.
  ///   - body: Takes an item's index and its size.
  /// - Complexity: O(*m*), *m* items in the range.
  public func forEachSize(
    in range: Range<Int>, ofSection index: Int, for key: SizeKey, measurerVersion: Int? = nil,
    _ body: (_ item: Int, _ size: SizeAnswer) -> Void
  ) {
    let range = range.clamped(to: 0..<numberOfItems(inSection: index))
    stored?.forEachSize(
      in: range, ofSection: index, of: self, for: key, measurerVersion: measurerVersion, body)
  }

  /// Keeps the measured size of an item, for the cell and the content that it has in this list.
  ///
  /// The Provider knows the size at once. The store gets it soon after, together with others, on
  /// another thread; see `Repository.flushSizes()`.
  ///
  /// - Parameters:
  ///   - size: The size in points.
  ///   - path: The item's path.
  ///   - key: The axis, length and environment that the item was measured for.
  ///   - measurerVersion: The version of the code that measured.
  /// - Returns: `false` if nothing is kept: a length is not finite, negative or above 1,000,000
  ///   points, the key fits no pixel, or there is no such item.
  @discardableResult
  public func keep(
    _ size: Size, at path: ItemPath, for key: SizeKey, measurerVersion: Int = 1
  ) -> Bool {
    guard let stored, hasItem(at: path), size.isStorable, key.isUsable else { return false }
    return stored.keep(size, at: path, in: self, for: key, measurerVersion: measurerVersion)
  }

  /// Marks the kept sizes of an item as out of date, although its state is the same: a picture has
  /// arrived, for instance.
  ///
  /// Its sizes for all keys are estimates from now on, in this Provider at once and in the store
  /// soon.
  public func setNeedsLayout(at path: ItemPath) {
    if hasItem(at: path) { stored?.setNeedsLayout(at: path, in: self) }
  }

  /// Marks the kept sizes of a section's items, headers, footers and other views as out of date,
  /// although they show the same.
  ///
  /// Their sizes for all keys are estimates from now on, in this Provider at once and in the store
  /// soon, by one write.
  ///
  /// - Complexity: O(*n*) in memory, *n* items in the section.
  public func setNeedsLayout(ofSection index: Int) {
    if hasSection(index) { stored?.setNeedsLayout(ofSection: index, of: self) }
  }

  /// The total length of a section's items, from sums that the store keeps; no item is read.
  ///
  /// A size that this Provider has kept counts at once, also while it still waits to be written to
  /// the store.
  ///
  /// - Parameters:
  ///   - index: The section's index.
  ///   - key: The key that the sizes were measured for.
  /// - Returns: `nil` if there is no such section.
  /// - Complexity: O(1), and O(*k* log *n*) for *k* sizes that were kept since the last call.
  public func extent(ofSection index: Int, for key: SizeKey) -> SectionExtent? {
    guard hasSection(index) else { return nil }
    guard let stored else {
      return SectionExtent(
        itemCount: numberOfItems(inSection: index), measuredCount: 0, measuredLength: 0)
    }
    return stored.extent(ofSection: index, of: self, for: key)
  }

  /// The item at a distance from the first item of its section, in a layout that places items one
  /// after another.
  ///
  /// It is found by sums that the store keeps: only the block that holds the item is read. Sizes
  /// that this Provider has kept count at once.
  ///
  /// - Parameters:
  ///   - offset: The distance in points, along the direction of scrolling, without spacing.
  ///   - index: The section's index.
  ///   - key: The key that the sizes were measured for.
  ///   - estimate: The length of an item without a size, in points.
  /// - Returns: The item's path and the offset at which it begins; the last item for an offset
  ///   beyond it; `nil` for an empty section.
  public func item(
    atOffset offset: Double, inSection index: Int, for key: SizeKey, estimate: Double
  ) -> (path: ItemPath, offset: Double)? {
    guard numberOfItems(inSection: index) > 0, estimate >= 0 else { return nil }
    if let stored {
      return stored.item(
        atOffset: offset, inSection: index, of: self, for: key, estimate: estimate)
    }
    let last = Double(numberOfItems(inSection: index) - 1)
    let item = estimate > 0 ? min(max(0, offset / estimate), last).rounded(.down) : 0
    return (ItemPath(section: index, item: Int(item)), item * estimate)
  }
}
