extension Inspection {
  /// The lists of a store with their sections and items, in order.
  ///
  /// Its JSON is an output format: names and meanings stay.
  public struct Outline: Codable, Sendable {
    /// The version of the format: 1.
    public var formatVersion = 1
    /// The path of the file, as it was given.
    public var file: String
    /// The lists by the bytes of their ids; those that items own follow the list of their item.
    public var lists: [List] = []
    /// The index of the first item that was left out, among all items that were asked for; absent
    /// if none was.
    public var nextItem: Int?
    /// Whether lists or sections were left out because there are more than were asked for.
    public var isCut = false
    /// How many items have the text that was looked for; absent if none was.
    public var matchCount: Int?
    /// What can't be read.
    public var findings: [Finding] = []

    /// A list.
    public struct List: Codable, Sendable {
      /// The list's id.
      public var list: String
      /// The item that owns it; absent if none does.
      public var owner: OwnerFacts?
      /// How many items own it, one above the other.
      public var depth: Int
      /// What it is derived from; absent for a list that is not derived.
      public var derived: DerivedFacts?
      /// The number of commits that it has had; absent if it can't be read, as both counts.
      public var revision: Int?
      /// The number of its sections.
      public var sectionCount: Int?
      /// The number of its items.
      public var itemCount: Int?
      /// How many of its items are gaps: what stands there is not loaded.
      public var gapCount: Int?
      /// Its sections, in order.
      public var sections: [Section] = []
    }

    /// A section.
    public struct Section: Codable, Sendable {
      /// The section's id.
      public var section: String
      /// Its index in the list, from 0; absent if the order can't be read.
      public var index: Int?
      /// The number of its items.
      public var itemCount: Int
      /// `shown`, `hidden` or `hiddenWhenEmpty`; absent if it can't be read.
      public var visibility: String?
      /// Its layout; absent for the app's default.
      public var layout: LayoutFacts?
      /// Its items that were asked for, in order.
      public var items: [Item] = []
    }

    /// An item.
    public struct Item: Codable, Sendable {
      /// The item's id.
      public var item: String
      /// Its index in the section, from 0.
      public var index: Int
      /// The name of its cell.
      public var cell: String
      /// How often its state has changed since it was inserted.
      public var contentRevision: Int
      /// The type that its content decodes to; absent if the cell determines it.
      ///
      /// This and all below are absent unless they were asked for.
      public var type: String?
      /// Its content.
      public var content: ContentFacts?
      /// Its action; absent if it has none.
      public var action: ContentFacts?
      /// What it says as a gap, whatever was asked for; absent for another item.
      public var gap: GapFacts?
      /// Its measured sizes.
      public var sizes: [SizeFacts]?
    }
  }
}
