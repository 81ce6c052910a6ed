import ListModel

/// The operations of a stage, in the order in which the view checks them, and the counts before and
/// after.
struct LegalityOperations {
  let stage: Stage
  /// How many items each section holds before and after the stage.
  let before: SectionCounts
  let after: SectionCounts

  let deleteSections: LegalityPlaces<Int>
  let insertSections: LegalityPlaces<Int>
  let reloadSections: LegalityPlaces<Int>
  /// Sorted by source, without duplicates: the view drops exact duplicates of moves.
  let moveSections: [Stage.Move<Int>]
  let movedSections: LegalityPlaces<Int>
  let sectionTargets: LegalityPlaces<Int>

  let deleteItems: LegalityPlaces<ItemPath>
  let insertItems: LegalityPlaces<ItemPath>
  let reloadItems: LegalityPlaces<ItemPath>
  /// Sorted by source, without duplicates.
  let moveItems: [Stage.Move<ItemPath>]
  let movedItems: LegalityPlaces<ItemPath>
  let itemTargets: LegalityPlaces<ItemPath>

  init(
    _ stage: Stage, reloadingSections: [Int], before: SectionCounts, after: SectionCounts
  ) {
    self.stage = stage
    self.before = before
    self.after = after
    deleteSections = LegalityPlaces(stage.deleteSections)
    insertSections = LegalityPlaces(stage.insertSections)
    reloadSections = LegalityPlaces(reloadingSections)
    moveSections = Self.sortedOnce(stage.moveSections) { ($0.from, $0.to) < ($1.from, $1.to) }
    movedSections = LegalityPlaces(ascending: moveSections.map(\.from))
    sectionTargets = LegalityPlaces(moveSections.map(\.to))
    deleteItems = LegalityPlaces(stage.deleteItems)
    insertItems = LegalityPlaces(stage.insertItems)
    reloadItems = LegalityPlaces(stage.reloadItems)
    moveItems = Self.sortedOnce(stage.moveItems) { ($0.from, $0.to) < ($1.from, $1.to) }
    movedItems = LegalityPlaces(ascending: moveItems.map(\.from))
    itemTargets = LegalityPlaces(moveItems.map(\.to))
  }

  /// The moves sorted, without exact duplicates.
  private static func sortedOnce<Move: Equatable>(
    _ moves: [Move], by precedes: (Move, Move) -> Bool
  ) -> [Move] {
    if moves.isSorted(by: precedes) { return moves }
    var kept: [Move] = []
    kept.reserveCapacity(moves.count)
    for move in moves.sorted(by: precedes) where move != kept.last { kept.append(move) }
    return kept
  }

  /// Whether sections are deleted, inserted or moved.
  var hasSectionOperations: Bool {
    !(deleteSections.isEmpty && insertSections.isEmpty && moveSections.isEmpty)
  }

  /// The first deleted item whose section is deleted too.
  var redundantDelete: ItemPath? {
    deleteItems.firstPath(in: deleteSections)
  }

  /// The first inserted item whose section is inserted too.
  var redundantInsert: ItemPath? {
    insertItems.firstPath(in: insertSections)
  }
}
