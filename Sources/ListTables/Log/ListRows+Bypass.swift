import GRDB
package import ListModel

extension ListRows {
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
    try deleteChanges()
    // A damaged log may hold commits beyond the list's revision.
    let last =
      try statements("SELECT max(revision) FROM listCommit WHERE list = ?")
      .first(id) { try $0.integerIfPresent(0) } ?? nil
    revision = max(revision, min(last ?? 0, Self.greatestRevision)) + 1
    var hash = ChainHash(
      after: chain, revision: revision, author: Author.unknown.name, time: nil,
      feedSequence: nil)
    hash.add(digest)
    chain = hash.value
    try logCommit(by: .unknown, time: nil, firstChange: nil)
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
  package static let unknown: Author = "unknown"
}
