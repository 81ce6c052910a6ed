public import ListModel

/// Changes of a list's placement, to be made in ``ListPlacement/update(_:)``.
///
/// What speaks of a section or an item that there is not changes nothing and answers `false`.
public struct ListEdits {
  private var sections: ContiguousArray<PlacedSection>
  private let container: LayoutContainer
  /// Sections whose items changed.
  private var unfinished: Set<Int> = []
  /// The first section whose place or length may be another one.
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

  /// Says an item's size, in points.
  @discardableResult
  public mutating func setSize(_ size: Size, at path: ItemPath) -> Bool {
    guard hasItem(at: path) else { return false }
    return replaceItems(
      path.item..<(path.item + 1), inSection: path.section,
      with: ItemSizes(repeating: size, count: 1))
  }

  /// Puts items in a section, the first of them at a path.
  ///
  /// - Parameters:
  ///   - sizes: Of the items.
  ///   - path: In the list before; an index equal to the number of items puts them at the end.
  /// - Returns: `false` if there is no such place.
  @discardableResult
  public mutating func insertItems(_ sizes: ItemSizes, at path: ItemPath) -> Bool {
    replaceItems(path.item..<path.item, inSection: path.section, with: sizes)
  }

  /// Takes items out of a section.
  @discardableResult
  public mutating func removeItems(_ range: Range<Int>, inSection index: Int) -> Bool {
    replaceItems(range, inSection: index, with: ItemSizes())
  }

  /// Puts items in the place of others; as many or not.
  ///
  /// For sizes that became known: the same range with other sizes.
  ///
  /// - Parameters:
  ///   - range: Indexes in the section, all of which there must be.
  ///   - index: The section's.
  ///   - sizes: Of the new items.
  /// - Returns: `false` if not all of them are there, or there would be more than ``ItemSizes`` can count.
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

  /// Says the length of a section's header or footer, in points; `nil`: there is none.
  ///
  /// Views of other kinds are not placed here: for them it is `false`.
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

  /// Puts a section at an index of the list before; that of the number of sections puts it at the end.
  @discardableResult
  public mutating func insertSection(_ section: MeasuredSection, at index: Int) -> Bool {
    guard (0...sections.count).contains(index) else { return false }
    insert(PlacedSection(section, in: container), at: index)
    return true
  }

  /// Takes a section out of the list.
  @discardableResult
  public mutating func removeSection(at index: Int) -> Bool {
    guard sections.indices.contains(index) else { return false }
    _ = remove(at: index)
    return true
  }

  /// Puts a section elsewhere.
  ///
  /// - Parameters:
  ///   - index: In the list before.
  ///   - target: In the list after.
  /// - Returns: `false` if there is no such section or place.
  @discardableResult
  public mutating func moveSection(at index: Int, to target: Int) -> Bool {
    guard sections.indices.contains(index), sections.indices.contains(target) else {
      return false
    }
    insert(remove(at: index), at: target)
    return true
  }

  /// Puts a section with other metrics or sizes in the place of one.
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
