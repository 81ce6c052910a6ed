/// Which section after a stage is which section before it, as the view works it out.
///
/// Sections that move go where they are told; the others that stay take the free indexes in order.
/// - Complexity: O(sections) to make, nothing where no section is deleted, inserted or moved.
struct LegalitySectionMap {
  /// `nil`: every section keeps its index.
  private let newByOld: [Int?]?
  private let oldByNew: [Int?]?
  private let shared: Range<Int>

  /// - Parameters:
  ///   - before: How many sections there are before.
  ///   - after: How many sections there are after.
  ///   - gone: Indexes before that have no successor.
  ///   - arrived: Indexes after that have no predecessor.
  ///   - moves: Sections that go where they are told.
  init(
    before: Int, after: Int, gone: LegalityPlaces<Int>, arrived: LegalityPlaces<Int>,
    moves: [Stage.SectionMove]
  ) {
    shared = 0..<min(before, after)
    guard !(gone.isEmpty && arrived.isEmpty && moves.isEmpty) else {
      (newByOld, oldByNew) = (nil, nil)
      return
    }
    var newByOld = [Int?](repeating: nil, count: before)
    var oldByNew = [Int?](repeating: nil, count: after)
    var leaves = [Bool](repeating: false, count: before)
    var taken = [Bool](repeating: false, count: after)
    for old in gone.elements where leaves.indices.contains(old) { leaves[old] = true }
    for new in arrived.elements where taken.indices.contains(new) { taken[new] = true }
    for move in moves where leaves.indices.contains(move.from) && taken.indices.contains(move.to) {
      leaves[move.from] = true
      taken[move.to] = true
      newByOld[move.from] = move.to
      oldByNew[move.to] = move.from
    }
    let free = taken.indices.lazy.filter { !taken[$0] }
    for (old, new) in zip(leaves.indices.lazy.filter { !leaves[$0] }, free) {
      newByOld[old] = new
      oldByNew[new] = old
    }
    (self.newByOld, self.oldByNew) = (newByOld, oldByNew)
  }

  /// Where a section before is after; `nil` if it is gone or never was.
  func newIndex(ofOld section: Int) -> Int? {
    guard let newByOld else { return shared.contains(section) ? section : nil }
    return newByOld.indices.contains(section) ? newByOld[section] : nil
  }

  /// Where a section after was before; `nil` if it is new or is none.
  func oldIndex(ofNew section: Int) -> Int? {
    guard let oldByNew else { return shared.contains(section) ? section : nil }
    return oldByNew.indices.contains(section) ? oldByNew[section] : nil
  }
}
