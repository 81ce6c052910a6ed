import BatchUpdates
import Foundation
import ListModel
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
  /// The kinds of decorations of items.
  ///
  /// They have the paths of their items, and come and go with them: as UIKit renumbers them behind a
  /// change, they follow.
  private var itemKinds: Set<String> = []
  /// The items that leave their places, by their paths before the update.
  private var deletedItems: Set<IndexPath> = []
  /// The items that take a place, by their paths after the update.
  private var insertedItems: Set<IndexPath> = []
  private var departed: [Element: UICollectionViewLayoutAttributes] = [:]

  init() {}

  /// The changes of an update.
  ///
  /// `before` and `after`: What the sections have that may have other elements, by what stays the
  /// same when a section moves; paths before and after the update. `inSight`: The attributes, before
  /// the update, of what the view shows. `stage`: The update. `itemKinds`: The kinds of decorations of
  /// items.
  init(
    from before: [Int: Set<Element>], to after: [Int: Set<Element>],
    inSight: [UICollectionViewLayoutAttributes], in stage: Stage, itemKinds: Set<String>
  ) {
    if !itemKinds.isEmpty {
      self.itemKinds = itemKinds
      deletedItems = Set((stage.deleteItems + stage.moveItems.map(\.from)).map(\.indexPath))
      insertedItems = Set((stage.insertItems + stage.moveItems.map(\.to)).map(\.indexPath))
    }
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
  ) -> [IndexPath] {
    isOfItems(category, kind) ? deletedItems.sorted() : Self.paths(category, kind, in: deleted)
  }

  /// The paths, after the update, of the elements of a kind that it adds.
  func insertedPaths(
    _ category: UICollectionView.ElementCategory, _ kind: String
  ) -> [IndexPath] {
    isOfItems(category, kind) ? insertedItems.sorted() : Self.paths(category, kind, in: inserted)
  }

  private func isOfItems(_ category: UICollectionView.ElementCategory, _ kind: String) -> Bool {
    category == .decorationView && itemKinds.contains(kind)
  }

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
    let isDeleted =
      isOfItems(category, kind) ? deletedItems.contains(path) : deleted.contains(element)
    return isDeleted ? departed[element].flatMap(Self.transparent) : nil
  }

  /// The attributes from which an element fades in; `nil` if the update does not add it.
  ///
  /// `attributes`: Those that it ends with.
  func initialAttributes(
    _ attributes: UICollectionViewLayoutAttributes?
  ) -> UICollectionViewLayoutAttributes? {
    guard let attributes else { return nil }
    let element = Element(attributes)
    let isInserted =
      isOfItems(element.category, element.kind)
      ? insertedItems.contains(element.path) : inserted.contains(element)
    return isInserted ? Self.transparent(attributes) : nil
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
