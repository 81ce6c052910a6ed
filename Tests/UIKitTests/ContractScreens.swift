import Foundation
import Testing

#if canImport(UIKit) && !os(watchOS)
  import UIKit
#else
  import HeadlessUIKit
#endif

/// A path, shorter.
func at(_ section: Int, _ item: Int) -> IndexPath { IndexPath(item: item, section: section) }

/// The texts of these items or rows of a screen that was made with a count.
func texts(_ numbers: Range<Int>) -> [String] { numbers.map { "\($0)" } }

/// Lets the main run loop turn until something is so, for 10 seconds at most.
///
/// UIKit calls completions, and ends the display of what is removed, in a later turn.
@MainActor func wait(
  _ location: SourceLocation = #_sourceLocation, until isSo: () -> Bool
) async throws {
  let end = Date(timeIntervalSinceNow: 10)
  while !isSo() {
    guard Date() < end else {
      Issue.record("it has not come to be so in 10 seconds", sourceLocation: location)
      return
    }
    try await Task.sleep(nanoseconds: 2_000_000)
  }
}

/// A cell with a text, which notes what happens to it.
class TextCell: UICollectionViewCell {
  var text = ""
  /// How often it was prepared for reuse.
  var preparations = 0
  /// The attributes that were applied last.
  var applied: UICollectionViewLayoutAttributes?

  override func prepareForReuse() {
    super.prepareForReuse()
    preparations += 1
  }

  override func apply(_ layoutAttributes: UICollectionViewLayoutAttributes) {
    super.apply(layoutAttributes)
    applied = layoutAttributes
  }
}

/// A header or footer with a text.
final class TextView: UICollectionReusableView { var text = "" }

/// A row with a text.
final class TextRow: UITableViewCell {
  var text = ""
  var preparations = 0

  override func prepareForReuse() {
    super.prepareForReuse()
    preparations += 1
  }
}

