import Foundation

/// Showing the cells and views in the visible rectangle.
extension UICollectionView {
  /// Adds cells and views that become visible, and removes those that are no longer visible.
  ///
  /// Cells that size themselves may change what is visible: the view places everything again until
  /// no cell wants another size.
  func showWhatIsVisible() {
    for _ in 0..<10 {
      sizedItself = false
      placeWhatIsVisible()
      guard sizedItself else { return }
      collectionViewLayout.prepareIfNeeded()
      contentSize = collectionViewLayout.collectionViewContentSize
    }
  }

  private func placeWhatIsVisible() {
    var visible: [ElementKey: UICollectionViewLayoutAttributes] = [:]
    var order: [ElementKey] = []
    for attributes in collectionViewLayout.layoutAttributesForElements(in: bounds) ?? []
    where !attributes.isHidden && attributes.frame.overlaps(bounds) {
      let key = ElementKey(attributes)
      if attributes.representedElementCategory == .cell, !session.exists(UpdatePlace(key.path)) {
        HeadlessException(
          "UICollectionView received layout attributes for a cell with an index path that does not "
            + "exist: \(UpdatePlace(key.path).asIndexPath)"
        ).raise()
        continue
      }
      if visible.updateValue(attributes, forKey: key) == nil { order.append(key) }
    }
    for (path, cell) in cells.sorted(by: { $0.key < $1.key })
    where visible[ElementKey(category: .cell, kind: "", path: path)] == nil {
      cells[path] = nil
      endDisplaying(cell, at: path, keeping: true)
    }
    for (key, view) in elements.sorted(by: { $0.key.path < $1.key.path })
    where visible[key] == nil {
      elements[key] = nil
      endDisplaying(view, key)
    }
    for key in order {
      guard let attributes = visible[key] else { continue }
      switch key.category {
      case .cell: showCell(attributes)
      case .supplementaryView: showSupplementaryView(key, attributes)
      case .decorationView: showDecoration(key, attributes)
      }
    }
    // Cells that came back are taken by now.
    while keptCells.count > 3 { enqueue(keptCells.removeFirst().cell) }
  }

  private func showCell(_ attributes: UICollectionViewLayoutAttributes) {
    let path = attributes.indexPath
    if let cell = cells[path] {
      place(cell, attributes)
      if cellsToFit.remove(path) != nil { fit(cell, attributes) }
      return
    }
    guard let cell = takeKeptCell(at: path) ?? requestCell(at: path) else { return }
    cell.isSelected = selection.contains(path)
    cell.isHighlighted = highlighted == path
    askForInitialAttributes(of: ElementKey(attributes))
    place(cell, attributes)
    cells[path] = cell
    addSubview(cell)
    cellsToFit.remove(path)
    fit(cell, attributes)
    cellQueues.counts.displayed += 1
    delegate?.collectionView(self, willDisplay: cell, forItemAt: path)
  }

  /// Asks a cell for the size that it prefers, and the layout whether it has to change for it.
  private func fit(
    _ cell: UICollectionViewCell, _ attributes: UICollectionViewLayoutAttributes
  ) {
    let layout = collectionViewLayout
    let preferred = cell.preferredLayoutAttributesFitting(attributes.copied())
    if layout.shouldInvalidateLayout(
      forPreferredLayoutAttributes: preferred, withOriginalAttributes: attributes)
    {
      layout.invalidateLayout(
        with: layout.invalidationContext(
          forPreferredLayoutAttributes: preferred, withOriginalAttributes: attributes))
      sizedItself = true
    }
  }

  private func showSupplementaryView(
    _ key: ElementKey, _ attributes: UICollectionViewLayoutAttributes
  ) {
    if let view = elements[key] { return place(view, attributes) }
    guard let view = requestSupplementaryView(key) else { return }
    askForInitialAttributes(of: key)
    place(view, attributes)
    elements[key] = view
    addSubview(view)
    elementQueues.counts.displayed += 1
    delegate?.collectionView(
      self, willDisplaySupplementaryView: view, forElementKind: key.kind, at: key.path)
  }

