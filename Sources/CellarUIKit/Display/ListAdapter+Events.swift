import Foundation
public import ListItems
public import ListModel
import ListSync
import Providers
import ListViews

// What users do to items.
extension ListAdapter {
  /// Calls the handlers of an event, for instance after a tap on a button in a cell.
  ///
  /// `value`: The value of the control that the user used.
  public func handle(_ event: ItemEvent, of item: ItemID, value: (any Sendable)? = nil) {
    do throws(ItemTypeError) {
      try handlers.handle(event, of: item, in: provider, owner: list.owner, value: value)
    } catch {
      problems.report(error)
    }
  }

  /// Calls the handlers of an event of a header, a footer or another view of a section, if the
  /// section has it.
  ///
  /// `value`: The value of the control that the user used.
  public func handle(
    _ event: ItemEvent, of kind: Supplementary.Kind, in section: SectionID,
    value: (any Sendable)? = nil
  ) {
    guard let index = provider.index(of: section),
      let attributes = provider.attributes(ofSection: index),
      let stored = attributes[views.storedKind(kind, in: attributes)]
    else { return }
    do throws(SupplementaryTypeError) {
      handlers.handle(
        event, of: try list.supplementaryTypes.value(of: stored),
        context(of: SupplementaryRefresh.Place(kind: kind, section: section), value: value))
    } catch {
      problems.report(error)
    }
  }

  /// What handlers get to know of a supplementary view.
  func context(
    of place: SupplementaryRefresh.Place, value: (any Sendable)? = nil
  ) -> ItemHandlers.SupplementaryContext {
    ItemHandlers.SupplementaryContext(
      list: list.id, owner: list.owner, section: place.section, kind: place.kind, value: value)
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
