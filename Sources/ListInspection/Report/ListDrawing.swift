import ListLayout
import ListModel
import Providers

/// What a view shows of the beginning of a list: each item, header and footer with its place.
struct ListDrawing: Sendable {
  /// A rectangle of the drawing.
  struct Part: Hashable, Sendable {
    var frame: Frame
    var size: KnownSize
    var label: Label
    /// Whether a commit has just changed it.
    var isChanged = false

    /// About how many bytes it takes on a page, besides its label.
    static let byteCount = 24
  }

  /// What a rectangle stands for.
  struct Label: Hashable, Sendable {
    var text: String
    /// What is told when somebody points at it.
    var detail: String
    /// The item's cell; `nil` for a header or footer.
    var cell: CellName?
  }

  /// How much is known of a size.
  enum KnownSize: Int, Hashable, Sendable {
    case exact, estimate, missing
  }

  private(set) var parts: [Part] = []
  /// The extent of the parts, in points.
  private(set) var size = Size.zero
  /// Whether the list goes on after the parts.
  private(set) var isCut = false

  /// The most items that are drawn, and the length up to which they are, in points.
  static let mostItems = 240
  private static let mostSections = 60
  private static let greatestLength = 2_400.0

  /// Draws a list.
  ///
  /// - Parameters:
  ///   - list: The list, at any revision.
  ///   - view: The view that it is placed in.
  ///   - source: Where sizes and labels come from.
  ///   - changed: Items that are marked.
  init(
    _ list: Provider, in view: DrawingView, source: DrawingSource,
    changed: Set<ItemID> = []
  ) {
    var sections: [Int] = []
    var measured: [MeasuredSection] = []
    var room = Self.mostItems
    for index in 0..<list.numberOfSections {
      let attributes = list.attributes(ofSection: index) ?? SectionAttributes()
      let itemCount = list.numberOfItems(inSection: index)
      if attributes.visibility.hides(itemCount: itemCount) { continue }
      guard room > 0, sections.count < Self.mostSections else {
        isCut = true
        break
      }
      let metrics = SectionMetrics(ofReported: attributes.layout)
      let drawn = min(room, itemCount)
      if drawn < itemCount { isCut = true }
      room -= drawn
      measured.append(
        MeasuredSection(
          metrics: metrics,
          headerLength: source.length(of: .header, attributes, inSection: index, of: list),
          footerLength: drawn < itemCount
            ? nil : source.length(of: .footer, attributes, inSection: index, of: list),
          items: ItemSizes(
            (0..<drawn).map { source.size(at: ItemPath(section: index, item: $0), of: list).size }))
      )
      sections.append(index)
    }
    let placement = ListPlacement(measured, in: view.container)
    let isVertical = view.container.axis == .vertical
    let extent = placement.contentSize
    let whole = isVertical ? extent.height : extent.width
    let length = min(whole, Self.greatestLength)
    if whole > length { isCut = true }
    size =
      isVertical
      ? Size(width: extent.width, height: length) : Size(width: length, height: extent.height)
    let bounds = Frame(x: 0, y: 0, width: size.width, height: size.height)
    for placed in placement.elements(in: bounds) {
      switch placed.element {
      case .item(let path):
        let path = ItemPath(section: sections[path.section], item: path.item)
        guard let item = list.item(at: path) else { continue }
        let found = source.size(at: path, of: list)
        parts.append(
          Part(
            frame: placed.frame, size: found.known, label: source.label(of: item, found.why),
            isChanged: changed.contains(item.id)))
      case .supplementary(let kind, let section):
        guard let view = list.attributes(ofSection: sections[section])?[kind] else { continue }
        parts.append(
          Part(
            frame: placed.frame,
            size: source.known(of: kind, inSection: sections[section], of: list),
            label: source.label(
              of: kind, view, inSection: list.sectionID(at: sections[section]))))
      }
    }
  }
}

extension ListDrawing.Label {
  init(_ item: Item, _ why: String?, _ content: Inspection.ContentDetail) {
    cell = item.state.cell
    text = Shown.cut(content.title(of: item.state.content) ?? item.id.rawValue, to: 60)
    detail = [
      "item \(item.id.rawValue)", "cell \(item.state.cell.rawValue)",
      content.shown(item.state.content), why,
    ].compactMap(\.self).joined(separator: ", ")
  }

  init(
    _ kind: Supplementary.Kind, _ view: Supplementary, of section: String,
    _ content: Inspection.ContentDetail
  ) {
    text = Shown.cut(content.title(of: view.content) ?? section, to: 60)
    detail = [
      "\(kind.rawValue) of section \(section)", "view \(view.view.rawValue)",
      content.shown(view.content),
    ].compactMap(\.self).joined(separator: ", ")
  }
}
