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

  /// All parts, in order.
  public static func buildBlock(_ parts: [ListSection]...) -> [ListSection] {
    parts.flatMap(\.self)
  }
  /// The content of a `for` loop.
  public static func buildArray(_ parts: [[ListSection]]) -> [ListSection] {
    parts.flatMap(\.self)
  }
  /// The content of an `if` without `else`.
  public static func buildOptional(_ part: [ListSection]?) -> [ListSection] { part ?? [] }
  /// The first branch of an `if` or a `switch`.
  public static func buildEither(first part: [ListSection]) -> [ListSection] { part }
  /// The second branch.
  public static func buildEither(second part: [ListSection]) -> [ListSection] { part }
  /// The content of an `if #available`.
  public static func buildLimitedAvailability(_ part: [ListSection]) -> [ListSection] { part }
}

/// Builds a section's items, with `if`, `switch` and `for`.
@resultBuilder public enum ItemBuilder {
  /// A value.
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
  /// Elements of another builder.
  public static func buildExpression(_ elements: [ListElement]) -> [ListElement] { elements }

  /// All parts, in order.
  public static func buildBlock(_ parts: [ListElement]...) -> [ListElement] {
    parts.flatMap(\.self)
  }
  /// The content of a `for` loop.
  public static func buildArray(_ parts: [[ListElement]]) -> [ListElement] {
    parts.flatMap(\.self)
  }
  /// The content of an `if` without `else`.
  public static func buildOptional(_ part: [ListElement]?) -> [ListElement] { part ?? [] }
  /// The first branch of an `if` or a `switch`.
  public static func buildEither(first part: [ListElement]) -> [ListElement] { part }
  /// The second branch.
  public static func buildEither(second part: [ListElement]) -> [ListElement] { part }
  /// The content of an `if #available`.
  public static func buildLimitedAvailability(_ part: [ListElement]) -> [ListElement] { part }
}
