import ListModel
import ListTables
import Providers
import StoreFiles

/// The order of a list's items, kept from one selection of them to the next while the list stays as it is.
package final class KnownOrder: Sendable {
  private struct State {
    var position: StorePosition
    var list: ListID
    var order: ItemOrder
  }
  private let state = Guarded<State?>(nil)

  /// Nothing is known yet.
  package init() {}

  /// The order of a list at a position; `nil` if another one is known.
  func order(of list: ListID, at position: StorePosition) -> ItemOrder? {
    state.withValue { state in
      guard let state, state.list == list, state.position == position else { return nil }
      return state.order
    }
  }

  /// Keeps the order of a list.
  func keep(_ order: ItemOrder, of list: ListID, at position: StorePosition) {
    state.withValue { $0 = State(position: position, list: list, order: order) }
  }
}
