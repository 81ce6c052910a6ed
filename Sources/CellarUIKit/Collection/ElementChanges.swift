import Foundation
import ListViews

/// The headers, footers and decorations that a batch update removes from sections that stay, and
/// adds to them.
///
/// UIKit asks a layout for their paths, and during the update still asks for the attributes of
/// those that it shows.
@MainActor struct ElementChanges {
  struct Element: Hashable {
    var category: UICollectionView.ElementCategory
    var kind: String
    var path: IndexPath
  }

  private var deleted: Set<Element> = []
  private var inserted: Set<Element> = []
  private var departed: [Element: UICollectionViewLayoutAttributes] = [:]

  init() {}

  /// The changes of an update.
  ///
  /// `before` and `after`: What the sections have that may have other elements, by what stays the
  /// same when a section moves; paths before and after the update. `inSight`: The attributes, before
  /// the update, of what the view shows.
  init(
    from before: [Int: Set<Element>], to after: [Int: Set<Element>],
    inSight: [UICollectionViewLayoutAttributes]
  ) {
    // A section that comes or goes does so with all its elements.
    for (section, before) in before {
      guard let after = after[section] else { continue }
      // UIKit renumbers what stays behind a change. So of the decorations of a kind in a section,
      // only those before the first change stay.
      let (old, new) = (Self.grouped(before), Self.grouped(after))
      for group in Set(old.keys).union(new.keys) {
        let (old, new) = (old[group] ?? [], new[group] ?? [])
        let unchanged = zip(old, new).prefix { $0.path.item == $1.path.item }.count
        deleted.formUnion(old.dropFirst(unchanged))
        inserted.formUnion(new.dropFirst(unchanged))
      }
    }
    for attributes in inSight where attributes.representedElementCategory != .cell {
      departed[Element(attributes)] = attributes
    }
  }

  private struct Group: Hashable {
    var category: UICollectionView.ElementCategory
    var kind: String
  }

  private static func grouped(_ elements: Set<Element>) -> [Group: [Element]] {
    Dictionary(grouping: elements) { Group(category: $0.category, kind: $0.kind) }
      .mapValues { $0.sorted { $0.path < $1.path } }
  }

  /// The paths, before the update, of the elements of a kind that it removes.
  func deletedPaths(
    _ category: UICollectionView.ElementCategory, _ kind: String
  ) -> [IndexPath] { Self.paths(category, kind, in: deleted) }

  /// The paths, after the update, of the elements of a kind that it adds.
  func insertedPaths(
    _ category: UICollectionView.ElementCategory, _ kind: String
  ) -> [IndexPath] { Self.paths(category, kind, in: inserted) }

  private static func paths(
    _ category: UICollectionView.ElementCategory, _ kind: String, in elements: Set<Element>
  ) -> [IndexPath] {
    elements.filter { $0.category == category && $0.kind == kind }.map(\.path).sorted()
  }

  /// The attributes, before the update, of an element that was in sight.
  func attributesBefore(
    _ category: UICollectionView.ElementCategory, _ kind: String, at path: IndexPath
  ) -> UICollectionViewLayoutAttributes? {
    departed[Element(category: category, kind: kind, path: path)]
  }

  /// The attributes with which an element fades out; `nil` if the update does not remove it.
  func finalAttributes(
    _ category: UICollectionView.ElementCategory, _ kind: String, at path: IndexPath
  ) -> UICollectionViewLayoutAttributes? {
    let element = Element(category: category, kind: kind, path: path)
    return deleted.contains(element) ? departed[element].flatMap(Self.transparent) : nil
  }

  /// The attributes from which an element fades in; `nil` if the update does not add it.
  ///
  /// `attributes`: Those that it ends with.
  func initialAttributes(
    _ attributes: UICollectionViewLayoutAttributes?
  ) -> UICollectionViewLayoutAttributes? {
    guard let attributes, inserted.contains(Element(attributes)) else { return nil }
    return Self.transparent(attributes)
  }

  private static func transparent(
    _ attributes: UICollectionViewLayoutAttributes
  ) -> UICollectionViewLayoutAttributes? {
    let copy = attributes.copy() as? UICollectionViewLayoutAttributes
    copy?.alpha = 0
    return copy
  }
}

extension ElementChanges.Element {
  @MainActor init(_ attributes: UICollectionViewLayoutAttributes) {
    self.init(
      category: attributes.representedElementCategory,
      kind: attributes.representedElementKind ?? "", path: attributes.indexPath)
  }
}
