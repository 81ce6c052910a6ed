public import ListItems
public import ListModel

/// Consecutive items of a server's list, as the answer to a ``PageRequest``.
///
/// It covers the server's list from its first item to its last one: what a store has between the two and the
/// page has not is gone from the server. Where it has no cursor, the server's list ends.
public struct Page: Sendable {
  /// The items, in the order of the list.
  public var items: [Item]
  /// The cursor that asks for what stands before the first item; `nil` if nothing does.
  ///
  /// Only a page that was asked for from below, or around a place, needs it.
  public var before: String?
  /// The cursor that asks for what stands after the last item; `nil` if nothing does.
  public var after: String?
  /// The position of the first item in the server's list, from 0, if the server tells.
  public var offset: Int?
  /// How many items the server's list has, if the server tells.
  public var total: Int?
  /// The `seq` of the last line of the list's feed of which the page knows.
  ///
  /// A page that knows less than the store is asked for again: it might bring back what was deleted.
  /// Without it, what has changed while the page was on its way stays as it is in the store.
  public var sequence: Int?

  /// A page of stored items.
  public init(
    items: [Item], before: String? = nil, after: String? = nil, offset: Int? = nil,
    total: Int? = nil, sequence: Int? = nil
  ) {
    self.items = items
    self.before = before
    self.after = after
    self.offset = offset
    self.total = total
    self.sequence = sequence
  }

  /// A page of values.
  ///
  /// - Throws: ``/ListModel/FormatError`` for an empty or too long id, or what encoding throws.
  public init(
    _ values: [some ListItem], before: String? = nil, after: String? = nil, offset: Int? = nil,
    total: Int? = nil, sequence: Int? = nil
  ) throws {
    self.init(
      items: try values.map { try Item($0) }, before: before, after: after, offset: offset,
      total: total, sequence: sequence)
  }
}

/// What is asked of a server: some consecutive items of its list.
public struct PageRequest: Hashable, Sendable {
  /// The list.
  public let list: ListID
  /// Which items.
  public let part: Part
  /// What the gap says that the page is for; `nil` if it is for none.
  public let gap: Gap?
  /// The item right above the place that the page is for, if the store has it; one farther above, after the
  /// server has not known that.
  public let above: ItemID?
  /// The item right below that place, if the store has it; one farther below, as there.
  public let below: ItemID?

  /// Which items of a server's list are asked for.
  public enum Part: Hashable, Sendable {
    /// The newest ones: when a list is shown first, and to refresh it.
    case newest
    /// Those that follow the upper edge of a gap.
    case after
    /// Those that end at the lower edge of a gap.
    case before
    /// Those around an item, such as one that a link leads to.
    case around(ItemID)
    /// Those from a position on, from 0.
    case from(Int)
  }

  /// A request.
  public init(
    list: ListID, part: Part, gap: Gap? = nil, above: ItemID? = nil, below: ItemID? = nil
  ) {
    self.list = list
    self.part = part
    self.gap = gap
    self.above = above
    self.below = below
  }

  /// The item around which the page is asked for.
  public var item: ItemID? { if case .around(let item) = part { item } else { nil } }

  /// The cursor that the gap has for this part.
  public var cursor: String? {
    switch part {
    case .after: gap?.after
    case .before: gap?.before
    case .newest, .around, .from: nil
    }
  }
}

/// Fetches pages of a list from a server.
///
/// ```swift
/// struct MailLoader: PageLoader {
///   let account: Account
///   func page(_ request: PageRequest) async throws -> Page {
///     if request.part == .before { throw Page.Failure.otherEdge }
///     let answer = try await account.messages(after: request.cursor)
///     return try Page(answer.messages, after: answer.nextCursor)
///   }
/// }
/// ```
///
/// A page for ``PageRequest/Part/after`` begins at the upper edge of the gap, one for
/// ``PageRequest/Part/before`` ends at the lower one: what stands between is taken to be deleted.
///
/// It is asked once for each edge of a gap, from however many screens and processes. What it throws is shown
/// and asked again later; see ``Page/Failure`` for what it can throw to say more.
public protocol PageLoader: Sendable {
  /// Fetches a page.
  ///
  /// The task is cancelled when nobody needs the page any more.
  func page(_ request: PageRequest) async throws -> Page
}

extension Page {
  /// What a ``PageLoader`` can say about a page that it can't have.
  public enum Failure: Error, Equatable, Sendable {
    /// The server does not take the cursor any more.
    ///
    /// The gap forgets it, and the page is asked for once more: by the neighbours of the gap.
    case outdatedCursor
    /// The server can't be asked from this edge of the gap, such as one whose cursors lead one way: the page
    /// is asked for from the other edge.
    case otherEdge
    /// The user has to do something first, such as to log in again. It is not asked for again until
    /// somebody says so.
    case needsUser(String)
  }
}

extension Page {
  /// How much a list with pages keeps.
  public enum Limit: Hashable, Sendable {
    /// So many items; gaps don't count.
    case items(Int)
    /// So many bytes of items' contents.
    case bytes(Int)
  }
}

extension Page.Failure: CustomStringConvertible {
  /// A sentence for whoever looks for the reason.
  public var description: String {
    switch self {
    case .outdatedCursor: "the server does not take the cursor of the gap any more"
    case .otherEdge: "the server can be asked from neither edge of the gap"
    case .needsUser(let why): why
    }
  }
}
