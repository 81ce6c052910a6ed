public import ListModel

extension Inspection {
  /// What differs between two states of a list, by the ids of sections and items.
  ///
  /// Its JSON is an output format: names and meanings stay.
  public struct Difference: Codable, Sendable {
    /// The version of the format: 1.
    public var formatVersion = 1
    /// The list's id.
    public var list: String
    /// The revision before.
    public var from: Int
    /// The revision after.
    public var to: Int
    /// Whether the app's own data about the list differs.
    public var isMetaChanged: Bool
    /// The sections that differ: deleted ones in their order before, then the others in their order
    /// after.
    public var sections: [SectionChange] = []
    /// The items that differ, in the same order; those of deleted and inserted sections are among
    /// them.
    public var items: [ItemChange] = []

    /// What has become of a section or an item.
    public enum Kind: String, Codable, Sendable, CaseIterable {
      /// It is only there after.
      case inserted
      /// It is only there before.
      case deleted
      /// It stands elsewhere among those that both states have; the fewest possible are moved.
      case moved
      /// Its state or its attributes differ, contents compared by meaning.
      case updated
    }

    /// A section that differs.
    public struct SectionChange: Codable, Hashable, Sendable {
      /// The section's id.
      public var section: String
      /// What has become of it.
      public var kinds: [Kind]
      /// Its index before.
      public var from: Int?
      /// Its index after.
      public var to: Int?
      /// Its attributes before, if they differ; absent if there are none, or contents are not told.
      public var before: ContentFacts?
      /// Its attributes after, if they differ; absent likewise.
      public var after: ContentFacts?
    }

    /// An item that differs.
    public struct ItemChange: Codable, Hashable, Sendable {
      /// The item's id.
      public var item: String
      /// What has become of it.
      public var kinds: [Kind]
      /// Its place before.
      public var from: Timeline.Place?
      /// Its place after.
      public var to: Timeline.Place?
      /// Its state before, if it differs.
      public var before: StateFacts?
      /// Its state after, if it differs.
      public var after: StateFacts?
    }

    /// Compares two states of a list.
    ///
    /// - Parameters:
    ///   - old: The list before.
    ///   - new: The list after.
    ///   - content: How much is told of contents.
    /// - Complexity: O(*n* log *n*), *n* sections and items of both.
    public init(from old: ListTree, to new: ListTree, content: ContentDetail = .hash) {
      list = new.list.rawValue
      from = old.revision
      to = new.revision
      isMetaChanged = !old.meta.isEquivalent(to: new.meta)
      compareSections(old, new, content)
      compareItems(old, new, content)
    }
  }
}
