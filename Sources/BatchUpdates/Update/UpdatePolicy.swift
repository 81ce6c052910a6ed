/// What batch updates contain besides the changes, and when to reload instead.
public struct UpdatePolicy: Hashable, Sendable {
  /// The number of changes above which the view loads the list again.
  public var budget: ReloadBudget
  /// Which items are drawn again when the item before or after them changes.
  public var neighbours: NeighbourDependencies
  /// How much of the list the proof of a batch update checks.
  public var proof: Proof
  /// Whether batch updates are for a view that does not show hidden sections.
  ///
  /// If `true`, indexes and counts leave hidden sections out. A section that becomes hidden is
  /// deleted, and one that is shown again is inserted. If `false`, they count all sections of the
  /// list. See ``/ListModel/SectionAttributes/Visibility``.
  public var hidesSections: Bool

  /// How much of the list the proof of a batch update checks, besides the counts.
  public enum Proof: Hashable, Sendable {
    /// The items that the operations name, and the neighbours that close the gaps. The time depends
    /// on the size of the batch update.
    case touched
    /// Every section and item, for tests. The time depends on the length of the list.
    case everything
  }

  /// A policy; by default with the standard budget, without items that depend on others, and for a
  /// view that shows all sections.
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

/// The most changes that one batch update is made from; above that the view reloads.
///
/// The limit is the larger of ``changes`` and ``changesPerItem`` times the number of items.
public struct ReloadBudget: Hashable, Sendable {
  /// The limit for any list.
  public var changes: Int
  /// The limit for each item of the list before the update.
  public var changesPerItem: Double

  /// A budget of the given limits, of which the larger one counts.
  public init(changes: Int, changesPerItem: Double) {
    self.changes = changes
    self.changesPerItem = changesPerItem
  }

  /// A thousand changes, however long the list is.
  ///
  /// Replaying takes 6 to 10 µs a change, whatever the length of the list. Opening a list and
  /// reading a screen of it takes 0.2 to 0.6 ms, also with 100,000 items, so by that alone a reload
  /// is faster above some tens of changes (`tools/benchmarks`, case `budget`). But after a reload
  /// the view makes all its cells again, which takes milliseconds, and the user loses the animation
  /// and perhaps the scroll position. So a batch update is worth it as long as the replay fits into
  /// a frame: a thousand changes take 6 to 10 ms.
  public static let standard = ReloadBudget(changes: 1_000, changesPerItem: 0)

  /// No limit: the view never reloads because of the number of changes.
  public static let unlimited = ReloadBudget(changes: .max, changesPerItem: 0)

  /// The most changes within the budget, for a list of so many items.
  package func limit(for items: Int) -> Int {
    let share = changesPerItem * Double(items)
    return max(changes, share < 0x1p62 ? Int(max(share, 0)) : .max)
  }

  /// The reason for a reload of a list that changed more than the budget allows.
  package func refusal(for items: Int) -> ReloadReason {
    .tooManyChanges(limit: limit(for: items))
  }
}
