/// Which section after a batch is which section before it: moved ones go where they are told, the
/// others that stay take the free indexes in order.
struct UpdateSectionMap {
  /// The index before of each section after; `nil` for one that is new.
  private(set) var oldOfNew: [Int?]
  /// The index after of each section before; `nil` for one that is gone.
  private(set) var newOfOld: [Int?]

  /// - Parameters:
  ///   - before: How many sections there are before.
  ///   - after: How many sections there are after.
  ///   - gone: Indexes before.
  ///   - arrived: Indexes after.
  ///   - moves: From indexes before to indexes after.
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
