import BatchUpdates
import DerivedLists
import ListModel
import ListStore
import ListTables
import Providers

/// The commits of a feed that wait to be handed out as batch updates, with each list as it was
/// after the last batch update.
struct FeedUpdateQueue {
  private let repository: Repository
  private let updates: FeedUpdates
  private var followed: [ListID: Followed] = [:]
  /// Lists with commits that were not handed out yet.
  private var untold: Set<ListID> = []
  /// Those of them with enough commits for a batch update.
  private var due: Set<ListID> = []
  /// The revision of its source that the last commit of a derived list follows.
  private var sourceRevisions: [ListID: Int] = [:]

  private struct Followed {
    /// The list after the last batch update.
    var provider: Provider
    var waiting: [Commit] = []
    /// The lists that are derived from it or from one of those, in the order in which they are told.
    var derived: [ListID] = []
  }

  init(of repository: Repository, for updates: FeedUpdates) {
    self.repository = repository
    self.updates = updates
  }

  /// Opens a list before its first commit of this feed.
  mutating func follow(_ list: ListID) throws(StoreError) {
    guard followed[list] == nil else { return }
    let derived = try repository.derivedLists().following(list)
    followed[list] = Followed(
      provider: try repository.providerIfPresent(for: list), derived: derived)
    for list in derived {
      followed[list] = Followed(provider: try repository.providerIfPresent(for: list))
    }
  }

  /// Adds a commit of a list that is followed.
  mutating func add(_ commit: Commit) {
    let list = commit.list
    followed[list]?.waiting.append(commit)
    untold.insert(list)
    for derived in commit.derived {
      followed[derived.commit.list]?.waiting.append(derived.commit)
      sourceRevisions[derived.commit.list] = derived.sourceRevision
    }
    if followed[list]?.waiting.count ?? 0 >= updates.coalescing { due.insert(list) }
  }

  /// Hands out the batch updates that are due; with `all`, those of all waiting commits.
  mutating func handOut(_ report: inout FeedReport, all: Bool = false) throws {
    for list in (all ? untold : due).sorted() {
      report.listsLookedAt += 1
      untold.remove(list)
      due.remove(list)
      // Taken out of the dictionary, or changing the Provider would copy it.
      guard var state = followed.removeValue(forKey: list) else { continue }
      let update = try repository.advance(
        &state.provider, with: state.waiting, policy: updates.policy)
      state.waiting = []
      let derived = state.derived
      followed[list] = state
      report.lists[list, default: FeedReport.ListReport()].batchUpdates += 1
      try updates.receive(update)
      for list in derived { try handOutDerived(list, &report) }
    }
  }

  /// Hands out the batch update of a derived list that follows that of its source.
  private mutating func handOutDerived(_ list: ListID, _ report: inout FeedReport) throws {
    guard var state = followed.removeValue(forKey: list) else { return }
    defer { followed[list] = state }
    if state.waiting.isEmpty { return }
    var update = try repository.advance(
      &state.provider, with: state.waiting, policy: updates.policy)
    state.waiting = []
    update.sourceRevision = sourceRevisions[list]
    report.lists[list, default: FeedReport.ListReport()].batchUpdates += 1
    report.lists[list]?.revision = update.to
    try updates.receive(update)
  }
}

extension [ListTables.DerivedListRow] {
  /// The lists that are derived from one, or from one of those: in the order of their definitions, but
  /// each after its source.
  fileprivate func following(_ source: ListID) -> [ListID] {
    var told: [ListID] = [source]
    while let next = first(where: {
      !told.contains($0.list) && told.contains($0.definition.source)
    }) {
      told.append(next.list)
    }
    return [ListID](told.dropFirst())
  }
}
