public import ListModel
import ListOrder

/// An item, a header or a footer with its frame.
public struct PlacedElement: Hashable, Sendable {
  /// The item, header or footer.
  public var element: Element
  /// The frame, in points of the content.
  public var frame: Frame

  /// An element with its frame.
  package init(element: Element, frame: Frame) {
    self.element = element
    self.frame = frame
  }

  /// A part of a list that the placement knows.
  public enum Element: Hashable, Sendable {
    /// The item at a path.
    case item(ItemPath)
    /// The header or footer of the section at an index.
    case supplementary(Supplementary.Kind, section: Int)
  }
}

extension ListPlacement {
  /// The width and the height of all content, in points.
  public var contentSize: Size {
    let length = max(length, container.minimumContentLength.sanitizedLength)
    return container.axis == .vertical
      ? Size(width: container.breadth, height: length)
      : Size(width: length, height: container.breadth)
  }

  /// The frame of an item; `nil` if there is no such item.
  ///
  /// - Complexity: O(log *r*), and in a flow the items of its line; O(1) in a waterfall.
  public func frame(ofItemAt path: ItemPath) -> Frame? {
    guard sections.indices.contains(path.section) else { return nil }
    let section = sections[path.section]
    guard (0..<section.items.itemCount).contains(path.item) else { return nil }
    return frame(section.frame(ofItem: path.item), inSection: path.section)
  }

  /// The frame of a section's header or footer.
  ///
  /// It is `nil` if the section has no such view, and for other kinds, which the app's own layout
  /// places.
  public func frame(of kind: Supplementary.Kind, inSection index: Int) -> Frame? {
    guard sections.indices.contains(index) else { return nil }
    return sections[index].frame(of: kind).map { frame($0, inSection: index) }
  }

  /// The frame of a section's header if it stays in sight as long as its section is.
  ///
  /// - Parameters:
  ///   - index: The section's.
  ///   - visible: The visible rectangle of the content.
  /// - Returns: The header's frame, moved to the start of the visible rectangle, but not past the
  ///   items of its section; `nil` if the section has no header.
  public func pinnedFrameOfHeader(inSection index: Int, visible: Frame) -> Frame? {
    guard sections.indices.contains(index), var header = sections[index].frame(of: .header) else {
      return nil
    }
    let section = sections[index]
    let edge = (axisRange(of: visible)?.low ?? 0) - starts[index]
    let end = section.frame(of: .footer)?.start ?? section.length
    header.start = max(header.start, min(edge, end - header.length))
    return frame(header, inSection: index)
  }

  /// The frame of a section, from edge to edge of the content; `nil` if there is no such section.
  public func frame(ofSection index: Int) -> Frame? {
    guard sections.indices.contains(index) else { return nil }
    let whole = AxisFrame(
      start: 0, length: sections[index].length, acrossStart: 0, breadth: container.breadth)
    return frame(whole, inSection: index)
  }

  /// The frame of a section's items with their insets, from edge to edge of the content; `nil` if
  /// there is no such section.
  public func frame(ofItemsInSection index: Int) -> Frame? {
    guard sections.indices.contains(index) else { return nil }
    return frame(sections[index].itemsFrame, inSection: index)
  }

  // MARK: In a rectangle

  /// The elements that overlap a rectangle of the content, in the order of the list.
  ///
  /// An element without area overlaps no rectangle.
  ///
  /// - Complexity: O(log *s* + log *r* + *m*), *m* elements along the rectangle; in a waterfall of
  ///   *c* columns O(*c* log *n* + *m* log *m*).
  public func elements(in rectangle: Frame) -> [PlacedElement] {
    var elements: [PlacedElement] = []
    guard let (low, high) = axisRange(of: rectangle) else { return [] }
    for index in sections(from: low, to: high) {
      let section = sections[index]
      if let header = section.frame(of: .header) {
        add(header, .supplementary(.header, section: index), in: rectangle, to: &elements)
      }
      var items: [(item: Int, frame: Frame)] = []
      section.forEachItem(from: low - starts[index], to: high - starts[index]) { item, axisFrame in
        let frame = frame(axisFrame, inSection: index)
        if frame.overlaps(rectangle) { items.append((item, frame)) }
      }
      items.sort { $0.item < $1.item }
      for (item, frame) in items {
        elements.append(
          PlacedElement(element: .item(ItemPath(section: index, item: item)), frame: frame))
      }
      if let footer = section.frame(of: .footer) {
        add(footer, .supplementary(.footer, section: index), in: rectangle, to: &elements)
      }
    }
    return elements
  }

