public import ListModel

extension Item {
  /// The room that a view has for an item, and the item's place in its list.
  public struct Room: Hashable, Sendable {
    /// The available length across the direction of scrolling, in points: the width in a list that
    /// scrolls vertically.
    public var length: Double
    /// The direction of scrolling.
    public var axis: SizeKey.Axis
    /// The text size, scale, locale and direction to measure for.
    public var environment: LayoutEnvironment
    /// The item's section.
    public var section: SectionID
    /// The item's path in the list, in which hidden sections count.
    public var path: ItemPath

    /// The room for an item.
    public init(
      length: Double, axis: SizeKey.Axis = .vertical, environment: LayoutEnvironment,
      section: SectionID, path: ItemPath
    ) {
      self.length = length
      self.axis = axis
      self.environment = environment
      self.section = section
      self.path = path
    }
  }
}

extension Supplementary {
  /// The room that a view has for a header, a footer or another view of a section, and the
  /// section's place in its list.
  public struct Room: Hashable, Sendable {
    /// The available length across the direction of scrolling, in points: the width in a list that
    /// scrolls vertically.
    public var length: Double
    /// The direction of scrolling.
    public var axis: SizeKey.Axis
    /// The text size, scale, locale and direction to measure for.
    public var environment: LayoutEnvironment
    /// Whether it is a header, a footer or another kind of view.
    public var kind: Kind
    /// The section.
    public var section: SectionID
    /// The section's index in the list, in which hidden sections count.
    public var sectionIndex: Int

    /// The room for a view of a section.
    public init(
      length: Double, axis: SizeKey.Axis = .vertical, environment: LayoutEnvironment, kind: Kind,
      section: SectionID, sectionIndex: Int
    ) {
      self.length = length
      self.axis = axis
      self.environment = environment
      self.kind = kind
      self.section = section
      self.sectionIndex = sectionIndex
    }
  }
}
