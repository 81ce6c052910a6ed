import ListLayout
import ListModel
import Providers

/// A whole list, compressed: about 200 parts with their places in the whole content.
///
/// Only the sums of sizes that the store keeps are read, and one item of each part.
struct ListStrip: Sendable {
  /// Consecutive items of a section.
  struct Part: Sendable {
    /// Where it begins and ends along the direction of scrolling, in points.
    var start: Double
    var end: Double
    /// The cell of its first item.
    var cell: CellName?
    /// The section and the range of items, for people.
    var title: String
    /// Whether less than half of the section's items have a size.
    var isEstimate: Bool
  }

  private(set) var parts: [Part] = []
  /// The length of all content, in points.
  private(set) var length = 0.0

  private static let mostSections = 400
  private static let partCount = 200

  /// Places a list; `nil` if it has too many sections.
  init?(_ list: Provider, in view: DrawingView) {
    guard list.numberOfSections <= Self.mostSections else { return nil }
    let total = max(1, list.numberOfItems)
    var sections: [Int] = []
    let measured = (0..<list.numberOfSections).compactMap { index -> MeasuredSection? in
      let attributes = list.attributes(ofSection: index) ?? SectionAttributes()
      let count = list.numberOfItems(inSection: index)
      if attributes.visibility.hides(itemCount: count) { return nil }
      sections.append(index)
      let metrics = SectionMetrics(ofReported: attributes.layout)
      return MeasuredSection(
        metrics: metrics, headerLength: attributes.header.map { _ in DrawingView.plainLength },
        footerLength: attributes.footer.map { _ in DrawingView.plainLength },
        items: list.itemSizes(
          ofSection: index, for: view.key(metrics), estimate: DrawingView.plainLength,
          parts: max(1, Self.partCount * count / total)))
    }
    let placement = ListPlacement(measured, in: view.container)
    let isVertical = view.container.axis == .vertical
    length = isVertical ? placement.contentSize.height : placement.contentSize.width
    for (place, index) in sections.enumerated() {
      let count = list.numberOfItems(inSection: index)
      guard count > 0, let bounds = placement.frame(ofItemsInSection: place) else { continue }
      let metrics = measured[place].metrics
      let sized = list.extent(ofSection: index, for: view.key(metrics))?.measuredCount ?? 0
      let parts = max(1, min(count, Self.partCount * count / total))
      func start(of item: Int) -> Double? {
        let frame = placement.frame(ofItemAt: ItemPath(section: place, item: item))
        return isVertical ? frame?.y : frame?.x
      }
      for part in 0..<parts {
        let items = (count * part / parts)..<(count * (part + 1) / parts)
        let end = isVertical ? bounds.y + bounds.height : bounds.x + bounds.width
        self.parts.append(
          Part(
            start: start(of: items.lowerBound) ?? end, end: start(of: items.upperBound) ?? end,
            cell: list.cell(at: ItemPath(section: index, item: items.lowerBound))?.cell,
            title: "section \(list.sectionID(at: index)?.rawValue ?? ""), items "
              + "\(Shown.number(items.lowerBound)) to \(Shown.number(items.upperBound - 1))",
            isEstimate: sized * 2 < count))
      }
    }
  }
}