  /// The range of items in a rectangle, for each section that has items there: from the first to
  /// the last.
  ///
  /// - Returns: The sections in their order. In a waterfall a range may contain items outside of
  ///   the rectangle.
  public func itemRanges(in rectangle: Frame) -> [(section: Int, items: Range<Int>)] {
    var ranges: [(section: Int, items: Range<Int>)] = []
    for element in elements(in: rectangle) {
      guard case .item(let path) = element.element else { continue }
      if let last = ranges.last, last.section == path.section {
        ranges[ranges.count - 1].items = last.items.lowerBound..<(path.item + 1)
      } else {
        ranges.append((path.section, path.item..<(path.item + 1)))
      }
    }
    return ranges
  }

  private func add(
    _ axisFrame: AxisFrame, _ element: PlacedElement.Element, in rectangle: Frame,
    to elements: inout [PlacedElement]
  ) {
    guard case .supplementary(_, let index) = element else { return }
    let frame = frame(axisFrame, inSection: index)
    if frame.overlaps(rectangle) { elements.append(PlacedElement(element: element, frame: frame)) }
  }

  /// The sections that may overlap a range along the direction of scrolling.
  private func sections(from low: Double, to high: Double) -> Range<Int> {
    // The ends of sections ascend, so the first section that ends behind `low` is found by
    // searching.
    let first = sections.indices.partitioningIndex { starts[$0] + sections[$0].length > low }
    var last = first
    while last < sections.count, starts[last] < high { last += 1 }
    return first..<last
  }

  // MARK: Coordinates

  /// The range of a rectangle along the direction of scrolling; `nil` if it has no area.
  private func axisRange(of rectangle: Frame) -> (low: Double, high: Double)? {
    guard rectangle.width > 0, rectangle.height > 0 else { return nil }
    let (low, high): (Double, Double)
    if container.axis == .vertical {
      (low, high) = (rectangle.y, rectangle.y + rectangle.height)
    } else if container.isMirrored {
      let width = contentSize.width
      (low, high) = (width - (rectangle.x + rectangle.width), width - rectangle.x)
    } else {
      (low, high) = (rectangle.x, rectangle.x + rectangle.width)
    }
    return low < high ? (low, high) : nil
  }

  private func frame(_ axisFrame: AxisFrame, inSection index: Int) -> Frame {
    let start = starts[index] + axisFrame.start
    var frame =
      container.axis == .vertical
      ? Frame(
        x: axisFrame.acrossStart, y: start, width: axisFrame.breadth, height: axisFrame.length)
      : Frame(
        x: start, y: axisFrame.acrossStart, width: axisFrame.length, height: axisFrame.breadth)
    if container.isMirrored { frame.x = contentSize.width - (frame.x + frame.width) }
    return frame
  }
}

extension ListPlacement {
  /// The first broken invariant, for tests; `nil` if there is none.
  package var problem: String? {
    if starts.count != sections.count { return "\(starts.count) starts" }
    var end = 0.0
    for (index, section) in sections.enumerated() {
      if let problem = section.items.problem { return "section \(index): \(problem)" }
      if starts[index] != (index > 0 ? end + sectionSpacing : 0) {
        return "section \(index) begins at \(starts[index])"
      }
      end = starts[index] + section.length
    }
    return length == end ? nil : "the list is \(length) points long, not \(end)"
  }
}
