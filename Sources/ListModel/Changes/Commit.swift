/// The changes of one transaction of a list.
public struct Commit: Hashable, Sendable {
  /// The list that was changed.
  public let list: ListID
  /// The list's revision after this commit: 1 for its first, then +1 each.
  public let revision: Int
  /// Who made it.
  public let author: Author
  /// When it was made, in milliseconds since 1970.
  ///
  /// Informative: nothing is ordered by it.
  public let time: Int?
  /// In the order in which they happened.
  public let entries: [LogEntry]
  /// What a reader checks its replay by; `nil` for a commit that comes from no store.
  package let proof: CommitProof?

  /// A commit as a log tells it.
  public init(list: ListID, revision: Int, author: Author, time: Int?, entries: [LogEntry]) {
    self.init(
      list: list, revision: revision, author: author, time: time, entries: entries, proof: nil)
  }

  package init(
    list: ListID, revision: Int, author: Author, time: Int?, entries: [LogEntry],
    proof: CommitProof?
  ) {
    self.proof = proof
    self.list = list
    self.revision = revision
    self.author = author
    self.time = time
    self.entries = entries
  }
}

/// What a commit says about the list after it.
package struct CommitProof: Hashable, Sendable {
  /// The hash of this commit and all before it.
  package let chain: UInt64
  /// The checksum of the list after it.
  package let digest: StateDigest
  /// What was around the places that each entry changed, in the order of the entries; see
  /// ``LogEntry/seamCount``.
  package let seams: [Seam]

  package init(chain: UInt64, digest: StateDigest, seams: [Seam]) {
    self.chain = chain
    self.digest = digest
    self.seams = seams
  }
}