  /// Shows a decoration.
  ///
  /// The layout makes decorations; they are not reused and not counted.
  private func showDecoration(_ key: ElementKey, _ attributes: UICollectionViewLayoutAttributes) {
    if let view = elements[key] { return place(view, attributes) }
    guard let view = collectionViewLayout.makeDecoration(ofKind: key.kind) else {
      HeadlessException(
        "no UICollectionViewLayoutAttributes instance or registered class for decoration kind "
          + key.kind
      ).raise()
      return
    }
    askForInitialAttributes(of: key)
    place(view, attributes)
    elements[key] = view
    insertSubview(view, at: 0)
  }

  private func place(
    _ view: UICollectionReusableView, _ attributes: UICollectionViewLayoutAttributes
  ) {
    view.frame = attributes.frame
    view.alpha = attributes.alpha
    // UIKit keeps a copy of what the layout returns: a subclass that does not copy loses its own.
    view.apply(attributes.copied())
  }

  // MARK: Leaving

  /// Ends the display of a cell.
  ///
  /// `keeping`: Whether the cell may be kept for its item, which is still there.
  func endDisplaying(
    _ cell: UICollectionViewCell, at path: IndexPath, keeping isKept: Bool = false
  ) {
    cell.removeFromSuperview()
    cellQueues.counts.ended += 1
    delegate?.collectionView(self, didEndDisplaying: cell, forItemAt: path)
    cell.isHighlighted = false
    cell.isSelected = false
    guard isKept, isPrefetchingEnabled, !cell.isStandIn else { return enqueue(cell) }
    keptCells.append((cell, path))
  }

  func enqueue(_ cell: UICollectionViewCell) {
    guard let identifier = cell.reuseIdentifier, !cell.isStandIn else { return }
    cellQueues.enqueue(cell, .init(identifier: identifier))
  }

  private func takeKeptCell(at path: IndexPath) -> UICollectionViewCell? {
    guard let index = keptCells.firstIndex(where: { $0.path == path }) else { return nil }
    cellQueues.counts.returned += 1
    return keptCells.remove(at: index).cell
  }

  func releaseKeptCells() {
    let kept = keptCells
    keptCells = []
    for (cell, _) in kept { enqueue(cell) }
  }

  func endDisplaying(_ view: UICollectionReusableView, _ key: ElementKey) {
    view.removeFromSuperview()
    guard key.category == .supplementaryView else { return }
    elementQueues.counts.ended += 1
    delegate?.collectionView(
      self, didEndDisplayingSupplementaryView: view, forElementOfKind: key.kind, at: key.path)
    if let identifier = view.reuseIdentifier, !view.isStandIn {
      elementQueues.enqueue(view, .init(kind: key.kind, identifier: identifier))
    }
  }

  func endDisplayingEverything() {
    endDisplayingWhatLeaves()
    releaseKeptCells()
    let shownCells = cells.sorted { $0.key < $1.key }
    let shownElements = elements.sorted { $0.key.path < $1.key.path }
    cells = [:]
    elements = [:]
    cellsToFit = []
    for (path, cell) in shownCells { endDisplaying(cell, at: path) }
    for (key, view) in shownElements { endDisplaying(view, key) }
  }

  func endDisplayingWhatLeaves() {
    let (goneCells, goneElements) = (leavingCells, leavingElements)
    leavingCells = []
    leavingElements = []
    for (cell, path) in goneCells { endDisplaying(cell, at: path) }
    for (view, key) in goneElements { endDisplaying(view, key) }
  }

  // MARK: Content

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

extension UICollectionView.ElementKey {
  @MainActor init(_ attributes: UICollectionViewLayoutAttributes) {
    category = attributes.representedElementCategory
    kind = attributes.representedElementKind ?? ""
    path = attributes.indexPath
  }
}
