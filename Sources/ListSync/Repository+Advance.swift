package import BatchUpdates
package import ListModel
package import ListStore
import ListTables
package import Providers

extension Repository {
  /// Replays the log into a Provider, from its revision to a later one; `nil` is the newest.
  ///
  /// - Returns: One batch update over all commits in between, with mode `none` if there are none.
  ///   If the log does not lead on, the Provider is read anew, and the mode is `reload`.
  /// - Complexity: O(*k* log *n*), *k* changes in between, *n* items in the list; O(*n*) for a
  ///   Provider that is read anew.
  @discardableResult
  package func advance(
    _ provider: inout Provider, to revision: Int? = nil, policy: UpdatePolicy = UpdatePolicy()
  ) throws(StoreError) -> BatchUpdate {
    do throws(StoreError) {
      if let revision {
        return try step(&provider, to: revision, policy: policy)
      }
      return try advance(&provider, in: pin(), budget: policy.budget, policy: policy)
    } catch {
      if error.code == .newerStore { note(ReloadReason.newerSchema.name) }
      // A list that the Provider never saw a commit of was not deleted.
      guard error.code == .listNotFound, provider.revision > 0 else { throw error }
      note(ReloadReason.listDeleted.name)
      let from = provider.revision
      provider = Provider(ListTree(list: provider.list))
      return BatchUpdate(
        list: provider.list, from: from, to: 0,
        mode: .reload(why: .listDeleted))
    }
  }

  /// Says how a reader with a token gets to the newest revision of a list; nothing is replayed.
  ///
  /// - Parameters:
  ///   - token: The reader's position; `nil` if it has none.
  ///   - list: The list.
  ///   - hasList: Whether the reader still has the list at its revision, to compare with.
  ///   - budget: The most changes to replay, by the length that the list has now.
  /// - Returns: The way, and the token of the newest revision; none if another process has migrated
  ///   the store to a schema that this library does not know.
  /// - Throws: `StoreError` with ``/ListModel/StoreError/Code/listNotFound``.
  package func resync(
    _ token: Token?, of list: ListID, hasList: Bool = false, budget: ReloadBudget = .standard
  ) throws(StoreError) -> (resync: Resync, head: Token?) {
    let snapshot: Snapshot
    do throws(StoreError) {
      snapshot = try pin()
    } catch {
      guard error.code == .newerStore else { throw error }
      return (Resync(from: token, to: nil, hasList: hasList, budget: 0), nil)
    }
    let limit = budget.limit(for: try itemCount(of: list, in: snapshot))
    let log = try logReach(
      of: list, forReaderAt: token?.revision ?? 0, knowing: token?.chain, in: snapshot)
    let head = Token(storeID: log.storeID, revision: log.head, chain: log.headChain)
    return (Resync(from: token, to: log, hasList: hasList, budget: limit), head)
  }

  /// Brings a Provider to the revision of a pinned store.
  private func advance(
    _ provider: inout Provider, in snapshot: Snapshot, budget: ReloadBudget,
    policy: UpdatePolicy
  ) throws(StoreError) -> BatchUpdate {
    let limit = budget.limit(for: provider.numberOfItems)
    let reach = try logReach(
      of: provider.list, forReaderAt: provider.revision, knowing: provider.position?.chain,
      in: snapshot)
    // A list that was not read from this store is trusted to be at the revision that it names.
    let token =
      provider.token
      ?? Token(storeID: reach.storeID, revision: provider.revision, chain: reach.chain ?? 0)
    switch Resync(
      from: token, to: reach, hasList: provider.numberOfItems <= Self.maximumComparedItems,
      budget: limit)
    {
    case .nothing:
      return BatchUpdate(
        list: provider.list, from: provider.revision, to: provider.revision, mode: .none,
        hidesSections: policy.hidesSections)
    case .batch:
      let log =
        try commits(
          of: provider.list, after: provider.revision, ofAtMost: limit, in: snapshot) ?? []
      let wasBeforeFirstCommit = provider.revision == 0 && !provider.readsFromStore
      let update = try apply(log, to: &provider, policy, in: snapshot)
      // Before the store had the list, the Provider was in memory. From here on it reads from the
      // store and keeps its sizes there.
      if wasBeforeFirstCommit { provider = try self.provider(for: provider.list, in: snapshot) }
      return update
    case .difference(let reason):
      return try compare(&provider, in: snapshot, why: reason, policy)
    case .reload(let reason): return try reload(&provider, in: snapshot, why: reason, policy)
    }
  }

  /// The longest list, in items, that is compared when the log does not lead on.
  ///
  /// Longer lists are reloaded, because reading both lists takes too long.
  private static var maximumComparedItems: Int { 2_000 }

