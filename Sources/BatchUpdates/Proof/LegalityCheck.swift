/// Predicts what `UICollectionView` does with a stage, from counts alone.
///
/// The view does not know ids. It knows how many items each section had, how many the data source
/// reports now, and the operations of the stage. The check computes with these what the view
/// computes, in the same order. It is the proof of each stage, and so it shares no code with the
/// compiler and the planner but the binary search.
///
/// The documentation leaves some cases open. The check decides them like this:
/// - An exact duplicate of a move is one move. A duplicate of any other operation counts twice: if
///   the counts then agree the stage is unsafe, else the view raises.
/// - A move out of a deleted section, or into an inserted one, counts for its other section. If
///   everything else adds up, the stage is unsafe.
/// - A delete in a deleted section, or an insert in an inserted one, must be in bounds. It is
///   ignored otherwise: it duplicates and contradicts nothing.
/// - A reload beside structural operations is right only if its new cell goes where the item goes.
public enum LegalityCheck {
  /// Predicts what the view does with a stage.
  ///
  /// If a stage would raise and is also unsafe, the verdict is that it raises. Of several reasons
  /// the verdict has the one that the view meets first. No input traps: a place that does not exist
  /// is out of bounds.
  ///
  /// - Parameters:
  ///   - stage: The operations. Its own ``Stage/counts`` are not looked at.
  ///   - reloadingSections: Indexes before of sections to reload. Cellar's own stages have none.
  ///   - before: How many items each section holds before the stage.
  ///   - after: How many items each section holds after the stage.
  /// - Returns: The verdict, with the rule that decided.
  /// - Complexity: O(*b* log *b* + *c*), *b* operations, *c* sections whose counts are not shared,
  ///   if the counts after share those before. Otherwise the counts of all sections are compared.
  public static func verdict(
    of stage: Stage, reloadingSections: [Int] = [], before: SectionCounts, after: SectionCounts
  ) -> LegalityVerdict {
    verdict(
      of: LegalityOperations(
        stage, reloadingSections: reloadingSections, before: before, after: after))
  }

  static func verdict(of operations: LegalityOperations) -> LegalityVerdict {
    if let raise = operations.outOfBounds() { return raise }
    let view = ReducedView(operations)
    return view.contradiction() ?? view.countMismatch() ?? view.moveBeyondTheEnd() ?? view.hazard()
      ?? .ok
  }
}
