/// A view behind or in front of a part of a section, or of an item, that shows no item itself, such
/// as a card or a line.
public struct Decoration: Hashable, Sendable {
  /// A part of a section; the name of a case is that in JSON.
  public enum Element: String, Hashable, Sendable, CaseIterable {
    /// The whole section.
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
  /// The part of the section that it decorates; in an item's decorations it says nothing.
  public var element: Element
  /// The order from back to front; items have 0.
  public var zIndex: Int
  /// The distances from the edges of the decorated part, in points; `nil` for the app's default.
  public var insets: Insets?
  /// The content of the view; `null` for none.
  public var content: JSON

  /// A decoration; by default behind the whole section.
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

  /// Whether both look the same; contents are compared by meaning, see ``JSON``.
  public func isEquivalent(to other: Decoration) -> Bool {
    view == other.view && element == other.element && zIndex == other.zIndex
      && insets == other.insets && content.isEquivalent(to: other.content)
  }

  /// The first invalid value, as a clause; `nil` if all are valid.
  package var problem: String? { insets?.problem }
}
