/// Says what `UICollectionView` would do with a stage, from counts alone.
///
/// The view knows no identities: it knows how many items each section had, how many the data source
/// says that there are now, and what the stage told it. The check does with these what the view
/// does, in the same order. It shares nothing with what makes stages: it is the proof.
///
/// Where the view and its documentation leave room, the check decides like this:
/// - An exact duplicate of a move is one move. A duplicate of any other operation counts twice: if
///   the counts then agree the stage is unsafe, else the view raises.
/// - Of a move out of a deleted section, or into an inserted one, the section that stays counts its
///   side; if everything else adds up, the stage is unsafe.
/// - A delete in a deleted section, or an insert in an inserted one, must exist like any other; then
///   it is swallowed, and is no duplicate of and no contradiction to anything.
/// - A reload beside structural operations is right only if its new cell goes where the item goes.
public enum LegalityCheck {
  /// What the view does with a stage.
  ///
  /// A raise wins over what is only unsafe; of several reasons, the one that the view meets first
  /// is given. No input traps: what does not exist is out of bounds.
  ///
  /// - Parameters:
  ///   - stage: The operations. Its own ``Stage/counts`` are not looked at.
  ///   - reloadingSections: Indexes before of sections to reload, which Cellar itself never does.
  ///   - before: How many items each section holds before the stage.
  ///   - after: How many items each section holds after the stage.
  /// - Returns: The verdict, with the rule that decided.
  /// - Complexity: O(*b* log *b* + *c*), *b* operations, *c* changed sections that the counts name,
  ///   however many items and sections there are, where the counts after share those before. Counts
  ///   that share nothing are compared one by one.
  public static func verdict(
    of stage: Stage, reloadingSections: [Int] = [], before: SectionCounts, after: SectionCounts
  ) -> LegalityVerdict {
    verdict(
      of: LegalityOperations(
        stage, reloadingSections: reloadingSections, before: before, after: after))
  }

  static func verdict(of operations: LegalityOperations) -> LegalityVerdict {
    if let raise = operations.outOfBounds() { return raise }
    let host = LegalityHost(operations)
    return host.contradiction() ?? host.countMismatch() ?? host.moveBeyondTheEnd() ?? host.hazard()
      ?? .ok
  }
}
