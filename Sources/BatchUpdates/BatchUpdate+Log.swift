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
      mode: Self.mode(replaying: [entries], on: before, neighbours: nil))
  }

  /// How a view gets from a list to what a log made of it.
  ///
  /// - Parameters:
  ///   - log: Entries in order, in parts.
  ///   - before: How many items each section holds before the first entry.
  ///   - neighbours: On which neighbours the item at a path after depends; `nil` if none does.
  /// - Returns: Proven stages, or why there are none.
  package static func mode(
    replaying log: [[LogEntry]], on before: SectionCounts,
    neighbours: ((ItemPath) -> NeighbourDependency)?
  ) -> Mode {
    do throws(LogCompiler.Mismatch) {
      var net = try LogCompiler.netChange(
        of: log, before: before, findsNeighbours: neighbours != nil)
      if let neighbours { net.reconfigureNeighbours(neighbours) }
      return mode(of: StagePlan.stages(for: net), before: before)
    } catch {
      return .reload(why: "the log does not fit the list: \(error.message)")
    }
  }

  /// Stages, if each is proven.
  static func mode(of stages: [Stage], before: SectionCounts) -> Mode {
    if stages.isEmpty { return .none }
    var counts = before
    for stage in stages {
      if let refusal = LegalityCheck.refusal(of: stage, before: counts, after: stage.counts) {
        return .reload(why: refusal.message)
      }
      counts = stage.counts
    }
    return .batch(stages)
  }
}
