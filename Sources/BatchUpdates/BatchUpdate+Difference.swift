public import ListModel

extension BatchUpdate {
  /// The smallest batch update from one tree to another.
  ///
  /// Sections and items are told apart by their ids. Moves are the survivors outside a longest
  /// increasing subsequence; stages are the fewest that are legal, and each was proven legal. What
  /// can't be proven is a reload with its reason.
  ///
  /// - Parameters:
  ///   - old: What the view shows. Its revision becomes ``from``.
  ///   - new: What it is to show. Its revision becomes ``to``.
  ///   - touched: Items to draw again even if their content is the same.
  /// - Complexity: O(*n* log *n*), *n* items and sections in both trees.
  public init(from old: ListTree, to new: ListTree, touched: Set<ItemID> = []) {
    self.init(
      list: new.list, from: old.revision, to: new.revision,
      mode: Self.mode(from: old, to: new, touched: touched))
  }

  private static func mode(from old: ListTree, to new: ListTree, touched: Set<ItemID>) -> Mode {
    let stages: [Stage]
    do {
      stages = StagePlan.stages(
        for: try TreeDifference.netChange(from: old, to: new, touched: touched))
    } catch {
      return .reload(why: error.message)
    }
    if stages.isEmpty { return .none }
    var counts = SectionCounts(old.itemCounts)
    for stage in stages {
      if let refusal = LegalityCheck.refusal(of: stage, before: counts, after: stage.counts) {
        return .reload(why: refusal.message)
      }
      counts = stage.counts
    }
    guard counts == SectionCounts(new.itemCounts) else {
      return .reload(why: "the stages end with other counts than the list")
    }
    return .batch(stages)
  }
}
