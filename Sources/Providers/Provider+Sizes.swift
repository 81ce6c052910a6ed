public import ListModel
import ListOrder

extension Provider {
  /// The stored size of the item at a path.
  ///
  /// The first question reads the sizes of a block of items at once; what was read is answered from
  /// memory. A list that comes from no store has no sizes.
  ///
  /// - Parameters:
  ///   - path: In this list.
  ///   - key: What the size must hold for.
  ///   - measurerVersion: The version of the code that measures now; `nil`: any.
  /// - Returns: `exact`, an estimate and why it is no more, or `missing`.
  /// - Complexity: O(log *n*).
  public func size(
    at path: ItemPath, for key: SizeKey, measurerVersion: Int? = nil
  ) -> SizeAnswer {
    guard let stored = contents.stored, hasItem(at: path),
      let section = sectionID(at: path.section)
    else { return .missing }
    return stored.size(
      of: outline.item(at: path), at: path, in: section, ItemOrder(outline), for: key,
      measurerVersion: measurerVersion)
  }

  /// Calls a closure with the stored sizes of a range of a section's items, in order.
  ///
  /// Faster than asking one by one. The sizes are those of the moment when the closure is first called
  /// with one of their stretch, of 1,024 items. The closure may ask this Provider anything, and keep
  /// sizes.
  ///
  /// - Parameters:
  ///   - range: Indexes; those beyond the section are left out.
  ///   - index: The section's.
  ///   - key: What the sizes must hold for.
  ///   - measurerVersion: The version of the code that measures now; `nil`: any.
  ///   - body: Takes an item's index and its size.
  /// - Complexity: O(*m*), *m* items in the range.
  public func forEachSize(
    in range: Range<Int>, ofSection index: Int, for key: SizeKey, measurerVersion: Int? = nil,
    _ body: (_ item: Int, _ size: SizeAnswer) -> Void
  ) {
    guard let stored = contents.stored, let section = sectionID(at: index) else { return }
    let range = range.clamped(to: 0..<numberOfItems(inSection: index))
    stored.forEachSize(
      range, of: section, at: index, ItemOrder(outline), for: key,
      measurerVersion: measurerVersion, body)
  }

  /// Keeps the size of an item that was just measured, with the cell and the content that it has here.
  ///
  /// It is known at once, and written to the store soon, together with others, on another thread; see
  /// `Repository.flushSizes()`.
  ///
  /// - Parameters:
  ///   - size: In points.
  ///   - path: The item's, in this list.
  ///   - key: What was fixed while measuring.
  ///   - measurerVersion: The version of the code that measured.
  /// - Returns: `false` for what no measuring can give (a length that is not finite, negative or above
  ///   1,000,000 points, a key that fits no pixel), and where there is no such item; nothing is kept
  ///   then.
  @discardableResult
  public func keep(
    _ size: Size, at path: ItemPath, for key: SizeKey, measurerVersion: Int = 1
  ) -> Bool {
    guard let stored = contents.stored, hasItem(at: path), size.isStorable, key.isUsable,
      let section = sectionID(at: path.section)
    else { return false }
    return stored.keep(
      size, of: outline.item(at: path), at: path, in: section, ItemOrder(outline), for: key,
      measurerVersion: measurerVersion)
  }

  /// Says that the size of an item does not hold any more, though its state is the same: a picture has
  /// come, say.
  ///
  /// What is kept of it, for any key, is an estimate from now on, here at once and in the store soon.
  public func setNeedsLayout(at path: ItemPath) {
    guard let stored = contents.stored, hasItem(at: path),
      let section = sectionID(at: path.section)
    else { return }
    stored.setNeedsLayout(
      of: outline.item(at: path), at: path, in: section, ItemOrder(outline))
  }

  /// How long a section's items are together, from sums that the store keeps; no item is read.
  ///
  /// Sizes that are on their way to the store are not in it.
  ///
  /// - Parameters:
  ///   - index: The section's.
  ///   - key: What the sizes hold for.
  /// - Returns: `nil` if there is no such section.
  public func extent(ofSection index: Int, for key: SizeKey) -> SectionExtent? {
    guard let section = sectionID(at: index) else { return nil }
    guard let stored = contents.stored else {
      return SectionExtent(
        itemCount: numberOfItems(inSection: index), measuredCount: 0, measuredLength: 0)
    }
    return stored.extent(of: section, for: key)
  }

  /// The item at a distance from the first item of its section, where items stand one behind another.
  ///
  /// By sums that the store keeps: a block of items is read, not those before it.
  ///
  /// - Parameters:
  ///   - offset: In points, along the direction of scrolling, without spacing.
  ///   - index: The section's.
  ///   - key: What the sizes hold for.
  ///   - estimate: What an item without a size counts for, in points.
  /// - Returns: The item's path and where it begins; the last one for an offset beyond. `nil` for an
  ///   empty section.
  public func item(
    atOffset offset: Double, inSection index: Int, for key: SizeKey, estimate: Double
  ) -> (path: ItemPath, offset: Double)? {
    guard let section = sectionID(at: index), numberOfItems(inSection: index) > 0, estimate >= 0
    else { return nil }
    guard let stored = contents.stored else {
      let last = Double(numberOfItems(inSection: index) - 1)
      let item = estimate > 0 ? min(max(0, offset / estimate), last).rounded(.down) : 0
      return (ItemPath(section: index, item: Int(item)), item * estimate)
    }
    return stored.item(atOffset: offset, in: section, for: key, estimate: estimate).map {
      (ItemPath(section: index, item: $0.index), $0.offset)
    }
  }
}
