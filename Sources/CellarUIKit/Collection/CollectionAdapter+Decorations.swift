import Foundation
import ListItems
import ListModel
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
  ///   switch attributes.decoration?.element {
  ///   case .section: attributes.place(around: frameOfSection)
  ///   case .item(let id):
  ///     guard let path = adapter.indexPath(of: id), path.section == 0 else { continue }
  ///     attributes.place(around: frame(of: path))
  ///   …
  ///   }
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
        decoration, screen.views.registration(forDecoration: decoration.view),
        at: IndexPath(item: ordinal, section: index))
    }
  }
}
