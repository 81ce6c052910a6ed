/// A run of items with a layout of its own, and the views around them.
public struct Section: Hashable, Sendable, Identifiable {
  /// Unique among the sections of the list.
  public let id: SectionID
  /// What it is besides its items.
  public var attributes: SectionAttributes
  /// In the order in which the view shows them.
  public var items: [Item]

  /// A section of the given items, in their order.
  public init(id: SectionID, attributes: SectionAttributes = .init(), items: [Item] = []) {
    self.id = id
    self.attributes = attributes
    self.items = items
  }

  /// Whether a view is not shown the section.
  public var isHidden: Bool { attributes.visibility.hides(itemCount: items.count) }
}

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
