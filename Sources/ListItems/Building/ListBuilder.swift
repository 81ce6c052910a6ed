public import ListModel

/// Builds a list from sections, with `if`, `switch` and `for`.
@resultBuilder public enum ListBuilder {
  /// A section.
  public static func buildExpression(_ section: ListSection) -> [ListSection] { [section] }
  /// Sections.
  public static func buildExpression(_ sections: [ListSection]) -> [ListSection] { sections }
  /// A stored section.
  public static func buildExpression(_ section: ListTree.Section) -> [ListSection] {
    [.init(section)]
  }
  /// Stored sections.
  public static func buildExpression(_ sections: [ListTree.Section]) -> [ListSection] {
    sections.map(ListSection.init)
  }

  /// One after another.
  public static func buildBlock(_ parts: [ListSection]...) -> [ListSection] {
    parts.flatMap(\.self)
  }
  /// What a loop gives.
  public static func buildArray(_ parts: [[ListSection]]) -> [ListSection] {
    parts.flatMap(\.self)
  }
  /// Nothing where the condition of an `if` does not hold.
  public static func buildOptional(_ part: [ListSection]?) -> [ListSection] { part ?? [] }
  /// The one branch of an `if` or a `switch`.
  public static func buildEither(first part: [ListSection]) -> [ListSection] { part }
  /// The other.
  public static func buildEither(second part: [ListSection]) -> [ListSection] { part }
  /// What newer systems alone have.
  public static func buildLimitedAvailability(_ part: [ListSection]) -> [ListSection] { part }
}

/// Builds a section's items, with `if`, `switch` and `for`.
@resultBuilder public enum ItemBuilder {
  /// A value of the app's.
  public static func buildExpression(_ value: some ListItem) -> [ListElement] { [.init(value)] }
  /// Values of one type.
  public static func buildExpression(_ values: [some ListItem]) -> [ListElement] {
    values.map { ListElement($0) }
  }
  /// Values of several types.
  public static func buildExpression(_ values: [any ListItem]) -> [ListElement] {
    values.map { ListElement($0) }
  }
  /// A stored item.
  public static func buildExpression(_ item: Item) -> [ListElement] { [.init(item)] }
  /// Stored items.
  public static func buildExpression(_ items: [Item]) -> [ListElement] {
    items.map { ListElement($0) }
  }
  /// What another builder gave.
  public static func buildExpression(_ elements: [ListElement]) -> [ListElement] { elements }

  /// One after another.
  public static func buildBlock(_ parts: [ListElement]...) -> [ListElement] {
    parts.flatMap(\.self)
  }
  /// What a loop gives.
  public static func buildArray(_ parts: [[ListElement]]) -> [ListElement] {
    parts.flatMap(\.self)
  }
  /// Nothing where the condition of an `if` does not hold.
  public static func buildOptional(_ part: [ListElement]?) -> [ListElement] { part ?? [] }
  /// The one branch of an `if` or a `switch`.
  public static func buildEither(first part: [ListElement]) -> [ListElement] { part }
  /// The other.
  public static func buildEither(second part: [ListElement]) -> [ListElement] { part }
  /// What newer systems alone have.
  public static func buildLimitedAvailability(_ part: [ListElement]) -> [ListElement] { part }
}
