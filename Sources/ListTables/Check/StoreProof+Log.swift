import GRDB
import ListModel

extension StoreProof {
  /// A commit, and the slots of its states.
  private typealias NotedCommit = (commit: LoggedCommit, slots: Range<Int>)

  private static let pageSize = 16_384

  /// Proves that the log leads from its beginning to the list, by digests and the chain.
  func proveLog(of rows: ListRows) throws {
    let log = try ProvenLog(rows)
    var chain = rows.floorChain
    var digest: StateDigest?
    var revision = rows.logFloor
    var total = try rows.changeTotal(of: revision)
    while revision < rows.revision {
      let page = try noteStates(of: commits(of: rows, after: revision), log)
      guard let first = page.first else { throw Unproven() }
      try terms.compute()
      for (commit, slots) in page {
        revision += 1
        var hash = ChainHash(after: chain, commit)
        var after = digest ?? StateDigest(value: 0)
        let counts = try log.add(commit, terms.sums[slots], to: &hash, &after)
        changeRowCount += counts.rows
        try require(
          commit.revision == revision && commit.author != nil && commit.chain == hash.value
            && (total == nil || commit.changeTotal == (total ?? 0) &+ counts.entries)
            && (digest == nil || after == commit.digest))
        total = commit.changeTotal
        chain = hash.value
        digest = commit.digest
      }
      terms.removeSlots(from: first.slots.lowerBound)
    }
    let beyond = try commits(of: rows, after: revision)
    try require(
      beyond.isEmpty && chain == rows.chain && (total == nil || total == rows.totals.changes)
        && (digest == nil || digest == rows.digest))
  }

  private func commits(of rows: ListRows, after revision: Int) throws -> [LoggedCommit] {
    var commits: [LoggedCommit] = []
    try rows.forEachCommit(after: revision, limit: Self.pageSize) { commits.append($0) }
    return commits
  }

  /// Notes the states of some commits, until there are enough.
  private func noteStates(of commits: [LoggedCommit], _ log: ProvenLog) throws -> [NotedCommit] {
    var noted: [NotedCommit] = []
    for commit in commits {
      let first = terms.sums.count
      try log.noteStates(of: commit, in: terms)
      noted.append((commit, first..<terms.sums.count))
      if terms.isFull { break }
    }
    return noted
  }
}
