extension ListTree {
  /// A section: items with a common layout, and the views around them.
  public struct Section: Hashable, Sendable, Identifiable {
    /// Unique among the sections of the list.
    public let id: SectionID
    /// The section's data besides its items.
    public var attributes: SectionAttributes
    /// The items in their order.
    public var items: [Item]

    /// A section of the given items, in their order.
    public init(id: SectionID, attributes: SectionAttributes = .init(), items: [Item] = []) {
      self.id = id
      self.attributes = attributes
      self.items = items
    }

    /// Whether views don't show the section.
    public var isHidden: Bool { attributes.visibility.hides(itemCount: items.count) }
  }
}
