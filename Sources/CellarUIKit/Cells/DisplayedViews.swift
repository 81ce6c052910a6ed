import BatchUpdates
import Foundation
import ListItems
import ListModel
import ListSync
import ListViews
import Providers

/// The cells of a view and what they show: each is bound to its item while it is on display.
@MainActor final class DisplayedViews {
  let screen: ListScreen
  /// The lists in the cells of the items that own them.
  let nested = NestedLists()
  /// The cells on display; `nil` is the value of a fallback.
  let cells = BoundViews<UIView, ItemID, (any ListItem)?>()
  /// The headers, footers and other supplementary views on display.
  let supplementaries = BoundViews<UIView, SupplementaryID, any ListSupplementary>()
  /// Makes a view that stands for a missing item; `nil`: one of the adapter's.
  var gapPlaceholder: (@MainActor () -> UIView)?
  /// Called when the view asked for an item that can't be read.
  var onUnreadableItem: (() -> Void)?
  /// The cell that was configured last: usually it comes on display next.
  private var configured: ConfiguredCell?
  /// The states of items that the store does not have.
  private var states: [ItemID: any Sendable] = [:]
  /// How far the items are on their way to a server.
  private var deliveries: [ItemID: LiveList.Delivery] = [:]
  /// Whether any item ever had a state.
  private var hasHadStates = false
  /// The items that the view shows by the fallback, because they can't be decoded.
  private var undecodableItems: Set<ItemID> = []
  /// The items that the view is to configure anew in the cells that they have.
  private var reconfigured: Set<ItemPath> = []

  private struct ConfiguredCell {
    weak var cell: UIView?
    let id: ItemID
    let value: any ListItem
  }

  init(_ screen: ListScreen) { self.screen = screen }

  private var list: LiveList { screen.list }
  private var views: RegisteredViews { screen.views }
  private var problems: ProblemReports { screen.problems }

  // MARK: What cells show

  /// What the view dequeues for an item, and the value that the cell shows.
  ///
  /// Without a value the cell is the fallback: the item can't be read, which is `nil`, or can't be
  /// decoded, or the app has no cell for it. A cell of the app could still show another item.
  ///
  /// `section`: The item's section.
  func cell(
    for item: Item?, in section: SectionID?
  ) -> (registration: ViewRegistration, value: (any ListItem)?) {
    guard let item else {
      onUnreadableItem?()
      return (views.registration(for: nil), nil)
    }
    let registration = views.registration(for: item, in: section)
    guard views.hasCell(of: item, in: section) else { return (registration, nil) }
    do throws(ItemTypeError) {
      let value = try list.types.value(of: item)
      undecodableItems.remove(item.id)
      return (registration, value)
    } catch {
      undecodableItems.insert(item.id)
      problems.report(error)
      return (views.registration(for: nil), nil)
    }
  }

  /// Shows an item, or a gap that the app has no cell for, in the cell that was dequeued for it.
  ///
  /// `value`: What ``cell(for:in:)`` has returned.
  func show(_ item: Item?, _ value: (any ListItem)?, in cell: UIView, at path: IndexPath) {
    guard let item else { return }
    if let value { show(value, of: item.id, in: cell) }
    if let cell = cell as? any GapCell { show(item, at: path, in: cell.gapView) }
  }

  private func show(_ item: Item, at path: IndexPath, in view: GapView) {
    var content = GapView.Content()
    if let gap = screen.gap(at: path) {
      (content.lines, content.columns) = (gap.lines, gap.columns)
      content.spacing = CGFloat(gap.spacing)
    }
    content.isHorizontal = screen.host.axis == .horizontal
    content.placeholder = gapPlaceholder
    view.content = content
    view.state = list.pageState(of: item.id)
    view.onRetry = { [weak screen] in screen?.list.retryPages() }
  }

  /// Shows what has become of the pages of a gap.
  func setState(_ state: LiveList.PageState, ofGap gap: ItemID) {
    if let cell = cells.view(of: gap) as? any GapCell {
      cell.gapView.state = state
    } else {
      setState(state, of: gap)
    }
  }

  /// Draws the gaps on display as far as they are in sight.
  func showVisibleParts(of gaps: some Sequence<ItemID>) {
    for gap in gaps { (cells.view(of: gap) as? any GapCell)?.gapView.showVisiblePart() }
  }

  func show(_ value: any ListItem, of id: ItemID, in cell: UIView) {
    // The view asks for a cell that is on display when its item has new content.
    let isOnDisplay = unbind(cell) == id
    configure(cell, with: value, of: id)
    if isOnDisplay {
      bind(cell, to: id, value)
      nested.show(in: cell, of: id, value)
    } else {
      configured = ConfiguredCell(cell: cell, id: id, value: value)
    }
  }

