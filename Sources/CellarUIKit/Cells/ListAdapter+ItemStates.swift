import ListItems
public import ListModel
import Providers
import ListViews

// What changes too often for a commit each, such as a download's progress.
extension ListAdapter {
  /// Sets the state of an item that its cell shows and that the store does not have, such as a
  /// download's progress.
  ///
  /// A cell on display shows it at once, with the item's
  /// ``/ListItems/ListItem/configure(_:with:)``; other cells when they come on display. Nothing is
  /// logged, measured or reloaded. The adapter forgets the state when the item is deleted.
  ///
  /// - Parameters:
  ///   - state: The state; `nil` for none: then the cell is configured anew.
  ///   - item: The item. It may be one that the adapter does not show yet.
  public func setState(_ state: (any Sendable)?, of item: ItemID) {
    hasHadStates = true
    states[item] = state
    guard let cell = bound.view(of: item), let value = bound.binding(of: cell)?.value else {
      return
    }
    if let state {
      value.configure(anyCell: cell, with: state)
    } else {
      show(value, of: item, in: cell)
    }
  }

  /// The state that ``setState(_:of:)`` gave an item; `nil` if it has none.
  public func state(of item: ItemID) -> (any Sendable)? { states[item] }

  /// Forgets the states of items that another revision of the list does not have any more.
  func forgetStates(notIn next: Provider) {
    for item in states.keys where next.path(of: item) == nil && provider.path(of: item) != nil {
      states[item] = nil
    }
  }
}