  /// Brings a Provider to a pinned store's list by comparing the two.
  private func compare(
    _ provider: inout Provider, in snapshot: Snapshot, why: ReloadReason,
    _ policy: UpdatePolicy
  ) throws(StoreError) -> BatchUpdate {
    guard let old = provider.wholeTree else {
      return try reload(&provider, in: snapshot, why: why, policy)
    }
    note(why.name)
    provider = try self.provider(for: provider.list, in: snapshot)
    return BatchUpdate(from: old, to: provider.tree, hidesSections: policy.hidesSections)
  }

  /// Brings a Provider to a revision that may be before the newest.
  ///
  /// The store's rows are those of the newest revision, so the whole list is read into memory.
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
    return try apply(log, to: &provider, policy)
  }

  /// Replays commits that the caller has, or else the log.
  ///
  /// The log is needed if the commits do not follow the Provider's revision one by one, or if
  /// somebody else has committed meanwhile.
  package func advance(
    _ provider: inout Provider, with commits: [Commit], policy: UpdatePolicy = UpdatePolicy()
  ) throws(StoreError) -> BatchUpdate {
    let snapshot = try pin()
    let isNext = commits.indices.allSatisfy {
      commits[$0].revision == provider.revision + 1 + $0
    }
    let head = try revision(of: provider.list, in: snapshot)
    // A list in memory can go to any revision; a list that is read from the store only to the
    // store's.
    guard isNext, !provider.readsFromStore || commits.last?.revision == head else {
      return try advance(&provider, in: snapshot, budget: .unlimited, policy: policy)
    }
    return try apply(commits, to: &provider, policy, in: snapshot)
  }

  /// Applies commits to a Provider; if they don't fit, it is read anew.
  ///
  /// Of a derived list a section is the same where its id is the same, also one that went and came back in
  /// between. A log says of such a section that it is another one, so then the lists are compared, if that
  /// does not take too long.
  ///
  /// `snapshot`: The store at the last commit; `nil`: the store may be at a later one.
  ///
  /// - Complexity: O(*k* log *n*), *k* changes, *n* items; O(*n* log *n*) if a section came back.
  private func apply(
    _ commits: [Commit], to provider: inout Provider, _ policy: UpdatePolicy,
    in snapshot: Snapshot? = nil
  ) throws(StoreError) -> BatchUpdate {
    let isShort = !provider.readsFromStore || provider.numberOfItems <= Self.maximumComparedItems
    let isCompared =
      isShort && commits.haveReturnedSections ? try isDerived(provider.list) : false
    let before = isCompared ? provider.wholeTree : nil
    let update: BatchUpdate
    do throws(ChangeError) {
      if let snapshot {
        update = try provider.apply(
          commits, policy: policy, thenReading: items(of: provider, in: snapshot))
      } else {
        update = try provider.apply(commits, policy: policy)
      }
    } catch {
      let newest = if let snapshot { snapshot } else { try pin() }
      return try reload(&provider, in: newest, why: .logMismatch(error.description), policy)
    }
    guard let before, case .batch = update.mode else { return update }
    return BatchUpdate(
      from: before, to: provider.tree, touched: commits.touchedItems, neighbours: policy.neighbours,
      hidesSections: policy.hidesSections)
  }

  private func isDerived(_ list: ListID) throws(StoreError) -> Bool {
    try derivedLists().contains { $0.list == list }
  }

  private func reload(
    _ provider: inout Provider, in snapshot: Snapshot, why: ReloadReason,
    _ policy: UpdatePolicy
  ) throws(StoreError) -> BatchUpdate {
    note(why.name)
    let from = provider.revision
    provider = try self.provider(for: provider.list, in: snapshot)
    return BatchUpdate(
      list: provider.list, from: from, to: provider.revision, mode: .reload(why: why),
      hidesSections: policy.hidesSections)
  }

  /// Opens a list at its newest revision; an empty list if the store does not have it yet.
  package func providerIfPresent(for list: ListID) throws(StoreError) -> Provider {
    do throws(StoreError) {
      return try provider(for: list)
    } catch {
      guard error.code == .listNotFound else { throw error }
      return Provider(ListTree(list: list))
    }
  }
}

extension Provider {
  /// The list in memory; `nil` if some items can't be read any more.
  fileprivate var wholeTree: ListTree? {
    let tree = tree
    return tree.itemCounts.reduce(0, +) == numberOfItems ? tree : nil
  }
}

extension [Commit] {
  /// Whether a section is inserted under the id of one that was deleted.
  fileprivate var haveReturnedSections: Bool {
    var deleted: Set<SectionID> = []
    for entry in lazy.flatMap(\.entries) {
      switch entry {
      case .deleteSection(let section, _): deleted.insert(section.id)
      case .insertSection(let id, _, _): if deleted.contains(id) { return true }
      default: break
      }
    }
    return false
  }

  /// The items that are to be drawn again, whatever they contain.
  fileprivate var touchedItems: Set<ItemID> {
    Set(
      lazy.flatMap(\.entries).compactMap { entry in
        if case .touchItem(let id, _) = entry { id } else { nil }
      })
  }
}
