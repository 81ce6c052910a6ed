import Foundation
import ListItems
import ListLayout
public import ListModel
import Providers

#if canImport(UIKit) && !os(watchOS)
  public import UIKit
#else
  public import HeadlessUIKit
#endif

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
  /// The decorations of a section that intersect a rectangle.
  func decorations(ofSection section: Int, in rect: CGRect) -> [DecorationAttributes] {
    let decorations = learned?.decorations(ofSection: section) ?? []
    return decorations.enumerated().compactMap { ordinal, decoration in
      let attributes = attributes(of: decoration, at: IndexPath(item: ordinal, section: section))
      return attributes.flatMap { $0.frame.intersects(rect) ? $0 : nil }
    }
  }

  /// The attributes of a decoration; `nil` if the section lacks the element that it decorates.
  func attributes(
    of decoration: Decoration, at indexPath: IndexPath
  ) -> DecorationAttributes? {
    guard let placement, let adapter else { return nil }
    let frame: Frame? =
      switch decoration.element {
      case .section: placement.frame(ofSection: indexPath.section)
      case .header: placement.frame(of: .header, inSection: indexPath.section)
      case .footer: placement.frame(of: .footer, inSection: indexPath.section)
      case .items: placement.frame(ofItemsInSection: indexPath.section)
      }
    guard let frame else { return nil }
    let registration = adapter.views.registration(forDecoration: decoration.view)
    let kind = registration.reuseIdentifier
    // A layout registers the views of decorations itself.
    if decorationKinds.insert(kind).inserted {
      if let nib = registration.nib {
        register(nib, forDecorationViewOfKind: kind)
      } else {
        register(registration.type, forDecorationViewOfKind: kind)
      }
    }
    let attributes = DecorationAttributes(forDecorationViewOfKind: kind, with: indexPath)
    attributes.frame = CGRect(frame).inset(by: UIEdgeInsets(decoration.insets ?? .zero))
    attributes.zIndex = decoration.zIndex
    attributes.decoration = decoration
    return attributes
  }
}
