import ListModel
import ListStore
import Providers

/// One run of a feed into a store, with the lists that its batch updates are about.
struct FeedSession {
  let repository: Repository
  let updates: FeedUpdates?
  var report: FeedReport
  private var replay: FeedReplay
  private var followed: [ListID: Followed] = [:]
  /// Lists with commits that no batch update has told of.
  private var untold: Set<ListID> = []
  /// Those of them with enough for a batch update.
  private var due: Set<ListID> = []

  private struct Followed {
    var provider: Provider
    var waiting: [Commit] = []
  }

  init(
    repository: Repository, ownedBy owner: ListOwner? = nil, updates: FeedUpdates?,
    report: FeedReport
  ) {
    self.repository = repository
    self.updates = updates
    self.report = report
    replay = FeedReplay(into: repository, ownedBy: owner)
  }

  mutating func apply(_ message: FeedMessage, mark: LineMark) throws(StoreError) {
    if updates != nil, let list = message.list, followed[list] == nil {
      followed[list] = Followed(provider: try repository.providerIfPresent(for: list))
    }
    for (list, outcome) in try replay.apply(message, mark: mark) {
      try count(outcome, of: list, sequence: message.sequence)
    }
  }

  mutating func finish() throws(StoreError) {
    for (list, outcome) in try replay.finish() { try count(outcome, of: list, sequence: nil) }
    // Others may have written meanwhile.
    for list in report.lists.keys {
      report.lists[list]?.revision = try repository.revision(of: list)
    }
  }

  private mutating func count(
    _ outcome: FeedOutcome, of list: ListID, sequence: Int?
  ) throws(StoreError) {
    var counts = report.lists[list] ?? FeedReport.ListReport()
    switch outcome {
    case .applied(let commit):
      counts.applied += 1
      counts.revision = commit.revision
      if let updates, followed[list] != nil {
        followed[list]?.waiting.append(commit)
        untold.insert(list)
        if followed[list]?.waiting.count ?? 0 >= updates.coalescing { due.insert(list) }
      }
    case .waits, .waitingAreNew: break
    case .skipped:
      counts.skipped += 1
      if counts.revision == 0 { counts.revision = try repository.revision(of: list) }
    case .gap(let expected):
      throw StoreError(
        .feedGap,
        "list \"\(list)\" expects seq \(expected), but this line has seq \(sequence ?? 0); nothing "
          + "of it was applied. Fetch the lines between, or a snapshot")
    }
    report.lists[list] = counts
  }

  /// Hands out the batch updates that are due; all that wait if `all`.
  mutating func handOutUpdates(all: Bool = false) throws {
    guard let updates else { return }
    for list in (all ? untold : due).sorted() {
      report.listsLookedAt += 1
      untold.remove(list)
      due.remove(list)
      // Taken out, or the Provider would be copied to be changed.
      guard var state = followed.removeValue(forKey: list) else { continue }
      let update = try repository.advance(
        &state.provider, with: state.waiting, policy: updates.policy)
      state.waiting = []
      followed[list] = state
      report.lists[list, default: FeedReport.ListReport()].batchUpdates += 1
      try updates.receive(update)
    }
  }
}

extension FeedMessage {
  fileprivate var sequence: Int? {
    switch self {
    case .commit(_, let sequence, _), .snapshot(_, let sequence, _): sequence
    case .reset, .other: nil
    }
  }
}
