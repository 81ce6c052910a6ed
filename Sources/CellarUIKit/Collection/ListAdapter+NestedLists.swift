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
    let nested = NestedList(name: name) { value, cell in
      guard value is Owner, let cell = cell as? Owner.Cell else { return nil }
      return view(cell)
    } makeAdapter: { [weak self] item, view in
      guard let self, let view = view as? UICollectionView else { return nil }
      let handlers = ItemHandlers(items)
      handlers.outer = self.handlers
      do {
        let adapter = try CollectionAdapter(
          list.nested(in: item, name, items: items, supplementaries: supplementaries), in: view,
          views: views, handlers: handlers, screen: screenSelection.name)
        adapter.onProblem = { [problems = screen.problems] in problems.hand($0) }
        setUp?(adapter)
        return adapter
      } catch {
        screen.problems.report(error)
        return nil
      }
    }
    self.views.show(nested)
  }

  /// The adapter of a nested list on display; `nil` if the item's cell is not on display, or has no
  /// such list.
  public func nestedAdapter(of item: ItemID, _ name: NestedName) -> CollectionAdapter? {
    views.cells.view(of: item).flatMap { views.nested.adapter(name, in: $0) as? CollectionAdapter }
  }
}

extension CollectionAdapter: NestedAdapter {
  var scrollView: UIScrollView? { view }

  func giveUpView() {
    // The app may have given it another one.
    guard let view, view.delegate === self else { return views.endDisplay() }
    screenSelection.saveSoon()
    views.endDisplay()
    view.dataSource = nil
    view.delegate = nil
    view.reloadData()
    let insets = view.adjustedContentInset
    view.contentOffset = CGPoint(x: -insets.left, y: -insets.top)
  }
}
