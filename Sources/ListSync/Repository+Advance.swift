public import BatchUpdates
package import ListModel
public import ListStore
public import Providers
public import StoreSchema

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
  ///   budget, the Provider is read anew and the mode is `reload`.
  /// - Throws: ``StoreError``; the Provider is then as it was.
  /// - Complexity: O(*k* log *n*), *k* changes in between, *n* items in the list; O(*n*) for a
  ///   Provider that is read anew.
  @discardableResult
  public func advance(
    _ provider: inout Provider, to revision: Int? = nil, policy: UpdatePolicy = UpdatePolicy()
  ) throws(StoreError) -> BatchUpdate {
    let log: [Commit]
    if let revision {
      let limit = max(0, revision - provider.revision)
      if limit == 0 {
        return BatchUpdate(
          list: provider.list, from: provider.revision, to: provider.revision, mode: .none)
      }
      log = try commits(of: provider.list, after: provider.revision, limit: limit)
    } else {
      let items = provider.numberOfItems
      let wholeLog = try commits(
        of: provider.list, after: provider.revision, ofAtMost: policy.budget.limit(for: items))
      guard let wholeLog else {
        return try reload(&provider, why: policy.budget.refusal(for: items))
      }
      log = wholeLog
    }
    return try advance(&provider, with: log, policy: policy)
  }

  /// Replays commits that were read or made before, if they lead on from the Provider; else the log.
  package func advance(
    _ provider: inout Provider, with commits: [Commit], policy: UpdatePolicy = UpdatePolicy()
  ) throws(StoreError) -> BatchUpdate {
    var following = commits
    if let first = commits.first, first.revision != provider.revision + 1 {
      // Somebody else's commits lie between.
      following = try self.commits(of: provider.list, after: provider.revision)
    }
    if following.isEmpty {
      let head = try revision(of: provider.list)
      guard head >= provider.revision else {
        return try reload(
          &provider, why: "the store is at revision \(head), before \(provider.revision)")
      }
    }
    do throws(ChangeError) {
      return try provider.apply(following, policy: policy)
    } catch {
      return try reload(&provider, why: error.description)
    }
  }

  private func reload(_ provider: inout Provider, why: String) throws(StoreError) -> BatchUpdate {
    let from = provider.revision
    provider = try self.provider(for: provider.list)
    return BatchUpdate(
      list: provider.list, from: from, to: provider.revision, mode: .reload(why: why))
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
