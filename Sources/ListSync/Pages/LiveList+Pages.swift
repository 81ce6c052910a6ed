public import ListItems
public import ListModel
public import ListStore
public import Pages
import StoreFiles

public import BatchUpdates

extension LiveList {
  /// How a list loads pages.
  public struct Paging: Sendable {
    /// At which end of the list its newest items stand.
    public var newest: End
    /// The section that the pages of a list without sections go to.
    public var section: SectionID
    /// How long to wait, in seconds, before a page that has failed is asked for again: the lower bound after
    /// the first failure, then twice as long each time up to the upper bound, with up to a half more at random.
    public var retrying: ClosedRange<Double>
    /// How much the list keeps; `nil`: all that was loaded.
    ///
    /// Looked at when a page came. What is furthest from what is in sight and from where screens will be
    /// opened again becomes a gap: down to 7/8 of the limit, in one commit, which nobody undoes. It is loaded
    /// again when somebody comes there, with the cursors of the pages that it was: where the server gave
    /// none, nothing goes. Up to 200 items beside what is in sight stay, and with them what is selected and
    /// what edits of the outbox name; the list may be longer by that.
    public var limit: Page.Limit?
    /// For how many seconds a process that says nothing more is believed to load a page.
    package var lease = 5.0

    /// An end of a list.
    public enum End: Sendable {
      /// The newest item is the first one, as in an inbox.
      case start
      /// The newest item is the last one, as in a chat.
      case end
    }

    /// The given policy.
    public init(
      newest: End = .start, section: SectionID = "items", retrying: ClosedRange<Double> = 1...60,
      limit: Page.Limit? = nil
    ) {
      self.newest = newest
      self.section = section
      self.retrying = retrying.clamped(to: 0.001...3_600)
      self.limit = limit
    }
  }

  /// What is known of the pages that a gap waits for.
  public enum PageState: Sendable {
    /// Nobody loads one.
    case idle
    /// One is under way.
    case loading
    /// One has failed. It is asked for again after a pause while its gap is near what is visible, or by
    /// ``LiveList/retryPages()``.
    case failed(any Error)
    /// Nothing is asked for while the device is offline.
    case offline
  }
}

extension Repository {
  /// A list in this store that loads pages of a server as one scrolls.
  ///
  /// ```swift
  /// let inbox = repository.liveList("inbox", items: [Message.self], pages: MailLoader(account))
  /// ```
  ///
  /// What was loaded stays, also offline. What is missing in between is a ``/ListModel/Gap``; adapters ask
  /// for the pages of a gap as it comes near.
  ///
  /// - Parameters:
  ///   - list: The list's id.
  ///   - items: The types of its items.
  ///   - supplementaries: The types of its sections' headers, footers and other views.
  ///   - pages: Fetches the pages. All screens of this process that show the list share it; the first one
  ///     counts as long as one of them is there.
  ///   - paging: How pages are loaded.
  ///   - policy: As for a list without pages.
  /// - Returns: The list.
  public func liveList(
    _ list: ListID, items: [any ListItem.Type] = [],
    supplementaries: [any ListSupplementary.Type] = [], pages: any PageLoader,
    paging: LiveList.Paging = LiveList.Paging(),
    policy: UpdatePolicy = UpdatePolicy(hidesSections: true)
  ) -> LiveList {
    var live = liveList(list, items: items, supplementaries: supplementaries, policy: policy)
    live.pages = pageLoading.withValue { known in
      if let loading = known[list]?.object as? PageLoading { return loading }
      let loading = PageLoading(live, pages, paging)
      known = known.filter { $0.value.object != nil }
      known[list] = WeakReference(loading)
      return loading
    }
    return live
  }
}

extension LiveList {
  /// How many gaps the list has, at its newest revision; for a derived list, how many the list has that it is
  /// derived from: while there is one, it may lack items.
  ///
  /// - Throws: ``/ListModel/StoreError``.
  /// - Complexity: O(1).
  public func gapCount() throws(StoreError) -> Int { try repository.gapCount(of: edited.id) }

