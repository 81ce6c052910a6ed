extension Inspection {
  /// The commits of a store, by list.
  ///
  /// Its JSON is an output format: names and meanings stay.
  public struct Timeline: Codable, Sendable {
    /// The version of the format: 1.
    public var formatVersion = 1
    /// The path of the file, as it was given.
    public var file: String
    /// The lists by the bytes of their ids.
    public var lists: [List] = []
    /// What can't be read.
    public var findings: [Finding] = []

    /// The commits of a list.
    public struct List: Codable, Sendable {
      /// The list's id.
      public var list: String
      /// The number of commits that it has had.
      public var revision: Int
      /// The revision after which its log begins; earlier commits were deleted.
      public var floor: Int
      /// Whether there are earlier commits that fit, and were left out.
      public var hasEarlier = false
      /// The commits, oldest first.
      public var commits: [Commit] = []
      /// How often each author commits; absent unless it was asked for.
      public var rates: [Rate]?
    }

    /// A commit.
    public struct Commit: Codable, Sendable {
      /// The list's revision after it.
      public var revision: Int
      /// When it was made, in milliseconds since 1970; absent if unknown.
      public var time: Int?
      /// Who made it.
      public var author: String
      /// The number of the feed line that it was made of; absent if it was not made by a feed.
      public var feedSequence: Int?
      /// The number of its changes; 0 for an empty commit.
      public var changeCount: Int
      /// The number of its changes by their operations, such as `insertItem`.
      public var counts: [String: Int]
      /// The later revision whose changes take back those of this one.
      public var undoneBy: Int?
      /// The earlier revision whose changes this one takes back; absent if it was not read.
      public var undoes: Int?
      /// Its first changes that fit, in order.
      public var entries: [Entry]
    }

    /// A change.
    public struct Entry: Codable, Hashable, Sendable {
      /// What it does, such as `moveItem`.
      public var operation: String
      /// The item; absent for a change of a section or the list.
      public var item: String?
      /// The section; absent for a change of an item or the list.
      public var section: String?
      /// The place before it.
      public var from: Place?
      /// The place after it.
      public var to: Place?
      /// The item before it.
      public var before: StateFacts?
      /// The item after it.
      public var after: StateFacts?
      /// The attributes of the section, or the meta of the list, before it; absent if there are
      /// none, or contents are not told.
      public var attributesBefore: ContentFacts?
      /// The attributes of the section, or the meta of the list, after it; absent likewise.
      public var attributesAfter: ContentFacts?
      /// The number of items that went with a deleted section.
      public var itemCount: Int?
    }

    /// A place of an item or a section.
    public struct Place: Codable, Hashable, Sendable {
      /// The indexes from 0: of the section, and of the item in it.
      public var path: [Int]
      /// The id of an item's section; absent if later commits can't be read.
      public var section: String?
    }

    /// How often an author commits.
    public struct Rate: Codable, Hashable, Sendable {
      /// The author.
      public var author: String
      /// The number of commits.
      public var commitCount: Int
      /// The number of changes in them.
      public var changeCount: Int
      /// Commits an hour; absent, as all below, if fewer than two commits of the list have a time.
      public var commitsPerHour: Double?
      /// Changes an hour.
      public var changesPerHour: Double?
      /// Commits a day.
      public var commitsPerDay: Double?
      /// Changes a day.
      public var changesPerDay: Double?
    }
  }

  /// Which commits are looked for; what is `nil` fits all.
  public struct CommitFilter: Hashable, Sendable {
    /// The author's name.
    public var author: String?
    /// An item that they change, or the section of which they delete.
    public var item: String?
    /// A section that they change, or in which they change an item.
    public var section: String?
    /// A text in the id or the content, before or after, of an item that they change.
    public var text: String?
    /// The earliest time, in milliseconds since 1970; commits without a time do not fit.
    public var since: Int?
    /// The latest time, in milliseconds since 1970; commits without a time do not fit.
    public var until: Int?
    /// For each list, the revision after which commits are looked for; all commits of other lists
    /// fit.
    public var after: [String: Int]
    /// The last revision that fits.
    public var upTo: Int?

    /// A filter.
    public init(
      author: String? = nil, item: String? = nil, section: String? = nil, text: String? = nil,
      since: Int? = nil, until: Int? = nil, after: [String: Int] = [:], upTo: Int? = nil
    ) {
      self.text = text
      self.upTo = upTo
      self.author = author
      self.item = item
      self.section = section
      self.since = since
      self.until = until
      self.after = after
    }
  }
}
