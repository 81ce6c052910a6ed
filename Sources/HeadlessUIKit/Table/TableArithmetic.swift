import Foundation

/// The places of a table's rows, headers and footers, one below the other.
struct TableArithmetic {
  struct Section {
    var headerHeight: CGFloat
    var rowHeights: [CGFloat]
    var footerHeight: CGFloat
  }

  struct PlacedSection {
    var top: CGFloat
    var headerHeight: CGFloat
    /// The top of each row, and the bottom of the last one.
    var rows: [CGFloat]
    var footerHeight: CGFloat

    var footerTop: CGFloat { rows.last ?? top + headerHeight }
    var bottom: CGFloat { footerTop + footerHeight }
  }

  private(set) var sections: [PlacedSection] = []

  init(_ sections: [Section] = []) {
    var offset: CGFloat = 0
    for section in sections {
      let top = offset
      offset += section.headerHeight
      var rows = [offset]
      for height in section.rowHeights {
        offset += height
        rows.append(offset)
      }
      offset += section.footerHeight
      self.sections.append(
        PlacedSection(
          top: top, headerHeight: section.headerHeight, rows: rows,
          footerHeight: section.footerHeight))
    }
  }

  var height: CGFloat { sections.last?.bottom ?? 0 }

  /// The vertical range of a row.
  func row(_ path: IndexPath) -> Range<CGFloat>? {
    guard sections.indices.contains(path.section) else { return nil }
    let rows = sections[path.section].rows
    guard path.row >= 0, path.row + 1 < rows.count else { return nil }
    return rows[path.row]..<max(rows[path.row], rows[path.row + 1])
  }

  /// The paths of rows that overlap a vertical range.
  func rows(in range: Range<CGFloat>) -> [IndexPath] {
    var paths: [IndexPath] = []
    for (index, section) in sections.enumerated()
    where section.top < range.upperBound && section.bottom > range.lowerBound {
      for row in 0..<section.rows.count - 1
      where section.rows[row] < range.upperBound && section.rows[row + 1] > range.lowerBound {
        paths.append(IndexPath(row: row, section: index))
      }
    }
    return paths
  }
}
