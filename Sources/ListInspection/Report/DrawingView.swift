import ListLayout
import ListModel
import Providers

/// The view in which a list is drawn: the one for which the store has the most sizes of the list.
///
/// The store does not know views. But a size fits the column of a section, and so the sections'
/// layouts tell how broad the view was.
struct DrawingView {
  private var container = LayoutContainer(size: plainSize)
  private var environment = LayoutEnvironment()
  /// How many sizes are stored for this view.
  private var sizeCount = 0

  /// The view of a list without sizes, in points.
  private static let plainSize = Size(width: 390, height: 844)
  /// The greatest breadth that is drawn, in points.
  private static let greatestBreadth = 4_096.0
  /// The most layouts and the most keys that are tried.
  private static let mostLayouts = 20

  /// `sizes`: The sizes of the store.
  init(_ list: Provider, _ sizes: StoreSizes) {
    let own = sizes.lists.first { $0.list.utf8.elementsEqual(list.list.rawValue.utf8) }
    let groups = own?.groups ?? []
    var counts: [Int: Int] = [:]
    for group in groups where group.kind == nil && sizes.keys[group.key].variant.isEmpty {
      counts[group.key, default: 0] += group.count
    }
    var layouts: [SectionMetrics] = []
    for index in 0..<list.numberOfSections where layouts.count < Self.mostLayouts {
      let metrics = SectionMetrics(ofReported: list.attributes(ofSection: index)?.layout)
      if !layouts.contains(metrics) { layouts.append(metrics) }
    }
    // The keys of which the store has the most, those used last before others.
    for key in counts.keys.sorted(by: { (-(counts[$0] ?? 0), $0) < (-(counts[$1] ?? 0), $1) })
      .prefix(Self.mostLayouts)
    {
      let key = sizes.keys[key]
      for metrics in layouts {
        let view = Self(key, metrics)
        guard Self.breadth(of: view.container) <= Self.greatestBreadth else { continue }
        let fitting = Set(layouts.map { view.key($0) })
        let count = counts.reduce(0) { sum, other in
          fitting.contains(Self.sizeKey(sizes.keys[other.key])) ? sum + other.value : sum
        }
        if count > sizeCount {
          self = view
          sizeCount = count
        }
      }
    }
  }

  /// A view in which the items of a section have to fit the length of a key.
  private init(_ key: StoreSizes.Key, _ metrics: SectionMetrics) {
    let axis = Self.sizeKey(key).axis
    let columns = metrics.kind == .list ? 1 : max(1, metrics.columns)
    let column = Double(key.fittingPixels) / max(key.environment.displayScale, 0.1)
    let insets =
      axis == .vertical
      ? metrics.insets.left + metrics.insets.right : metrics.insets.top + metrics.insets.bottom
    let breadth =
      column * Double(columns) + max(0, metrics.interitemSpacing) * Double(columns - 1) + insets
    let length = Self.plainSize.height
    container = LayoutContainer(
      size: axis == .vertical
        ? Size(width: breadth, height: length) : Size(width: length, height: breadth),
      axis: axis, in: key.environment)
    environment = key.environment
  }

  private static func sizeKey(_ key: StoreSizes.Key) -> SizeKey {
    SizeKey(
      axis: SizeKey.Axis(rawValue: key.axis) ?? .vertical, fittingPixels: key.fittingPixels,
      variant: key.variant, environment: key.environment)
  }

  private static func breadth(of container: LayoutContainer) -> Double {
    container.axis == .vertical ? container.size.width : container.size.height
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

  /// The view as the page has it.
  var value: ReportedList.View {
    let breadth = Self.breadth(of: container)
    let points = "\(Shown.points(breadth)) points \(container.axis == .vertical ? "wide" : "high")"
    return ReportedList.View(
      isVertical: container.axis == .vertical, breadth: breadth, scale: container.scale,
      isMirrored: container.isMirrored,
      words: sizeCount == 0
        ? "No sizes are stored: drawn \(points), each item 44 points long."
        : "Drawn as in a view \(points), for which most sizes are stored "
          + "(\(Shown.number(sizeCount))): text size \(environment.contentSizeCategory), "
          + "\(environment.locale), scale \(Shown.points(environment.displayScale))"
          + (environment.system.isEmpty ? "." : ", \(environment.system)."))
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
