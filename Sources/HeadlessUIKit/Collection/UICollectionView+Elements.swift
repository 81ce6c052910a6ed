import Foundation

/// Supplementary views and decorations during a batch update.
extension UICollectionView {
  /// The supplementary views or decorations of a kind that a layout removes and adds in an update.
  private struct NamedPaths {
    var deleted: [IndexPath]
    var inserted: [IndexPath]
  }

  /// Moves supplementary views and decorations to their new paths.
  ///
  /// The layout has to have attributes for each view on display whose section stays, or has to name
  /// it as deleted.
  func followElements(_ map: UpdateMap) {
    let shown = elements
    elements = [:]
    var named: [ElementKey: NamedPaths] = [:]
    for (key, view) in shown.sorted(by: { $0.key.path < $1.key.path }) {
      var kind = key
      kind.path = IndexPath()
      let paths = named[kind] ?? namedPaths(of: key)
      named[kind] = paths
      guard let section = map.sections.newOfOld[key.path.section],
        !map.isSectionReloaded(key.path.section), !paths.deleted.contains(key.path)
      else {
        leavingElements.append((view, key))
        _ = finalAttributes(of: key)
        continue
      }
      var target = key
      target.path = newPath(of: key.path, inSection: section, paths)
      if currentAttributes(of: target) == nil {
        raiseMissingAttributes(of: target)
        leavingElements.append((view, key))
      } else {
        elements[target] = view
      }
    }
  }

  private func namedPaths(of key: ElementKey) -> NamedPaths {
    let layout = collectionViewLayout
    return key.category == .supplementaryView
      ? NamedPaths(
        deleted: layout.indexPathsToDeleteForSupplementaryView(ofKind: key.kind),
        inserted: layout.indexPathsToInsertForSupplementaryView(ofKind: key.kind))
      : NamedPaths(
        deleted: layout.indexPathsToDeleteForDecorationView(ofKind: key.kind),
        inserted: layout.indexPathsToInsertForDecorationView(ofKind: key.kind))
  }

  private func newPath(
    of path: IndexPath, inSection section: Int, _ named: NamedPaths
  ) -> IndexPath {
    var item =
      path.item - named.deleted.count { $0.section == path.section && $0.item < path.item }
    for other in named.inserted.sorted() where other.section == section && other.item <= item {
      item += 1
    }
    return IndexPath(item: item, section: section)
  }

  private func currentAttributes(of key: ElementKey) -> UICollectionViewLayoutAttributes? {
    key.category == .supplementaryView
      ? collectionViewLayout.layoutAttributesForSupplementaryView(ofKind: key.kind, at: key.path)
      : collectionViewLayout.layoutAttributesForDecorationView(ofKind: key.kind, at: key.path)
  }

  private func finalAttributes(of key: ElementKey) -> UICollectionViewLayoutAttributes? {
    key.category == .supplementaryView
      ? collectionViewLayout.finalLayoutAttributesForDisappearingSupplementaryElement(
        ofKind: key.kind, at: key.path)
      : collectionViewLayout.finalLayoutAttributesForDisappearingDecorationElement(
        ofKind: key.kind, at: key.path)
  }

  /// Asks the layout from where an element appears that was not on display before the update.
  func askForInitialAttributes(of key: ElementKey) {
    guard isShowingUpdate else { return }
    let layout = collectionViewLayout
    switch key.category {
    case .cell: _ = layout.initialLayoutAttributesForAppearingItem(at: key.path)
    case .supplementaryView:
      _ = layout.initialLayoutAttributesForAppearingSupplementaryElement(
        ofKind: key.kind, at: key.path)
    case .decorationView:
      _ = layout.initialLayoutAttributesForAppearingDecorationElement(
        ofKind: key.kind, at: key.path)
    }
  }

  private func raiseMissingAttributes(of key: ElementKey) {
    let method =
      key.category == .supplementaryView
      ? "layoutAttributesForSupplementaryElementOfKind" : "layoutAttributesForDecorationViewOfKind"
    HeadlessException(
      "no UICollectionViewLayoutAttributes instance for -\(method): \(key.kind) at path "
        + UpdatePlace(key.path).asIndexPath
    ).raise()
  }
}
