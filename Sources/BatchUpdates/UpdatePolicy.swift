/// What a batch update does beside telling what changed, and when it is not worth it.
public struct UpdatePolicy: Hashable, Sendable {
  /// How much may change before the view had better load the list again.
  public var budget: ReloadBudget
  /// Which items are drawn again when the item before or after them is another one.
  public var neighbours: NeighbourDependencies
  /// How much of the list a proof looks at.
  public var proof: Proof

  /// How much of the list the proof of a batch update looks at, beside its counts.
  public enum Proof: Hashable, Sendable {
    /// What the operations name and what closes up behind it: time by the batch update's size.
    case touched
    /// Every section and item: for tests; time by the list's size.
    case everything
  }

  /// A policy; as it is, nothing is too much for a batch update and no item depends on another.
  public init(
    budget: ReloadBudget = .unlimited, neighbours: NeighbourDependencies = NeighbourDependencies(),
    proof: Proof = .touched
  ) {
    self.budget = budget
    self.neighbours = neighbours
    self.proof = proof
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

  /// Why so many changes of a list had better be a reload; `nil` if they are within the budget.
  package func refusal(of changes: Int, in items: Int) -> String? {
    if changes <= self.changes || Double(changes) <= changesPerItem * Double(items) { return nil }
    return "\(changes) changes of a list of \(items) items are more than its budget"
  }

  /// Never a reload.
  public static let unlimited = ReloadBudget(changes: .max, changesPerItem: 0)
}
