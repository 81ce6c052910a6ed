import GRDB
package import ListModel

extension Repository {
  /// Makes a list's log and digest agree with its rows.
  ///
  /// If the rows have the digest of the list, only the damaged part of the log is given up: up to
  /// the last commit that can't be read, or that is not the one its hash says. If they have that of
  /// the last commit, the list gets it. Otherwise the rows are taken as they are, if `takesRows`
  /// allows it: the list gets their digest, and its log begins anew with a commit by "unknown".
  ///
  /// One write transaction. It is for copies of damaged stores; nested lists stay.
  ///
  /// - Throws: ``/ListModel/StoreError`` if the list's rows can't be read.
  /// - Complexity: O(*n* + *k*), *n* items, *k* changes in the log.
  package func mendLog(of list: ListID, takesRows: Bool) throws(StoreError) {
    try write("mend the log of \"\(list)\"") { transaction in
      let rows = try rows(transaction, list)
      let found = try rows.uncheckedDigest()
      if found != rows.digest, try rows.loggedDigest() == found.value { rows.digest = found }
      if found != rows.digest, takesRows {
        try rows.checkAgainstLog()
      } else {
        try rows.beginLog(at: rows.lastDamagedRevision() ?? rows.logFloor)
        try rows.save()
      }
    }
  }

  /// Deletes the contents that neither an item nor a log names; none if a list can't be read.
  package func deleteUnusedContents() throws(StoreError) {
    try write("delete unused contents") { try $0.statements.deleteUnusedContents() }
  }
}

extension ListRows {
  /// The digest that the last commit says.
  fileprivate func loggedDigest() throws -> UInt64? {
    try statements("SELECT digest FROM listCommit WHERE list = ? AND revision = ?")
      .first(id, revision) { try $0.hashIfPresent(0) } ?? nil
  }

  /// The last revision in the log whose commit can't be followed from the one before; `nil` if all
  /// can.
  fileprivate func lastDamagedRevision() throws -> Int? {
    let log = try LogReader(self)
    let hashedAsJSON = try hashedAsJSON()
    var last = (revision: logFloor, chain: Optional(floorChain), digest: StateDigest?.none)
    var damaged: Int?
    try statements(
      """
      SELECT revision, author.name, time, feedSequence, chain, digest, firstChange
      FROM listCommit LEFT JOIN author ON author.id = author
      WHERE list = ? AND revision > ? AND revision <= ? ORDER BY revision
      """
    ).forEach(id, logFloor, revision) { row in
      let commit = try row.integer(0)
      let chain = try row.hashIfPresent(4)
      let digest = try row.hashIfPresent(5).map(StateDigest.init(value:))
      var isSound = false
      if commit - 1 == last.revision, let previous = last.chain,
        let author = try row.textIfPresent(1)
      {
        var hash = ChainHash(
          after: previous, revision: commit, author: author, time: try row.integerIfPresent(2),
          feedSequence: try row.integerIfPresent(3))
        var replayed = last.digest
        do {
          try log.forEachEntry(ofRevision: commit, from: row.integerIfPresent(6)) { logged in
            hash.add(logged, isJSON: commit <= hashedAsJSON)
            replayed?.apply(logged.entry, logged.hashes, seams: (logged.seams ?? [])[...])
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
  fileprivate func beginLog(at floor: Int) throws {
    if floor == revision {
      floorChain = chain ?? 0
      chain = floorChain
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
