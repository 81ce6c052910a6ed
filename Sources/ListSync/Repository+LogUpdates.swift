import BatchUpdates
package import ListModel
package import ListStore
import Providers

extension Repository {
  /// Hands out the batch updates that lead a view through the commits in a list's log.
  ///
  /// - Parameters:
  ///   - list: The list.
  ///   - revision: The revision that the view shows; 0 is before the first commit.
  ///   - before: The list at that revision, if it is known. It is compared with if the log does not reach
  ///     back: a list that is defined, or defined otherwise, and is long has no log of that.
  ///   - updates: Takes the batch updates. If the log does not reach back to `revision`, there is
  ///     one update, without `before` a reload.
  ///   - report: Is counted on, also before an error is thrown.
  /// - Throws: `StoreError` with ``/ListModel/StoreError/Code/listNotFound`` or, for a revision
  ///   that the list never had, ``/ListModel/StoreError/Code/revisionNotFound``; or what
  ///   `updates` throws.
  /// - Complexity: O(*n* + *k* log *n*), *n* items, *k* changes since the revision. The list and
  ///   the commits of one batch update are in memory.
  package func handOutUpdates(
    of list: ListID, after revision: Int, knowing before: ListTree? = nil, to updates: FeedUpdates,
    report: inout FeedReport
  ) throws {
    let head = try self.revision(of: list)
    var provider = Provider(ListTree(list: list))
    var reached = revision
    var counts = report.lists[list] ?? FeedReport.ListReport()
    counts.revision = head
    defer { report.lists[list] = counts }
    func handOut(_ update: BatchUpdate) throws {
      var update = update
      update.sourceRevision = try sourceRevision(of: list, at: update.to)
      try updates.receive(update)
      counts.batchUpdates += 1
      reached = update.to
    }
    func reload() throws {
      try handOut(
        BatchUpdate(list: list, from: reached, to: head, mode: .reload(why: .tooFarBehind)))
    }
    do throws(StoreError) {
      if revision != head {
        provider = Provider(try tree(of: list, at: revision))
      }
    } catch {
      guard error.code == .revisionNotFound, (0..<head).contains(revision) else { throw error }
      if let before {
        try handOut(
          BatchUpdate(from: before, to: tree(of: list), hidesSections: updates.policy.hidesSections)
        )
      } else {
        try reload()
      }
    }
    while reached < head {
      let log: [Commit]
      do throws(StoreError) {
        log = try commits(
          of: list, after: reached, limit: min(updates.coalescing, head - reached))
      } catch {
        // Another process may have truncated the log meanwhile.
        guard error.code == .revisionNotFound else { throw error }
        try reload()
        break
      }
      let update = try advance(&provider, with: log, policy: updates.policy)
      let isOnward = update.to > reached
      try handOut(update)
      // The store was replaced by an earlier copy meanwhile: there is nothing to go on to.
      guard isOnward else { break }
    }
  }
}
