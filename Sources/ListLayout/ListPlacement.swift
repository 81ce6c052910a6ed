/// The frames of a list's items, headers and footers.
///
/// It is computed from sizes, without a view. Frames are in points of the content. The origin is
/// the upper left corner, also if the layout is mirrored. Paths and indexes are those of the list
/// after all edits.
///
/// It stores lengths instead of positions. So a million items of one size take the memory of one,
/// and a change of one item needs no change of those after it. Only a waterfall stores a position
/// for each item. In the complexities, *n* is the number of items in the section, *r* the number of
/// runs of items or lines of equal size in it (at most *n*, often few), and *s* the number of
/// sections.
public struct ListPlacement: Sendable {
  /// The view that the list is placed in.
  public let container: LayoutContainer
  /// The space between sections, in points.
  public let sectionSpacing: Double
  private(set) var sections: ContiguousArray<PlacedSection>
  /// The start of each section along the direction of scrolling, in points.
  private(set) var starts: ContiguousArray<Double> = []
  /// The end of the last section, in points.
  private(set) var length = 0.0

  /// Places sections.
  ///
  /// - Parameters:
  ///   - sections: The sections in order.
  ///   - container: The view.
  ///   - sectionSpacing: The space between sections, in points; a negative number counts as 0.
  /// - Complexity: O(*r*) for each section, O(*n* log *c*) for a waterfall of *c* columns.
  public init(
    _ sections: some Sequence<MeasuredSection>, in container: LayoutContainer,
    sectionSpacing: Double = 0
  ) {
    self.container = container
    self.sectionSpacing = sectionSpacing.sanitizedLength
    self.sections = ContiguousArray(sections.map { PlacedSection($0, in: container) })
    addUp(from: 0)
  }

  /// How many sections there are.
  public var sectionCount: Int { sections.count }

  /// How many items a section has; 0 if there is no such section.
  public func itemCount(inSection index: Int) -> Int {
    sections.indices.contains(index) ? sections[index].items.itemCount : 0
  }

  /// Computes the starts of the sections from one on.
  private mutating func addUp(from index: Int) {
    starts.removeSubrange(index..<starts.count)
    var end = index > 0 ? starts[index - 1] + sections[index - 1].length : 0
    for index in index..<sections.count {
      starts.append(index > 0 ? end + sectionSpacing : end)
      end = (starts.last ?? 0) + sections[index].length
    }
    length = end
  }

  // MARK: Changing

  /// Changes sizes, items and sections.
  ///
  /// The items after the changes are placed once, when the closure ends. So make all changes of one
  /// moment in one call.
  ///
  /// - Parameter body: Makes the changes, one after another. The paths of each are those of the
  ///   list after the changes before it.
  /// - Throws: Rethrows the error of the closure; the changes before it are made.
  /// - Complexity: O(*s*), plus for each section that changed: O(1) for a list; for a flow, the
  ///   lines from the first change to the first line that begins where it did before; for a
  ///   waterfall of *c* columns O(*m* log *c*), *m* items from the first changed one on.
  public mutating func update<Failure>(
    _ body: (inout ListEdits) throws(Failure) -> Void
  ) throws(Failure) {
    var edits = ListEdits(sections, in: container)
    // Without this reference the sections are changed in place, not copied.
    sections = []
    defer {
      sections = edits.finish()
      addUp(from: min(edits.firstChanged, starts.count, sections.count))
    }
    try body(&edits)
  }
}