  /// The gaps of the list, in their order, at its newest revision; for a derived list, those of the list that it
  /// is derived from.
  ///
  /// - Throws: ``/ListModel/StoreError``.
  /// - Complexity: O(*g* log *n*), *g* gaps.
  public func gaps() throws(StoreError) -> [ItemID] { try repository.gaps(of: edited.id) }

  /// Loads the newest page, for a list that is shown first and for a pull to refresh; for a derived list, that of
  /// the list that it is derived from, as all that loads pages.
  ///
  /// If it meets what the store has, what differs is changed. If not, a gap is between: nothing that was
  /// loaded is thrown away.
  ///
  /// - Returns: How many items are new: those of the page that are newer than the oldest one of it that the list
  ///   had; 0 if another process has loaded the first page meanwhile.
  /// - Throws: What the loader throws, ``/Pages/Page/Failure``, or ``/ListModel/StoreError``.
  @discardableResult
  public func refresh() async throws -> Int {
    try await loading().load(.newest).newCount
  }

  /// Loads the page around an item that the list may not have, such as one that a link leads to.
  ///
  /// It goes into the gap that it belongs to: next to an item that the list has, or by its offset. If neither
  /// says where that is, the newest page is loaded first, since the item may be newer than the list; then the
  /// only gap is the one. Nothing happens if the list has the item.
  ///
  /// The page need not have the item: if the server does not know it any more, the list does not have it
  /// afterwards either. Ask the list before you scroll there.
  ///
  /// - Throws: What the loader throws, ``/Pages/Page/Failure``, or ``/ListModel/StoreError``; with
  ///   ``/Pages/Page/Failure/unknownPlace`` if nobody knows which gap the page is for.
  public func loadPage(around item: ItemID) async throws {
    if try repository.hasItem(item, in: edited.id) { return }
    _ = try await loading().load(.init(gap: nil, part: .around(item)))
  }

  /// Loads the page at a position of the server's list, such as one that a scrubber or a date leads to.
  ///
  /// It goes into the gap that it belongs to, and parts it. The server has to take positions.
  ///
  /// - Parameter position: From 0; 0 if it is negative.
  /// - Throws: What the loader throws, ``/Pages/Page/Failure``, or ``/ListModel/StoreError``; with
  ///   ``/Pages/Page/Failure/unknownPlace`` if no gap of the list knows its ``/ListModel/Gap/offset``.
  public func loadPage(at position: Int) async throws {
    _ = try await loading().load(.init(gap: nil, part: .from(max(0, position))))
  }

  /// Loads the page at an edge of a gap.
  ///
  /// - Parameters:
  ///   - gap: The gap; nothing happens if the list does not have it any more.
  ///   - isFromAbove: Whether the page begins at the gap's upper edge; else it ends at its lower one.
  /// - Throws: What the loader throws, ``/Pages/Page/Failure``, or ``/ListModel/StoreError``.
  public func loadPage(of gap: ItemID, fromAbove isFromAbove: Bool = true) async throws {
    _ = try await loading().load(.init(gap: gap, part: isFromAbove ? .after : .before))
  }

  /// Asks again for the pages that have failed, of the gaps that are near what screens show.
  public func retryPages() { edited.pages?.retry() }

  /// Whether the device is offline: then no page is asked for.
  ///
  /// Those that screens need are asked for when it is online again.
  /// Set it as the system tells; it counts for all screens of this process that show the list.
  public var isOffline: Bool {
    get { edited.pages?.isOffline ?? false }
    nonmutating set { edited.pages?.isOffline = newValue }
  }

  /// What is known of the pages of a gap; `nil`: of the newest page.
  public func pageState(of gap: ItemID?) -> LiveList.PageState {
    edited.pages?.state(of: gap) ?? .idle
  }

  /// Signals that a page began to load, came or failed.
  ///
  /// - Returns: A stream that ends with its reader's task.
  public func pageStates() -> AsyncStream<Void> {
    edited.pages?.changes() ?? AsyncStream { $0.finish() }
  }

  private func loading() throws(StoreError) -> PageLoading {
    let list = edited
    guard let pages = list.pages else {
      throw StoreError(
        .invalidValue,
        "list \"\(list.id)\" was made without a page loader: give one where the list is made")
    }
    return pages
  }
}
