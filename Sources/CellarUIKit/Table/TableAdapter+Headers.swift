import Foundation
import ListModel
public import ListViews

// Headers and footers. The adapter passes the calls on to the app's delegate.
extension TableAdapter {
  /// Binds a section's header to its value.
  public func tableView(
    _ tableView: UITableView, willDisplayHeaderView view: UIView, forSection section: Int
  ) {
    views.willDisplay(view, kind: .header, inSection: section)
    (delegate?.tableView(_:willDisplayHeaderView:forSection:))?(tableView, view, section)
  }

  /// Binds a section's footer to its value.
  public func tableView(
    _ tableView: UITableView, willDisplayFooterView view: UIView, forSection section: Int
  ) {
    views.willDisplay(view, kind: .footer, inSection: section)
    (delegate?.tableView(_:willDisplayFooterView:forSection:))?(tableView, view, section)
  }

  /// Unbinds a section's header.
  public func tableView(
    _ tableView: UITableView, didEndDisplayingHeaderView view: UIView, forSection section: Int
  ) {
    views.didEndDisplayingSupplementary(view)
    (delegate?.tableView(_:didEndDisplayingHeaderView:forSection:))?(tableView, view, section)
  }

  /// Unbinds a section's footer.
  public func tableView(
    _ tableView: UITableView, didEndDisplayingFooterView view: UIView, forSection section: Int
  ) {
    views.didEndDisplayingSupplementary(view)
    (delegate?.tableView(_:didEndDisplayingFooterView:forSection:))?(tableView, view, section)
  }

  /// A section's header with its stored content; `nil` without one.
  public func tableView(
    _ tableView: UITableView, viewForHeaderInSection section: Int
  ) -> UIView? { dequeue(.header, in: tableView, section) }

  /// A section's footer with its stored content; `nil` without one.
  public func tableView(
    _ tableView: UITableView, viewForFooterInSection section: Int
  ) -> UIView? { dequeue(.footer, in: tableView, section) }

  private func dequeue(
    _ kind: Supplementary.Kind, in tableView: UITableView, _ section: Int
  ) -> UIView? {
    guard let stored = screen.supplementary(kind, inSection: section) else { return nil }
    screen.supplementaries.kinds.insert(kind)
    let (registration, value) = screen.supplementaryView(for: stored, kind: kind)
    let view = dequeueHeaderFooterView(for: registration, in: tableView)
    if let view, let value { views.show(value, in: view) }
    return view
  }
}
