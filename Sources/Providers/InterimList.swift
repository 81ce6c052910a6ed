public import BatchUpdates
public import ListModel
import ListOrder

/// A list between two stages of an update: what a view is to find while it performs the one before.
///
/// A view asks for counts and cells when a stage ends. After any but the last stage, things stand where
/// this says; what they are, the list after the update knows.
///
/// Indexes and paths that it is asked about are the view's: of an update that hides sections (see
/// ``/BatchUpdates/BatchUpdate/hidesSections``) they count shown sections alone. What it answers are
/// indexes and paths of the whole list after, which ``after`` is asked about.
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

  /// Where a section is in the whole list after the update.
  ///
  /// - Parameter index: The view's.
  /// - Returns: The list index in ``after``; `nil` if the view has no section at the index.
  public func indexAfterUpdate(ofSection index: Int) -> Int? {
    (0..<outline.sectionCount).contains(index)
      ? after.outline.index(ofSection: outline.section(at: index)) : nil
  }

  /// Where an item is in the whole list after the update.
  ///
  /// - Parameter path: The view's.
  /// - Returns: The list path in ``after``; `nil` if the view has no item at the path.
  /// - Complexity: O(log *n*).
  public func pathAfterUpdate(of path: ItemPath) -> ItemPath? {
    (0..<numberOfItems(inSection: path.section)).contains(path.item)
      ? after.outline.path(ofItem: outline.item(at: path)) : nil
  }
}

extension InterimList {
  /// Where the view has an item.
  ///
  /// - Returns: The view's path; `nil` if it does not have the item, or the list after does not.
  /// - Complexity: O(log *n*).
  public func path(of item: ItemID) -> ItemPath? {
    guard let path = after.path(of: item) else { return nil }
    let handle = after.outline.item(at: path)
    return missing.contains(handle) ? nil : outline.path(ofItem: handle)
  }
}

/// The order of a list without some of it.
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
  /// The list as a view shows it after a user moved an item in it, before the list knows.
  ///
  /// - Parameters:
  ///   - source: Where the item was; the view's path.
  ///   - target: Where it is, once it has left its place; the view's path.
  ///   - hidesSections: Whether the view is not shown hidden sections, so that its paths count the shown
  ///     ones alone.
  /// - Returns: `nil` if there is no such item or place.
  public func interim(
    moving source: ItemPath, to target: ItemPath, hidesSections: Bool = false
  ) -> InterimList? {
    var interim = hidesSections ? shownOutline : ReducedOutline(outline: outline)
    let left = source.section == target.section ? 1 : 0
    guard (0..<max(0, interim.count(ofSection: source.section))).contains(source.item),
      target.item >= 0, interim.count(ofSection: target.section) - left >= target.item
    else { return nil }
    interim.outline.moveItem(from: source, to: target)
    return InterimList(interim, after: self)
  }

  /// The list as it is after a stage of the update that led to this one, as the update's view counts it.
  ///
  /// - Parameters:
  ///   - stage: The stage's number, from 0.
  ///   - update: What led from another revision to this one.
  /// - Returns: `nil` for an update that led elsewhere, a stage that it does not have, and one after
  ///   which something is deleted: Cellar's updates delete in the first stage alone.
  /// - Complexity: O((*b* + *h*) log *n*), *b* operations of the stages after it, *h* hidden sections.
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
    // From the back, so that indexes stay true.
    for index in hiddenSections.indexes.reversed() { shown.removeSection(at: index) }
    return shown
  }
}

extension ReducedOutline {
  /// Takes an operation back.
  ///
  /// - Returns: `false` for one that can't be, or that did not lead here.
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
