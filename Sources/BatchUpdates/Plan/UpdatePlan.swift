package import ListModel

/// A batch update from a log while the list changes: planned before, proven and finished after.
///
/// It is in steps because whoever has the list in memory changes it in place: what the list held
/// before must be asked before.
package struct UpdatePlan {
  private var net: NetChange
  private var stages: [Stage]
  private let mismatch: ReloadReason?
  /// The sections before that the view is not shown.
  private var hiddenBefore = HiddenSections([])
  /// The sections after that the view is not shown, by what the log says.
  private var hiddenAfter = HiddenSections([])

  /// Compiles a log.
  ///
  /// - Parameters:
  ///   - log: Entries in order, in parts.
  ///   - before: How many items each section holds before the first entry.
  ///   - findsNeighbours: Whether ``reconfigureNeighbours(_:)`` will be called.
  ///   - visibilities: The sections before that have another visibility than shown, for a view that
  ///     hides them; `nil` for one that is shown the whole list.
  /// - Complexity: O(*k* log *k*), *k* entries.
  package init(
    replaying log: [[LogEntry]], on before: SectionCounts, findsNeighbours: Bool,
    hiding visibilities: [(section: Int, visibility: SectionVisibility)]? = nil
  ) {
    do throws(LogCompiler.Mismatch) {
      net = try LogCompiler.netChange(
        of: log, before: before, findsNeighbours: findsNeighbours)
      if let visibilities {
        hiddenBefore = HiddenSections(
          visibilities.filter { $0.visibility.hides(itemCount: before[$0.section]) }.map(\.section))
        hiddenAfter = net.hiddenSections(
          with: visibilities.map { .init(section: $0.section, visibility: $0.visibility) })
        net = net.shown(hiddenBefore: hiddenBefore.indexes, hiddenAfter: hiddenAfter.indexes)
      }
      stages = StagePlan.stages(for: net)
      mismatch = nil
    } catch {
      net = NetChange(before: before)
      stages = []
      mismatch = .logMismatch("the log does not fit the list: \(error.message)")
    }
  }

  /// What must be the same before and after the update, by its places in the whole list.
  package func identityCheck(_ extent: UpdatePolicy.Proof) -> IdentityCheck {
    var check = IdentityCheck(of: stages, before: net.before, extent: extent)
    check.count(hiddenBefore, hiddenAfter)
    return check
  }

  /// Why the list after is not the one that the plan was made for.
  ///
  /// - Parameter hidden: The sections that it hides from the view.
  /// - Returns: The reason; `nil` if it hides what the log says.
  package func refusal(ofHiding hidden: HiddenSections) -> ReloadReason? {
    mismatch == nil && hidden != hiddenAfter
      ? .notProven("the list hides other sections than its log says") : nil
  }

  /// Draws items again whose drawing depends on a neighbour that is another now, or changed.
  ///
  /// - Parameter dependency: On which neighbours the item at a path in the whole list after depends.
  package mutating func reconfigureNeighbours(_ dependency: (ItemPath) -> NeighbourDependency) {
    net.reconfigureNeighbours { dependency(hiddenAfter.listPath(ofShown: $0)) }
    stages = StagePlan.stages(for: net)
  }

  /// How a view gets to the list after: by stages of which each is proven legal, or by a reload with
  /// its reason.
  package var mode: BatchUpdate.Mode {
    if let mismatch { return .reload(why: mismatch) }
    return BatchUpdate.mode(of: stages, before: net.before)
  }
}
