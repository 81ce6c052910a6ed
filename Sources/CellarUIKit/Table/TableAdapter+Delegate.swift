public import Foundation
import ListModel
import Providers

#if canImport(UIKit) && !os(watchOS)
  public import UIKit
#else
  public import HeadlessUIKit
#endif

// What the adapter uses itself; it tells its delegate too.
extension TableAdapter: UITableViewDelegate {
  /// Binds the cell to its item.
  public func tableView(
    _ tableView: UITableView, willDisplay cell: UITableViewCell, forRowAt indexPath: IndexPath
  ) {
    willDisplay(cell, at: indexPath)
    #if canImport(UIKit) && !os(watchOS)
      delegate?.tableView?(tableView, willDisplay: cell, forRowAt: indexPath)
    #else
      delegate?.tableView(tableView, willDisplay: cell, forRowAt: indexPath)
    #endif
  }

  /// Unbinds the cell from the item that it was bound to, wherever that is now.
  public func tableView(
    _ tableView: UITableView, didEndDisplaying cell: UITableViewCell, forRowAt indexPath: IndexPath
  ) {
    didEndDisplaying(cell)
    #if canImport(UIKit) && !os(watchOS)
      delegate?.tableView?(tableView, didEndDisplaying: cell, forRowAt: indexPath)
    #else
      delegate?.tableView(tableView, didEndDisplaying: cell, forRowAt: indexPath)
    #endif
  }

  /// Selects the item, and calls its handlers.
  public func tableView(_ tableView: UITableView, didSelectRowAt indexPath: IndexPath) {
    didSelect(at: indexPath)
    #if canImport(UIKit) && !os(watchOS)
      delegate?.tableView?(tableView, didSelectRowAt: indexPath)
    #else
      delegate?.tableView(tableView, didSelectRowAt: indexPath)
    #endif
  }

  /// Deselects the item, and calls its handlers.
  public func tableView(_ tableView: UITableView, didDeselectRowAt indexPath: IndexPath) {
    didDeselect(at: indexPath)
    #if canImport(UIKit) && !os(watchOS)
      delegate?.tableView?(tableView, didDeselectRowAt: indexPath)
    #else
      delegate?.tableView(tableView, didDeselectRowAt: indexPath)
    #endif
  }

  /// The menu that the handlers have for an item; for one without, the delegate's.
  @available(tvOS 17.0, *)
  public func tableView(
    _ tableView: UITableView, contextMenuConfigurationForRowAt indexPath: IndexPath, point: CGPoint
  ) -> UIContextMenuConfiguration? {
    if let menu = menu(forItemAt: indexPath) { return menu }
    #if canImport(UIKit) && !os(watchOS)
      return delegate?.tableView?(
        tableView, contextMenuConfigurationForRowAt: indexPath, point: point) ?? nil
    #else
      return delegate?.tableView(
        tableView, contextMenuConfigurationForRowAt: indexPath, point: point)
    #endif
  }

  /// Whether a swipe offers to delete the item.
  public func tableView(
    _ tableView: UITableView, editingStyleForRowAt indexPath: IndexPath
  ) -> UITableViewCell.EditingStyle {
    itemID(at: indexPath).flatMap { canDelete?($0) } ?? false ? .delete : .none
  }

  // MARK: Heights

  /// The height of an item: as it was kept, else measured.
  public func tableView(
    _ tableView: UITableView, heightForRowAt indexPath: IndexPath
  ) -> CGFloat { size(ofItemAt: indexPath).height }

  /// The mean of the section's items, from the sums that the store keeps.
  public func tableView(
    _ tableView: UITableView, estimatedHeightForRowAt indexPath: IndexPath
  ) -> CGFloat { estimatedLength(inSection: indexPath.section) }

  /// The height of a section's header; none if it has none.
  public func tableView(
    _ tableView: UITableView, heightForHeaderInSection section: Int
  ) -> CGFloat { height(of: .header, in: tableView, section) }

  /// The height of a section's footer; none if it has none.
  public func tableView(
    _ tableView: UITableView, heightForFooterInSection section: Int
  ) -> CGFloat { height(of: .footer, in: tableView, section) }

  private func height(
    of kind: Supplementary.Kind, in tableView: UITableView, _ section: Int
  ) -> CGFloat {
    if let size = size(of: kind, inSection: section) { return size.height }
    // Tables with gaps take 0 for a height of their own choice.
    return tableView.style == .plain ? 0 : .leastNormalMagnitude
  }

  // MARK: Headers and footers

  /// A section's header, which shows what is stored; none if it has none.
  public func tableView(
    _ tableView: UITableView, viewForHeaderInSection section: Int
  ) -> UIView? { dequeue(.header, in: tableView, section) }

  /// A section's footer, which shows what is stored; none if it has none.
  public func tableView(
    _ tableView: UITableView, viewForFooterInSection section: Int
  ) -> UIView? { dequeue(.footer, in: tableView, section) }

  private func dequeue(
    _ kind: Supplementary.Kind, in tableView: UITableView, _ section: Int
  ) -> UIView? {
    guard let stored = supplementary(kind, inSection: section) else { return nil }
    shownKinds.insert(kind)
    let registration = registration(for: stored.view, kind: kind)
    let view = tableView.dequeueReusableHeaderFooterView(
      withIdentifier: host.identifier(of: registration))
    if let view { configure(view, with: stored, kind: kind) }
    return view
  }
}