  private func configure(_ cell: UIView, with value: any ListItem, of id: ItemID) {
    do throws(ItemTypeError) { try value.configure(anyCell: cell) } catch {
      return problems.report(error)
    }
    if let delivery = deliveries[id] { value.configure(anyCell: cell, with: delivery) }
    if let state = states[id] { value.configure(anyCell: cell, with: state) }
  }

  // MARK: Cells on display

  /// A cell comes on display.
  ///
  /// It need not have been configured just before: since iOS 10 a collection view keeps cells that
  /// left the display, and shows them again.
  func willDisplay(_ cell: UIView, at indexPath: IndexPath) {
    guard let id = screen.itemID(at: indexPath) else { return }
    unbind(cell)
    let value = value(in: cell, of: id, at: indexPath)
    bind(cell, to: id, value)
    nested.show(in: cell, of: id, value)
    handle(.willDisplay, of: id, value)
  }

  /// A cell left the display.
  ///
  /// The path that the view gives with it may be another item's by now.
  func didEndDisplaying(_ cell: UIView) {
    guard let binding = cells.binding(of: cell) else { return }
    unbind(cell)
    nested.end(in: cell)
    handle(.didEndDisplaying, of: binding.id, binding.value)
  }

  /// Shows another nested list in the cells of its owners, from now on.
  func show(_ list: NestedList) {
    nested.add(list)
    for binding in cells.all {
      if let cell = binding.view { nested.show(in: cell, of: binding.id, binding.value) }
    }
  }

  /// Ends all bindings, of an adapter that gives its view up.
  func endDisplay() {
    for view in cells.all.compactMap(\.view) { didEndDisplaying(view) }
    for view in supplementaries.all.compactMap(\.view) { didEndDisplayingSupplementary(view) }
  }

  /// The value that a cell shows when it comes on display; `nil` for a fallback.
  private func value(
    in cell: UIView, of id: ItemID, at indexPath: IndexPath
  ) -> (any ListItem)? {
    defer { configured = nil }
    if let configured, configured.cell === cell, configured.id == id { return configured.value }
    guard let item = screen.item(at: indexPath),
      views.hasCell(of: item, in: screen.display.sectionID(at: indexPath.section)),
      let value = try? list.types.value(of: item)
    else { return nil }
    // The view kept the cell. Its state may have changed since.
    if hasHadStates { configure(cell, with: value, of: id) }
    return value
  }

  private func bind(_ cell: UIView, to id: ItemID, _ value: (any ListItem)?) {
    cells.bind(cell, to: id, value)
    let send: @MainActor (ControlEvent) -> Void = { [weak screen] event in
      screen?.handle(.control(event.name), of: id, value: event.value)
    }
    // A fallback has no value to connect it.
    if let value {
      value.bind(anyCell: cell, send: send)
    } else {
      (cell as? any ControlEventSource)?.onControlEvent = send
    }
  }

  /// Ends a cell's binding.
  ///
  /// - Returns: The item that the cell was bound to.
  @discardableResult private func unbind(_ cell: UIView) -> ItemID? {
    guard let binding = cells.unbind(cell) else { return nil }
    if let value = binding.value {
      value.unbind(anyCell: cell)
    } else {
      (cell as? any ControlEventSource)?.onControlEvent = nil
    }
    return binding.id
  }

  /// Handles a display event, if anybody wants it.
  private func handle(_ event: ItemEvent, of id: ItemID, _ value: (any ListItem)?) {
    let action = value?.action(for: event)
    guard action != nil || screen.handlers.hasHandlers(of: event) else { return }
    let context = ItemContext(
      list: list.id, owner: list.owner, id: id, path: screen.provider.path(of: id), action: action)
    screen.handlers.handle(event, of: value, context)
  }

  // MARK: Headers, footers and other supplementary views

  func show(_ value: any ListSupplementary, in view: UIView) {
    let id = unbindSupplementary(view)
    do throws(SupplementaryTypeError) { try value.configure(anyView: view) } catch {
      problems.report(error)
    }
    // A new value in a view on display.
    if let id { bind(view, to: id, value) }
  }

  func willDisplay(_ view: UIView, kind: Supplementary.Kind, inSection index: Int) {
    unbindSupplementary(view)
    guard let id = screen.supplementaryID(kind, inSection: index),
      let stored = screen.supplementary(kind, inSection: index),
      let value = screen.shownValue(of: stored, kind)
    else { return }
    bind(view, to: id, value)
    handle(.willDisplay, of: value, id)
  }

  func didEndDisplayingSupplementary(_ view: UIView) {
    guard let binding = supplementaries.binding(of: view) else { return }
    unbindSupplementary(view)
    handle(.didEndDisplaying, of: binding.value, binding.id)
  }

  private func bind(_ view: UIView, to id: SupplementaryID, _ value: any ListSupplementary) {
    supplementaries.bind(view, to: id, value)
    value.bind(anyView: view) { [weak screen] event in
      screen?.handle(.control(event.name), of: id, value: event.value)
    }
  }

