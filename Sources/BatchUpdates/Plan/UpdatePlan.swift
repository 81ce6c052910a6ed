package import ListModel

/// A batch update in the making, from a log: planned before the list changes, proven and finished
/// after.
///
/// A Provider changes its list in place. So it makes the plan, and looks up what the proof needs of
/// the list before, then replays the log, and finishes the plan with the list after.
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
  ///   - log: The entries in order, in one or more arrays.
  ///   - before: How many items each section holds before the first entry.
  ///   - findsNeighbours: Whether ``reconfigureNeighbours(_:)`` will be called.
  ///   - visibilities: The sections before whose visibility is not `.shown`, for a view that hides
  ///     sections; `nil` for a view that shows all of them.
  /// - Complexity: O(*k* log *k*), *k* entries.
  package init(
    replaying log: [[LogEntry]], on before: SectionCounts, findsNeighbours: Bool,
    hiding visibilities: [(section: Int, visibility: SectionAttributes.Visibility)]? = nil
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

  /// The items and sections that the proof compares before and after the update, by their places in
  /// the whole list.
  package func identityCheck(_ extent: UpdatePolicy.Proof) -> IdentityCheck {
    var check = IdentityCheck(of: stages, before: net.before, extent: extent)
    check.count(hiddenBefore, hiddenAfter)
    return check
  }

  /// Why the plan does not fit the list after the update.
  ///
  /// - Parameter hidden: The sections that the list hides from the view.
  /// - Returns: The reason; `nil` if the list hides the sections that the log says.
  package func refusal(ofHiding hidden: HiddenSections) -> ReloadReason? {
    mismatch == nil && hidden != hiddenAfter
      ? .notProven("the list hides other sections than its log says") : nil
  }

  /// Adds a reconfigure for each item that depends on a neighbour that changed.
  ///
  /// - Parameter dependency: Returns the neighbours that an item depends on, by its path in the
  ///   whole list after the update.
  package mutating func reconfigureNeighbours(_ dependency: (ItemPath) -> NeighbourDependency) {
    net.reconfigureNeighbours { dependency(hiddenAfter.listPath(ofShown: $0)) }
    stages = StagePlan.stages(for: net)
  }

  /// The mode of the update: stages that are all proven legal, or a reload with its reason.
  package var mode: BatchUpdate.Mode {
    if let mismatch { return .reload(why: mismatch) }
    return BatchUpdate.mode(of: stages, before: net.before)
  }
}
