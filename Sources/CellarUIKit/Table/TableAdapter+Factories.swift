import Foundation
import ListItems
import ListModel
import ListViews
import Providers

// A table finds no view under a reuse identifier that nothing is registered for. Then the factory
// of the app makes one.
extension TableAdapter {
  func dequeueCell(
    for registration: ViewRegistration, in tableView: UITableView, at indexPath: IndexPath
  ) -> UITableViewCell {
    let identifier = registration.reuseIdentifier
    guard case .factory(let make) = registration.source else {
      return tableView.dequeueReusableCell(withIdentifier: identifier, for: indexPath)
    }
    if let cell = cellToReconfigure { return cell }
    if let cell = tableView.dequeueReusableCell(withIdentifier: identifier) { return cell }
    let view = make(identifier)
    let cell = view as? UITableViewCell
    check(view, reuseIdentifier: cell?.reuseIdentifier, is: identifier)
    return cell ?? UITableViewCell(style: .default, reuseIdentifier: nil)
  }

  func dequeueHeaderFooterView(
    for registration: ViewRegistration, in tableView: UITableView
  ) -> UITableViewHeaderFooterView? {
    let identifier = screen.host.identifier(of: registration)
    let view = tableView.dequeueReusableHeaderFooterView(withIdentifier: identifier)
    guard view == nil, case .factory(let make) = registration.source else { return view }
    let made = make(identifier)
    let edge = made as? UITableViewHeaderFooterView
    check(made, reuseIdentifier: edge?.reuseIdentifier, is: identifier)
    return edge
  }

  /// Reports a view that has not the reuse identifier that its factory got, once.
  private func check(_ view: AnyObject, reuseIdentifier: String?, is identifier: String) {
    guard reuseIdentifier != identifier, unreusableIdentifiers.insert(identifier).inserted
    else { return }
    let found = reuseIdentifier.map { "\"\($0)\"" } ?? "no reuse identifier"
    screen.problems.report(
      UnusableView(reuseIdentifier: identifier, view: "a \(type(of: view)) with \(found)"))
  }

  /// Configures a row anew whose cell a factory made, and leaves one alone that can't be read; `false` for
  /// all other rows.
  ///
  /// A table gives the cell of a row to be reconfigured only to those who dequeue by its path, and
  /// that needs a registration.
  func reconfigureMadeCell(at indexPath: IndexPath) -> Bool {
    let section = screen.display.sectionID(at: indexPath.section)
    guard let item = item(at: indexPath) else {
      views.onUnreadableItem?()
      return true
    }
    guard let view,
      case .factory = screen.views.registration(for: item, in: section).source
    else { return false }
    guard let cell = view.cellForRow(at: indexPath) else { return true }
    cellToReconfigure = cell
    defer { cellToReconfigure = nil }
    _ = tableView(view, cellForRowAt: indexPath)
    return true
  }
}
