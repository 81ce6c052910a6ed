import GRDB
import ListModel

extension StoreProof {
  /// A row of `listCommit`.
  private struct CommitRow {
    var revision: Int
    var author: String
    var time: Int?
    var feedSequence: Int?
    var chain: UInt64
    var digest: UInt64
    var firstChange: Int?
    /// The slots of its states.
    var slots = 0..<0
  }

  private static let pageSize = 1_024

  /// Proves that the log leads from its beginning to the list, by digests and the chain.
  func proveLog(of rows: ListRows) throws {
    let log = try ProvenLog(rows)
    var chain = rows.floorChain
    var digest: StateDigest?
    var revision = rows.logFloor
    while revision < rows.revision {
      let page = try noteStates(of: commits(of: rows, after: revision), log)
      guard let first = page.first else { throw Unproven() }
      try terms.compute()
      for commit in page {
        revision += 1
        var hash = ChainHash(
          after: chain, revision: revision, author: commit.author, time: commit.time,
          feedSequence: commit.feedSequence)
        var after = digest ?? StateDigest(value: 0)
        changeRowCount += try log.add(
          revision: commit.revision, from: commit.firstChange, terms.sums[commit.slots], to: &hash,
          &after)
        try require(
          commit.revision == revision && commit.chain == hash.value
            && (digest == nil || after.value == commit.digest))
        chain = hash.value
        digest = StateDigest(value: commit.digest)
      }
      terms.removeSlots(from: first.slots.lowerBound)
    }
    let beyond = try commits(of: rows, after: revision)
    try require(
      beyond.isEmpty && chain == rows.chain && (digest == nil || digest == rows.digest))
  }

  private func commits(of rows: ListRows, after revision: Int) throws -> [CommitRow] {
    var commits: [CommitRow] = []
    try statements(
      """
      SELECT revision, author.name, time, feedSequence, chain, digest, firstChange
      FROM listCommit JOIN author ON author.id = author WHERE list = ? AND revision > ?
      ORDER BY revision LIMIT ?
      """
    ).forEach(rows.id, revision, Self.pageSize) { row in
      commits.append(
        CommitRow(
          revision: try row.integer(0), author: try row.text(1),
          time: try row.integerIfPresent(2), feedSequence: try row.integerIfPresent(3),
          chain: try row.hash(4), digest: try row.hash(5),
          firstChange: try row.integerIfPresent(6)))
    }
    return commits
  }

  /// Notes the states of some commits, until there are enough.
  private func noteStates(of commits: [CommitRow], _ log: ProvenLog) throws -> [CommitRow] {
    var noted: [CommitRow] = []
    for var commit in commits {
      let first = terms.sums.count
      try log.noteStates(ofRevision: commit.revision, from: commit.firstChange, in: terms)
      commit.slots = first..<terms.sums.count
      noted.append(commit)
      if terms.isFull { break }
    }
    return noted
  }
}
