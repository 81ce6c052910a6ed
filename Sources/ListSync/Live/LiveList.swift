public import BatchUpdates
public import ListItems
public import ListModel
public import ListStore
public import Providers

/// A list in a store, as a screen uses it: to show it, to edit it, and to follow its changes.
///
/// ```swift
/// let shelf = repository.liveList("shelf", items: [Book.self])
/// try shelf.edit { list in
///   try list.insertSectionIfMissing("books")
///   try list.insert(Book(id: "emma", title: "Emma"), in: "books")
/// }
/// for try await update in shelf.updates() { show(update.batch, update.provider) }
/// ```
///
/// Each screen that shows the list has a Provider of its own and advances it when it is ready. All
/// commits made in between are one update.
public struct LiveList: Sendable {
  /// The store that has the list.
  public let repository: Repository
  /// The list's id.
  public let id: ListID
  /// The item that owns the list; `nil` unless the list is a nested one.
  public let owner: ListOwner?
  /// The types of its items.
  public let types: ItemTypes
  /// The types of its sections' headers, footers and other views.
  public let supplementaryTypes: SupplementaryTypes
  /// The limits beyond which the list is reloaded, which items are drawn again, and whether hidden
  /// sections are left out.
  public var policy: UpdatePolicy
  /// Who makes the commits of this value, where a call names nobody else.
  ///
  /// It is also whose edits ``undo(by:pending:)-2pxgn`` takes back. So code that keeps the list up to date,
  /// and does what no user did, has a value of its own: ``authored(by:)``.
  public var author = Author.app
  /// Whether edits of this value wait for the answer of a server: each is in the list at once, and in
  /// its outbox, as by ``editPending(by:_:)-71zwe``.
  ///
  /// It concerns ``edit(by:_:)-9d1o0``, ``replace(by:_:)-847kp``, ``undo(by:pending:)-2pxgn`` and
  /// ``redo(by:pending:)-vij7``, and what the user does in a view: a swipe, a drop.
  public var sendsEdits = false
  /// The list that edits of the items go to, and the item that owns it; `nil`: this one.
  private var root: Root?
  /// What loads its pages; `nil` for a list that is whole.
  package internal(set) var pages: PageLoading?
  /// Makes an item of a derived list one of the section that a user dropped it into.
  package var onMove: (@Sendable (ItemID, SectionID) throws -> Void)?

  /// What a passing list shows of the list of this id; `nil` for others.
  private(set) var query: PassingQuery?
  /// Whether this process has closures for it, or for a list that it is derived from.
  private(set) var isComputed = false

  private struct Root {
    var id: ListID
    var owner: ListOwner?
    var supplementaryTypes: SupplementaryTypes
    var types: ItemTypes
    var pages: PageLoading?
  }

  init(
    repository: Repository, id: ListID, owner: ListOwner? = nil, types: ItemTypes,
    supplementaryTypes: SupplementaryTypes,
    policy: UpdatePolicy
  ) {
    self.repository = repository
    self.id = id
    self.owner = owner
    self.types = types
    self.supplementaryTypes = supplementaryTypes
    self.policy = policy
  }

  /// The revisions that are committed from now on, and a signal of a passing list that shows something
  /// else.
  ///
  /// While somebody listens to a list with closures, it is brought up to date after commits of processes
  /// that don't have them.
  package func signals() -> AsyncStream<Int> {
    let revisions = repository.revisions(of: id)
    if let query { return query.signals(with: revisions) }
    guard isComputed else { return revisions }
    return revisions.following(repository.revisions(of: edited.id)) { [weak repository] in
      repository?.maintenance.add("bring derived lists up to date") { [weak repository] in
        try repository?.catchUpDerivedLists()
      }
    }
  }

  /// The list at its newest revision; an empty list before its first commit.
  ///
  /// - Throws: ``/ListModel/StoreError``; with ``/ListModel/StoreError/Code/invalidValue`` if two of
  ///   its types have one name in stores.
  public func provider() throws(StoreError) -> Provider {
    try target(by: nil).requireDistinctTypes()
    if let query {
      let ((definition, closures), number) = query.current
      return try repository.provider(
        for: definition, closures, number: number, knowing: query.order)
    }
    return try repository.providerIfPresent(for: id)
  }

