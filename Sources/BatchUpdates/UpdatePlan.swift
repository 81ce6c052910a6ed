package import ListModel

/// A batch update from a log while the list changes: planned before, proven and finished after.
///
/// It is in steps because whoever has the list in memory changes it in place: what the list held
/// before must be asked before.
package struct UpdatePlan {
  private var net: NetChange
  private var stages: [Stage]
  private let mismatch: String?

  /// Compiles a log.
  ///
  /// - Parameters:
  ///   - log: Entries in order, in parts.
  ///   - before: How many items each section holds before the first entry.
  ///   - findsNeighbours: Whether ``reconfigureNeighbours(_:)`` will be called.
  /// - Complexity: O(*k* log *k*), *k* entries.
  package init(replaying log: [[LogEntry]], on before: SectionCounts, findsNeighbours: Bool) {
    do throws(LogCompiler.Mismatch) {
      net = try LogCompiler.netChange(
        of: log, before: before, findsNeighbours: findsNeighbours)
      stages = StagePlan.stages(for: net)
      mismatch = nil
    } catch {
      net = NetChange(before: before)
      stages = []
      mismatch = "the log does not fit the list: \(error.message)"
    }
  }

  /// What must be the same before and after the update.
  package func identityCheck(_ extent: UpdatePolicy.Proof) -> IdentityCheck {
    IdentityCheck(of: stages, before: net.before, extent: extent)
  }

  /// Draws items again whose drawing depends on a neighbour that is another now, or changed.
  ///
  /// - Parameter dependency: On which neighbours the item at a path after depends.
  package mutating func reconfigureNeighbours(_ dependency: (ItemPath) -> NeighbourDependency) {
    net.reconfigureNeighbours(dependency)
    stages = StagePlan.stages(for: net)
  }

  /// How a view gets to the list after: by stages of which each is proven legal, or by a reload with
  /// its reason.
  package var mode: BatchUpdate.Mode {
    if let mismatch { return .reload(why: mismatch) }
    return BatchUpdate.mode(of: stages, before: net.before)
  }
}
