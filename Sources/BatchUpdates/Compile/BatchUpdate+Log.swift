public import ListModel

extension BatchUpdate {
  /// The smallest batch update for what a log says happened.
  ///
  /// Chains of moves collapse, what was inserted and deleted again is not mentioned, what returned
  /// to its place neither; an item deleted and inserted again survives with its new content, a
  /// section deleted and inserted again is another one. Each stage was proven legal; what can't be
  /// proven is a reload with its reason.
  ///
  /// - Parameters:
  ///   - list: The list that it is about.
  ///   - from: The revision that the view shows before.
  ///   - to: The revision after the last entry.
  ///   - entries: What happened between the two, in order.
  ///   - before: How many items each section holds before the first entry.
  /// - Complexity: O(*k* log *k*), *k* entries, however long the list is.
  public init(
    list: ListID, from: Int, to: Int, replaying entries: [LogEntry], on before: SectionCounts
  ) {
    self.init(
      list: list, from: from, to: to,
      mode: UpdatePlan(replaying: [entries], on: before, findsNeighbours: false).mode)
  }

  /// Stages, if each is proven.
  static func mode(of stages: [Stage], before: SectionCounts) -> Mode {
    if stages.isEmpty { return .none }
    var counts = before
    for stage in stages {
      if let refusal = LegalityCheck.refusal(of: stage, before: counts, after: stage.counts) {
        return .reload(why: .notProven(refusal.message))
      }
      counts = stage.counts
    }
    return .batch(stages)
  }
}
