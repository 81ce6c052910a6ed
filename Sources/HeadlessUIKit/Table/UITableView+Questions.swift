public import Foundation

/// Looking up cells, paths and frames, and scrolling.
extension UITableView {
  /// The cells on display, from top to bottom.
  public var visibleCells: [UITableViewCell] { cells.sorted { $0.key < $1.key }.map(\.value) }

  /// The paths of the cells on display, from top to bottom.
  public var indexPathsForVisibleRows: [IndexPath]? { cells.keys.sorted() }

  /// The cell of a row; `nil` if it is not on display.
  public func cellForRow(at indexPath: IndexPath) -> UITableViewCell? { cells[indexPath] }

  /// The path of a cell; `nil` if it is not on display.
  public func indexPath(for cell: UITableViewCell) -> IndexPath? {
    cells.first { $0.value === cell }?.key
  }

  /// The path of the row at a point of the content; `nil` if there is none.
  public func indexPathForRow(at point: CGPoint) -> IndexPath? {
    placement().rows(in: point.y..<point.y.nextUp).first
  }

  /// The header of a section; `nil` if it is not on display.
  public func headerView(forSection section: Int) -> UITableViewHeaderFooterView? {
    edges[EdgeKey(section: section, isHeader: true)] as? UITableViewHeaderFooterView
  }

  /// The footer of a section; `nil` if it is not on display.
  public func footerView(forSection section: Int) -> UITableViewHeaderFooterView? {
    edges[EdgeKey(section: section, isHeader: false)] as? UITableViewHeaderFooterView
  }

  /// The frame of a row; `.zero` if there is none.
  public func rectForRow(at indexPath: IndexPath) -> CGRect {
    placement().row(indexPath).map(frame(of:)) ?? .zero
  }

  /// The frame of a header; `.zero` if there is no such section.
  public func rectForHeader(inSection section: Int) -> CGRect {
    let placed = placement()
    guard placed.sections.indices.contains(section) else { return .zero }
    return frame(of: range(of: EdgeKey(section: section, isHeader: true), in: placed))
  }

  /// The frame of a section with its header and footer; `.zero` if there is no such section.
  public func rect(forSection section: Int) -> CGRect {
    let placed = placement()
    guard placed.sections.indices.contains(section) else { return .zero }
    return frame(of: placed.sections[section].top..<placed.sections[section].bottom)
  }

  /// Scrolls a row to a position, as far as the content goes.
  ///
  /// - Parameters:
  ///   - indexPath: The row.
  ///   - scrollPosition: The position.
  ///   - animated: Whether the delegate is called at the end.
  public func scrollToRow(
    at indexPath: IndexPath, at scrollPosition: ScrollPosition, animated: Bool
  ) {
    let count = numberOfRows(inSection: indexPath.section)
    guard let row = placement().row(indexPath) else {
      HeadlessException(
        .invalidArgument,
        "Attempted to scroll the table view to an out-of-bounds row (\(indexPath.row)) when there "
          + "are only \(count) rows in section \(indexPath.section)."
      ).raise()
      return
    }
    contentSize = CGSize(width: bounds.width, height: placement().height)
    var offset = contentOffset
    let bottom = row.upperBound - bounds.height + adjustedContentInset.bottom
    switch scrollPosition {
    case .top: offset.y = row.lowerBound - adjustedContentInset.top
    case .middle: offset.y = (row.lowerBound + row.upperBound - bounds.height) / 2
    case .bottom: offset.y = bottom
    case .none:
      if row.lowerBound < bounds.minY {
        offset.y = row.lowerBound - adjustedContentInset.top
      } else if row.upperBound > bounds.maxY {
        offset.y = bottom
      }
    }
    setContentOffset(clamped(offset), animated: animated)
  }
}
