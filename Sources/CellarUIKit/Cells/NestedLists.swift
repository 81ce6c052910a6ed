import ListItems
import ListModel
import ListSync
import ListViews

/// An adapter as the list around it knows it.
@MainActor protocol NestedAdapter: AnyObject {
  var list: LiveList { get }
  /// The view; `nil` after it was released.
  var scrollView: UIScrollView? { get }
  func update(animated: Bool)
  func saveViewState() throws(StoreError)
  func layoutEnvironmentDidChange()
  /// Leaves the view empty, for the list of another item.
  func giveUpView()
}

/// A list that an adapter shows in the cells of the items that own it.
@MainActor struct NestedList {
  let name: NestedName
  /// The view in the cell of an item; `nil` for items that own no such list.
  let view: (any ListItem, UIView) -> UIScrollView?
  /// Shows the list of an item in a view; `nil` if that is not possible.
  let makeAdapter: (ItemID, UIScrollView) -> (any NestedAdapter)?
}

/// The lists in the cells of the items that own them.
@MainActor final class NestedLists {
  private var lists: [NestedList] = []
  /// By cell on display.
  private var adaptersOfCells: [ObjectIdentifier: [any NestedAdapter]] = [:]

  /// The adapters of all lists on display.
  var adapters: some Sequence<any NestedAdapter> { adaptersOfCells.values.joined() }

  func add(_ list: NestedList) { lists.append(list) }

  /// The adapter of a list in a cell; `nil` if the cell has no such list.
  func adapter(_ name: NestedName, in cell: UIView) -> (any NestedAdapter)? {
    adaptersOfCells[ObjectIdentifier(cell)]?.first { $0.list.owner?.name == name }
  }

  /// Shows the lists of an item in its cell, and gives up those of another item.
  func show(in cell: UIView, of id: ItemID, _ value: (any ListItem)?) {
    if lists.isEmpty { return }
    let wanted = lists.compactMap { list in
      value.flatMap { list.view($0, cell) }.map { (list: list, view: $0) }
    }
    let old = adaptersOfCells.removeValue(forKey: ObjectIdentifier(cell)) ?? []
    let kept = old.filter { adapter in
      adapter.list.owner?.item == id
        && wanted.contains {
          $0.list.name == adapter.list.owner?.name && $0.view === adapter.scrollView
        }
    }
    for adapter in old where !kept.contains(where: { $0 === adapter }) { adapter.giveUpView() }
    let shown = wanted.compactMap { list, view in
      kept.first { $0.list.owner?.name == list.name } ?? list.makeAdapter(id, view)
    }
    if !shown.isEmpty { adaptersOfCells[ObjectIdentifier(cell)] = shown }
  }

  func end(in cell: UIView) {
    for adapter in adaptersOfCells.removeValue(forKey: ObjectIdentifier(cell)) ?? [] {
      adapter.giveUpView()
    }
  }
}
