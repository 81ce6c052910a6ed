/// The changes of one transaction of a list.
public struct Commit: Hashable, Sendable {
  /// The list that was changed.
  public let list: ListID
  /// The list's revision after this commit; the first commit has revision 1.
  public let revision: Int
  /// Who made it.
  public let author: Author
  /// When it was made, in milliseconds since 1970.
  ///
  /// For display only: commits are ordered by revision.
  public let time: Int?
  /// The changes in the order in which they happened.
  public let entries: [LogEntry]
  /// The revision of the commit that this one takes back, the first one of several; `nil` for any
  /// other commit.
  public let undoes: Int?
  /// The hashes that a reader compares after its replay; `nil` for a commit that is not from a
  /// store.
  package let proof: CommitProof?
  /// The commits of derived lists that follow it, in the same transaction.
  package private(set) var derived: [DerivedCommit] = []

  /// A commit of a log that is not in a store.
  public init(list: ListID, revision: Int, author: Author, time: Int?, entries: [LogEntry]) {
    self.init(
      list: list, revision: revision, author: author, time: time, entries: entries, proof: nil)
  }

  package init(
    list: ListID, revision: Int, author: Author, time: Int?, entries: [LogEntry],
    undoes: Int? = nil, proof: CommitProof?
  ) {
    self.proof = proof
    self.undoes = undoes
    self.list = list
    self.revision = revision
    self.author = author
    self.time = time
    self.entries = entries
  }
}

/// A commit of a derived list.
package struct DerivedCommit: Hashable, Sendable {
  /// The commit.
  package var commit: Commit
  /// The revision of the list's source that it follows.
  package var sourceRevision: Int

  package init(_ commit: Commit, sourceRevision: Int) {
    self.commit = commit
    self.sourceRevision = sourceRevision
  }
}

extension Commit {
  /// The commit with those of derived lists that follow it.
  package func followed(by derived: [DerivedCommit]) -> Commit {
    var commit = self
    commit.derived = derived
    return commit
  }

  /// The commit with other hashes.
  package func proven(_ proof: CommitProof) -> Commit {
    Commit(
      list: list, revision: revision, author: author, time: time, entries: entries,
      undoes: undoes, proof: proof
    ).followed(by: derived)
  }
}

/// The hashes that a commit stores of the list after it.
package struct CommitProof: Hashable, Sendable {
  /// The hash of this commit and all before it.
  package let chain: UInt64
  /// The checksum of the list after it.
  package let digest: StateDigest
  /// The neighbours of the places that each entry changed, in the order of the entries; see
  /// ``LogEntry/placeCount``.
  package let neighbours: [Neighbours]

  package init(chain: UInt64, digest: StateDigest, neighbours: [Neighbours]) {
    self.chain = chain
    self.digest = digest
    self.neighbours = neighbours
  }
}
