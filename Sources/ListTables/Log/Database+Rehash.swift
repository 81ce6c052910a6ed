package import GRDB
import ListModel

extension Database {
  /// Makes the digests and the chains of all lists anew, from their rows and their logs.
  ///
  /// It is for copies of stores whose texts were replaced. Revisions and the beginnings of the logs
  /// stay. What hashed the commits before the beginning of a log becomes another hash.
  ///
  /// - Throws: `SQLITE_CORRUPT` or ``/ListModel/FormatError`` if a list or its log can't be read.
  /// - Complexity: O(*n* + *k*), *n* items, *k* changes; one content at a time is in memory.
  package func rehash() throws {
    var lists: [ListID] = []
    try Statements(self)("SELECT name FROM list").forEach { lists.append(try ListID($0.text(0))) }
    for list in lists { try ListRows(self, list)?.rehash() }
  }
}

extension ListRows {
  /// What a commit's row gets.
  private struct CommitHashes {
    var revision: Int
    var chain: UInt64
    /// The digest less that of the list at the beginning of its log.
    var difference: UInt64
    var byteTotal: Int
  }

  fileprivate func rehash() throws {
    if logFloor > 0 { floorChain = XXHash64.hash(list.rawValue, seed: floorChain) }
    let hashes = try hashes()
    let head = try uncheckedDigest()
    // The log tells how digests differ, and the rows what the last one is.
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

  /// The chain of the commits, and how they change the digest.
  private func hashes() throws -> [CommitHashes] {
    let log = try LogReader(self)
    var hashes: [CommitHashes] = []
    var chain = floorChain
    var difference = StateDigest(value: 0)
    var byteTotal =
      try statements("SELECT byteTotal FROM listCommit WHERE list = ? AND revision = ?")
      .first(id, logFloor) { try $0.integer(0) } ?? 0
    try forEachCommit(after: logFloor) { commit in
      var hash = ChainHash(after: chain, commit)
      try log.forEachRow(of: commit) { change in
        for logged in try log.entries(in: change) {
          hash.add(logged.entry, logged.hashes)
          difference.apply(logged.entry, logged.hashes, neighbours: logged.neighbours[...])
        }
        byteTotal += change.entries.count + change.neighbours.count
      }
      chain = hash.value
      hashes.append(
        CommitHashes(
          revision: commit.revision, chain: chain, difference: difference.value,
          byteTotal: byteTotal))
    }
    return hashes
  }
}
