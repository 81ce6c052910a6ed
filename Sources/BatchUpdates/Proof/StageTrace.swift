import ListModel
import ListOrder

/// Follows the cells of a view through one stage.
///
/// The operations place some cells, and the others fill the remaining places in order.
/// - Complexity: O(*b* log *b*) to make, *b* operations; O(log *b*) for each method, unless it says
///   otherwise.
struct StageTrace: Sendable {
  private let stage: Stage
  private let before: SectionCounts
  private let sections: LegalitySectionMap
  private let leaving: LegalityPlaces<ItemPath>
  private let arriving: LegalityPlaces<ItemPath>
  /// Empty unless the trace follows single cells.
  private var movesBySource: [Stage.Move<ItemPath>] = []
  private var movesByTarget: [Stage.Move<ItemPath>] = []

  /// A trace of a legal stage.
  ///
  /// - Parameters:
  ///   - stage: The stage.
  ///   - before: How many items each section holds before it.
  ///   - tracesCells: Whether ``newPath(ofOld:)`` and ``oldPath(ofNew:)`` will be called.
  init(_ stage: Stage, before: SectionCounts, tracesCells: Bool) {
    self.stage = stage
    self.before = before
    sections = LegalitySectionMap(
      before: before.count, after: stage.counts.count, gone: LegalityPlaces(stage.deleteSections),
      arrived: LegalityPlaces(stage.insertSections),
      moves: stage.moveSections.sorted { $0.from < $1.from })
    leaving = LegalityPlaces(stage.deleteItems + stage.moveItems.map(\.from))
    arriving = LegalityPlaces(stage.insertItems + stage.moveItems.map(\.to))
    guard tracesCells else { return }
    movesBySource = stage.moveItems.sorted { $0.from < $1.from }
    movesByTarget = stage.moveItems.sorted { $0.to < $1.to }
  }

  // MARK: One cell

  /// The path after of the cell at a path before; `nil` if it is deleted.
  func newPath(ofOld path: ItemPath) -> ItemPath? {
    if leaving.contains(path) { return Self.move(in: movesBySource, \.from, path)?.to }
    guard let section = sections.newIndex(ofOld: path.section) else { return nil }
    let rank = path.item - leaving.countBeforeInSection(path)
    return ItemPath(section: section, item: arriving.place(leftWithRank: rank, inSection: section))
  }

  /// The path before of the cell at a path after; `nil` if it is new.
  func oldPath(ofNew path: ItemPath) -> ItemPath? {
    if arriving.contains(path) { return Self.move(in: movesByTarget, \.to, path)?.from }
    guard let section = sections.oldIndex(ofNew: path.section) else { return nil }
    let rank = path.item - arriving.countBeforeInSection(path)
    return ItemPath(section: section, item: leaving.place(leftWithRank: rank, inSection: section))
  }

  private static func move(
    in moves: [Stage.Move<ItemPath>], _ place: (Stage.Move<ItemPath>) -> ItemPath, _ path: ItemPath
  ) -> Stage.Move<ItemPath>? {
    let position = moves.partitioningIndex { place($0) >= path }
    return position < moves.count && place(moves[position]) == path ? moves[position] : nil
  }

  func newIndex(ofOld section: Int) -> Int? { sections.newIndex(ofOld: section) }
  func oldIndex(ofNew section: Int) -> Int? { sections.oldIndex(ofNew: section) }

  // MARK: What the operations touch

  /// Calls a closure with each moved item, and with the first and the last item of each gap.
  ///
  /// A gap is the items between two places that the operations name; all of them stay.
  ///
  /// - Complexity: O(*b*) steps, of O(log *b*) for each section.
  func forEachTouchedItem(_ body: ((old: ItemPath, new: ItemPath)) -> Void) {
    for move in stage.moveItems { body((move.from, move.to)) }
    leaving.forEachSection { old, leaving in
      guard let new = sections.newIndex(ofOld: old) else { return }
      compare(old, new, leaving, arriving.paths(inSection: new), body)
    }
    arriving.forEachSection { new, arriving in
      guard let old = sections.oldIndex(ofNew: new) else { return }
      let leaving = leaving.paths(inSection: old)
      if leaving.isEmpty { compare(old, new, leaving, arriving, body) }
    }
  }

  private func compare(
    _ old: Int, _ new: Int, _ leaving: ArraySlice<ItemPath>, _ arriving: ArraySlice<ItemPath>,
    _ body: ((old: ItemPath, new: ItemPath)) -> Void
  ) {
    Self.forEachGapEnd(
      count: before[old], leaving: leaving.lazy.map(\.item), arriving: arriving.lazy.map(\.item)
    ) { oldItem, newItem in
      body((ItemPath(section: old, item: oldItem), ItemPath(section: new, item: newItem)))
    }
  }

  /// The same as ``forEachTouchedItem(_:)``, for sections.
  func forEachTouchedSection(_ body: ((old: Int, new: Int)) -> Void) {
    if stage.deleteSections.isEmpty, stage.insertSections.isEmpty, stage.moveSections.isEmpty {
      return
    }
    for move in stage.moveSections { body((move.from, move.to)) }
    Self.forEachGapEnd(
      count: before.count, leaving: sections.leaving, arriving: sections.taken
    ) { body(($0, $1)) }
  }

  /// Calls a closure with the first and the last index of each gap, before and after.
  private static func forEachGapEnd(
    count: Int, leaving: some Collection<Int>, arriving: some Collection<Int>,
    _ body: (Int, Int) -> Void
  ) {
    var leaving = leaving.makeIterator()
    var arriving = arriving.makeIterator()
    var nextLeaving = leaving.next()
    var nextArriving = arriving.next()
    var (old, new) = (0, 0)
    while old < count {
      let length = min((nextLeaving ?? count) - old, (nextArriving ?? .max) - new, count - old)
      if length > 0 {
        body(old, new)
        if length > 1 { body(old + length - 1, new + length - 1) }
        old += length
        new += length
      }
      let leaves = nextLeaving == old
      let arrives = nextArriving == new
      if leaves {
        old += 1
        nextLeaving = leaving.next()
      }
      if arrives {
        new += 1
        nextArriving = arriving.next()
      }
      // Duplicate or unsorted places, which a legal stage does not have: stop.
      if !leaves, !arrives, length <= 0 { return }
    }
  }
}
