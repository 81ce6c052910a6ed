extension ListTree {
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
}
