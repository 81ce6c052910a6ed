/// A view behind or before a part of a section, which stands for nothing in it: a card, a line.
public struct Decoration: Hashable, Sendable {
  /// The part of a section that it decorates.
  public enum Element: String, Hashable, Sendable, CaseIterable {
    /// All of it.
    case section
    /// The header.
    case header
    /// The items, without header and footer.
    case items
    /// The footer.
    case footer
  }

  /// The stable name of the view's class.
  public var view: ViewName
  /// What it decorates.
  public var element: Element
  /// What it stands before and behind: items are at 0.
  public var zIndex: Int
  /// From the edges of what it decorates, in points; `nil` is left to the app's default.
  public var insets: Insets?
  /// What the view shows; `null` for nothing.
  public var content: JSON

  /// A view of a name; as it is, behind the whole section.
  public init(
    view: ViewName, element: Element = .section, zIndex: Int = Self.defaultZIndex,
    insets: Insets? = nil, content: JSON = .null
  ) {
    self.view = view
    self.element = element
    self.zIndex = zIndex
    self.insets = insets
    self.content = content
  }

  /// Behind the items: -1.
  public static let defaultZIndex = -1

  /// Whether a view shows both alike: contents are compared by meaning, see ``JSON``.
  public func isEquivalent(to other: Decoration) -> Bool {
    view == other.view && element == other.element && zIndex == other.zIndex
      && insets == other.insets && content.isEquivalent(to: other.content)
  }

  /// What is wrong with the values, `nil` if nothing is.
  package var problem: String? { insets?.problem }
}
