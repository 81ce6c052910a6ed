import Foundation
import ListItems
import ListLayout
public import ListModel
import ListSync
public import ListViews
import Providers

/// The layout attributes of a decoration view, with its stored content.
///
/// A decoration view gets them in `apply(_:)`:
///
/// ```swift
/// override func apply(_ attributes: UICollectionViewLayoutAttributes) {
///   super.apply(attributes)
///   guard let content = (attributes as? DecorationAttributes)?.decoration?.content else { return }
///   …
/// }
/// ```
@MainActor public final class DecorationAttributes: UICollectionViewLayoutAttributes {
  // Safe: only the layout and `copy(with:)` set it, both on the main thread, and on attributes that
  // nobody else has yet. From then on it is read alone, as `isEqual(_:)` does, which has no actor.
  /// The decoration in the store.
  public nonisolated(unsafe) internal(set) var decoration: Decoration?

  /// Sets the frame to that of the decorated element, less the decoration's insets.
  public func place(around frame: CGRect) {
    self.frame = frame.inset(by: UIEdgeInsets(decoration?.insets ?? .zero))
  }

  /// The attributes, with the same decoration.
  public override func copy(with zone: NSZone? = nil) -> Any {
    let copy = super.copy(with: zone)
    (copy as? DecorationAttributes)?.decoration = decoration
    return copy
  }

  /// Whether other attributes have the same values and the same decoration.
  public nonisolated override func isEqual(_ object: Any?) -> Bool {
    super.isEqual(object) && (object as? DecorationAttributes)?.decoration == decoration
  }
}

extension ListCollectionLayout {
  func decorations(ofSection section: Int, in rect: CGRect) -> [DecorationAttributes] {
    let decorations = learned?.decorations(ofSection: section) ?? []
    return decorations.enumerated().compactMap { ordinal, decoration in
      let attributes = attributes(of: decoration, at: IndexPath(item: ordinal, section: section))
      return attributes.flatMap { $0.frame.intersects(rect) ? $0 : nil }
    }
  }

  /// The attributes of a decoration; `nil` if the section lacks the element that it decorates.
  func attributes(of decoration: Decoration, at indexPath: IndexPath) -> DecorationAttributes? {
    guard let placement, let adapter else { return nil }
    let section = indexPath.section
    let frame: Frame? =
      switch decoration.element {
      case .section: placement.frame(ofSection: section)
      case .header: placement.frame(of: .header, inSection: section)
      case .footer: placement.frame(of: .footer, inSection: section)
      case .items: placement.frame(ofItemsInSection: section)
      }
    guard let frame else { return nil }
    let registration = adapter.screen.views.registration(
      forDecoration: decoration.view, kind: ViewRegistry.decorationKind)
    register(registration)
    let attributes = DecorationAttributes(decoration, registration, at: indexPath)
    attributes.place(around: CGRect(frame))
    return attributes
  }

  /// A layout registers the views of decorations itself.
  private func register(_ registration: ViewRegistration) {
    if decorationKinds.insert(registration.decorationElementKind).inserted {
      registration.registerDecoration(with: self)
    }
  }

  // MARK: Items

  /// The decorations in a rectangle of items in or around it.
  func decorationsOfItems(in rect: CGRect) -> [DecorationAttributes] {
    guard let placement, let adapter, adapter.list.types.haveDecorations else { return [] }
    let around = rect.insetBy(dx: -decorationReach, dy: -decorationReach)
    return placement.elements(in: Frame(around)).flatMap { element -> [DecorationAttributes] in
      guard case .item(let path) = element.element else { return [] }
      return decorations(ofItemAt: path.indexPath, element.frame, of: adapter)
        .filter { $0.frame.intersects(rect) }
    }
  }

  /// The decoration of a kind that an item has; transparent if it has none.
  ///
  /// During an update the view still asks for one that it shows and that the item has lost.
  func itemDecoration(_ elementKind: String, at indexPath: IndexPath) -> DecorationAttributes? {
    guard let adapter, let frame = placement?.frame(ofItemAt: ItemPath(indexPath)) else {
      return nil
    }
    let found = decorations(ofItemAt: indexPath, frame, of: adapter)
      .first { $0.representedElementKind == elementKind }
    if let found { return found }
    let none = DecorationAttributes(forDecorationViewOfKind: elementKind, with: indexPath)
    none.frame = CGRect(frame)
    none.alpha = 0
    return none
  }

  private func decorations(
    ofItemAt indexPath: IndexPath, _ frame: Frame, of adapter: CollectionAdapter
  ) -> [DecorationAttributes] {
    adapter.decorations(ofItemAt: indexPath).map { registration, attributes in
      register(registration)
      itemDecorationKinds.insert(registration.decorationElementKind)
      attributes.place(around: CGRect(frame))
      if let insets = attributes.decoration?.insets {
        let reach = -min(insets.top, insets.left, insets.bottom, insets.right)
        decorationReach = max(decorationReach, reach)
      }
      return attributes
    }
  }
}

extension DecorationAttributes {
  /// The attributes of a decoration without a frame.
  convenience init(
    _ decoration: Decoration, _ registration: ViewRegistration, at indexPath: IndexPath
  ) {
    self.init(forDecorationViewOfKind: registration.decorationElementKind, with: indexPath)
    zIndex = decoration.zIndex
    self.decoration = decoration
  }
}

extension ViewRegistration {
  /// The kind that layouts know a decoration by: that of items has its paths, and a section's others.
  var decorationElementKind: String {
    role == .supplementary(kind: ViewRegistry.itemDecorationKind)
      ? "\(reuseIdentifier) of item" : reuseIdentifier
  }

  @MainActor func registerDecoration(with layout: UICollectionViewLayout) {
    if let nib {
      layout.register(nib, forDecorationViewOfKind: decorationElementKind)
    } else {
      layout.register(type, forDecorationViewOfKind: decorationElementKind)
    }
  }
}
