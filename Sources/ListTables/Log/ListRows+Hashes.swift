import GRDB
import ListModel

/// What the row of a commit gets when the log before it has changed.
struct CommitHashes {
  var revision: Int
  var chain: UInt64
  /// The digest less that of the list at the beginning of its log.
  var difference: UInt64
  var byteTotal: Int
}

extension ListRows {
  /// The chain of the log from ``floorChain`` on, and how its commits change the digest.
  ///
  /// `read`: Reads the entries of a row of the log, and says how many bytes the row has.
  func commitHashes(
    _ read: (LogReader.ChangeRow) throws -> (entries: [LogReader.LoggedEntry], byteCount: Int)
  ) throws -> [CommitHashes] {
    let log = try LogReader(self)
    var hashes: [CommitHashes] = []
    var chain = floorChain
    var difference = StateDigest(value: 0)
    var byteTotal =
      try statements("SELECT byteTotal FROM listCommit WHERE list = ? AND revision = ?")
      .first(id, logFloor) { try $0.integer(0) } ?? 0
    try forEachCommit(after: logFloor) { commit in
      var hash = ChainHash(after: chain, commit)
      try log.forEachRow(of: commit) { row in
        let (entries, byteCount) = try read(row)
        for logged in entries {
          hash.add(logged.entry, logged.hashes)
          difference.apply(logged.entry, logged.hashes, neighbours: logged.neighbours[...])
        }
        byteTotal += byteCount
      }
      chain = hash.value
      hashes.append(
        CommitHashes(
          revision: commit.revision, chain: chain, difference: difference.value,
          byteTotal: byteTotal))
    }
    return hashes
  }

  /// Writes the hashes of all commits of the log, and the list's.
  ///
  /// `head`: The digest of the list as it is now: the log tells only how digests differ.
  func setHashes(_ hashes: [CommitHashes], leadingTo head: StateDigest) throws {
    let floor = head.value &- (hashes.last?.difference ?? 0)
    for commit in hashes {
      try statements(
        """
        UPDATE listCommit SET chain = ?, digest = ?, byteTotal = ? WHERE list = ? AND revision = ?
        """
      ).run(commit.chain, floor &+ commit.difference, commit.byteTotal, id, commit.revision)
    }
    try statements("UPDATE listCommit SET chain = ?, digest = ? WHERE list = ? AND revision = ?")
      .run(floorChain, floor, id, logFloor)
    digest = head
    chain = hashes.last?.chain ?? floorChain
    totals.bytes = hashes.last?.byteTotal ?? totals.bytes
    try save()
  }
}
