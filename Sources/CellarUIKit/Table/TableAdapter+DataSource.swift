public import Foundation
import ListItems
import ListModel
public import ListViews
import Providers

extension TableAdapter: UITableViewDataSource {
  /// The number of sections that are not hidden.
  public func numberOfSections(in tableView: UITableView) -> Int { screen.display.numberOfSections }

  /// The number of rows in a section.
  public func tableView(_ tableView: UITableView, numberOfRowsInSection section: Int) -> Int {
    screen.display.numberOfItems(inSection: section)
  }

  /// A cell that shows an item.
  public func tableView(
    _ tableView: UITableView, cellForRowAt indexPath: IndexPath
  ) -> UITableViewCell {
    let item = item(at: indexPath)
    if let kept = views.identifierOfCellToKeep(
      for: item, at: indexPath, tableView.cellForRow(at: indexPath)?.reuseIdentifier)
    {
      return tableView.dequeueReusableCell(withIdentifier: kept, for: indexPath)
    }
    let (registration, value) = views.cell(
      for: item, in: screen.display.sectionID(at: indexPath.section))
    let cell = dequeueCell(for: registration, in: tableView, at: indexPath)
    views.show(item, value, in: cell, at: indexPath)
    return cell
  }

  /// Whether the user may move or delete the item, or ``delegate`` has swipe actions for it.
  public func tableView(_ tableView: UITableView, canEditRowAt indexPath: IndexPath) -> Bool {
    guard let id = itemID(at: indexPath) else { return false }
    return canDelete?(id) ?? false || updates.mayMove(at: indexPath)
      || hasSwipeActions(tableView, indexPath)
  }

  private func hasSwipeActions(_ tableView: UITableView, _ indexPath: IndexPath) -> Bool {
    #if os(tvOS)
      // tvOS has no swipe actions.
      return false
    #else
      let leading = delegate?.tableView(_:leadingSwipeActionsConfigurationForRowAt:)
      let trailing = delegate?.tableView(_:trailingSwipeActionsConfigurationForRowAt:)
      return leading?(tableView, indexPath) != nil || trailing?(tableView, indexPath) != nil
    #endif
  }

  /// Whether the user may move the item.
  public func tableView(_ tableView: UITableView, canMoveRowAt indexPath: IndexPath) -> Bool {
    updates.mayMove(at: indexPath)
  }

  /// Edits the list: the user dropped a row at another place.
  public func tableView(
    _ tableView: UITableView, moveRowAt sourceIndexPath: IndexPath,
    to destinationIndexPath: IndexPath
  ) {
    updates.userMoved(from: sourceIndexPath, to: destinationIndexPath)
  }

  /// Edits the list: the user deleted a row.
  public func tableView(
    _ tableView: UITableView, commit editingStyle: UITableViewCell.EditingStyle,
    forRowAt indexPath: IndexPath
  ) {
    guard editingStyle == .delete, let id = itemID(at: indexPath) else { return }
    updates.userDeleted(id)
  }
}
