package import BatchUpdates
import GRDB
package import ListModel

extension ListRows {
  /// The list as it was at a revision.
  ///
  /// The later commits are taken back, and the result is compared with the digest of that revision.
  ///
  /// - Complexity: O(*n* + *k* · log *n*), *n* items, *k* later changes.
  package func listTree(at wanted: Int) throws -> ListTree {
    let head = try listTree()
    if wanted == head.revision { return head }
    var earlier = ListOverlay(head)
    try revert(head.revision, to: wanted, in: &earlier)
    let tree = earlier.tree(list, revision: wanted)
    guard try StateDigest(tree) == digest(at: wanted) else {
      throw DatabaseError.corrupt(
        "list \"\(list)\": its log does not lead back to the digest of revision \(wanted)")
    }
    return tree
  }

  /// Takes back the commits after a revision, the newest first.
  ///
  /// - Parameters:
  ///   - revision: The revision that the list has.
  ///   - wanted: The one that it gets, which the log must reach.
  ///   - list: The list.
  /// - Throws: SQLite's error, also if an entry of the log does not fit.
  /// - Complexity: O(*k* · log *n*), *n* items, *k* changes.
  func revert<List>(
    _ revision: Int, to wanted: Int, in list: inout ListOverlay<List>
  ) throws {
    let log = try LogReader(self)
    var revision = revision
    try forEachCommitBackwards(from: revision, downTo: wanted) { commit in
      guard commit.revision == revision else {
        throw DatabaseError.corrupt("revision \(revision) is not in the log")
      }
      var entries: [LogEntry] = []
      try log.forEachEntry(of: commit) { entries.append($0.entry) }
      for entry in entries.reversed() { try list.revert(entry) }
      revision -= 1
    }
    guard revision == wanted else {
      throw DatabaseError.corrupt("revision \(revision) is not in the log")
    }
  }

  /// The digest of the list at an earlier revision that the log reaches.
  private func digest(at revision: Int) throws -> StateDigest {
    if revision == 0 { return StateDigest(ListTree(list: list)) }
    let digest =
      try statements("SELECT digest FROM listCommit WHERE list = ? AND revision = ?")
      .first(id, revision) { try $0.hash(0) }
    guard let digest else { throw DatabaseError.corrupt("revision \(revision) has no digest") }
    return StateDigest(value: digest)
  }
}

extension StoredList {
  /// The list at a revision, on top of its rows: it takes as much memory as has changed since.
  package typealias Later = ListOverlay<ListRows>
  /// The list at an earlier revision, on top of ``Later``.
  package typealias Earlier = ListOverlay<Later>

  /// The list at two revisions.
  ///
  /// The log is taken back to them; neither is compared with its digest.
  ///
  /// - Parameters:
  ///   - old: The earlier revision, which the log must reach.
  ///   - new: The later one.
  /// - Returns: The list as it was, each as little as it differs from the other.
  /// - Throws: SQLite's error, also if an entry of the log does not fit.
  /// - Complexity: O(*k* · log *n*), *n* items, *k* changes since the earlier revision.
  package func states(from old: Int, to new: Int) throws -> (earlier: Earlier, later: Later) {
    var later = try ListOverlay(rows)
    try rows.revert(revision, to: new, in: &later)
    var earlier = try ListOverlay(later)
    try rows.revert(new, to: old, in: &earlier)
    return (earlier, later)
  }
}
