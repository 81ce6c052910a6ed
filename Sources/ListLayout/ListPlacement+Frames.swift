public import ListModel
import ListOrder

/// Something that stands in a list.
public struct PlacedElement: Hashable, Sendable {
  /// What it is.
  public var element: Element
  /// Where it stands, in points of the content.
  public var frame: Frame

  /// Something at its place.
  package init(element: Element, frame: Frame) {
    self.element = element
    self.frame = frame
  }

  /// What stands in a list.
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

  /// Where an item stands; `nil` if there is no such item.
  ///
  /// - Complexity: O(log *r*), and in a flow the items of its line; O(1) in a waterfall.
  public func frame(ofItemAt path: ItemPath) -> Frame? {
    guard sections.indices.contains(path.section) else { return nil }
    let section = sections[path.section]
    guard (0..<section.items.itemCount).contains(path.item) else { return nil }
    return frame(section.frame(ofItem: path.item), inSection: path.section)
  }

  /// Where a section's header or footer stands; `nil` if it has none, and for other kinds, which the
  /// app's own layout places.
  public func frame(of kind: Supplementary.Kind, inSection index: Int) -> Frame? {
    guard sections.indices.contains(index) else { return nil }
    return sections[index].frame(of: kind).map { frame($0, inSection: index) }
  }

  /// Where a section's header stands that stays in sight as long as its section is.
  ///
  /// - Parameters:
  ///   - index: The section's.
  ///   - visible: What is seen of the content.
  /// - Returns: The header's frame, moved along to the visible rectangle's beginning, but not beyond its
  ///   section's items; `nil` if the section has no header.
  public func pinnedFrameOfHeader(inSection index: Int, visible: Frame) -> Frame? {
    guard sections.indices.contains(index), var header = sections[index].frame(of: .header) else {
      return nil
    }
    let section = sections[index]
    let edge = (stretch(of: visible)?.low ?? 0) - starts[index]
    let end = section.frame(of: .footer)?.start ?? section.length
    header.start = max(header.start, min(edge, end - header.length))
    return frame(header, inSection: index)
  }

  /// Where a section is, from edge to edge of the content; `nil` if there is no such section.
  public func frame(ofSection index: Int) -> Frame? {
    guard sections.indices.contains(index) else { return nil }
    let whole = AxisFrame(
      start: 0, length: sections[index].length, acrossStart: 0, breadth: container.breadth)
    return frame(whole, inSection: index)
  }

  /// Where a section's items are with their insets, from edge to edge of the content; `nil` if there is no
  /// such section.
  public func frame(ofItemsInSection index: Int) -> Frame? {
    guard sections.indices.contains(index) else { return nil }
    return frame(sections[index].itemsFrame, inSection: index)
  }

  // MARK: In a rectangle

  /// What shares an area with a rectangle of the content, in the order of the list.
  ///
  /// What has no area is in no rectangle.
  ///
  /// - Complexity: O(log *s* + log *r* + *m*), *m* elements along the rectangle; in a waterfall of *c*
  ///   columns O(*c* log *n* + *m* log *m*).
  public func elements(in rectangle: Frame) -> [PlacedElement] {
    var elements: [PlacedElement] = []
    guard let (low, high) = stretch(of: rectangle) else { return [] }
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

  /// The items that a stretch of the list needs: of each section that a rectangle touches, from the first
  /// to the last in it.
  ///
  /// - Returns: Sections in their order, those without items in the rectangle left out. In a waterfall a
  ///   range may hold items that are outside.
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

  /// The sections that may share a length with a stretch.
  private func sections(from low: Double, to high: Double) -> Range<Int> {
    // Sections end in their order; those that end at `low` or before are left out.
    let first = sections.indices.partitioningIndex { starts[$0] + sections[$0].length > low }
    var last = first
    while last < sections.count, starts[last] < high { last += 1 }
    return first..<last
  }

  // MARK: Coordinates

  /// What a rectangle covers along the direction of scrolling; `nil` for one without area.
  private func stretch(of rectangle: Frame) -> (low: Double, high: Double)? {
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
  /// What is wrong within, for tests; `nil` if nothing is.
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
