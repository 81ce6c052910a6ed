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
  /// A page that was asked for from below needs it, one around a place, and the newest one of a list whose newest
  /// items stand at the end: without it, what such a list has of older items is deleted.
  public var before: String?
  /// The cursor that asks for what stands after the last item; `nil` if nothing does.
  ///
  /// A page that was asked for from above needs it, one around a place, and the newest one of a list whose newest
  /// items come first.
  public var after: String?
  /// The position of the first item in the server's list, from 0, if the server tells.
  ///
  /// A page for the lower edge of a gap that ends above it, by this and the ``total``, leaves a gap between.
  public var offset: Int?
  /// How many items the server's list has, if the server tells.
  public var total: Int?
  /// The `seq` of the last line of the list's feed of which the page knows.
  ///
  /// A page that knows less than the store is asked for again: it might bring back what was deleted. One that
  /// knows more is shown, and put into the list again with each line until the feed has told what it knows.
  /// Without it, what has changed while the page was on its way stays as it is in the store.
  public var sequence: Int?
  /// Whether the page goes on to the item on the other side of the place that it was asked for, which the
  /// request named: nothing is missing between the two, so no gap is, and no cursor is needed there.
  ///
  /// For the newest page that is the newest item which the list has: a server that is asked for all that is
  /// newer, and has answered with all of it, meets it. For a page at an edge of a gap it is the item at the other
  /// edge. A page with an item that the list has there meets it anyway.
  public var meetsOtherSide = false

  /// A page of stored items.
  public init(
    items: [Item], before: String? = nil, after: String? = nil, offset: Int? = nil,
    total: Int? = nil, sequence: Int? = nil, meetsOtherSide: Bool = false
  ) {
    self.items = items
    self.before = before
    self.after = after
    self.offset = offset
    self.total = total
    self.sequence = sequence
    self.meetsOtherSide = meetsOtherSide
  }

  /// A page of values.
  ///
  /// - Throws: ``/ListModel/FormatError`` for an empty or too long id, or what encoding throws.
  public init(
    _ values: [some ListItem], before: String? = nil, after: String? = nil, offset: Int? = nil,
    total: Int? = nil, sequence: Int? = nil, meetsOtherSide: Bool = false
  ) throws {
    self.init(
      items: try values.map { try Item($0) }, before: before, after: after, offset: offset,
      total: total, sequence: sequence, meetsOtherSide: meetsOtherSide)
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
  ///
  /// For the newest page of a list whose newest items stand at the end, the newest one that the store has.
  public let above: ItemID?
  /// The item right below that place, if the store has it; one farther below, as there.
  ///
  /// For the newest page of a list whose newest items come first, the newest one that the store has.
  public let below: ItemID?

  /// Which items of a server's list are asked for.
  public enum Part: Hashable, Sendable {
    /// The newest ones: when a list is shown that has had no page, and to refresh it.
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
///     switch request.part {
///     case .newest: break
///     case .after: if request.cursor == nil { throw Page.Failure.outdatedCursor }
///     case .before: throw Page.Failure.otherEdge
///     case .around, .from: throw Page.Failure.unsupported
///     }
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
  /// Why a page can't be had.
  ///
  /// A ``PageLoader`` throws the first four to say more than that it has failed; the others come from the list
  /// itself.
  public enum Failure: Error, Equatable, Sendable {
    /// The server does not take the cursor any more, or can't be asked without one.
    ///
    /// The page is asked for once more without it: by the neighbours of the gap, which keeps its cursors.
    case outdatedCursor
    /// The server can't be asked from this edge of the gap, such as one whose cursors lead one way: the page
    /// is asked for from the other edge.
    case otherEdge
    /// The server can't be asked for this part of its list: around an item, or from a position. Nothing else is
    /// loaded instead, since it would stand in the wrong place.
    case unsupported
    /// The user has to do something first, such as to log in again. It is not asked for again until
    /// somebody says so.
    case needsUser(String)
    /// The device is offline, as the app has told the list: nothing is asked for until it is online again.
    case offline
    /// The page has no item and no cursor that the gap did not have: it would be asked for without an end.
    case nothingNew
    /// Pages know less than the store, again and again: the server that has answered is behind its feed.
    case outdatedPage
    /// The page around an item could be in several gaps of the list, or in none: let it have an item next to one
    /// that the list has, or its offset.
    case unknownPlace
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
  /// A sentence for whoever looks for the reason, and what can be done.
  public var description: String {
    switch self {
    case .outdatedCursor:
      "the server takes neither the cursor of the gap nor the items around it: refresh the list, which brings "
        + "new cursors"
    case .otherEdge:
      "the server can be asked from neither edge of the gap: have the loader answer one of them"
    case .unsupported:
      "the server can't be asked for this part of the list: scroll there, or load the pages in between"
    case .needsUser(let why): why
    case .offline: "the device is offline"
    case .nothingNew:
      "the page has no item and no cursor that the gap did not have: have the server send another cursor with "
        + "each page"
    case .outdatedPage:
      "the pages know less than the feed has told already: try again when the server has caught up with its feed"
    case .unknownPlace:
      "the page could be in several gaps of the list, or in none: let it have an item next to one that the "
        + "list has, or its offset"
    }
  }
}
