import Foundation
import ListItems
import ListModel
import ListSync
import Providers
import ListViews

// Cells, headers and footers are bound to what they show while they are on display.
extension ListAdapter {
  // MARK: Cells

  /// Shows an item in a cell.
  func show(_ value: any ListItem, of id: ItemID, in cell: UIView) {
    // The view asks for a cell that is on display when its item has new content.
    let isOnDisplay = unbind(cell) == id
    configure(cell, with: value, of: id)
    if isOnDisplay {
      bind(cell, to: id, value)
      showNestedLists(of: id, value, in: cell)
    } else {
      configured = ConfiguredCell(cell: cell, id: id, value: value)
    }
  }

  private func configure(_ cell: UIView, with value: any ListItem, of id: ItemID) {
    do throws(ItemTypeError) { try value.configure(anyCell: cell) } catch {
      return problems.report(error)
    }
    if let state = states[id] { value.configure(anyCell: cell, with: state) }
  }

  /// A cell comes on display.
  ///
  /// It need not have been configured just before: since iOS 10 a collection view keeps cells that
  /// left the display, and shows them again.
  func willDisplay(_ cell: UIView, at indexPath: IndexPath) {
    guard let id = itemID(at: indexPath) else { return }
    unbind(cell)
    let value = value(in: cell, of: id, at: indexPath)
    bind(cell, to: id, value)
    showNestedLists(of: id, value, in: cell)
    reportDisplay(.willDisplay, of: id, value)
    if screen.pendingAnchor != nil {
      // The view has a size now, but it is in the middle of its layout.
      Task { [weak self] in self?.restoreViewState() }
    }
  }

  /// A cell left the display.
  ///
  /// The path that the view gives with it may be another item's by now.
  func didEndDisplaying(_ cell: UIView) {
    guard let binding = bound.binding(of: cell) else { return }
    unbind(cell)
    endNestedLists(in: cell)
    reportDisplay(.didEndDisplaying, of: binding.id, binding.value)
  }

  /// The value that a cell shows when it comes on display; `nil` for a fallback.
  private func value(
    in cell: UIView, of id: ItemID, at indexPath: IndexPath
  ) -> (any ListItem)? {
    defer { configured = nil }
    if let configured, configured.cell === cell, configured.id == id { return configured.value }
    guard let item = item(at: indexPath),
      views.hasCell(of: item, in: display.sectionID(at: indexPath.section)),
      let value = try? list.types.value(of: item)
    else { return nil }
    // The view kept the cell. Its state may have changed since.
    if hasHadStates { configure(cell, with: value, of: id) }
    return value
  }

  private func bind(_ cell: UIView, to id: ItemID, _ value: (any ListItem)?) {
    bound.bind(cell, to: id, value)
    let send: @MainActor (ControlEvent) -> Void = { [weak self] event in
      self?.handle(.control(event.name), of: id, value: event.value)
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
    guard let binding = bound.unbind(cell) else { return nil }
    if let value = binding.value {
      value.unbind(anyCell: cell)
    } else {
      (cell as? any ControlEventSource)?.onControlEvent = nil
    }
    return binding.id
  }

  /// Handles a display event, if anybody wants it.
  private func reportDisplay(_ event: ItemEvent, of id: ItemID, _ value: (any ListItem)?) {
    let action = value?.action(for: event)
    guard action != nil || handlers.hasHandlers(of: event) else { return }
    let context = ItemContext(
      list: list.id, owner: list.owner, id: id, path: provider.path(of: id), action: action)
    handlers.handle(event, of: value, context)
  }

  // MARK: Headers and footers

  /// Shows a value in a header, a footer or another supplementary view.
  func show(_ value: any ListSupplementary, in view: UIView) {
    let place = unbindSupplementary(view)
    do throws(SupplementaryTypeError) { try value.configure(anyView: view) } catch {
      problems.report(error)
    }
    // A new value in a view on display.
    if let place { bind(view, to: place, value) }
  }

  /// A header, a footer or another supplementary view comes on display.
  func willDisplay(_ view: UIView, kind: Supplementary.Kind, inSection index: Int) {
    unbindSupplementary(view)
    guard let place = place(of: kind, inSection: index),
      let stored = supplementary(kind, inSection: index), let value = shownValue(of: stored, kind)
    else { return }
    bind(view, to: place, value)
    reportDisplay(.willDisplay, of: value, at: place)
  }

  /// A header, a footer or another supplementary view left the display.
  func didEndDisplayingSupplementary(_ view: UIView) {
    guard let binding = boundSupplementaries.binding(of: view) else { return }
    unbindSupplementary(view)
    reportDisplay(.didEndDisplaying, of: binding.value, at: binding.id)
  }

  private func bind(
    _ view: UIView, to place: SupplementaryRefresh.Place, _ value: any ListSupplementary
  ) {
    boundSupplementaries.bind(view, to: place, value)
    value.bind(anyView: view) { [weak self] event in
      self?.handle(
        .control(event.name), of: place.kind, in: place.section, value: event.value)
    }
  }

  @discardableResult
  private func unbindSupplementary(_ view: UIView) -> SupplementaryRefresh.Place? {
    guard let binding = boundSupplementaries.unbind(view) else { return nil }
    binding.value.unbind(anyView: view)
    return binding.id
  }

  private func reportDisplay(
    _ event: ItemEvent, of value: any ListSupplementary, at place: SupplementaryRefresh.Place
  ) {
    guard handlers.hasHandlers(of: event) else { return }
    handlers.handle(event, of: value, context(of: place))
  }

  /// Ends all bindings, of an adapter that gives its view up.
  func endDisplay() {
    for view in bound.all.compactMap(\.view) { didEndDisplaying(view) }
    for view in boundSupplementaries.all.compactMap(\.view) { didEndDisplayingSupplementary(view) }
  }
}

/// A cell that was configured last: usually it comes on display next.
struct ConfiguredCell {
  weak var cell: UIView?
  let id: ItemID
  let value: any ListItem
}
