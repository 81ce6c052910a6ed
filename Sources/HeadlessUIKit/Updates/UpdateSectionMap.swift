/// Pairs the sections before a batch update with those after it.
///
/// Moved sections have their targets; the others that stay take the free indexes in order.
struct UpdateSectionMap {
  /// The index before of each section after the update; `nil` for an inserted section.
  private(set) var oldOfNew: [Int?]
  /// The index after of each section before the update; `nil` for a deleted section.
  private(set) var newOfOld: [Int?]

  /// - Parameters:
  ///   - before: The number of sections before the update.
  ///   - after: The number of sections after the update.
  ///   - gone: The deleted sections, by indexes before the update.
  ///   - arrived: The inserted sections, by indexes after the update.
  ///   - moves: The moved sections, from indexes before to indexes after the update.
  init(before: Int, after: Int, gone: [Int], arrived: [Int], moves: [UpdateMove]) {
    oldOfNew = Array(repeating: nil, count: after)
    newOfOld = Array(repeating: nil, count: before)
    var stays = Array(repeating: true, count: before)
    var isFree = Array(repeating: true, count: after)
    for section in gone { stays[section] = false }
    for section in arrived { isFree[section] = false }
    for move in moves {
      stays[move.from.section] = false
      isFree[move.to.section] = false
      oldOfNew[move.to.section] = move.from.section
      newOfOld[move.from.section] = move.to.section
    }
    for (old, new) in zip(stays.indices.filter { stays[$0] }, isFree.indices.filter { isFree[$0] })
    {
      oldOfNew[new] = old
      newOfOld[old] = new
    }
  }
}
