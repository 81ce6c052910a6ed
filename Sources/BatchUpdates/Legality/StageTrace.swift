import ListModel

/// Where the cells of a view go in one stage: the operations put some, the others fill the places
/// that are left, in order.
///
/// Shares nothing with what makes stages.
/// - Complexity: O(*b* log *b*) to make, O(log *b*) a question, *b* operations.
struct StageTrace {
  let stage: Stage
  private let sections: LegalitySectionMap
  private let leaving: LegalityPlaces<ItemPath>
  private let arriving: LegalityPlaces<ItemPath>
  /// By source.
  private let moves: [Stage.ItemMove]
  /// By target.
  private let movesByTarget: [Stage.ItemMove]

  /// - Parameters:
  ///   - stage: A stage that is legal.
  ///   - before: How many sections there are before it.
  init(_ stage: Stage, before: Int) {
    self.stage = stage
    sections = LegalitySectionMap(
      before: before, after: stage.counts.count, gone: LegalityPlaces(stage.deleteSections),
      arrived: LegalityPlaces(stage.insertSections), moves: stage.moveSections)
    leaving = LegalityPlaces(stage.deleteItems + stage.moveItems.map(\.from))
    arriving = LegalityPlaces(stage.insertItems + stage.moveItems.map(\.to))
    moves = stage.moveItems.sorted { $0.from < $1.from }
    movesByTarget = stage.moveItems.sorted { $0.to < $1.to }
  }

  /// Where a cell before is after; `nil` if it is gone.
  func newPath(ofOld path: ItemPath) -> ItemPath? {
    if leaving.contains(path) {
      return Self.first(of: moves, \.from, path)?.to
    }
    guard let section = sections.newIndex(ofOld: path.section) else { return nil }
    let rank = path.item - leaving.countBeforeInSection(path)
    return ItemPath(section: section, item: arriving.place(leftWithRank: rank, inSection: section))
  }

  /// Where a cell after was before; `nil` if it is new.
  func oldPath(ofNew path: ItemPath) -> ItemPath? {
    if arriving.contains(path) {
      return Self.first(of: movesByTarget, \.to, path)?.from
    }
    guard let section = sections.oldIndex(ofNew: path.section) else { return nil }
    let rank = path.item - arriving.countBeforeInSection(path)
    return ItemPath(section: section, item: leaving.place(leftWithRank: rank, inSection: section))
  }

  func newIndex(ofOld section: Int) -> Int? { sections.newIndex(ofOld: section) }
  func oldIndex(ofNew section: Int) -> Int? { sections.oldIndex(ofNew: section) }

  private static func first(
    of moves: [Stage.ItemMove], _ place: (Stage.ItemMove) -> ItemPath, _ path: ItemPath
  ) -> Stage.ItemMove? {
    var low = 0
    var high = moves.count
    while low < high {
      let middle = (low + high) / 2
      if place(moves[middle]) < path { low = middle + 1 } else { high = middle }
    }
    return low < moves.count && place(moves[low]) == path ? moves[low] : nil
  }
}

extension LegalityPlaces<ItemPath> {
  /// The place that is left for the cell of a rank, of those in a section that these places are not
  /// among.
  func place(leftWithRank rank: Int, inSection section: Int) -> Int {
    let taken = paths(inSection: section)
    var low = 0
    var high = taken.count
    while low < high {
      let middle = (low + high) / 2
      if taken[taken.startIndex + middle].item - middle <= rank {
        low = middle + 1
      } else {
        high = middle
      }
    }
    return rank &+ low
  }
}