  @discardableResult private func unbindSupplementary(_ view: UIView) -> SupplementaryID? {
    guard let binding = supplementaries.unbind(view) else { return nil }
    binding.value.unbind(anyView: view)
    return binding.id
  }

  private func handle(
    _ event: ItemEvent, of value: any ListSupplementary, _ id: SupplementaryID
  ) {
    if screen.handlers.hasHandlers(of: event) { screen.handle(event, of: value, id) }
  }

  // MARK: States that the store does not have

  func state(of item: ItemID) -> (any Sendable)? { states[item] }

  func delivery(of item: ItemID) -> LiveList.Delivery? { deliveries[item] }

  /// Reads how far the items are on their way to a server, and shows it in the cells on display.
  func refreshDeliveries() {
    guard list.sendsEdits else { return }
    let old = deliveries
    do throws(StoreError) { deliveries = try list.deliveries() } catch {
      return problems.report(error)
    }
    if !deliveries.isEmpty { hasHadStates = true }
    for item in Set(old.keys).union(deliveries.keys) where old[item] != deliveries[item] {
      guard let cell = cells.view(of: item), let value = cells.binding(of: cell)?.value else {
        continue
      }
      show(value, of: item, in: cell)
    }
  }

  /// Sets the state of an item, and shows it in a cell on display.
  func setState(_ state: (any Sendable)?, of item: ItemID) {
    hasHadStates = true
    states[item] = state
    guard let cell = cells.view(of: item), let value = cells.binding(of: cell)?.value else {
      return
    }
    if let state {
      value.configure(anyCell: cell, with: state)
    } else {
      show(value, of: item, in: cell)
    }
  }

  /// Forgets the states of items that another revision of the list does not have any more.
  func forgetStates(notIn next: Provider) {
    let old = screen.provider
    for item in states.keys where next.path(of: item) == nil && old.path(of: item) != nil {
      states[item] = nil
    }
  }

  // MARK: Updates

  /// Forgets which items are shown by the fallback: the view asks for all its cells anew.
  func forgetUndecodableItems() { undecodableItems = [] }

  /// The update is over.
  func endReconfiguring() { reconfigured = [] }

  /// The reuse identifier of the cell that an item keeps although it can't be read; `nil` if the view
  /// takes the fallback.
  ///
  /// A view that configures an item anew takes no other cell than the one that it has: it raises an
  /// exception. What the cell shows stays until the list is loaded again.
  ///
  /// `present`: The cell that the view has there.
  func identifierOfCellToKeep(
    for item: Item?, at path: IndexPath, _ present: @autoclosure () -> String?
  ) -> String? {
    guard item == nil, reconfigured.contains(ItemPath(path)), let identifier = present() else {
      return nil
    }
    onUnreadableItem?()
    return identifier
  }

  /// A stage in which items that need another cell than they have get it.
  ///
  /// A view keeps the cell of an item that is reconfigured or moves. So an item that can't be
  /// decoded any more, or again, is reloaded; and one that moves to a section that has another cell
  /// for it is deleted and inserted, see `ViewRegistry.map(section:to:)`.
  ///
  /// `before`: What the view displays before the stage.
  func exchangingCells(of stage: Stage, from before: DisplayedList) -> Stage {
    let reloads = stage.reconfigureItems.filter { path in
      guard let item = screen.item(at: path.indexPath),
        views.hasCell(of: item, in: screen.display.sectionID(at: path.section))
      else { return false }
      return undecodableItems.contains(item.id) || (try? list.types.value(of: item)) == nil
    }
    let exchanges = stage.moveItems.filter { move in
      needsOtherCell(
        itemAt: move.to.indexPath, from: before.sectionID(at: move.from.section),
        to: screen.display.sectionID(at: move.to.section))
    }
    var stage = stage
    if !reloads.isEmpty {
      stage.reconfigureItems.removeAll { reloads.contains($0) }
      stage.reloadItems = (stage.reloadItems + reloads).sorted()
    }
    if !exchanges.isEmpty {
      stage.moveItems.removeAll { exchanges.contains($0) }
      stage.deleteItems = (stage.deleteItems + exchanges.map(\.from)).sorted()
      stage.insertItems = (stage.insertItems + exchanges.map(\.to)).sorted()
    }
    reconfigured = Set(stage.reconfigureItems)
    return stage
  }

  /// Whether an item needs another cell in one section than in another.
  func needsOtherCell(
    itemAt indexPath: IndexPath, from old: SectionID?, to new: SectionID?
  ) -> Bool {
    if old == new || views.registry.cellsOfSections.isEmpty { return false }
    guard let item = screen.item(at: indexPath), !item.state.isGap else { return false }
    return views.registration(for: item, in: old) != views.registration(for: item, in: new)
  }
}

extension BoundViews {
  /// How often views were bound and unbound, and how many are bound.
  var counts: (bound: Int, unbound: Int, shown: Int) { (bindCount, unbindCount, count) }
}
