/// What `UICollectionView` does with a stage.
public struct LegalityVerdict: Hashable, Sendable {
  /// How it ends.
  public enum Outcome: String, Hashable, Sendable {
    /// The view accepts it and shows the right cells.
    case ok
    /// Some version accepts it and then shows wrong cells, freezes, or reloads silently.
    case unsafe
    /// `NSInternalInconsistencyException`.
    case raise
  }

  /// How it ends.
  public let outcome: Outcome
  /// The rule that decided; `nil` for ``Outcome/ok``.
  public let rule: LegalityRule?
  /// What the view would do and why, with the paths, in one sentence; empty for ``Outcome/ok``.
  public let message: String

  /// The verdict that nothing is wrong.
  package static let ok = LegalityVerdict(outcome: .ok, rule: nil, message: "")

  /// A verdict as it is.
  package init(outcome: Outcome, rule: LegalityRule?, message: String) {
    self.outcome = outcome
    self.rule = rule
    self.message = message
  }

  /// The verdict that the view raises; `why` is a clause without a full stop.
  static func raise(_ rule: LegalityRule, _ why: String) -> LegalityVerdict {
    LegalityVerdict(outcome: .raise, rule: rule, message: "UICollectionView raises: \(why).")
  }

  /// The verdict that the view can go wrong without raising; `why` is a clause that follows "but".
  static func unsafe(_ rule: LegalityRule, _ why: String) -> LegalityVerdict {
    LegalityVerdict(
      outcome: .unsafe, rule: rule, message: "UICollectionView may accept this, but \(why).")
  }
}
