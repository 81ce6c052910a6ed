public import Foundation

/// Gives a table view its sections and rows, and makes their cells.
///
/// Optional methods have defaults here: see ``UICollectionViewDataSource`` for what a class has to
/// observe.
@MainActor public protocol UITableViewDataSource: NSObjectProtocol {
  /// The number of rows in a section.
  func tableView(
    _ tableView: UITableView, numberOfRowsInSection section: Int
  ) -> Int
  /// The cell of a row.
  func tableView(
    _ tableView: UITableView, cellForRowAt indexPath: IndexPath
  ) -> UITableViewCell
  /// The number of sections. Optional.
  func numberOfSections(
    in tableView: UITableView
  ) -> Int
  /// The title of a section. Optional.
  func tableView(
    _ tableView: UITableView, titleForHeaderInSection section: Int
  ) -> String?
  /// The text below a section. Optional.
  func tableView(
    _ tableView: UITableView, titleForFooterInSection section: Int
  ) -> String?
  /// Whether a row can be edited. Optional.
  func tableView(
    _ tableView: UITableView, canEditRowAt indexPath: IndexPath
  ) -> Bool
  /// Whether the user may move a row. Optional.
  func tableView(
    _ tableView: UITableView, canMoveRowAt indexPath: IndexPath
  ) -> Bool
  /// The user deletes or inserts a row: the data source has to do it in its data. Optional.
  func tableView(
    _ tableView: UITableView, commit editingStyle: UITableViewCell.EditingStyle,
    forRowAt indexPath: IndexPath
  )
  /// The user moved a row: the data source has to move it in its data. Optional.
  func tableView(
    _ tableView: UITableView, moveRowAt sourceIndexPath: IndexPath,
    to destinationIndexPath: IndexPath
  )
}

extension UITableViewDataSource {
  /// One section.
  public func numberOfSections(
    in tableView: UITableView
  ) -> Int { 1 }

  /// No title.
  public func tableView(
    _ tableView: UITableView, titleForHeaderInSection section: Int
  ) -> String? { nil }

  /// No text.
  public func tableView(
    _ tableView: UITableView, titleForFooterInSection section: Int
  ) -> String? { nil }

  /// True.
  public func tableView(
    _ tableView: UITableView, canEditRowAt indexPath: IndexPath
  ) -> Bool { true }

  /// True.
  ///
  /// A data source that can't move rows lacks the method that moves them too, whose default raises
  /// an exception.
  public func tableView(
    _ tableView: UITableView, canMoveRowAt indexPath: IndexPath
  ) -> Bool { true }

  /// Does nothing.
  public func tableView(
    _ tableView: UITableView, commit editingStyle: UITableViewCell.EditingStyle,
    forRowAt indexPath: IndexPath
  ) {}

  /// Raises an exception.
  ///
  /// UIKit would show no reorder control for a data source without this method.
  public func tableView(
    _ tableView: UITableView, moveRowAt sourceIndexPath: IndexPath,
    to destinationIndexPath: IndexPath
  ) {
    HeadlessException(
      .invalidArgument,
      "-[\(type(of: self)) tableView:moveRowAtIndexPath:toIndexPath:]: unrecognized selector"
    ).raise()
  }
}

/// The object that is called for rows that will be visible soon.
@MainActor public protocol UITableViewDataSourcePrefetching: NSObjectProtocol {
  /// The rows will be visible soon.
  func tableView(_ tableView: UITableView, prefetchRowsAt indexPaths: [IndexPath])
  /// The rows will not be visible soon after all. Optional.
  func tableView(_ tableView: UITableView, cancelPrefetchingForRowsAt indexPaths: [IndexPath])
}

extension UITableViewDataSourcePrefetching {
  /// Does nothing.
  public func tableView(
    _ tableView: UITableView, cancelPrefetchingForRowsAt indexPaths: [IndexPath]
  ) {}
}
