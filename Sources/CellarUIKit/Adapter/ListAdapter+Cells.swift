import Foundation
import ListItems
import ListModel
import ListSync
import Providers

#if canImport(UIKit) && !os(watchOS)
  import UIKit
#else
  import HeadlessUIKit
#endif

// Cells and supplementary views get their contents, and are bound to items while they are on
// display.
extension ListAdapter {
  /// What the view dequeues for an item.
  ///
  /// For an item that can't be read, `nil`, that is the fallback.
  func registration(for item: Item?) -> ViewRegistration {
    if item == nil {
      if !state.pending.contains(.reload) { problems.report(UnreadableItems(list: list.id)) }
      react(to: .itemUnreadable)
    }
    return views.registration(for: item)
  }

  /// Shows an item in a cell.
  ///
  /// The fallback stays as it is.
  func configure(_ cell: UIView, with item: Item) {
    guard views.hasCell(of: item) else { return }
    do throws(ItemTypeError) {
      try list.types.value(of: item).configure(anyCell: cell)
    } catch {
      problems.report(error)
    }
  }

  /// Shows a header, a footer or another supplementary view.
  ///
  /// The fallback stays as it is.
  func configure(_ view: UIView, with stored: Supplementary, kind: Supplementary.Kind) {
    guard views.hasView(stored.view, kind: kind) else { return }
    do throws(SupplementaryTypeError) {
      try list.supplementaryTypes.value(of: stored).configure(anyView: view)
    } catch {
      problems.report(error)
    }
  }

  /// The supplementary view that the view has to show in a section; `nil` if there is none.
  func supplementary(_ kind: Supplementary.Kind, inSection index: Int) -> Supplementary? {
    if supplementaries.isPending, let place = place(of: kind, inSection: index),
      supplementaries.isLeftOut(place)
    {
      return nil
    }
    return display.attributes(ofSection: index).flatMap { $0[views.storedKind(kind, in: $0)] }
  }

  /// A cell comes on display.
  ///
  /// It need not have been configured just before: since iOS 10 a collection view keeps cells that
  /// left the display, and shows them again.
  func willDisplay(_ cell: UIView, at indexPath: IndexPath) {
    guard let id = itemID(at: indexPath) else { return }
    bound.bind(cell, to: id)
    (cell as? any ControlEventSource)?.onControlEvent = { [weak self] event in
      self?.handle(.control(event.name), of: id, value: event.value)
    }
    if screen.pendingAnchor != nil {
      // The view has a size now, but it is in the middle of its layout.
      Task { [weak self] in self?.restoreViewState() }
    }
  }

  /// A cell left the display.
  ///
  /// The path that the view gives with it may be another item's by now.
  func didEndDisplaying(_ cell: UIView) {
    bound.unbind(cell)
    (cell as? any ControlEventSource)?.onControlEvent = nil
  }
}
