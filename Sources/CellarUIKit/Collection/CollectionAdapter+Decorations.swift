import Foundation
import ListItems
import ListModel
import ListSync
public import ListViews
import Providers

// A layout of the app places decorations itself; `ListCollectionLayout` needs none of this.
extension CollectionAdapter {
  /// Registers the views of all decorations with a layout of the app.
  ///
  /// Call it once for each layout, before the view uses it: in UIKit, layouts register the views of
  /// decorations, not collection views.
  public func registerDecorations(with layout: UICollectionViewLayout) {
    for registration in screen.views.decorations { registration.registerDecoration(with: layout) }
  }

  /// The decorations of a section, for a layout of the app, which places them.
  ///
  /// ```swift
  /// for attributes in adapter.decorationAttributes(ofSection: 0) {
  ///   if attributes.decoration?.element == .section { attributes.place(around: frameOfSection) }
  /// }
  /// ```
  ///
  /// In a batch update the adapter answers as after it. UIKit asks the layout to name the
  /// decorations that come and go, with `indexPathsToInsertForDecorationView(ofKind:)` and its
  /// counterpart.
  ///
  /// - Parameter index: The view's index.
  /// - Returns: The attributes of each, with the kind that its view is registered for, its position
  ///   among the section's decorations as the item of its path, its z index and an empty frame.
  public func decorationAttributes(ofSection index: Int) -> [DecorationAttributes] {
    let decorations = screen.display.attributes(ofSection: index)?.decorations ?? []
    return decorations.enumerated().map { ordinal, decoration in
      DecorationAttributes(
        decoration,
        screen.views.registration(
          forDecoration: decoration.view, kind: ViewRegistry.decorationKind),
        at: IndexPath(item: ordinal, section: index))
    }
  }

  /// The decorations of an item, for a layout of the app, which places them.
  ///
  /// ```swift
  /// for attributes in adapter.decorationAttributes(ofItemAt: path) {
  ///   attributes.place(around: frame(ofItemAt: path))
  /// }
  /// ```
  ///
  /// - Parameter indexPath: The view's path.
  /// - Returns: The attributes of each, with the kind that its view is registered for, the item's
  ///   path, its z index and an empty frame; none for an item that can't be decoded.
  /// - Complexity: The item is decoded if its type has ``/ListItems/ListItem/decorationViews``.
  public func decorationAttributes(ofItemAt indexPath: IndexPath) -> [DecorationAttributes] {
    decorations(ofItemAt: indexPath).map(\.attributes)
  }

  func decorations(
    ofItemAt indexPath: IndexPath
  ) -> [(registration: ViewRegistration, attributes: DecorationAttributes)] {
    guard list.types.haveDecorations, let item = item(at: indexPath) else { return [] }
    return list.types.decorations(of: item).map { decoration in
      let registration = screen.views.registration(
        forDecoration: decoration.view, kind: ViewRegistry.itemDecorationKind)
      return (registration, DecorationAttributes(decoration, registration, at: indexPath))
    }
  }
}
