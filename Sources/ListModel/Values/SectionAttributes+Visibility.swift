extension SectionAttributes {
  /// Whether views show a section.
  ///
  /// A hidden section is still part of the list: it has an index and items.
  public enum Visibility: String, Hashable, Sendable, CaseIterable {
    /// Always shown, also without items.
    case shown
    /// Never shown.
    case hidden
    /// Shown if it has items.
    case hiddenWhenEmpty

    /// Whether a section with so many items is hidden.
    public func hides(itemCount: Int) -> Bool {
      switch self {
      case .shown: false
      case .hidden: true
      case .hiddenWhenEmpty: itemCount == 0
      }
    }
  }
}
