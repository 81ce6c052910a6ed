public import BatchUpdates
public import ListModel
public import ListStore
public import Providers

extension StoreStanding {
  init(_ standing: Repository.Standing) {
    self.init(
      storeID: standing.position?.storeID ?? [], head: standing.head, floor: standing.floor,
      beganAnew: standing.beganAnew, chain: standing.chain, changes: standing.changes)
  }
}

extension Repository {
  /// Replays the log into a Provider, from its revision to a later one.
  ///
  /// - Parameters:
  ///   - provider: A list at the revision that a view shows.
  ///   - revision: Where to stop; `nil` for the head. One before the Provider's leaves it as it is.
  ///   - policy: When a batch update is not worth it, and what else it draws again.
  /// - Returns: One batch update over all commits in between, with mode `none` if there are none.
  ///   Where the log does not lead on from the Provider (the store was replaced by another, or by an
  ///   older copy of itself), and on the way to the head also where more changed than the policy's
  ///   budget, the Provider is read anew and the mode is `reload`; so it is, with an empty list, where
  ///   the list was deleted.
  /// - Throws: `StoreError`, with ``/ListModel/StoreError/Code/newerStore`` if another process has migrated the
  ///   store to a schema that this library does not know; the Provider is then as it was.
  /// - Complexity: O(*k* log *n*), *k* changes in between, *n* items in the list; O(*n*) for a
  ///   Provider that is read anew.
  @discardableResult
  public func advance(
    _ provider: inout Provider, to revision: Int? = nil, policy: UpdatePolicy = UpdatePolicy()
  ) throws(StoreError) -> BatchUpdate {
    do throws(StoreError) {
      if let revision {
        return try step(&provider, to: revision, policy: policy)
      }
      return try advance(&provider, in: pin(), budget: policy.budget, policy: policy)
    } catch {
      if error.code == .newerStore { note(ReloadReason.newerSchema.name) }
      // Before its first commit a list was never there.
      guard error.code == .listNotFound, provider.revision > 0 else { throw error }
      note(ReloadReason.listDeleted.name)
      let from = provider.revision
      provider = Provider(ListTree(list: provider.list))
      return BatchUpdate(
        list: provider.list, from: from, to: 0,
        mode: .reload(why: .listDeleted))
    }
  }

  /// How a reader that stands at a token gets to the list's head.
  ///
  /// One read transaction; nothing is replayed. ``Resync/batch``: `commits(of:after:)` has what
  /// happened.
  ///
  /// - Parameters:
  ///   - token: Where the reader stands; `nil`: nowhere.
  ///   - list: The list.
  ///   - hasList: Whether the reader has the list that it stands at, to compare with.
  ///   - budget: The most changes to replay, of a list as long as it is now.
  /// - Returns: What it takes, and the token of the head. If another process has migrated the store to
  ///   a schema that this library does not know, the reason is ``/BatchUpdates/ReloadReason/newerSchema`` and the
  ///   head is `nil`: the list can be read again only by the newer library.
  /// - Throws: `StoreError` with ``/ListModel/StoreError/Code/listNotFound``.
  public func resync(
    _ token: Token?, of list: ListID, hasList: Bool = false, budget: ReloadBudget = .standard
  ) throws(StoreError) -> (resync: Resync, head: Token?) {
    let source: any StoredSource
    do throws(StoreError) {
      source = try pin()
    } catch {
      guard error.code == .newerStore else { throw error }
      return (Resync(from: token, to: .newer, hasList: hasList, budget: 0), nil)
    }
    let limit = budget.limit(for: try itemCount(of: list, in: source))
    let standing = try standing(
      of: list, forReaderAt: token?.revision ?? 0, countingTo: limit < .max ? limit + 1 : limit,
      in: source)
    let head = standing.position.map {
      Token(storeID: $0.storeID, revision: standing.head, chain: $0.chain)
    }
    return (
      Resync(from: token, to: StoreStanding(standing), hasList: hasList, budget: limit), head
    )
  }

