import Foundation
import HeadlessUIKit

/// A screen with a table view of a shelf; records what the view tells it.
@MainActor final class TableScreen: NSObject, UITableViewDataSource, UITableViewDelegate {
  var shelf: Shelf
  let window = UIWindow(frame: CGRect(x: 0, y: 0, width: 100, height: 100))
  let view = UITableView(frame: CGRect(x: 0, y: 0, width: 100, height: 100), style: .plain)
  var events: [String] = []
  var refusals: Set<String> = []
  var titles = false
  var configure: ((UITableView, IndexPath) -> UITableViewCell)?
  var swipeActions: [UIContextualAction] = []

  /// Rows of 20 points: five fit.
  init(_ counts: [Int], inWindow: Bool = true) {
    shelf = Shelf(counts)
    super.init()
    view.rowHeight = 20
    view.register(BookRow.self, forCellReuseIdentifier: "book")
    view.dataSource = self
    view.delegate = self
    view.headless.expectedContent = { [unowned self] in shelf.book(at: $0)?.content }
    if inWindow { window.addSubview(view) }
    view.layoutIfNeeded()
  }

  var shown: [String] {
    (view.indexPathsForVisibleRows ?? []).map { path in
      let cell = view.cellForRow(at: path) as? BookRow
      return "\(path.section),\(path.row) \(cell?.headlessContent?.description ?? "nothing")"
    }
  }

  func update(_ counts: [Int]? = nil, _ tell: @escaping (UITableView) -> Void) {
    view.performBatchUpdates { [self] in
      if let counts { shelf = Shelf(counts) }
      tell(view)
    }
  }

  func numberOfSections(in tableView: UITableView) -> Int { shelf.sections.count }

  func tableView(_ tableView: UITableView, numberOfRowsInSection section: Int) -> Int {
    shelf.sections[section].books.count
  }

  func tableView(
    _ tableView: UITableView, cellForRowAt indexPath: IndexPath
  ) -> UITableViewCell {
    if let configure { return configure(tableView, indexPath) }
    let cell = tableView.dequeueReusableCell(withIdentifier: "book", for: indexPath)
    (cell as? BookRow)?.headlessContent = shelf.book(at: indexPath)?.content
    return cell
  }

  func tableView(_ tableView: UITableView, titleForHeaderInSection section: Int) -> String? {
    titles ? shelf.sections[section].id : nil
  }

  func tableView(_ tableView: UITableView, canMoveRowAt indexPath: IndexPath) -> Bool {
    !refusals.contains("move")
  }

  func tableView(_ tableView: UITableView, canEditRowAt indexPath: IndexPath) -> Bool {
    !refusals.contains("edit")
  }

  func tableView(
    _ tableView: UITableView, moveRowAt source: IndexPath, to destination: IndexPath
  ) {
    let book = shelf.sections[source.section].books.remove(at: source.row)
    shelf.sections[destination.section].books.insert(book, at: destination.row)
  }

  func tableView(
    _ tableView: UITableView, commit editingStyle: UITableViewCell.EditingStyle,
    forRowAt path: IndexPath
  ) {
    guard editingStyle == .delete else { return }
    shelf.sections[path.section].books.remove(at: path.row)
    tableView.deleteRows(at: [path], with: .automatic)
  }

  // MARK: Delegate

  private func note(_ event: String, _ path: IndexPath) {
    events.append("\(event) \(path.section),\(path.row)")
  }

  func tableView(_ view: UITableView, shouldHighlightRowAt path: IndexPath) -> Bool {
    note("shouldHighlight", path)
    return !refusals.contains("shouldHighlight")
  }
  func tableView(_ view: UITableView, didHighlightRowAt path: IndexPath) {
    note("didHighlight", path)
  }
  func tableView(_ view: UITableView, didUnhighlightRowAt path: IndexPath) {
    note("didUnhighlight", path)
  }
  func tableView(_ view: UITableView, willSelectRowAt path: IndexPath) -> IndexPath? {
    note("willSelect", path)
    return refusals.contains("willSelect") ? nil : path
  }
  func tableView(_ view: UITableView, willDeselectRowAt path: IndexPath) -> IndexPath? {
    note("willDeselect", path)
    return path
  }
  func tableView(_ view: UITableView, didSelectRowAt path: IndexPath) { note("didSelect", path) }
  func tableView(_ view: UITableView, didDeselectRowAt path: IndexPath) {
    note("didDeselect", path)
  }
  func tableView(
    _ view: UITableView, willDisplay cell: UITableViewCell, forRowAt path: IndexPath
  ) { note("willDisplay", path) }
  func tableView(
    _ view: UITableView, didEndDisplaying cell: UITableViewCell, forRowAt path: IndexPath
  ) { note("didEndDisplaying", path) }
  func tableView(
    _ view: UITableView, trailingSwipeActionsConfigurationForRowAt path: IndexPath
  ) -> UISwipeActionsConfiguration? { UISwipeActionsConfiguration(actions: swipeActions) }
}
