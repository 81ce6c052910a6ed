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
  /// What is wrong with an update.
  private var excess: String?
  /// The list as the view has had it after the last update.
  private var shown = ListTree(list: "none")
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
    shown = adapter.provider.tree
    adapter.onUpdate = { [weak self] in self?.note($0) }
    adapter.canMove = { _ in true }
    expectContent()
    frame()
  }

  private var collection: UICollectionView? { view as? UICollectionView }
  private var table: UITableView? { view as? UITableView }

  /// What contents mean, which never changes.
  private static var known: [JSON: Book] = [:]

  private func expectContent() {
    let types = adapter.list.types
    let check: @MainActor (IndexPath) -> HeadlessContent? = { [weak self, weak adapter] path in
      guard let adapter else { return nil }
      guard let item = adapter.item(at: path), !item.state.isGap else { return nil }
      let book = Self.known[item.state.content] ?? (try? types.value(of: item)) as? Book
      Self.known[item.state.content] = book
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

  /// Takes what was wrong with an update since the last call.
  func takeExcess() -> String? {
    defer { excess = nil }
    return excess
  }

  /// Compares an update with the least possible one.
  private func note(_ update: BatchUpdate) {
    updates.append(update)
    let after = adapter.provider.tree
    // Where the disk fails, the tree lacks what can't be read.
    let isWhole =
      after.itemCounts.reduce(0, +) == adapter.provider.numberOfItems
      && after.sections.count == adapter.provider.numberOfSections
    defer { shown = isWhole ? after : ListTree(list: "none") }
    guard isWhole, shown.list == after.list, update.from == shown.revision,
      update.to == after.revision,
      let made = LeastUpdate(update)
    else { return }
    let least = LeastUpdate(from: shown, to: after)
    // A section that was deleted and made again between the two is another one for the view.
    let returned = made.deleteSections - least.deleteSections
    if returned > 0, made.insertSections - least.insertSections == returned { return }
    if made != least { excess = "\(made) instead of \(least)" }
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
    adapter.indexPath(of: item).flatMap { frame(at: $0) }
  }

  private func frame(at path: IndexPath) -> CGRect? {
    collection?.layoutAttributesForItem(at: path)?.frame ?? table?.rectForRow(at: path)
  }

  /// The heights of what is in sight.
  var heights: [(path: IndexPath, height: Double, book: Book)] {
    visible.compactMap { path, book in
      guard let book, let frame = frame(at: path) else { return nil }
      return (path, Double(frame.height), book)
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
        adapter.item(at: path)?.state.isGap == false, frame.maxY > view.contentOffset.y
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

  /// The user begins to drag an item, and lets the world go on.
  func hold() {
    guard isOnScreen else { return }
    collection?.headless.beginDragSession()
    table?.headless.beginDragSession()
  }

  /// The user drags no item any more.
  func letGo() {
    collection?.headless.endDragSession()
    table?.headless.endDragSession()
  }

  /// The user drops an item, the one that is held or another one.
  func drag(_ random: inout Randomness) {
    guard isOnScreen else { return }
    view.layoutIfNeeded()
    let paths = visible.map(\.path)
    guard let source = random.one(of: paths), let target = random.one(of: paths) else { return }
    forgetEye()
    letGo()
    collection?.headless.dragItem(at: source, to: target)
    table?.headless.dragRow(at: source, to: target)
    forgetEye()
  }
}
