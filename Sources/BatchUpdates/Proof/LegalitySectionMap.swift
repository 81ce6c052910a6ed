import ListOrder

/// Which section after a stage is which section before it, as the view works it out.
///
/// Sections that move go where they are told; the others that stay take the free indexes in order:
/// the one of a rank takes the free index of that rank. Only the operations are kept, however many
/// sections there are.
/// - Complexity: O(*b*) to make, *b* operations on sections (O(*b* log *b*) where they move);
///   O(log *b*) a question.
struct LegalitySectionMap {
  /// How many sections there are before.
  let before: Int
  /// How many sections there are after.
  let after: Int
  /// Indexes before, ascending, each once, of the sections that are gone or move.
  let leaving: [Int]
  /// Indexes after, ascending, each once, that sections arrive at or move to.
  let taken: [Int]
  private let movesBySource: [Stage.SectionMove]
  private let movesByTarget: [Stage.SectionMove]

  /// - Parameters:
  ///   - before: How many sections there are before.
  ///   - after: How many sections there are after.
  ///   - gone: Indexes before that have no successor.
  ///   - arrived: Indexes after that have no predecessor.
  ///   - moves: Sections that go where they are told, by source. No source is gone, no target is
  ///     one that arrived, and none is there twice, or no answer means anything.
  init(
    before: Int, after: Int, gone: LegalityPlaces<Int>, arrived: LegalityPlaces<Int>,
    moves: [Stage.SectionMove]
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

  /// Where a section before is after; `nil` if it is gone or never was.
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

  /// Where a section after was before; `nil` if it is new or is none.
  func oldIndex(ofNew section: Int) -> Int? {
    guard section >= 0, section < after else { return nil }
    let position = taken.partitioningIndex { $0 >= section }
    if position < taken.count, taken[position] == section { return source(ofMoveTo: section) }
    return Self.free(ofRank: section - position, among: leaving, below: before)
  }

  /// Where a section was before that moves to an index after; `nil` if none does.
  func source(ofMoveTo section: Int) -> Int? {
    let position = movesByTarget.partitioningIndex { $0.to >= section }
    guard position < movesByTarget.count, movesByTarget[position].to == section else { return nil }
    return movesByTarget[position].from
  }

  /// The index that has so many indexes below it that are not among some.
  private static func free(ofRank rank: Int, among others: [Int], below end: Int) -> Int? {
    let below = others.indices.partitioningIndex { others[$0] - $0 > rank }
    let (index, overflows) = rank.addingReportingOverflow(below)
    return overflows || index >= end ? nil : index
  }
}
