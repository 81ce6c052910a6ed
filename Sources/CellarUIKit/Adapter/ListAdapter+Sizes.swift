public import Foundation
import ListItems
public import ListLayout
public import ListModel
import Providers

// Sizes come from the store. What it does not have is measured, and stored.
extension ListAdapter {
  /// The layout of a section: the section's own, completed by ``defaultMetrics`` or the view's
  /// layout.
  ///
  /// - Parameter index: The view's index.
  /// - Returns: The defaults if there is no such section.
  public func metrics(ofSection index: Int) -> SectionMetrics { sizes.metrics(ofSection: index) }

  /// The size of the item at a path, for the delegates of layouts that Cellar does not know.
  ///
  /// - Returns: Points: the stored size; without one, the size measured now, which is stored then.
  ///   An item that can't be measured has the size that the app says: the delegate's, or the item
  ///   size of a flow layout or the row height of a table, or else ``estimatedLength``.
  public func size(ofItemAt indexPath: IndexPath) -> Size { sizes.size(ofItemAt: indexPath) }

  /// The size of a section's header, footer or another supplementary view.
  ///
  /// - Returns: Points, as ``size(ofItemAt:)``; `nil` if the section has no such view.
  public func size(of kind: Supplementary.Kind, inSection index: Int) -> Size? {
    sizes.size(of: kind, inSection: index)
  }

  /// Drops the stored size of an item whose content is the same, for instance when its picture was
  /// loaded.
  ///
  /// The item is measured again when it is visible.
  public func setNeedsLayout(of item: ItemID) {
    guard let path = provider.path(of: item) else { return }
    provider.setNeedsLayout(at: path)
    updates.sizeChanged(of: item)
  }

  /// Drops the stored sizes of a section's items and supplementary views.
  public func setNeedsLayout(ofSection section: SectionID) {
    guard let index = provider.index(of: section) else { return }
    provider.setNeedsLayout(ofSection: index)
    updates.sizesChanged()
  }

  /// Measures for another environment, for instance after the user chose another language.
  ///
  /// The store keeps the sizes for the old environment, too. The adapter notices other traits of
  /// the view by itself: text size, bold text, scale, direction and size class.
  public func layoutEnvironmentDidChange() {
    sizes.measurer.forgetEnvironment()
    updates.sizesChanged()
    for adapter in views.nested.adapters { adapter.layoutEnvironmentDidChange() }
  }
}
