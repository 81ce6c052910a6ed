import Cellar
import CellarUIKit
import Foundation
import HeadlessUIKit

/// A window of 320 × 480 points in which an app shows a list, and its user.
@MainActor final class AppScreen {
  let kind: Schedule.ScreenKind
  let window = UIWindow(frame: CGRect(x: 0, y: 0, width: 320, height: 480))
  let view: UIScrollView
  let adapter: ListAdapter
  private(set) var problems: [any Error] = []
  private(set) var updates: [BatchUpdate] = []
  /// The item that the eye is on, the first in sight, and where it is.
  ///
  /// `nil` after the user has moved something, and at the very beginning of the content.
  private var eye: (item: ItemID, offset: CGFloat)?
  /// Whether nothing moves, so that each cell must show all of its item.
  private var isAtRest = false

  init(_ kind: Schedule.ScreenKind, showing list: some ShowableList) throws {
    self.kind = kind
    switch kind {
    case .flow, .placed:
      let layout = kind == .flow ? UICollectionViewFlowLayout() : ListCollectionLayout()
      let view = UICollectionView(frame: window.bounds, collectionViewLayout: layout)
      self.view = view
      window.addSubview(view)
      adapter = try CollectionAdapter(list, in: view)
    case .table:
      let view = UITableView(frame: window.bounds, style: .plain)
      self.view = view
      window.addSubview(view)
      var views = ViewRegistry(
        fallback: .type(UITableViewCell.self),
        supplementaryFallback: .type(UITableViewHeaderFooterView.self))
      views.register("BookCell", .type(BookRow.self))
      views.register("WideCell", .type(WideRow.self))
      adapter = try TableAdapter(list, in: view, views: views)
    }
    adapter.onProblem = { [weak self] in self?.problems.append($0) }
    adapter.onUpdate = { [weak self] in self?.updates.append($0) }
    adapter.canMove = { _ in true }
    expectContent()
    frame()
  }

  private var collection: UICollectionView? { view as? UICollectionView }
  private var table: UITableView? { view as? UITableView }

  private func expectContent() {
    let types = adapter.list.types
    let check: @MainActor (IndexPath) -> HeadlessContent? = { [weak self, weak adapter] path in
      guard let adapter else { return nil }
      guard let item = adapter.item(at: path) else { return nil }
      let book = (try? types.value(of: item)) as? Book
      // Between two stages of an update a cell may still show what was before.
      let version = self?.isAtRest == true ? book?.version : nil
      return HeadlessContent(identity: book?.id ?? "no book", version: version)
    }
    collection?.headless.expectedContent = check
    table?.headless.expectedContent = check
  }

  /// Takes the problems since the last call.
  func takeProblems() -> [any Error] {
    defer { problems = [] }
    return problems
  }

  /// Takes the updates since the last call.
  func takeUpdates() -> [BatchUpdate] {
    defer { updates = [] }
    return updates
  }

  // MARK: What it shows

  var isOnScreen: Bool { view.window != nil }

  /// What is in sight, in order, and what its cells show.
  var visible: [(path: IndexPath, book: Book?)] {
    let paths =
      collection?.indexPathsForVisibleItems.sorted() ?? table?.indexPathsForVisibleRows ?? []
    return paths.map { path in
      (
        path,
        ((collection?.cellForItem(at: path) ?? table?.cellForRow(at: path)) as? any BookView)?.book
      )
    }
  }

  /// How many items each section of the view has.
  var counts: [Int] {
    if let collection {
      return (0..<collection.numberOfSections).map { collection.numberOfItems(inSection: $0) }
    }
    guard let table else { return [] }
    return (0..<table.numberOfSections).map { table.numberOfRows(inSection: $0) }
  }

  private func frame(of item: ItemID) -> CGRect? {
    adapter.indexPath(of: item).flatMap { path in
      collection?.layoutAttributesForItem(at: path)?.frame ?? table?.rectForRow(at: path)
    }
  }

  // MARK: A frame

  /// Draws a frame: layouts are made, animations come to their end.
  ///
  /// - Returns: How far the item at the eye has moved by itself; `nil` if it stayed.
  @discardableResult func frame() -> String? {
    guard isOnScreen else { return nil }
    view.layoutIfNeeded()
    collection?.headless.finishAnimations()
    table?.headless.finishAnimations()
    view.layoutIfNeeded()
    isAtRest = true
    collection?.headless.checkContent()
    table?.headless.checkContent()
    isAtRest = false
    defer { noteEye() }
    return movement
  }

  private func noteEye() {
    eye = nil
    guard view.contentOffset.y + view.adjustedContentInset.top > 0.5 else { return }
    for (path, _) in visible {
      guard let item = adapter.itemID(at: path), let frame = frame(of: item),
        frame.maxY > view.contentOffset.y
      else { continue }
      eye = (item, frame.minY - view.contentOffset.y)
      return
    }
  }

  private var movement: String? {
    guard let eye, let frame = frame(of: eye.item) else { return nil }
    let start = -view.adjustedContentInset.top
    let end = max(
      start, view.contentSize.height + view.adjustedContentInset.bottom - view.bounds.height)
    let wanted = frame.minY - eye.offset
    if wanted < start || wanted > end || abs(view.contentOffset.y - wanted) < 0.5 { return nil }
    return "\(eye.item) is \(view.contentOffset.y - wanted) points away from where it was"
  }

  /// The user has moved what is seen.
  func forgetEye() { eye = nil }

  // MARK: The user

  func scroll(_ random: inout Randomness) {
    guard isOnScreen else { return }
    let end = max(0, view.contentSize.height - view.bounds.height)
    let y =
      random.percent(50)
      ? random.share() * end : view.contentOffset.y + random.share() * 300 - 150
    view.headlessDrag(to: CGPoint(x: 0, y: min(max(0, y), end)))
    forgetEye()
  }

  func rotate(_ random: inout Randomness) {
    if random.percent(60) {
      let isWide = window.frame.width > 400
      window.frame.size =
        isWide ? CGSize(width: 320, height: 480) : CGSize(width: 480, height: 320)
      view.frame = window.bounds
    } else {
      let isLarge = window.traitCollection.preferredContentSizeCategory == .extraLarge
      window.headlessChangeTraits(
        UITraitCollection(preferredContentSizeCategory: isLarge ? .large : .extraLarge))
    }
    forgetEye()
    frame()
    forgetEye()
  }

  /// Takes the view off the screen, or brings it back.
  func leaveOrReturn() {
    if isOnScreen { view.removeFromSuperview() } else { window.addSubview(view) }
    forgetEye()
  }

  func returnIfAway() { if !isOnScreen { leaveOrReturn() } }

  /// The user holds an item, lets the world go on, and drops it.
  func drag(_ random: inout Randomness) {
    guard isOnScreen else { return }
    view.layoutIfNeeded()
    let paths = visible.map(\.path)
    guard let source = random.one(of: paths), let target = random.one(of: paths) else { return }
    forgetEye()
    collection?.headless.dragItem(at: source, to: target)
    table?.headless.dragRow(at: source, to: target)
    forgetEye()
  }
}
