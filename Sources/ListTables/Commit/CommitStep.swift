import ListModel

/// What a commit is for a user who undoes: the column `step`.
package enum CommitStep {
  /// Nothing that a user undoes, such as a line of a feed.
  case none
  /// An edit that is undone alone, or the first of several.
  case own
  /// An edit of the step that began at a revision, or what takes that step back.
  case of(Int)

  /// The revision at which the step began; `nil` for an edit without a change, too.
  func first(at revision: Int, isEmpty: Bool) -> Int? {
    switch self {
    case .none: nil
    case .own: isEmpty ? nil : revision
    case .of(let first): first
    }
  }
}
