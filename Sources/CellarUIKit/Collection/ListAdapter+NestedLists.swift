public import ListItems
public import ListModel
import ListSync
public import ListViews

// Lists in the cells of items that own them: see ``LiveList/nested(in:_:items:supplementaries:)``.
extension ListAdapter {
  /// Shows a list of each item of a type in the collection view of its cell.
  ///
  /// ```swift
  /// adapter.showNested("books", of: Shelf.self, items: [Book.self]) { cell in cell.books }
  /// adapter.handlers.on(.select, of: Book.self) { book, context in
  ///   open(book, from: context.owner?.item)
  /// }
  /// ```
  ///
  /// An adapter for the list is made when such a cell comes on display, and given up when it leaves:
  /// then the collection view is empty. The list's selection and scroll position are those of the
  /// store, and come back with the cell. Events of its items call the handlers of its own adapter
  /// first, then those of this one, with ``/ListItems/ItemContext/owner``.
  ///
  /// Call it again for another list of the item, in another collection view of the cell.
  ///
  /// - Parameters:
  ///   - name: The list's name among the lists of the item.
  ///   - type: The type of the items that own such a list.
  ///   - items: The types of the nested list's items.
  ///   - supplementaries: The types of its sections' headers, footers and other views.
  ///   - views: The classes for the names of its cells, headers and footers; `nil`: those of the
  ///     types.
  ///   - setUp: Called with each adapter that is made, for instance to let the user move items, to
  ///     add handlers of its own, or to show lists of the nested items in turn.
  ///   - view: Returns the collection view of a cell; `nil` to show no list in it.
  public func showNested<Owner: ListItem>(
    _ name: NestedName, of type: Owner.Type, items: ItemTypes,
    supplementaries: SupplementaryTypes = [], views: ViewRegistry? = nil,
    setUp: (@MainActor (CollectionAdapter) -> Void)? = nil,
    in view: @escaping @MainActor (Owner.Cell) -> UICollectionView?
  ) {
    nestedLists.append(
      NestedList(
        name: name, types: items, supplementaryTypes: supplementaries, views: views, setUp: setUp,
        view: { value, cell in
          guard value is Owner, let cell = cell as? Owner.Cell else { return nil }
          return view(cell)
        }))
    for binding in bound.all {
      if let cell = binding.view { showNestedLists(of: binding.id, binding.value, in: cell) }
    }
  }

  /// The adapter of a nested list on display; `nil` if the item's cell is not on display, or has no
  /// such list.
  public func nestedAdapter(of item: ItemID, _ name: NestedName) -> CollectionAdapter? {
    guard let cell = bound.view(of: item) else { return nil }
    return nestedAdapters[ObjectIdentifier(cell)]?.first { $0.list.owner?.name == name }
  }

  /// Shows the lists of an item in its cell, and gives up those of another item.
  func showNestedLists(of id: ItemID, _ value: (any ListItem)?, in cell: UIView) {
    if nestedLists.isEmpty { return }
    let wanted = nestedLists.compactMap { nested in
      value.flatMap { nested.view($0, cell) }.map { (nested: nested, view: $0) }
    }
    let old = nestedAdapters.removeValue(forKey: ObjectIdentifier(cell)) ?? []
    let kept = old.filter { adapter in
      adapter.list.owner?.item == id
        && wanted.contains {
          $0.nested.name == adapter.list.owner?.name && $0.view === adapter.view
        }
    }
    for adapter in old where !kept.contains(where: { $0 === adapter }) { adapter.giveUpView() }
    let shown = wanted.compactMap { nested, view in
      kept.first { $0.list.owner?.name == nested.name }
        ?? makeAdapter(of: nested, ownedBy: id, in: view)
    }
    if !shown.isEmpty { nestedAdapters[ObjectIdentifier(cell)] = shown }
  }

  /// Gives up the lists in a cell.
  func endNestedLists(in cell: UIView) {
    for adapter in nestedAdapters.removeValue(forKey: ObjectIdentifier(cell)) ?? [] {
      adapter.giveUpView()
    }
  }

  private func makeAdapter(
    of nested: NestedList, ownedBy item: ItemID, in view: UICollectionView
  ) -> CollectionAdapter? {
    let handlers = ItemHandlers(nested.types)
    handlers.outer = self.handlers
    let list = self.list.nested(
      in: item, nested.name, items: nested.types, supplementaries: nested.supplementaryTypes)
    do {
      let adapter = try CollectionAdapter(
        list, in: view, views: nested.views, handlers: handlers, screen: screen.name)
      adapter.onProblem = { [problems] in problems.report($0) }
      nested.setUp?(adapter)
      return adapter
    } catch {
      problems.report(error)
      return nil
    }
  }
}

/// A list that an adapter shows in the cells of the items that own it.
@MainActor struct NestedList {
  let name: NestedName
  let types: ItemTypes
  let supplementaryTypes: SupplementaryTypes
  let views: ViewRegistry?
  let setUp: (@MainActor (CollectionAdapter) -> Void)?
  /// The collection view in the cell of an item; `nil` for items that own no such list.
  let view: @MainActor (any ListItem, UIView) -> UICollectionView?
}

extension CollectionAdapter {
  /// Leaves the view empty, for the list of another item.
  fileprivate func giveUpView() {
    if view?.dataSource === self { saveViewStateSoon() }
    endDisplay()
    // The app may have given it another one.
    guard let view, view.dataSource === self else { return }
    view.dataSource = nil
    view.delegate = nil
    view.reloadData()
    let insets = view.adjustedContentInset
    view.contentOffset = CGPoint(x: -insets.left, y: -insets.top)
  }
}