  /// Brings a Provider to where a pinned store stands.
  private func advance(
    _ provider: inout Provider, in source: any StoredSource, budget: ReloadBudget,
    policy: UpdatePolicy
  ) throws(StoreError) -> BatchUpdate {
    let limit = budget.limit(for: provider.numberOfItems)
    let standing = try standing(
      of: provider.list, forReaderAt: provider.revision,
      countingTo: limit < .max ? limit + 1 : limit, in: source)
    let store = StoreStanding(standing)
    // A list that was not read from this store is taken for what its revision says.
    let token =
      provider.token
      ?? Token(
        storeID: store.storeID, revision: provider.revision, chain: store.chain ?? 0)
    switch Resync(
      from: token, to: store, hasList: provider.numberOfItems <= Self.maximumComparedItems,
      budget: limit)
    {
    case .nothing:
      return BatchUpdate(
        list: provider.list, from: provider.revision, to: provider.revision, mode: .none,
        hidesSections: policy.hidesSections)
    case .batch:
      let log =
        try commits(
          of: provider.list, after: provider.revision, ofAtMost: limit, in: source) ?? []
      let wasBeforeFirstCommit = provider.revision == 0 && !provider.readsFromStore
      let batch: BatchUpdate
      do throws(ChangeError) {
        batch = try provider.apply(log, policy: policy, from: source)
      } catch {
        return try reload(&provider, in: source, why: .logMismatch(error.description), policy)
      }
      // What was shown before the store had the list comes from no store; from here on it does, and keeps
      // its sizes there.
      if wasBeforeFirstCommit { provider = try self.provider(for: provider.list, in: source) }
      return batch
    case .difference(let reason):
      return try compare(&provider, in: source, why: reason, policy)
    case .reload(let reason): return try reload(&provider, in: source, why: reason, policy)
    }
  }

  /// The longest list that is compared where the log does not lead on.
  ///
  /// Longer ones are reloaded: to read both takes longer than anybody wants to wait.
  private static var maximumComparedItems: Int { 2_000 }

  /// Brings a Provider to a pinned store's list by comparing the two.
  private func compare(
    _ provider: inout Provider, in source: any StoredSource, why: ReloadReason,
    _ policy: UpdatePolicy
  ) throws(StoreError) -> BatchUpdate {
    let old = provider.tree
    let new = try self.provider(for: provider.list, in: source)
    // What can't be read any more can't be compared either.
    guard old.itemCounts.reduce(0, +) == provider.numberOfItems else {
      return try reload(&provider, in: source, why: why, policy)
    }
    note(why.name)
    provider = new
    return BatchUpdate(from: old, to: new.tree, hidesSections: policy.hidesSections)
  }

  /// Brings a Provider to a revision that may be before the head, of which no row tells any more: the
  /// whole list is in memory then.
  private func step(
    _ provider: inout Provider, to revision: Int, policy: UpdatePolicy
  ) throws(StoreError) -> BatchUpdate {
    let limit = max(0, revision - provider.revision)
    if limit == 0 {
      return BatchUpdate(
        list: provider.list, from: provider.revision, to: provider.revision, mode: .none,
        hidesSections: policy.hidesSections)
    }
    let log: [Commit]
    do throws(StoreError) {
      log = try commits(of: provider.list, after: provider.revision, limit: limit)
    } catch {
      guard error.code == .revisionNotFound else { throw error }
      return try reload(&provider, in: pin(), why: .tooFarBehind, policy)
    }
    do throws(ChangeError) {
      return try provider.apply(log, policy: policy)
    } catch {
      return try reload(&provider, in: pin(), why: .logMismatch(error.description), policy)
    }
  }

  /// Replays commits that were made before, if they lead on from the Provider one by one and nobody
  /// committed others meanwhile; else the log, which has the others' commits between them.
  package func advance(
    _ provider: inout Provider, with commits: [Commit], policy: UpdatePolicy = UpdatePolicy()
  ) throws(StoreError) -> BatchUpdate {
    let source = try pin()
    let isNext = commits.indices.allSatisfy {
      commits[$0].revision == provider.revision + 1 + $0
    }
    let head = try revision(of: provider.list, in: source)
    // A list in memory goes anywhere; one in the store where the store is.
    guard isNext, !provider.readsFromStore || commits.last?.revision == head else {
      return try advance(&provider, in: source, budget: .unlimited, policy: policy)
    }
    do throws(ChangeError) {
      return try provider.apply(commits, policy: policy, from: source)
    } catch {
      return try reload(&provider, in: source, why: .logMismatch(error.description), policy)
    }
  }

  private func reload(
    _ provider: inout Provider, in source: any StoredSource, why: ReloadReason,
    _ policy: UpdatePolicy
  ) throws(StoreError) -> BatchUpdate {
    note(why.name)
    let from = provider.revision
    provider = try self.provider(for: provider.list, in: source)
    return BatchUpdate(
      list: provider.list, from: from, to: provider.revision, mode: .reload(why: why),
      hidesSections: policy.hidesSections)
  }

  /// Rebuilds a list, or gives the empty one that it is before its first commit.
  package func providerIfPresent(for list: ListID) throws(StoreError) -> Provider {
    do throws(StoreError) {
      return try provider(for: list)
    } catch {
      guard error.code == .listNotFound else { throw error }
      return Provider(ListTree(list: list))
    }
  }
}
