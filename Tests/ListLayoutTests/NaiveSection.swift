import ListLayout
import ListModel
import TestSupport

/// A section of sizes in an array, to compare placements with.
struct NaiveSection {
  var metrics: SectionMetrics
  var header: Double?
  var footer: Double?
  var sizes: [Size]

  var measured: MeasuredSection {
    MeasuredSection(
      metrics: metrics, headerLength: header, footerLength: footer, items: ItemSizes(sizes))
  }

  /// Where each item is, from the first inset on, and where the last line ends; for vertical lists
  /// of whole or half points.
  func place(in container: LayoutContainer) -> (frames: [Frame], height: Double) {
    switch metrics.kind {
    case .list, .waterfall: columns(in: container)
    case .flow: flow(in: container)
    }
  }

  private func columns(in container: LayoutContainer) -> (frames: [Frame], height: Double) {
    let count = metrics.kind == .list ? 1 : metrics.columns
    let width = metrics.fittingLength(in: container).points
    var bottoms = Array(repeating: 0.0, count: count)
    var height = 0.0
    let frames = sizes.enumerated().map { index, size in
      var column = 0
      switch metrics.renderDirection {
      case .shortestFirst: column = bottoms.firstIndex(of: bottoms.min() ?? 0) ?? 0
      case .leftToRight: column = index % count
      case .rightToLeft: column = count - 1 - index % count
      }
      let frame = Frame(
        x: metrics.insets.left + Double(column) * (width + metrics.interitemSpacing),
        y: bottoms[column], width: width, height: size.height)
      bottoms[column] += size.height + metrics.lineSpacing
      height = max(height, frame.y + frame.height)
      return frame
    }
    return (frames, height)
  }

  private func flow(in container: LayoutContainer) -> (frames: [Frame], height: Double) {
    let available = container.size.width - metrics.insets.left - metrics.insets.right
    let spacing = metrics.interitemSpacing
    var lines: [[Size]] = []
    for size in sizes {
      let used = lines.last?.reduce(0) { $0 + $1.width + spacing } ?? .infinity
      if used + size.width > available { lines.append([]) }
      lines[lines.count - 1].append(size)
    }
    let isGrid = Set(sizes).count == 1
    let perLine = sizes.first.map { ((available + spacing) / ($0.width + spacing)).rounded(.down) }
    var frames: [Frame] = []
    var y = 0.0
    for (index, line) in lines.enumerated() {
      let height = line.map(\.height).max() ?? 0
      let width = line.reduce(0) { $0 + $1.width }
      var x = metrics.insets.left
      var gap = spacing
      let rest = available - width - Double(line.count - 1) * spacing
      switch metrics.lineAlignment {
      case .leading: break
      case .center: x += rest / 2
      case .trailing: x += rest
      case .justified where isGrid:
        let perLine = perLine ?? 1
        let free = available - perLine * line[0].width
        if perLine == 1 { x += free / 2 } else { gap = free / (perLine - 1) }
      case .justified where index < lines.count - 1:
        if line.count == 1 {
          x += (available - width) / 2
        } else {
          gap = (available - width) / Double(line.count - 1)
        }
      case .justified: break
      }
      for size in line {
        let free = height - size.height
        let offset =
          switch metrics.itemAlignment {
          case .start: 0.0
          case .center: free / 2
          case .end: free
          }
        let scale = container.scale
        frames.append(
          Frame(
            x: ((x * scale + 1e-6).rounded(.down)) / scale,
            y: y + ((offset * scale).rounded(.down)) / scale,
            width: size.width, height: size.height))
        x += size.width + gap
      }
      y += height + metrics.lineSpacing
    }
    return (frames, max(0, y - (lines.isEmpty ? 0 : metrics.lineSpacing)))
  }
}

extension Array<NaiveSection> {
  /// Everything that stands in the list, in its order.
  func place(in container: LayoutContainer, spacing: Double) -> [PlacedElement] {
    var elements: [PlacedElement] = []
    var top = 0.0
    for (index, section) in enumerated() {
      func add(_ kind: Supplementary.Kind, _ height: Double?, _ insets: Insets) {
        guard let height else { return }
        top += insets.top
        let frame = Frame(
          x: insets.left, y: top, width: container.size.width - insets.left - insets.right,
          height: height)
        elements.append(
          PlacedElement(element: .supplementary(kind, section: index), frame: frame))
        top += height + insets.bottom
      }
      if index > 0 { top += spacing }
      add(.header, section.header, section.metrics.headerInsets)
      top += section.metrics.insets.top
      let (frames, height) = section.place(in: container)
      for (item, frame) in frames.enumerated() {
        var frame = frame
        frame.y += top
        elements.append(
          PlacedElement(
            element: .item(ItemPath(section: index, item: item)), frame: frame))
      }
      top += height + section.metrics.insets.bottom
      add(.footer, section.footer, section.metrics.footerInsets)
    }
    return elements
  }
}
