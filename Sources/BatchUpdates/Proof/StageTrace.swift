import ListModel
import ListOrder

/// Where the cells of a view go in one stage: the operations put some, the others fill the places
/// that are left, in order.
///
/// Shares nothing with what makes stages.
/// - Complexity: O(*b* log *b*) to make, O(log *b*) a question, *b* operations.
struct StageTrace: Sendable {
  private let stage: Stage
  private let before: SectionCounts
  private let sections: LegalitySectionMap
  private let leaving: LegalityPlaces<ItemPath>
  private let arriving: LegalityPlaces<ItemPath>
  /// Sorted only where single cells are asked for.
  private var movesBySource: [Stage.ItemMove] = []
  private var movesByTarget: [Stage.ItemMove] = []

  /// - Parameters:
  ///   - stage: A stage that is legal.
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

  /// Where a cell before is after; `nil` if it is gone.
  func newPath(ofOld path: ItemPath) -> ItemPath? {
    if leaving.contains(path) { return Self.move(in: movesBySource, \.from, path)?.to }
    guard let section = sections.newIndex(ofOld: path.section) else { return nil }
    let rank = path.item - leaving.countBeforeInSection(path)
    return ItemPath(section: section, item: arriving.place(leftWithRank: rank, inSection: section))
  }

  /// Where a cell after was before; `nil` if it is new.
  func oldPath(ofNew path: ItemPath) -> ItemPath? {
    if arriving.contains(path) { return Self.move(in: movesByTarget, \.to, path)?.from }
    guard let section = sections.oldIndex(ofNew: path.section) else { return nil }
    let rank = path.item - arriving.countBeforeInSection(path)
    return ItemPath(section: section, item: leaving.place(leftWithRank: rank, inSection: section))
  }

  private static func move(
    in moves: [Stage.ItemMove], _ place: (Stage.ItemMove) -> ItemPath, _ path: ItemPath
  ) -> Stage.ItemMove? {
    let position = moves.partitioningIndex { place($0) >= path }
    return position < moves.count && place(moves[position]) == path ? moves[position] : nil
  }

  func newIndex(ofOld section: Int) -> Int? { sections.newIndex(ofOld: section) }
  func oldIndex(ofNew section: Int) -> Int? { sections.oldIndex(ofNew: section) }

  // MARK: What the operations touch

  /// Calls a closure with the moved items, and with the first and the last of those that stay
  /// between two places that the operations name.
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

  /// As ``forEachTouchedItem(_:)``, for sections.
  func forEachTouchedSection(_ body: ((old: Int, new: Int)) -> Void) {
    if stage.deleteSections.isEmpty, stage.insertSections.isEmpty, stage.moveSections.isEmpty {
      return
    }
    for move in stage.moveSections { body((move.from, move.to)) }
    Self.forEachGapEnd(
      count: before.count, leaving: sections.leaving, arriving: sections.taken
    ) { body(($0, $1)) }
  }

  /// The ends of the stretches in which nothing comes or goes, before and after.
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
      // Places that are named twice, or out of order: not of a legal stage.
      if !leaves, !arrives, length <= 0 { return }
    }
  }
}
