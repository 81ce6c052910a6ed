import BatchUpdates
import Foundation
import ListLayout
import ListModel
import ListViews

extension ListCollectionLayout {
  /// The class of the attributes of items, headers and footers.
  private var attributesClass: UICollectionViewLayoutAttributes.Type {
    type(of: self).layoutAttributesClass as? UICollectionViewLayoutAttributes.Type
      ?? UICollectionViewLayoutAttributes.self
  }

  func attributes(ofItemAt path: ItemPath, _ frame: Frame) -> UICollectionViewLayoutAttributes {
    let attributes = attributesClass.init(forCellWith: path.indexPath)
    attributes.frame = CGRect(frame)
    return attributes
  }

  func attributes(
    of kind: Supplementary.Kind, inSection index: Int, _ frame: Frame
  ) -> UICollectionViewLayoutAttributes {
    let attributes = attributesClass.init(
      forSupplementaryViewOfKind: kind.elementKind, with: IndexPath(item: 0, section: index))
    attributes.frame = CGRect(frame)
    if pinsHeaders, kind == .header, let bounds = collectionView?.bounds,
      let pinned = placement?.pinnedFrameOfHeader(inSection: index, visible: Frame(bounds))
    {
      attributes.frame = CGRect(pinned)
      attributes.zIndex = 1
    }
    return attributes
  }

  /// The attributes of a header or a footer as placed; `nil` if the section has none.
  func supplementary(
    _ elementKind: String, at indexPath: IndexPath
  ) -> UICollectionViewLayoutAttributes? {
    guard indexPath.item == 0, let kind = Supplementary.Kind(elementKind: elementKind),
      let frame = placement?.frame(of: kind, inSection: indexPath.section)
    else { return nil }
    return attributes(of: kind, inSection: indexPath.section, frame)
  }

  /// The attributes of a decoration as placed; `nil` if the section has none of the kind there.
  func decoration(_ elementKind: String, at indexPath: IndexPath) -> DecorationAttributes? {
    let decorations = learned?.decorations(ofSection: indexPath.section) ?? []
    guard decorations.indices.contains(indexPath.item),
      let attributes = attributes(of: decorations[indexPath.item], at: indexPath),
      attributes.representedElementKind == elementKind
    else { return nil }
    return attributes
  }

  /// The headers, footers and decorations of the sections that a stage may give other ones.
  ///
  /// These are the sections that it updates, found by what stays the same when a section moves.
  func changingElements(in stage: Stage) -> [Int: Set<ElementChanges.Element>] {
    var elements: [Int: Set<ElementChanges.Element>] = [:]
    for section in stage.updateSections {
      guard let key = learned?.key(ofSection: section) else { continue }
      elements[key] = self.elements(ofSection: section)
    }
    return elements
  }

  private func elements(ofSection section: Int) -> Set<ElementChanges.Element> {
    var elements: Set<ElementChanges.Element> = []
    for kind in [Supplementary.Kind.header, .footer] {
      let path = IndexPath(item: 0, section: section)
      if let attributes = supplementary(kind.elementKind, at: path) {
        elements.insert(.init(attributes))
      }
    }
    for (ordinal, decoration) in (learned?.decorations(ofSection: section) ?? []).enumerated() {
      let path = IndexPath(item: ordinal, section: section)
      if let attributes = attributes(of: decoration, at: path) {
        elements.insert(.init(attributes))
      }
    }
    return elements
  }
}

extension Frame {
  init(_ rect: CGRect) {
    self.init(
      x: Double(rect.minX), y: Double(rect.minY), width: Double(rect.width),
      height: Double(rect.height))
  }
}

extension CGRect {
  init(_ frame: Frame) {
    self.init(x: frame.x, y: frame.y, width: frame.width, height: frame.height)
  }
}
