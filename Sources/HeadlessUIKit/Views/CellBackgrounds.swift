/// The two views behind the content of a cell.
@MainActor struct CellBackgrounds {
  /// The view behind everything; `nil` for none.
  var plain: UIView? {
    didSet { if plain !== oldValue { oldValue?.removeFromSuperview() } }
  }
  /// The view above ``plain`` while the cell is selected or highlighted; `nil` for none.
  var selected: UIView? {
    didSet { if selected !== oldValue { oldValue?.removeFromSuperview() } }
  }

  /// Brings the views to where they belong, as large as the cell.
  ///
  /// - Parameters:
  ///   - cell: The cell.
  ///   - isActive: Whether it is selected or highlighted.
  func show(in cell: UIView, isActive: Bool) {
    // From back to front; one view may be both.
    let shown = [plain, isActive ? selected : nil].compactMap(\.self)
    if !isActive, selected !== plain { selected?.removeFromSuperview() }
    for (index, view) in shown.enumerated() {
      if view.superview !== cell { cell.insertSubview(view, at: index) }
      view.frame = cell.bounds
    }
  }
}
