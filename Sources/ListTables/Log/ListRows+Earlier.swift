import BatchUpdates
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
    let log = try LogReader(self)
    var revision = head.revision
    try forEachCommitBackwards(downTo: wanted) { commit in
      guard commit.revision == revision else {
        throw DatabaseError.corrupt("revision \(revision) is not in the log")
      }
      var entries: [LogEntry] = []
      try log.forEachEntry(of: commit) { entries.append($0.entry) }
      for entry in entries.reversed() { try earlier.revert(entry) }
      revision -= 1
    }
    guard revision == wanted else {
      throw DatabaseError.corrupt("revision \(revision) is not in the log")
    }
    let tree = earlier.tree(list, revision: wanted)
    guard try StateDigest(tree) == digest(at: wanted) else {
      throw DatabaseError.corrupt(
        "list \"\(list)\": its log does not lead back to the digest of revision \(wanted)")
    }
    return tree
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
