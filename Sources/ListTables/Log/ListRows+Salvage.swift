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
    var replay = try LogReplay(self, after: floorChain)
    var last = logFloor
    var damaged: Int?
    try forEachCommit(after: logFloor, upTo: revision) { commit in
      var isSound = false
      do {
        let follows = try replay.follow(commit)
        isSound = commit.revision - 1 == last && follows.chain && follows.digest
      } catch let error where error is DatabaseError || error is FormatError {}
      if !isSound { damaged = commit.revision }
      last = commit.revision
    }
    guard last == revision, replay.chain == chain else { return revision }
    return replay.digest == nil || replay.digest == digest ? damaged : revision
  }

  /// Has the log begin at a revision; what it tells of earlier ones is deleted.
  package func beginLog(at floor: Int) throws {
    if floor == revision {
      floorChain = chain
      // Its row is the one that the log is counted from.
      try statements("DELETE FROM listCommit WHERE list = ? AND revision >= ?").run(id, floor)
      if floor > 0 { try logCommit(by: .unknown, time: nil, firstChange: nil) }
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
