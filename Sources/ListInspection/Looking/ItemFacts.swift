extension Inspection {
  /// All that a store knows of an item.
  ///
  /// Each part is read by itself: what can't be read is absent, and ``findings`` says why. Its JSON
  /// is an output format: names and meanings stay.
  public struct ItemFacts: Codable, Sendable {
    /// The version of the format: 1.
    public var formatVersion = 1
    /// The path of the file, as it was given.
    public var file: String
    /// The list's id.
    public var list: String
    /// The list's revision.
    public var revision: Int
    /// The item's id.
    public var item: String
    /// Whether the list has the item now; one that was deleted is known by the log alone.
    public var isThere: Bool
    /// Its section and its path.
    public var place: Timeline.Place?
    /// The row of the item: the number by which other tables name it.
    public var row: Int?
    /// The block that has its place.
    public var block: Int?
    /// The name of its cell.
    public var cell: String?
    /// How often its state has changed since it was inserted.
    public var contentRevision: Int?
    /// The name of the type that its content decodes to; absent if the cell determines it.
    public var type: String?
    /// Its content; absent if contents are not told.
    public var content: ContentFacts?
    /// Its action; absent if it has none, or contents are not told.
    public var action: ContentFacts?
    /// What it says as a gap; absent for another item.
    public var gap: GapFacts?
    /// The layout of its section; absent for the app's default.
    public var layout: LayoutFacts?
    /// Its measured sizes, for every screen and text size that it was shown with.
    public var sizes: [SizeFacts] = []
    /// The lists that it owns, by their names among the item's lists.
    public var nestedLists: [String: String] = [:]
    /// The commits that changed it: its newest ones, oldest first.
    public var history: Timeline.List?
    /// What can't be read.
    public var findings: [Finding] = []
  }

  /// All that a store knows of a section, without its items.
  ///
  /// Each part is read by itself: what can't be read is absent, and ``findings`` says why. Its JSON
  /// is an output format: names and meanings stay.
  public struct SectionFacts: Codable, Sendable {
    /// The version of the format: 1.
    public var formatVersion = 1
    /// The path of the file, as it was given.
    public var file: String
    /// The list's id.
    public var list: String
    /// The list's revision.
    public var revision: Int
    /// The section's id.
    public var section: String
    /// Whether the list has the section now; one that was deleted is known by the log alone.
    public var isThere: Bool
    /// Its index in the list, from 0.
    public var index: Int?
    /// The row of the section: the number by which other tables name it.
    public var row: Int?
    /// The block that has its place.
    public var block: Int?
    /// The block over its items.
    public var root: Int?
    /// The number of its items.
    public var itemCount: Int?
    /// `shown`, `hidden` or `hiddenWhenEmpty`.
    public var visibility: String?
    /// Its layout; absent for the app's default.
    public var layout: LayoutFacts?
    /// The app's own data about it; absent if it has none, or contents are not told.
    public var meta: ContentFacts?
    /// Its header, its footer and its other views.
    public var views: [ViewFacts] = []
    /// The names of its decorations, in order.
    public var decorations: [String] = []
    /// The commits that changed it or an item in it: the newest ones, oldest first.
    public var history: Timeline.List?
    /// What can't be read.
    public var findings: [Finding] = []
  }
}
