import ListLayout
import ListModel
import ListStore
import ListTables
import Providers

/// The view in which a list is drawn: the one for which the store has the most sizes of the list.
///
/// The store does not know views. But a size fits the column of a section, and so the sections'
/// layouts tell how broad the view was.
struct DrawingView {
  let container: LayoutContainer
  let environment: LayoutEnvironment
  /// How many sizes are stored for this view.
  let sizeCount: Int

  /// The length of an item for which there is no size at all, in points.
  static let plainLength = 44.0
  /// The view of a list without sizes, in points.
  private static let plainSize = Size(width: 390, height: 844)
  /// The greatest breadth that is drawn, in points.
  private static let greatestBreadth = 4_096.0
  /// How many sections are asked for their sizes.
  private static let sampledSections = 200

  init(_ list: Provider, in repository: Repository) throws {
    let counts = try Self.counts(of: list, in: repository)
    var best: (view: DrawingView, measured: Int)?
    for count in counts.sorted(by: { ($1.measured, $0.usedAt) < ($0.measured, $1.usedAt) }).prefix(
      20)
    {
      let container = Self.container(of: count)
      guard Self.breadth(of: container) <= Self.greatestBreadth else { continue }
      let measured = counts.reduce(0) { sum, other in
        let fits =
          other.key.axis == count.key.axis && other.key.environment == count.key.environment
          && other.metrics.fittingLength(in: container).pixels == other.key.fittingPixels
        return fits ? sum + other.measured : sum
      }
      if measured > best?.measured ?? 0 {
        let view = DrawingView(
          container: container, environment: count.key.environment, sizeCount: measured)
        best = (view, measured)
      }
    }
    self =
      best?.view
      ?? DrawingView(
        container: LayoutContainer(size: Self.plainSize), environment: LayoutEnvironment(),
        sizeCount: 0)
  }

  private init(container: LayoutContainer, environment: LayoutEnvironment, sizeCount: Int) {
    self.container = container
    self.environment = environment
    self.sizeCount = sizeCount
  }

  /// The key of the sizes of a section's items.
  func key(_ metrics: SectionMetrics) -> SizeKey {
    metrics.fittingLength(in: container).sizeKey(axis: container.axis, in: environment)
  }

  /// The key of the size of a section's header or footer.
  func key(of kind: Supplementary.Kind, _ metrics: SectionMetrics) -> SizeKey {
    metrics.fittingLength(of: kind, in: container)
      .sizeKey(axis: container.axis, in: environment)
  }

  /// Which view it is, for people.
  var description: String {
    let breadth = Shown.points(Self.breadth(of: container))
    let side = container.axis == .vertical ? "wide" : "high"
    if sizeCount == 0 {
      return "No sizes are stored: drawn \(breadth) points \(side), "
        + "each item \(Shown.points(Self.plainLength)) points long."
    }
    return "Drawn as in a view \(breadth) points \(side), for which most sizes are stored; text "
      + "size \(environment.contentSizeCategory), \(environment.locale), scale "
      + "\(Shown.points(environment.displayScale))"
      + (environment.system.isEmpty ? "." : ", \(environment.system).")
  }

  // MARK: Sizes that are stored

  /// How many items of a section have a size for a key.
  private struct Count {
    var metrics: SectionMetrics
    var key: SizeKey
    var measured: Int
    var usedAt: Int
  }

  private static func counts(of list: Provider, in repository: Repository) throws -> [Count] {
    try repository.read("count sizes") { db in
      let statements = Statements(db)
      var counts: [Count] = []
      for index in 0..<min(list.numberOfSections, sampledSections) {
        guard let section = list.sectionID(at: index) else { continue }
        let metrics = SectionMetrics(ofReported: list.attributes(ofSection: index)?.layout)
        try statements(
          """
          SELECT axis, fittingPixels, variant, contentSizeCategory, legibilityWeight,
            layoutDirection, locale, displayScale, system, measured, usedAt
          FROM section JOIN list ON list.id = section.list
            CROSS JOIN sizeKey
            JOIN blockExtent ON blockExtent.sizeKey = sizeKey.id AND blockExtent.block = section.root
            JOIN layoutEnvironment ON layoutEnvironment.id = environment
          WHERE list.name = ? AND section.name = ? AND variant = ''
          """
        ).forEach(list.list.rawValue, section.rawValue) { row in
          counts.append(
            Count(
              metrics: metrics,
              key: SizeKey(
                axis: SizeKey.Axis(rawValue: try row.text(0)) ?? .vertical,
                fittingPixels: try row.integer(1), variant: try row.text(2),
                environment: try LayoutEnvironment(row, from: 3)),
              measured: min(max(0, try row.integer(9)), 1 << 40), usedAt: try row.integer(10)))
        }
      }
      return counts
    }
  }

  /// A view in which the items of a section have to fit the length of a key.
  private static func container(of count: Count) -> LayoutContainer {
    let (metrics, key) = (count.metrics, count.key)
    let columns = metrics.kind == .list ? 1 : max(1, metrics.columns)
    let column = Double(key.fittingPixels) / max(key.environment.displayScale, 0.1)
    let insets =
      key.axis == .vertical
      ? metrics.insets.left + metrics.insets.right : metrics.insets.top + metrics.insets.bottom
    let breadth =
      column * Double(columns) + max(0, metrics.interitemSpacing) * Double(columns - 1) + insets
    let size =
      key.axis == .vertical
      ? Size(width: breadth, height: plainSize.height)
      : Size(width: plainSize.height, height: breadth)
    return LayoutContainer(size: size, axis: key.axis, in: key.environment)
  }

  private static func breadth(of container: LayoutContainer) -> Double {
    container.axis == .vertical ? container.size.width : container.size.height
  }
}

extension SectionMetrics {
  /// The metrics with which a section is drawn; several columns without a kind are a flow, as in
  /// UIKit's default layout.
  init(ofReported layout: SectionLayout?) {
    let isFlow = layout?.kind == nil && layout?.columns ?? 1 > 1
    self.init(layout, defaults: SectionMetrics(kind: isFlow ? .flow : .list))
  }
}
