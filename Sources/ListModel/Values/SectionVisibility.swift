/// Whether a view is shown a section.
///
/// One that it is not shown is part of the list all the same, with an index and items.
public enum SectionVisibility: String, Hashable, Sendable, CaseIterable {
  /// It is, also without items.
  case shown
  /// It is not.
  case hidden
  /// It is, unless it has no items.
  case hiddenWhenEmpty

  /// Whether a view is not shown a section of so many items.
  public func hides(itemCount: Int) -> Bool {
    switch self {
    case .shown: false
    case .hidden: true
    case .hiddenWhenEmpty: itemCount == 0
    }
  }
}
