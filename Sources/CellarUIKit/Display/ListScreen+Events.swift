import Foundation
import ListItems
import ListModel
import ListSync
import ListViews
import Providers

// What users do to items.
extension ListScreen {
  /// Calls the handlers of an event of an item.
  func handle(_ event: ItemEvent, of item: ItemID, value: (any Sendable)? = nil) {
    do throws(ItemTypeError) {
      try handlers.handle(event, of: item, in: provider, owner: list.owner, value: value)
    } catch {
      problems.report(error)
    }
  }

  /// Calls the handlers of an event of a supplementary view, if the section has it.
  func handle(_ event: ItemEvent, of id: SupplementaryID, value: (any Sendable)? = nil) {
    guard let index = provider.index(of: id.section),
      let attributes = provider.attributes(ofSection: index),
      let stored = attributes[views.storedKind(id.kind, in: attributes)]
    else { return }
    do throws(SupplementaryTypeError) {
      handle(event, of: try list.supplementaryTypes.value(of: stored), id, value: value)
    } catch {
      problems.report(error)
    }
  }

  /// Calls the handlers of an event of a supplementary view that shows a value.
  func handle(
    _ event: ItemEvent, of shown: any ListSupplementary, _ id: SupplementaryID,
    value: (any Sendable)? = nil
  ) {
    handlers.handle(
      event, of: shown,
      ItemHandlers.SupplementaryContext(
        list: list.id, owner: list.owner, section: id.section, kind: id.kind, value: value))
  }

  /// The context menu of an item; `nil` if it has none.
  @available(tvOS 17.0, *)
  func menu(forItemAt indexPath: IndexPath) -> UIContextMenuConfiguration? {
    guard let id = itemID(at: indexPath) else { return nil }
    let menu: ItemMenu?
    do throws(ItemTypeError) {
      menu = try handlers.menu(of: id, in: provider, owner: list.owner)
    } catch {
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
