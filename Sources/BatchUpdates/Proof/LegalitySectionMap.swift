import ListOrder

/// Maps the indexes of sections before a stage to those after it, as the view computes them.
///
/// A section that moves gets its target. The other sections that stay take the free indexes in
/// their order. The map stores the operations only, not the sections.
/// - Complexity: O(*b*) to make, *b* operations on sections, or O(*b* log *b*) if sections move;
///   O(log *b*) for each method.
struct LegalitySectionMap {
  /// How many sections there are before.
  let before: Int
  /// How many sections there are after.
  let after: Int
  /// Indexes before of the sections that are deleted or move, ascending, without duplicates.
  let leaving: [Int]
  /// Indexes after of the sections that are inserted or move, ascending, without duplicates.
  let taken: [Int]
  private let movesBySource: [Stage.Move<Int>]
  private let movesByTarget: [Stage.Move<Int>]

  /// A map for the sections of one stage.
  ///
  /// - Parameters:
  ///   - before: How many sections there are before.
  ///   - after: How many sections there are after.
  ///   - gone: Indexes before of deleted sections.
  ///   - arrived: Indexes after of inserted sections.
  ///   - moves: Section moves, sorted by source. No source is in `gone`, no target is in `arrived`,
  ///     and none occurs twice; otherwise the map is meaningless.
  init(
    before: Int, after: Int, gone: LegalityPlaces<Int>, arrived: LegalityPlaces<Int>,
    moves: [Stage.Move<Int>]
  ) {
    self.before = before
    self.after = after
    movesBySource = moves
    if moves.isEmpty {
      movesByTarget = []
      leaving = Self.withoutRepeated(gone.elements)
      taken = Self.withoutRepeated(arrived.elements)
    } else {
      movesByTarget = moves.isSorted { $0.to <= $1.to } ? moves : moves.sorted { $0.to < $1.to }
      leaving = Self.withoutRepeated(
        gone.merged(with: LegalityPlaces(ascending: moves.map(\.from))).elements)
      taken = Self.withoutRepeated(
        arrived.merged(with: LegalityPlaces(ascending: movesByTarget.map(\.to))).elements)
    }
  }

  private static func withoutRepeated(_ ascending: [Int]) -> [Int] {
    if ascending.isSorted(by: <) { return ascending }
    var kept: [Int] = []
    for section in ascending where section != kept.last { kept.append(section) }
    return kept
  }

  /// The index after of a section; `nil` if it is deleted or out of bounds.
  func newIndex(ofOld section: Int) -> Int? {
    guard section >= 0, section < before else { return nil }
    let position = leaving.partitioningIndex { $0 >= section }
    if position < leaving.count, leaving[position] == section {
      let position = movesBySource.partitioningIndex { $0.from >= section }
      guard position < movesBySource.count, movesBySource[position].from == section else {
        return nil
      }
      return movesBySource[position].to
    }
    return Self.free(ofRank: section - position, among: taken, below: after)
  }

  /// The index before of a section; `nil` if it is inserted or out of bounds.
  func oldIndex(ofNew section: Int) -> Int? {
    guard section >= 0, section < after else { return nil }
    let position = taken.partitioningIndex { $0 >= section }
    if position < taken.count, taken[position] == section { return source(ofMoveTo: section) }
    return Self.free(ofRank: section - position, among: leaving, below: before)
  }

  /// The source of the section move to an index after; `nil` if there is none.
  func source(ofMoveTo section: Int) -> Int? {
    let position = movesByTarget.partitioningIndex { $0.to >= section }
    guard position < movesByTarget.count, movesByTarget[position].to == section else { return nil }
    return movesByTarget[position].from
  }

  /// The free index of a rank: as many indexes below it are not in `others`.
  private static func free(ofRank rank: Int, among others: [Int], below end: Int) -> Int? {
    let below = others.indices.partitioningIndex { others[$0] - $0 > rank }
    let (index, overflows) = rank.addingReportingOverflow(below)
    return overflows || index >= end ? nil : index
  }
}