  /// The list that edits of the items go to: of a derived list, the one that it is derived from.
  package var edited: LiveList {
    guard let root else { return self }
    var list = LiveList(
      repository: repository, id: root.id, owner: root.owner, types: root.types,
      supplementaryTypes: root.supplementaryTypes, policy: policy)
    (list.author, list.sendsEdits, list.pages) = (author, sendsEdits, root.pages)
    return list
  }

  /// A list that is derived from this one, as screens read it.
  func derivedList(
    _ list: ListID, types: ItemTypes, supplementaryTypes: SupplementaryTypes,
    isComputed: Bool = false
  ) -> LiveList {
    var derived = LiveList(
      repository: repository, id: list, types: types, supplementaryTypes: supplementaryTypes,
      policy: policy)
    (derived.author, derived.sendsEdits) = (author, sendsEdits)
    derived.isComputed = isComputed || self.isComputed
    derived.root =
      root
      ?? Root(
        id: id, owner: owner, supplementaryTypes: self.supplementaryTypes, types: self.types,
        pages: pages)
    return derived
  }

  /// A list in memory that shows something of this one.
  func passing(
    _ query: PassingQuery, types: ItemTypes, supplementaryTypes: SupplementaryTypes
  ) -> LiveList {
    var list = derivedList(id, types: types, supplementaryTypes: supplementaryTypes)
    list.query = query
    return list
  }

  /// The policy, in which items that are stored under an earlier name of their type depend on their
  /// neighbours as the others do.
  private var policyWithAliases: UpdatePolicy {
    var policy = policy
    for (name, dependency) in policy.neighbours.types {
      for alias in types.type(named: name)?.aliases ?? [] {
        policy.neighbours.types[alias] = policy.neighbours.types[alias] ?? dependency
      }
    }
    return policy
  }

  /// The app's own data about the list, at its newest revision; `nil` if it has none.
  ///
  /// A screen that shows an earlier revision reads `Provider.meta`. Set it by
  /// ``/ListStore/ListEditor/setMeta(_:)``.
  ///
  /// - Throws: ``/ListModel/StoreError``.
  /// - Complexity: O(1).
  public func meta() throws(StoreError) -> JSON? { try repository.meta(of: id) }

  /// Brings a Provider to a later revision of the list, by replaying the log.
  ///
  /// - Parameters:
  ///   - provider: The list at the revision that a view shows.
  ///   - revision: The revision to stop at; `nil` for the newest. An earlier one than the
  ///     Provider's changes nothing.
  /// - Returns: One batch update over all commits in between, with mode `none` if there are none.
  ///   From a Provider of another list it is what differs: see `ListAdapter.show`.
  ///   The mode is `reload`, and the Provider is read anew, if the log does not lead on from the
  ///   Provider's revision, for instance because the store was replaced; if more has changed than
  ///   the policy's budget and `revision` is `nil`; and, with an empty list, if the list was
  ///   deleted.
  /// - Throws: ``/ListModel/StoreError``, with ``/ListModel/StoreError/Code/newerStore`` if another
  ///   process has migrated the store to a schema that this library does not know; the Provider is
  ///   then as it was.
  /// - Complexity: O(*k* log *n*), *k* changes in between, *n* items in the list; O(*n*) for a
  ///   Provider that is read anew.
  @discardableResult
  public func advance(
    _ provider: inout Provider, to revision: Int? = nil
  ) throws(StoreError) -> BatchUpdate {
    if query != nil || provider.selection != nil || provider.list != id {
      return try replace(&provider)
    }
    try target(by: nil).requireDistinctTypes()
    do throws(StoreError) {
      let old = provider
      let found = try repository.advance(&provider, to: revision, policy: policyWithAliases)
      // A long derived list that was defined anew has a log from there on; what is shown is still there.
      if root != nil, case .reload(why: .tooFarBehind) = found.mode {
        return update(from: old, to: provider)
      }
      return found
    } catch {
      // Before the first commit there is no revision to advance to.
      guard error.code == .listNotFound, provider.revision == 0 else { throw error }
      return BatchUpdate(list: id, from: 0, to: 0, mode: .none, hidesSections: policy.hidesSections)
    }
  }

  /// One change of a list that is followed.
  public struct Update: Sendable {
    /// The batch update for a view that shows the list before the change.
    public let batch: BatchUpdate
    /// The list after the change.
    public let provider: Provider
  }

