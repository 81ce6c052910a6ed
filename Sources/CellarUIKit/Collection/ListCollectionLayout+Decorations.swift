import Foundation
import ListItems
import ListLayout
public import ListModel
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
  func attributes(of placed: PlacedDecoration, at indexPath: IndexPath) -> DecorationAttributes? {
    guard let placement, let adapter else { return nil }
    let section = indexPath.section
    let frame: Frame? =
      switch placed.decoration.element {
      case .section: placement.frame(ofSection: section)
      case .header: placement.frame(of: .header, inSection: section)
      case .footer: placement.frame(of: .footer, inSection: section)
      case .items: placement.frame(ofItemsInSection: section)
      case .item:
        placed.item.flatMap { placement.frame(ofItemAt: ItemPath(section: section, item: $0)) }
      }
    guard let frame else { return nil }
    let registration = adapter.screen.views.registration(forDecoration: placed.decoration.view)
    // A layout registers the views of decorations itself.
    if decorationKinds.insert(registration.reuseIdentifier).inserted {
      registration.registerDecoration(with: self)
    }
    let attributes = DecorationAttributes(placed.decoration, registration, at: indexPath)
    attributes.place(around: CGRect(frame))
    return attributes
  }
}

extension DecorationAttributes {
  /// The attributes of a decoration without a frame.
  convenience init(
    _ decoration: Decoration, _ registration: ViewRegistration, at indexPath: IndexPath
  ) {
    self.init(forDecorationViewOfKind: registration.reuseIdentifier, with: indexPath)
    zIndex = decoration.zIndex
    self.decoration = decoration
  }
}

extension ViewRegistration {
  @MainActor func registerDecoration(with layout: UICollectionViewLayout) {
    if let nib {
      layout.register(nib, forDecorationViewOfKind: reuseIdentifier)
    } else {
      layout.register(type, forDecorationViewOfKind: reuseIdentifier)
    }
  }
}
