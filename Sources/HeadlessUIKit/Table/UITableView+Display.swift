import Foundation

/// Showing the cells, headers and footers in the visible rectangle.
extension UITableView {
  /// Adds cells and views that become visible, and removes those that are no longer visible.
  ///
  /// Rows that size themselves may change what is visible: the table places everything again until
  /// no row has another height. Rows that were on display keep their places on the screen.
  func showWhatIsVisible() {
    for _ in 0..<10 {
      let before = placement()
      let shown = before.rows(in: bounds.minY..<max(bounds.minY, bounds.maxY))
        .first { cells[$0] != nil }
      guard placeWhatIsVisible() else { return }
      placed = nil
      if let shown, let old = before.row(shown), let new = placement().row(shown) {
        bounds.origin.y += new.lowerBound - old.lowerBound
      }
      learnVisibleHeights()
      contentSize = CGSize(width: bounds.width, height: placement().height)
    }
  }

  /// - Returns: Whether a row has another height than it was placed with.
  private func placeWhatIsVisible() -> Bool {
    let placed = placement()
    let visible = bounds.minY..<max(bounds.minY, bounds.maxY)
    let rows = visible.isEmpty ? [] : placed.rows(in: visible)
    let edgeKeys = visible.isEmpty ? [] : visibleEdges(placed, in: visible)
    let shownRows = Set(rows)
    for (path, cell) in cells.sorted(by: { $0.key < $1.key }) where !shownRows.contains(path) {
      cells[path] = nil
      endDisplaying(cell, at: path)
    }
    for (key, view) in sortedEdges() where !edgeKeys.contains(key) {
      edges[key] = nil
      endDisplaying(view, key)
    }
    var isOther = false
    for path in rows {
      if let cell = cells[path] {
        if fit(cell, at: path) { isOther = true }
      } else if showCell(at: path) {
        isOther = true
      }
      if let cell = cells[path], let range = placed.row(path) {
        cell.frame = frame(of: range)
      }
    }
    for key in edgeKeys {
      if edges[key] == nil { showEdge(key) }
      edges[key]?.frame = frame(of: range(of: key, in: placed))
    }
    return isOther
  }

  /// Gives a row of automatic height the one that its cell needs.
  ///
  /// - Returns: Whether it is another one than before.
  private func fit(_ cell: UITableViewCell, at path: IndexPath) -> Bool {
    guard automaticRows.contains(path), fittedHeights[path] == nil else { return false }
    cell.frame.size.width = frame(of: 0..<0).width
    let height = cell.systemLayoutSizeFitting(
      CGSize(width: cell.bounds.width, height: 0), withHorizontalFittingPriority: .required,
      verticalFittingPriority: .fittingSizeLevel
    ).height
    fittedHeights[path] = height
    guard height != cell.bounds.height else { return false }
    cell.frame.size.height = height
    return true
  }

  func frame(of range: Range<CGFloat>) -> CGRect {
    let insets = sectionInsets
    return CGRect(
      x: insets.left, y: range.lowerBound, width: bounds.width - insets.left - insets.right,
      height: range.upperBound - range.lowerBound)
  }

  func range(of key: EdgeKey, in placed: TableArithmetic) -> Range<CGFloat> {
    let section = placed.sections[key.section]
    let start = key.isHeader ? section.top : section.footerTop
    return start..<(start + (key.isHeader ? section.headerHeight : section.footerHeight))
  }

  private func visibleEdges(_ placed: TableArithmetic, in visible: Range<CGFloat>) -> [EdgeKey] {
    placed.sections.indices.flatMap { section in
      [true, false].map { EdgeKey(section: section, isHeader: $0) }
    }.filter {
      let range = range(of: $0, in: placed)
      return !range.isEmpty && range.overlaps(visible)
    }
  }

  func sortedEdges() -> [(key: EdgeKey, value: UIView)] {
    edges.sorted {
      ($0.key.section, $0.key.isHeader ? 0 : 1) < ($1.key.section, $1.key.isHeader ? 0 : 1)
    }
  }

  /// - Returns: Whether the row has another height than it was placed with.
  private func showCell(at path: IndexPath) -> Bool {
    guard let cell = requestCell(at: path) else { return false }
    cell.setSelected(selection.contains(path), animated: false)
    cell.setHighlighted(highlighted == path, animated: false)
    prepare(cell, at: path)
    cell.setEditing(isEditing, animated: false)
    cells[path] = cell
    if let range = placement().row(path) { cell.frame = frame(of: range) }
    addSubview(cell)
    let isOther = fit(cell, at: path)
    cellQueues.counts.displayed += 1
    delegate?.tableView(self, willDisplay: cell, forRowAt: path)
    return isOther
  }

