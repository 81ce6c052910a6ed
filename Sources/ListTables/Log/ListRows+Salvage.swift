import GRDB
import ListModel

extension ListRows {
  /// The digest that the last commit says.
  package func loggedDigest() throws -> UInt64? {
    try statements("SELECT digest FROM listCommit WHERE list = ? AND revision = ?")
      .first(id, revision) { try $0.hash(0) }
  }

  /// The last revision in the log whose commit can't be followed from the one before; `nil` if all
  /// can.
  package func lastDamagedRevision() throws -> Int? {
    let log = try LogReader(self)
    var last = (revision: logFloor, chain: floorChain, digest: StateDigest?.none)
    var damaged: Int?
    try statements(
      """
      SELECT revision, author.name, time, feedSequence, chain, digest, firstChange
      FROM listCommit LEFT JOIN author ON author.id = author
      WHERE list = ? AND revision > ? AND revision <= ? ORDER BY revision
      """
    ).forEach(id, logFloor, revision) { row in
      let commit = try row.integer(0)
      let chain = try row.hash(4)
      let digest = StateDigest(value: try row.hash(5))
      var isSound = false
      if commit - 1 == last.revision, let author = try row.textIfPresent(1) {
        var hash = ChainHash(
          after: last.chain, revision: commit, author: author, time: try row.integerIfPresent(2),
          feedSequence: try row.integerIfPresent(3))
        var replayed = last.digest
        do {
          try log.forEachEntry(ofRevision: commit, from: row.integerIfPresent(6)) { logged in
            hash.add(logged.entry, logged.hashes)
            replayed?.apply(logged.entry, logged.hashes, seams: logged.seams[...])
          }
          isSound = hash.value == chain && (replayed == nil || replayed == digest)
        } catch let error where error is DatabaseError || error is FormatError {
          isSound = false
        }
      }
      if !isSound { damaged = commit }
      last = (commit, chain, digest)
    }
    let leadsToHead =
      last.revision == revision && last.chain == chain
      && (last.digest == nil || last.digest == digest)
    return leadsToHead ? damaged : revision
  }

  /// Has the log begin at a revision; what it tells of earlier ones is deleted.
  package func beginLog(at floor: Int) throws {
    if floor == revision {
      floorChain = chain
      // Its row is the one that the log is counted from.
      try statements("DELETE FROM listCommit WHERE list = ? AND revision >= ?").run(id, floor)
      if floor > 0 { try logCommit(by: .unknown, time: nil, feed: nil, firstChange: nil) }
    } else if floor > logFloor {
      floorChain = try chain(at: floor)
    }
    logFloor = floor
    try statements("DELETE FROM listCommit WHERE list = ? AND revision < ?").run(id, floor)
    try statements("UPDATE listCommit SET firstChange = NULL WHERE list = ? AND revision <= ?")
      .run(id, floor)
    try statements(
      """
      DELETE FROM change WHERE list = ?1 AND NOT EXISTS (SELECT 1 FROM listCommit
        WHERE listCommit.list = ?1 AND listCommit.revision = change.revision
          AND firstChange <= change.id)
      """
    ).run(id)
  }
}