  /// The changes of the list, as they are committed: by this Repository, by feeds and by other
  /// processes.
  ///
  /// The list is read when the reader asks for the next update, so all commits made since the last
  /// one come as one, however slow the reader is. A commit that changes nothing makes no update. The
  /// stream has one reader; it keeps the Repository open until its reader stops. If the store can't be
  /// read, for instance because another file has taken its place, it ends with an error.
  /// `Repository.Options.otherProcesses` says how soon commits of other processes are observed.
  ///
  /// - Parameter provider: The list as it is shown now; `nil` for the newest revision at the time
  ///   of the call.
  /// - Returns: A stream of updates without an end.
  public func updates(
    after provider: Provider? = nil
  ) -> AsyncThrowingStream<Update, any Error> {
    // Listen first, so that no commit from here on is missed.
    let revisions = signals()
    let reader = UpdateReader(
      list: self, revisions: revisions, shown: Result { try provider ?? self.provider() })
    return AsyncThrowingStream { try await reader.next() }
  }

  /// Reads the updates of a list, one when its reader asks for one.
  private actor UpdateReader {
    private let list: LiveList
    private let revisions: AsyncStream<Int>
    private var shown: Result<Provider, any Error>
    private var hasRead = false

    init(list: LiveList, revisions: AsyncStream<Int>, shown: Result<Provider, any Error>) {
      self.list = list
      self.revisions = revisions
      self.shown = shown
    }

    /// The next update; `nil` when the Repository was closed or the reader's task cancelled.
    func next() async throws -> Update? {
      // At first, the commits between the Provider's revision and the beginning of the stream.
      if !hasRead, let update = try read() { return update }
      for await _ in revisions {
        if let update = try read() { return update }
      }
      return nil
    }

    /// All that was committed since the last update; `nil` if nothing was.
    private func read() throws -> Update? {
      hasRead = true
      var provider = try shown.get()
      let batch: BatchUpdate
      do throws(StoreError) { batch = try list.advance(&provider) } catch {
        // The stream ends with the Repository.
        if error.code == .closed { return nil }
        throw error
      }
      shown = .success(provider)
      if case .none = batch.mode, batch.from == batch.to { return nil }
      return Update(batch: batch, provider: provider)
    }
  }
}

extension AsyncStream<Int> {
  /// The same numbers; while somebody listens, a closure is called for each number of another stream.
  func following(
    _ other: AsyncStream<Int>, _ body: @escaping @Sendable () -> Void
  ) -> AsyncStream<Int> {
    let (numbers, continuation) = AsyncStream.makeStream(
      of: Int.self, bufferingPolicy: .bufferingNewest(1))
    let forwarding = Task {
      for await number in self { continuation.yield(number) }
      continuation.finish()
    }
    let following = Task { for await _ in other { body() } }
    continuation.onTermination = { _ in
      forwarding.cancel()
      following.cancel()
    }
    return numbers
  }
}

extension Repository {
  /// A list in this store, for a screen.
  ///
  /// Nothing is read yet. A list that the store does not have is empty until its first edit.
  ///
  /// - Parameters:
  ///   - list: The list's id.
  ///   - items: The types of its items.
  ///   - supplementaries: The types of its sections' headers, footers and other views.
  ///   - policy: The limits beyond which the list is reloaded, which items are drawn again, and
  ///     whether hidden sections are left out. By default they are; `Provider.shown` then has the
  ///     indexes that a view uses.
  /// - Returns: The list.
  public func liveList(
    _ list: ListID, items: [any ListItem.Type] = [],
    supplementaries: [any ListSupplementary.Type] = [],
    policy: UpdatePolicy = UpdatePolicy(hidesSections: true)
  ) -> LiveList {
    liveList(
      list, types: ItemTypes(items), supplementaryTypes: SupplementaryTypes(supplementaries),
      policy: policy)
  }

  /// A list in this store, for a screen, with item types that also have earlier names.
  ///
  /// - Parameters:
  ///   - list: The list's id.
  ///   - types: The types of its items.
  ///   - supplementaryTypes: The types of its sections' headers, footers and other views.
  ///   - policy: The limits beyond which the list is reloaded, which items are drawn again, and
  ///     whether hidden sections are left out. By default they are; `Provider.shown` then has the
  ///     indexes that a view uses.
  /// - Returns: The list.
  public func liveList(
    _ list: ListID, types: ItemTypes, supplementaryTypes: SupplementaryTypes = .init(),
    policy: UpdatePolicy = UpdatePolicy(hidesSections: true)
  ) -> LiveList {
    LiveList(
      repository: self, id: list, types: types, supplementaryTypes: supplementaryTypes,
      policy: policy)
  }
}