/// A collection view in a window, of texts in sections; lines of one item, 20 points high and
/// without gaps, of which five fit.
@MainActor
final class CollectionScreen: NSObject, UICollectionViewDataSource,
  UICollectionViewDelegateFlowLayout
{
  var data: [[String]]
  let window = UIWindow(frame: CGRect(x: 0, y: 0, width: 100, height: 100))
  let layout = UICollectionViewFlowLayout()
  let view: UICollectionView
  /// What the delegate was told, such as `will 0,3`.
  var events: [String] = []
  /// The paths of which cells were asked.
  var asked: [IndexPath] = []
  /// All cells that the view has returned from its dequeuing method, each once.
  var cells: [TextCell] = []
  var height: (String) -> CGFloat = { _ in 20 }
  var headerHeight: CGFloat = 0
  var cellIdentifier = "cell"
  var canMove = true
  var moves: [[IndexPath]] = []
  var targetOffset: CGPoint?
  var onDisplay: ((TextCell, IndexPath) -> Void)?

  init(_ data: [[String]], isInWindow: Bool = true) {
    self.data = data
    layout.minimumLineSpacing = 0
    layout.minimumInteritemSpacing = 0
    view = UICollectionView(frame: window.bounds, collectionViewLayout: layout)
    super.init()
    view.register(TextCell.self, forCellWithReuseIdentifier: "cell")
    view.register(
      TextView.self, forSupplementaryViewOfKind: UICollectionView.elementKindSectionHeader,
      withReuseIdentifier: "header")
    view.dataSource = self
    view.delegate = self
    // No insets of bars and notches.
    view.contentInsetAdjustmentBehavior = .never
    if isInWindow { window.addSubview(view) }
  }

  /// A screen that has been laid out, with the texts `0`, `1`, … in one section.
  convenience init(_ count: Int) {
    self.init([texts(0..<count)])
    view.layoutIfNeeded()
  }

  /// What is shown in sight, in the order of paths.
  var shown: [String] {
    view.indexPathsForVisibleItems.sorted().map { path in
      (view.cellForItem(at: path) as? TextCell)?.text ?? "nothing"
    }
  }

  func cell(_ section: Int, _ item: Int) -> TextCell? {
    view.cellForItem(at: at(section, item)) as? TextCell
  }

  func scroll(to y: CGFloat) {
    view.contentOffset.y = y
    view.layoutIfNeeded()
  }

  /// Changes the data in a batch update, and waits for its end.
  func update(
    _ data: [[String]], _ location: SourceLocation = #_sourceLocation,
    _ tell: @escaping (UICollectionView) -> Void
  ) async throws {
    var isDone = false
    view.performBatchUpdates {
      self.data = data
      tell(self.view)
    } completion: { _ in
      isDone = true
    }
    view.layoutIfNeeded()
    try await wait(location) { isDone }
  }

  func numberOfSections(in collectionView: UICollectionView) -> Int { data.count }

  func collectionView(
    _ collectionView: UICollectionView, numberOfItemsInSection section: Int
  ) -> Int { data[section].count }

  func collectionView(
    _ collectionView: UICollectionView, cellForItemAt indexPath: IndexPath
  ) -> UICollectionViewCell {
    asked.append(indexPath)
    let cell = collectionView.dequeueReusableCell(
      withReuseIdentifier: cellIdentifier, for: indexPath)
    if let cell = cell as? TextCell {
      cell.text = data[indexPath.section][indexPath.item]
      if !cells.contains(where: { $0 === cell }) { cells.append(cell) }
    }
    return cell
  }

  func collectionView(
    _ collectionView: UICollectionView, viewForSupplementaryElementOfKind kind: String,
    at indexPath: IndexPath
  ) -> UICollectionReusableView {
    let view = collectionView.dequeueReusableSupplementaryView(
      ofKind: kind, withReuseIdentifier: "header", for: indexPath)
    (view as? TextView)?.text = "\(data[indexPath.section].first ?? "empty")…"
    return view
  }

  func collectionView(
    _ collectionView: UICollectionView, canMoveItemAt indexPath: IndexPath
  ) -> Bool { canMove }

  func collectionView(
    _ collectionView: UICollectionView, moveItemAt source: IndexPath, to target: IndexPath
  ) {
    moves.append([source, target])
    let text = data[source.section].remove(at: source.item)
    data[target.section].insert(text, at: target.item)
  }

  func collectionView(
    _ collectionView: UICollectionView, willDisplay cell: UICollectionViewCell,
    forItemAt indexPath: IndexPath
  ) {
    events.append("will \(indexPath.section),\(indexPath.item)")
    if let cell = cell as? TextCell { onDisplay?(cell, indexPath) }
  }

  func collectionView(
    _ collectionView: UICollectionView, didEndDisplaying cell: UICollectionViewCell,
    forItemAt indexPath: IndexPath
  ) { events.append("ended \(indexPath.section),\(indexPath.item)") }

  func collectionView(_ collectionView: UICollectionView, didSelectItemAt indexPath: IndexPath) {
    events.append("selected")
  }

  func collectionView(_ collectionView: UICollectionView, didDeselectItemAt indexPath: IndexPath) {
    events.append("deselected")
  }

  func scrollViewDidScroll(_ scrollView: UIScrollView) {
    events.append("scrolled \(Int(scrollView.contentOffset.y))")
  }

  func collectionView(
    _ collectionView: UICollectionView,
    targetContentOffsetForProposedContentOffset proposedContentOffset: CGPoint
  ) -> CGPoint { targetOffset ?? proposedContentOffset }

  func collectionView(
    _ collectionView: UICollectionView, layout collectionViewLayout: UICollectionViewLayout,
    sizeForItemAt indexPath: IndexPath
  ) -> CGSize {
    CGSize(width: 100, height: height(data[indexPath.section][indexPath.item]))
  }

  func collectionView(
    _ collectionView: UICollectionView, layout collectionViewLayout: UICollectionViewLayout,
    referenceSizeForHeaderInSection section: Int
  ) -> CGSize { CGSize(width: 100, height: headerHeight) }
}