  /// Sets what is around a cell's content: separator, safe area, the controls of editing mode.
  func prepare(_ cell: UITableViewCell, at path: IndexPath) {
    let isEditable = isEditing && dataSource?.tableView(self, canEditRowAt: path) ?? false
    cell.editingStyle =
      isEditable ? delegate?.tableView(self, editingStyleForRowAt: path) ?? .delete : .none
    cell.shouldIndentWhileEditing =
      isEditable ? delegate?.tableView(self, shouldIndentWhileEditingRowAt: path) ?? true : true
    cell.showsReorderControl =
      isEditing && dataSource?.tableView(self, canMoveRowAt: path) ?? false
    cell.setNeedsLayout()
    cell.surroundings = RowSurroundings(
      insetsContent: insetsContentViewsToSafeArea, hasSeparator: separatorStyle != .none,
      isEditable: isEditable)
  }

  private func showEdge(_ key: EdgeKey) {
    let given =
      key.isHeader
      ? delegate?.tableView(self, viewForHeaderInSection: key.section)
      : delegate?.tableView(self, viewForFooterInSection: key.section)
    let title =
      key.isHeader
      ? dataSource?.tableView(self, titleForHeaderInSection: key.section)
      : dataSource?.tableView(self, titleForFooterInSection: key.section)
    guard let view = given ?? title.map({ _ in UITableViewHeaderFooterView(reuseIdentifier: nil) })
    else { return }
    edges[key] = view
    (view as? UITableViewHeaderFooterView)?.surroundings.insetsContent =
      insetsContentViewsToSafeArea
    addSubview(view)
    edgeDisplays.bound += 1
    edgeDisplays.displayed += 1
    if key.isHeader {
      delegate?.tableView(self, willDisplayHeaderView: view, forSection: key.section)
    } else {
      delegate?.tableView(self, willDisplayFooterView: view, forSection: key.section)
    }
  }

  // MARK: Leaving

  func endDisplaying(_ cell: UITableViewCell, at path: IndexPath) {
    cell.removeFromSuperview()
    cellQueues.counts.ended += 1
    delegate?.tableView(self, didEndDisplaying: cell, forRowAt: path)
    cell.setHighlighted(false, animated: false)
    cell.setSelected(false, animated: false)
    if let identifier = cell.reuseIdentifier {
      cellQueues.enqueue(cell, .init(identifier: identifier))
    }
  }

  func endDisplaying(_ view: UIView, _ key: EdgeKey) {
    view.removeFromSuperview()
    edgeDisplays.ended += 1
    if key.isHeader {
      delegate?.tableView(self, didEndDisplayingHeaderView: view, forSection: key.section)
    } else {
      delegate?.tableView(self, didEndDisplayingFooterView: view, forSection: key.section)
    }
    if let view = view as? UITableViewHeaderFooterView, let identifier = view.reuseIdentifier {
      edgeQueues.enqueue(view, .init(identifier: identifier))
    }
  }

  func endDisplayingEverything() {
    endDisplayingWhatLeaves()
    let shownCells = cells.sorted { $0.key < $1.key }
    let shownEdges = sortedEdges()
    cells = [:]
    edges = [:]
    for (path, cell) in shownCells { endDisplaying(cell, at: path) }
    for (key, view) in shownEdges { endDisplaying(view, key) }
  }

  func endDisplayingWhatLeaves() {
    let (goneCells, goneEdges) = (leavingCells, leavingEdges)
    leavingCells = []
    leavingEdges = []
    for (cell, path) in goneCells { endDisplaying(cell, at: path) }
    for (view, key) in goneEdges { endDisplaying(view, key) }
  }

  /// Compares the visible cells with `expectedContent`.
  func checkContent() {
    guard let expectedContent else { return }
    for (path, cell) in cells.sorted(by: { $0.key < $1.key }) {
      guard let probe = cell as? any HeadlessProbe, let expected = expectedContent(path) else {
        continue
      }
      let shown = probe.headlessContent
      if shown.map(expected.agrees) == true { continue }
      HeadlessException(
        .wrongContent,
        "the cell at \(UpdatePlace(path).short) shows \(shown?.description ?? "nothing"), "
          + "and should show \(expected)"
      ).raise()
    }
  }
}
