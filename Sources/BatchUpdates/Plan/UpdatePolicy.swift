/// What a batch update does beside telling what changed, and when it is not worth it.
public struct UpdatePolicy: Hashable, Sendable {
  /// How much may change before the view had better load the list again.
  public var budget: ReloadBudget
  /// Which items are drawn again when the item before or after them is another one.
  public var neighbours: NeighbourDependencies
  /// How much of the list a proof looks at.
  public var proof: Proof
  /// Whether batch updates are for a view that is not shown hidden sections.
  ///
  /// Their indexes and counts then leave these out, see ``/ListModel/SectionVisibility``; a section
  /// that is hidden from now on is deleted, one that is shown again inserted. `false`: of the whole
  /// list.
  public var hidesSections: Bool

  /// How much of the list the proof of a batch update looks at, beside its counts.
  public enum Proof: Hashable, Sendable {
    /// What the operations name and what closes up behind it: time by the batch update's size.
    case touched
    /// Every section and item: for tests; time by the list's size.
    case everything
  }

  /// A policy; as it is, the budget is the measured one, no item depends on another, and batch updates
  /// are of the whole list.
  public init(
    budget: ReloadBudget = .standard, neighbours: NeighbourDependencies = NeighbourDependencies(),
    proof: Proof = .touched, hidesSections: Bool = false
  ) {
    self.budget = budget
    self.neighbours = neighbours
    self.proof = proof
    self.hidesSections = hidesSections
  }
}

/// How many changes one batch update may come from.
public struct ReloadBudget: Hashable, Sendable {
  /// As many changes are always worth a batch update.
  public var changes: Int
  /// As many changes an item of the list before are, too.
  public var changesPerItem: Double

  /// A budget that is the larger of the two.
  public init(changes: Int, changesPerItem: Double) {
    self.changes = changes
    self.changesPerItem = changesPerItem
  }

  /// A thousand changes, however long the list is.
  ///
  /// Replaying takes 6 to 10 µs a change, by the change and not by the length. Opening the list anew and
  /// reading the items of a screen takes 0.2 to 0.6 ms, also of 100,000 items: by that alone a reload
  /// would be quicker from some ten changes on (`tools/benchmarks`, case `budget`). But a reload has
  /// the view make all cells of the screen anew, which takes it milliseconds, and the user loses
  /// the animation and perhaps the place. So a batch update is worth it as long as its replay, 6 to
  /// 10 ms for a thousand changes, fits into a frame.
  public static let standard = ReloadBudget(changes: 1_000, changesPerItem: 0)

  /// Never a reload.
  public static let unlimited = ReloadBudget(changes: .max, changesPerItem: 0)

  /// The most changes of a list that are within the budget.
  package func limit(for items: Int) -> Int {
    let share = changesPerItem * Double(items)
    return max(changes, share < 0x1p62 ? Int(max(share, 0)) : .max)
  }

  /// Why a list of a length is reloaded where more changed than the budget allows.
  package func refusal(for items: Int) -> ReloadReason {
    .tooManyChanges(limit: limit(for: items))
  }
}
