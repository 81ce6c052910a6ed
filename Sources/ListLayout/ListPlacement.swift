/// Where the sections, items, headers and footers of a list stand.
///
/// A value made of sizes, without a view. Frames are in points of the content; its origin is the upper
/// left corner, also where left and right are exchanged. Paths are those of the list as placed: after all
/// edits.
///
/// Where things stand is kept as lengths, so a million items of one size take no more memory than one, and
/// a change of one item moves the others without touching them. Only in a waterfall each item has a place
/// of its own. What each function costs is said with *n* items in the section, *r* runs of items or lines
/// of equal size in it (*n* at most, often few), and *s* sections.
public struct ListPlacement: Sendable {
  /// The view that the list is placed in.
  public let container: LayoutContainer
  /// Between one section's end and the next one's beginning, in points.
  public let sectionSpacing: Double
  private(set) var sections: ContiguousArray<PlacedSection>
  /// Where each section begins, along the direction of scrolling.
  private(set) var starts: ContiguousArray<Double> = []
  /// Where the last section ends.
  private(set) var length = 0.0

  /// Places sections.
  ///
  /// - Parameters:
  ///   - sections: From the first to the last.
  ///   - container: The view.
  ///   - sectionSpacing: Between sections, in points; none if negative.
  /// - Complexity: O(*r*) a section; O(*n* log *c*) for a waterfall of *c* columns.
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

  /// Works out where sections begin, from one on.
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
  /// What follows a change is placed once, when the closure ends: make the changes of one moment in one
  /// call.
  ///
  /// - Parameter body: Makes the changes, one after another; each speaks of the list after those before.
  /// - Throws: What the closure throws; the changes before that are made.
  /// - Complexity: That of the changes, and once for each section that changed: a list O(1); a flow until
  ///   lines begin where they did before; a waterfall O(*m* log *c*), *m* items from the first that changed
  ///   on. And O(*s*).
  public mutating func update<Failure>(
    _ body: (inout ListEdits) throws(Failure) -> Void
  ) throws(Failure) {
    var edits = ListEdits(sections, in: container)
    // The sections are changed in place: nobody else holds them meanwhile.
    sections = []
    defer {
      sections = edits.finish()
      addUp(from: min(edits.firstChanged, starts.count, sections.count))
    }
    try body(&edits)
  }
}
