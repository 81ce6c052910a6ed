public import ListModel

/// Changes a list's placement; ``ListPlacement/update(_:)`` passes one to its closure.
///
/// A method whose section or item does not exist changes nothing and returns `false`.
public struct ListEdits {
  private var sections: ContiguousArray<PlacedSection>
  private let container: LayoutContainer
  /// Sections whose items changed.
  private var unfinished: Set<Int> = []
  /// The first section whose position or length may have changed.
  private(set) var firstChanged = Int.max

  init(_ sections: ContiguousArray<PlacedSection>, in container: LayoutContainer) {
    self.sections = sections
    self.container = container
  }

  mutating func finish() -> ContiguousArray<PlacedSection> {
    for index in unfinished { sections[index].finish() }
    let finished = sections
    sections = []
    return finished
  }

  // MARK: Items

  /// Sets an item's size, in points.
  @discardableResult
  public mutating func setSize(_ size: Size, at path: ItemPath) -> Bool {
    guard hasItem(at: path) else { return false }
    return replaceItems(
      path.item..<(path.item + 1), inSection: path.section,
      with: ItemSizes(repeating: size, count: 1))
  }

  /// Inserts items in a section.
  ///
  /// - Parameters:
  ///   - sizes: The sizes of the items.
  ///   - path: Where the first of them goes; an index equal to the number of items appends them.
  /// - Returns: `false` if there is no such place.
  @discardableResult
  public mutating func insertItems(_ sizes: ItemSizes, at path: ItemPath) -> Bool {
    replaceItems(path.item..<path.item, inSection: path.section, with: sizes)
  }

  /// Removes items from a section.
  @discardableResult
  public mutating func removeItems(_ range: Range<Int>, inSection index: Int) -> Bool {
    replaceItems(range, inSection: index, with: ItemSizes())
  }

  /// Replaces items of a section by others, whose number may differ.
  ///
  /// When the sizes of items become known, replace the items by as many of the new sizes.
  ///
  /// - Parameters:
  ///   - range: Indexes of items in the section.
  ///   - index: The section's index.
  ///   - sizes: The sizes of the new items.
  /// - Returns: `false` if the section does not have all these items, or would have more items than
  ///   ``ItemSizes`` can count.
  @discardableResult
  public mutating func replaceItems(
    _ range: Range<Int>, inSection index: Int, with sizes: ItemSizes
  ) -> Bool {
    guard sections.indices.contains(index), range.lowerBound >= 0,
      range.upperBound <= sections[index].items.itemCount,
      sections[index].items.itemCount - range.count + sizes.count <= Int32.max
    else { return false }
    sections[index].replaceItems(range, with: sizes)
    unfinished.insert(index)
    firstChanged = min(firstChanged, index)
    return true
  }

  private func hasItem(at path: ItemPath) -> Bool {
    sections.indices.contains(path.section)
      && (0..<sections[path.section].items.itemCount).contains(path.item)
  }

  // MARK: Headers and footers

  /// Sets the length of a section's header or footer, in points; `nil` removes it.
  ///
  /// Returns `false` for other kinds of views, which the placement does not know.
  @discardableResult
  public mutating func setLength(
    _ length: Double?, of kind: Supplementary.Kind, inSection index: Int
  ) -> Bool {
    guard sections.indices.contains(index), kind == .header || kind == .footer else {
      return false
    }
    sections[index].setLength(length, of: kind)
    firstChanged = min(firstChanged, index)
    return true
  }

  // MARK: Sections

  /// Inserts a section before the one at an index; an index equal to the number of sections appends
  /// it.
  @discardableResult
  public mutating func insertSection(_ section: MeasuredSection, at index: Int) -> Bool {
    guard (0...sections.count).contains(index) else { return false }
    insert(PlacedSection(section, in: container), at: index)
    return true
  }

  /// Removes a section.
  @discardableResult
  public mutating func removeSection(at index: Int) -> Bool {
    guard sections.indices.contains(index) else { return false }
    _ = remove(at: index)
    return true
  }

  /// Moves a section.
  ///
  /// - Parameters:
  ///   - index: The section's index before the move.
  ///   - target: The section's index after the move.
  /// - Returns: `false` if there is no such section or place.
  @discardableResult
  public mutating func moveSection(at index: Int, to target: Int) -> Bool {
    guard sections.indices.contains(index), sections.indices.contains(target) else {
      return false
    }
    insert(remove(at: index), at: target)
    return true
  }

  /// Replaces a section by one with other metrics or sizes.
  @discardableResult
  public mutating func replaceSection(at index: Int, with section: MeasuredSection) -> Bool {
    guard sections.indices.contains(index) else { return false }
    sections[index] = PlacedSection(section, in: container)
    firstChanged = min(firstChanged, index)
    return true
  }

  private mutating func insert(_ section: PlacedSection, at index: Int) {
    sections.insert(section, at: index)
    unfinished = Set(unfinished.map { $0 < index ? $0 : $0 + 1 })
    firstChanged = min(firstChanged, index)
  }

  private mutating func remove(at index: Int) -> PlacedSection {
    var section = sections.remove(at: index)
    if unfinished.remove(index) != nil { section.finish() }
    unfinished = Set(unfinished.map { $0 < index ? $0 : $0 - 1 })
    firstChanged = min(firstChanged, index)
    return section
  }
}
