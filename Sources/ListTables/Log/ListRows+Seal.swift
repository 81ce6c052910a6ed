import GRDB
import ListModel

extension ListRows {
  /// Seals a list that version 1 made: adds the chain hashes, digests and seams that its log lacks.
  ///
  /// The log is replayed from the empty list. If it does not lead to the list that the rows have,
  /// it begins anew here: earlier revisions are gone.
  ///
  /// - Complexity: O(*n* + *k* · *m*), *n* items, *k* changes in the log, *m* items in the sections
  ///   that they touch.
  package func seal() throws {
    let isSealed = try statements(
      "SELECT chain IS NOT NULL OR digest IS NOT NULL FROM listCommit WHERE list = ? AND revision = ?"
    ).first(id, revision) { try $0.integer(0) != 0 }
    guard chain == nil, isSealed != true else {
      throw DatabaseError.corrupt("list \"\(list)\" has lost its digest")
    }
    let rowsDigest = try uncheckedDigest()
    var replayed = ListTree(list: list)
    var chain: UInt64 = 0
    var digest = StateDigest(replayed)
    var isSound = true
    var sealed = 0
    // Not one step more than the log has commits, because a damaged revision can be any number.
    while isSound, sealed < revision {
      sealed += 1
      do {
        try seal(sealed, &replayed, &chain, &digest)
      } catch is ChangeError {
        isSound = false
      } catch is FormatError {
        isSound = false
      }
    }
    self.digest = rowsDigest
    self.chain = chain
    if !isSound || digest != rowsDigest { try beginLogAnew() }
    try save()
  }

  /// Seals one commit and applies it.
  private func seal(
    _ revision: Int, _ tree: inout ListTree, _ chain: inout UInt64, _ digest: inout StateDigest
  ) throws {
    let header = try statements(
      """
      SELECT author.name, time, feedSequence, firstChange FROM listCommit
      JOIN author ON author.id = listCommit.author WHERE list = ? AND revision = ?
      """
    ).first(id, revision) { row in
      (
        try row.text(0), try row.integerIfPresent(1), try row.integerIfPresent(2),
        try row.integerIfPresent(3)
      )
    }
    guard let (author, time, feedSequence, first) = header else {
      throw ChangeError.logMismatch("revision \(revision) is missing")
    }
    var hash = ChainHash(
      after: chain, revision: revision, author: author, time: time, feedSequence: feedSequence)
    let log = try LogReader(self)
    try log.forEachRow(ofRevision: revision, from: first) { row in
      var packed = SeamWriter()
      for logged in try log.entries(in: row) {
        hash.add(logged.entry, logged.hashes)
        totals.add(logged.entry)
        try tree.apply(logged.entry)
        let seams = tree.seams(ofApplied: logged.entry)
        digest.apply(logged.entry, logged.hashes, seams: seams[...])
        packed.append(seams, member: logged.hashes.id)
      }
      totals.bytes += row.entries.count + packed.bytes.count
      try statements("UPDATE change SET seams = ? WHERE id = ?").run(packed.bytes, row.id)
    }
    tree.revision = revision
    chain = hash.value
    try statements(
      """
      UPDATE listCommit SET digest = ?, chain = ?, changeTotal = ?, byteTotal = ?
      WHERE list = ? AND revision = ?
      """
    ).run(digest.value, chain, totals.changes, totals.bytes, id, revision)
  }

  /// Compares the rows with the digest of the last commit, after another program wrote to the
  /// store.
  ///
  /// If they disagree, the log begins anew.
  package func checkAgainstLog() throws {
    let found = try uncheckedDigest()
    if found == digest { return }
    digest = found
    try beginLogAnew()
    try save()
  }

  /// Begins the log anew, because it does not lead to the rows: with a commit that has no changes.
  ///
  /// Every reader is then at a revision before the log's beginning, and reads the list anew. What
  /// only the log named is deleted by ``Statements/deleteUnusedContents()``.
  func beginLogAnew() throws {
    guard let digest else { return }
    try deleteChanges()
    // A damaged log may hold commits beyond the list's revision.
    let last =
      try statements("SELECT max(revision) FROM listCommit WHERE list = ?")
      .first(id) { try $0.integerIfPresent(0) } ?? nil
    revision = max(revision, min(last ?? 0, Self.greatestRevision)) + 1
    var hash = ChainHash(
      after: chain ?? 0, revision: revision, author: Author.unknown.name, time: nil,
      feedSequence: nil)
    hash.add(digest)
    chain = hash.value
    try logCommit(by: .unknown, time: nil, feed: nil, firstChange: nil)
    logFloor = revision
    floorChain = hash.value
  }

  /// Whether the log begins with the commit that ``beginLogAnew()`` makes.
  package func beganAnew() throws -> Bool {
    try statements(
      """
      SELECT author.name = ? FROM listCommit JOIN author ON author.id = listCommit.author
      WHERE list = ? AND revision = ?
      """
    ).first(Author.unknown.name, id, logFloor) { try $0.integer(0) != 0 } ?? false
  }
}

extension Author {
  /// The author of changes that another program made.
  static var unknown: Author {
    do { return try Author("unknown") } catch { return .app }
  }
}
