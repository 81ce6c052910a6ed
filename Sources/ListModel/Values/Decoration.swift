/// A view behind or in front of a part of a section, or of one of its items, that shows no item
/// itself, such as a card or a line.
public struct Decoration: Hashable, Sendable {
  /// A part of a section.
  public enum Element: Hashable, Sendable {
    /// The whole section.
    case section
    /// The header.
    case header
    /// The items, without header and footer.
    case items
    /// The footer.
    case footer
    /// One item. The decoration goes where the item goes in the section, and is not shown while the
    /// section does not have the item.
    case item(ItemID)
  }

  /// The stable name of the view's class.
  public var view: ViewName
  /// The part of the section that it decorates.
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

extension Decoration.Element: RawRepresentable {
  private static let itemPrefix = "item:"

  /// The element of a name in JSON; `nil` if the text is none.
  public init?(rawValue: String) {
    switch rawValue {
    case "section": self = .section
    case "header": self = .header
    case "items": self = .items
    case "footer": self = .footer
    default:
      guard rawValue.hasPrefix(Self.itemPrefix) else { return nil }
      do {
        self = .item(try ItemID(String(rawValue.dropFirst(Self.itemPrefix.count))))
      } catch {
        return nil
      }
    }
  }

  /// The name in JSON: that of the case, for an item `item:` and its id.
  public var rawValue: String {
    switch self {
    case .section: "section"
    case .header: "header"
    case .items: "items"
    case .footer: "footer"
    case .item(let id): Self.itemPrefix + id.rawValue
    }
  }
}
