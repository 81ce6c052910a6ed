import Foundation
public import ListItems
public import ListModel
import Providers

#if canImport(UIKit) && !os(watchOS)
  import UIKit
#else
  import HeadlessUIKit
#endif

// What users do to items.
extension ListAdapter {
  /// Calls the handlers of an event, for instance after a tap on a button in a cell.
  ///
  /// `value`: The value of the control that the user used.
  public func handle(_ event: ItemEvent, of item: ItemID, value: (any Sendable)? = nil) {
    do throws(ItemTypeError) {
      try handlers.handle(event, of: item, in: provider, value: value)
    } catch {
      problems.report(error)
    }
  }

  /// The user selected an item.
  func didSelect(at indexPath: IndexPath) {
    guard let id = itemID(at: indexPath) else { return }
    // What the user selects first in editing mode stays selected.
    if noticeEditing() { host.select(indexPath) }
    selection.mode = host.allowsMultipleSelection ? .multiple : .single
    selection.select(id)
    saveViewStateSoon()
    handle(.select, of: id)
  }

  /// The user deselected an item.
  func didDeselect(at indexPath: IndexPath) {
    guard let id = itemID(at: indexPath) else { return }
    if noticeEditing() { host.deselect(indexPath) }
    selection.deselect(id)
    saveViewStateSoon()
    handle(.deselect, of: id)
  }

  /// The context menu of an item; `nil` if it has none.
  @available(tvOS 17.0, *)
  func menu(forItemAt indexPath: IndexPath) -> UIContextMenuConfiguration? {
    guard let id = itemID(at: indexPath) else { return nil }
    let menu: ItemMenu?
    do throws(ItemTypeError) { menu = try handlers.menu(of: id, in: provider) } catch {
      problems.report(error)
      return nil
    }
    guard let menu, !menu.actions.isEmpty else { return nil }
    return UIContextMenuConfiguration(identifier: nil, previewProvider: nil) { [weak self] _ in
      UIMenu(
        title: menu.title,
        children: menu.actions.map { entry in
          var attributes: UIAction.Attributes = entry.isDestructive ? .destructive : []
          if !entry.isEnabled { attributes.insert(.disabled) }
          return UIAction(title: entry.title, attributes: attributes) { _ in
            self?.handle(entry.event, of: id)
          }
        })
    }
  }
}
