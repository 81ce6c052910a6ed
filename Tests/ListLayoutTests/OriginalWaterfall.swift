import ListLayout
import ListModel

/// The arithmetic of CHTCollectionViewWaterfallLayout 1.0, as far as frames go: positions from the
/// top of the content, one section after another, every item in its turn.
struct OriginalWaterfall {
  struct Section {
    var columns: Int
    var columnSpacing: Double
    var itemSpacing: Double
    var insets: Insets
    var header: Double
    var footer: Double
    var headerInsets: Insets
    var footerInsets: Insets
    var direction: SectionMetrics.RenderDirection
    /// Only the ratio of the sides counts.
    var items: [Size]
  }

  var frames: [[Frame]] = []
  var headers: [Int: Frame] = [:]
  var footers: [Int: Frame] = [:]
  var contentHeight = 0.0

  /// Places sections; the original forgives rounding errors of no `tolerance`, in points.
  init(_ sections: [Section], width: Double, scale: Double, tolerance: Double = 0) {
    func floored(_ points: Double) -> Double {
      (points * scale + tolerance).rounded(.down) / scale
    }
    var top = 0.0
    for (index, section) in sections.enumerated() {
      let count = Double(section.columns)
      let inner = width - section.insets.left - section.insets.right
      let itemWidth = floored((inner - (count - 1) * section.columnSpacing) / count)
      top += section.headerInsets.top
      if section.header > 0 {
        headers[index] = Frame(
          x: section.headerInsets.left, y: top,
          width: width - section.headerInsets.left - section.headerInsets.right,
          height: section.header)
        top += section.header + section.headerInsets.bottom
      }
      top += section.insets.top
      var bottoms = Array(repeating: top, count: section.columns)
      var placed: [Frame] = []
      for (item, size) in section.items.enumerated() {
        var column = 0
        switch section.direction {
        case .shortestFirst:
          for other in bottoms.indices where bottoms[other] < bottoms[column] - tolerance {
            column = other
          }
        case .leftToRight: column = item % section.columns
        case .rightToLeft: column = section.columns - 1 - item % section.columns
        }
        let hasArea = size.width > 0 && size.height > 0
        let height = hasArea ? floored(size.height * itemWidth / size.width) : 0
        placed.append(
          Frame(
            x: section.insets.left + (itemWidth + section.columnSpacing) * Double(column),
            y: bottoms[column], width: itemWidth, height: height))
        bottoms[column] += height + section.itemSpacing
      }
      frames.append(placed)
      top = (bottoms.max() ?? 0) - section.itemSpacing + section.insets.bottom
      top += section.footerInsets.top
      if section.footer > 0 {
        footers[index] = Frame(
          x: section.footerInsets.left, y: top,
          width: width - section.footerInsets.left - section.footerInsets.right,
          height: section.footer)
        top += section.footer + section.footerInsets.bottom
      }
    }
    contentHeight = top
  }
}

extension MeasuredSection {
  /// The same section for Cellar: between columns is between the items of a line, between the items
  /// of a column is between lines.
  init(_ section: OriginalWaterfall.Section) {
    self.init(
      metrics: SectionMetrics(
        kind: .waterfall, columns: section.columns, lineSpacing: section.itemSpacing,
        interitemSpacing: section.columnSpacing, insets: section.insets,
        headerInsets: section.headerInsets, footerInsets: section.footerInsets,
        renderDirection: section.direction, sizing: .proportional),
      headerLength: section.header, footerLength: section.footer, items: ItemSizes(section.items))
  }
}