/// A table in a window, of texts in sections; rows of 20 points, of which five fit.
@MainActor final class RowScreen: NSObject, UITableViewDataSource, UITableViewDelegate {
  var data: [[String]]
  let window = UIWindow(frame: CGRect(x: 0, y: 0, width: 100, height: 100))
  let view: UITableView
  var events: [String] = []
  var asked: [IndexPath] = []
  var rows: [TextRow] = []
  var isEditable: (IndexPath) -> Bool = { _ in true }
  var titles: [String?] = []

  init(_ data: [[String]], style: UITableView.Style = .plain) {
    self.data = data
    view = UITableView(frame: window.bounds, style: style)
    super.init()
    view.rowHeight = 20
    // Exact heights, also of what is out of sight.
    view.estimatedRowHeight = 0
    view.estimatedSectionHeaderHeight = 0
    view.estimatedSectionFooterHeight = 0
    view.sectionHeaderTopPadding = 0
    view.separatorStyle = .none
    view.register(TextRow.self, forCellReuseIdentifier: "row")
    view.dataSource = self
    view.delegate = self
    view.contentInsetAdjustmentBehavior = .never
    window.addSubview(view)
  }

  /// A screen that has been laid out, with the texts `0`, `1`, … in one section.
  convenience init(_ count: Int) {
    self.init([texts(0..<count)])
    view.layoutIfNeeded()
  }

  var shown: [String] {
    (view.indexPathsForVisibleRows ?? []).map { path in
      (view.cellForRow(at: path) as? TextRow)?.text ?? "nothing"
    }
  }

  func row(_ section: Int, _ row: Int) -> TextRow? {
    view.cellForRow(at: at(section, row)) as? TextRow
  }

  func scroll(to y: CGFloat) {
    view.contentOffset.y = y
    view.layoutIfNeeded()
  }

  /// Changes the data in a batch update, and waits for its end.
  func update(
    _ data: [[String]], _ location: SourceLocation = #_sourceLocation,
    _ tell: @escaping (UITableView) -> Void
  ) async throws {
    var isDone = false
    view.performBatchUpdates {
      self.data = data
      tell(self.view)
    } completion: { _ in
      isDone = true
    }
    view.layoutIfNeeded()
    try await wait(location) { isDone }
  }

  func numberOfSections(in tableView: UITableView) -> Int { data.count }

  func tableView(_ tableView: UITableView, numberOfRowsInSection section: Int) -> Int {
    data[section].count
  }

  func tableView(
    _ tableView: UITableView, cellForRowAt indexPath: IndexPath
  ) -> UITableViewCell {
    asked.append(indexPath)
    let cell = tableView.dequeueReusableCell(withIdentifier: "row", for: indexPath)
    if let cell = cell as? TextRow {
      cell.text = data[indexPath.section][indexPath.row]
      if !rows.contains(where: { $0 === cell }) { rows.append(cell) }
    }
    return cell
  }

  func tableView(_ tableView: UITableView, titleForHeaderInSection section: Int) -> String? {
    titles.indices.contains(section) ? titles[section] : nil
  }

  func tableView(_ tableView: UITableView, canEditRowAt indexPath: IndexPath) -> Bool {
    isEditable(indexPath)
  }

  func tableView(
    _ tableView: UITableView, willDisplay cell: UITableViewCell, forRowAt indexPath: IndexPath
  ) { events.append("will \(indexPath.section),\(indexPath.row)") }

  func tableView(
    _ tableView: UITableView, didEndDisplaying cell: UITableViewCell,
    forRowAt indexPath: IndexPath
  ) { events.append("ended \(indexPath.section),\(indexPath.row)") }

  func tableView(_ tableView: UITableView, didSelectRowAt indexPath: IndexPath) {
    events.append("selected")
  }

  func tableView(_ tableView: UITableView, didDeselectRowAt indexPath: IndexPath) {
    events.append("deselected")
  }

  func scrollViewDidScroll(_ scrollView: UIScrollView) {
    events.append("scrolled \(Int(scrollView.contentOffset.y))")
  }
}
