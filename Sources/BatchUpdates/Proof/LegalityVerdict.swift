/// What `UICollectionView` does with a stage, and why.
public struct LegalityVerdict: Hashable, Sendable {
  /// The kinds of outcome.
  public enum Outcome: String, Hashable, Sendable {
    /// The view accepts it and shows the right cells.
    case ok
    /// Some version accepts it and then shows wrong cells, freezes, or reloads without animation.
    case unsafe
    /// The view raises `NSInternalInconsistencyException`.
    case raise
  }

  /// Whether the view accepts the stage.
  public let outcome: Outcome
  /// The rule that the stage breaks; `nil` for ``Outcome/ok``.
  public let rule: LegalityRule?
  /// One sentence that says what the view does and why, with the paths; empty for ``Outcome/ok``.
  public let message: String

  /// The verdict for a stage that breaks no rule.
  package static let ok = LegalityVerdict(outcome: .ok, rule: nil, message: "")

  /// A verdict of the given parts.
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
