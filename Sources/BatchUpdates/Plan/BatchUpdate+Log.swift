public import ListModel

extension BatchUpdate {
  /// Makes the smallest batch update from a log.
  ///
  /// - Several moves of one item become one move. An item that returns to its place does not move.
  /// - An item that was inserted and deleted again is left out.
  /// - An item that was deleted and inserted again stays the same item, with its new content. A
  ///   section that was deleted and inserted again becomes another section.
  ///
  /// Each stage is proven legal. If a proof fails, or the log does not fit the counts, the update
  /// is a reload with the reason.
  ///
  /// - Parameters:
  ///   - list: The list that changed.
  ///   - from: The revision that the view shows before the update.
  ///   - to: The revision after the last entry.
  ///   - entries: The changes between the two revisions, in order.
  ///   - before: How many items each section holds before the first entry.
  /// - Complexity: O(*k* log *k*), *k* entries, however long the list is.
  public init(
    list: ListID, from: Int, to: Int, replaying entries: [LogEntry], on before: SectionCounts
  ) {
    self.init(
      list: list, from: from, to: to,
      mode: UpdatePlan(replaying: [entries], on: before, findsNeighbours: false).mode)
  }

  /// The stages as a mode if each is proven legal, else a reload.
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
