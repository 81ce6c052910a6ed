public import BatchUpdates
public import ListModel
import ListOrder

/// A list between two stages of an update.
///
/// A view asks for counts and cells at the end of each stage. After every stage but the last, this
/// list has the counts, and it converts the view's indexes and paths to those of ``after``, which
/// has the cells.
///
/// Its methods take the view's indexes and paths: for an update that hides sections (see
/// ``/BatchUpdates/BatchUpdate/hidesSections``) those count shown sections only. They return
/// indexes and paths of the whole list after the update.
public struct InterimList: Sendable {
  private let outline: ListOutline
  /// The items of the list after the update that the view does not have.
  private let missing: Set<Int32>
  /// The list after the update.
  public let after: Provider

  fileprivate init(_ interim: ReducedOutline, after: Provider) {
    outline = interim.outline
    missing = interim.missing
    self.after = after
  }

  /// How many sections there are.
  public var numberOfSections: Int { outline.sectionCount }

  /// How many items a section holds; 0 if there is no such section.
  public func numberOfItems(inSection index: Int) -> Int {
    (0..<outline.sectionCount).contains(index) ? outline.itemCount(inSection: index) : 0
  }

  /// The list index of a section after the update.
  ///
  /// - Parameter index: The view's index.
  /// - Returns: The list index in ``after``; `nil` if the view has no section at the index.
  public func indexAfterUpdate(ofSection index: Int) -> Int? {
    (0..<outline.sectionCount).contains(index)
      ? after.outline.index(ofSection: outline.section(at: index)) : nil
  }

  /// The list path of an item after the update.
  ///
  /// - Parameter path: The view's path.
  /// - Returns: The list path in ``after``; `nil` if the view has no item at the path.
  /// - Complexity: O(log *n*).
  public func pathAfterUpdate(of path: ItemPath) -> ItemPath? {
    (0..<numberOfItems(inSection: path.section)).contains(path.item)
      ? after.outline.path(ofItem: outline.item(at: path)) : nil
  }
}

extension InterimList {
  /// The view's path of an item.
  ///
  /// - Returns: `nil` if the view, or the list after the update, does not have the item.
  /// - Complexity: O(log *n*).
  public func path(of item: ItemID) -> ItemPath? {
    guard let path = after.path(of: item) else { return nil }
    let handle = after.outline.item(at: path)
    return missing.contains(handle) ? nil : outline.path(ofItem: handle)
  }
}

extension InterimList {
  /// The list after the user has moved another item; see
  /// ``Provider/interim(moving:to:hidesSections:)``.
  package func moving(_ source: ItemPath, to target: ItemPath) -> InterimList? {
    var moved = ReducedOutline(outline: outline, missing: missing)
    return moved.move(source, to: target) ? InterimList(moved, after: after) : nil
  }
}

/// The order of a list, with some sections and items taken out.
private struct ReducedOutline {
  var outline: ListOutline
  /// The handles of items that were taken out.
  var missing: Set<Int32> = []

  mutating func removeSection(at index: Int) {
    _ = outline.removeSection(at: index) { run in
      missing.formUnion(run.first..<run.first + Int32(run.count))
    }
  }
}

extension Provider {
  /// The list as a view shows it after the user has moved an item, before the move is committed.
  ///
  /// - Parameters:
  ///   - source: The view's path of the item before the move.
  ///   - target: The view's path of the item after the move.
  ///   - hidesSections: Whether hidden sections are left out of the view, so that its paths count
  ///     only the shown ones.
  /// - Returns: `nil` if there is no such item or place.
  public func interim(
    moving source: ItemPath, to target: ItemPath, hidesSections: Bool = false
  ) -> InterimList? {
    var interim = hidesSections ? shownOutline : ReducedOutline(outline: outline)
    return interim.move(source, to: target) ? InterimList(interim, after: self) : nil
  }

  /// The list after one stage of the update that led to this revision.
  ///
  /// - Parameters:
  ///   - stage: The stage's number, from 0.
  ///   - update: The update that led from an earlier revision to this one.
  /// - Returns: `nil` if the update led to another revision, has no such stage, or deletes
  ///   something in a later stage: Cellar's updates delete only in the first stage.
  /// - Complexity: O((*b* + *h*) log *n*), *b* operations of the stages after it, *h* hidden
  ///   sections.
  public func interim(after stage: Int, of update: BatchUpdate) -> InterimList? {
    guard update.list == list, update.to == revision, update.stages.indices.contains(stage) else {
      return nil
    }
    var interim = update.hidesSections ? shownOutline : ReducedOutline(outline: outline)
    for later in update.stages[(stage + 1)...].reversed() {
      for operation in later.sequentialOperations.reversed() {
        guard interim.takeBack(operation) else { return nil }
      }
    }
    return InterimList(interim, after: self)
  }

  /// The order of the shown sections alone.
  private var shownOutline: ReducedOutline {
    var shown = ReducedOutline(outline: outline)
    // From the back, so that the indexes before stay valid.
    for index in hiddenSections.indexes.reversed() { shown.removeSection(at: index) }
    return shown
  }
}

extension ReducedOutline {
  /// Moves an item.
  ///
  /// - Returns: `false` if there is no such item or place.
  fileprivate mutating func move(_ source: ItemPath, to target: ItemPath) -> Bool {
    let left = source.section == target.section ? 1 : 0
    guard (0..<max(0, count(ofSection: source.section))).contains(source.item),
      target.item >= 0, count(ofSection: target.section) - left >= target.item
    else { return false }
    outline.moveItem(from: source, to: target)
    return true
  }

  /// Takes an operation back.
  ///
  /// - Returns: `false` if it can't be taken back, or did not lead to this order.
  fileprivate mutating func takeBack(_ operation: SequentialOperation) -> Bool {
    switch operation {
    case .deleteItem, .deleteSection: return false
    case .insertItem(let path):
      guard count(ofSection: path.section) > path.item else { return false }
      missing.insert(outline.removeItem(at: path))
    case .moveItem(let from, let to):
      guard count(ofSection: to.section) > to.item,
        count(ofSection: from.section) - (from.section == to.section ? 1 : 0) >= from.item
      else { return false }
      outline.moveItem(from: to, to: from)
    case .insertSection(let index, _):
      guard (0..<outline.sectionCount).contains(index) else { return false }
      removeSection(at: index)
    case .moveSection(let from, let to):
      let sections = 0..<outline.sectionCount
      guard sections.contains(from), sections.contains(to) else { return false }
      outline.moveSection(from: to, to: from)
    case .reloadItem, .reconfigureItem, .updateSection: break
    }
    return true
  }

  /// -1 if there is no such section.
  fileprivate func count(ofSection index: Int) -> Int {
    (0..<outline.sectionCount).contains(index) ? outline.itemCount(inSection: index) : -1
  }
}
