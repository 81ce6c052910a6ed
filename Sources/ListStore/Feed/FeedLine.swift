package import ListModel

/// A feed line that is to be one commit.
package struct FeedLine: Sendable {
  package let list: ListID
  /// Whose list it is, of a nested one.
  package let owner: ListOwner?
  /// The line's sequence number; `nil` for a reset, which makes the numbers start anew.
  package let sequence: Int?
  /// Whether the line may leave numbers out: a snapshot says all there is at its number.
  package let bridgesGaps: Bool
  package let author: Author
  /// In milliseconds since 1970.
  package let time: Int?
  /// SHA-256 of the line, white space between its parts left out.
  package let digest: [UInt8]
  /// SHA-256 of the line as it was written.
  package let writtenDigest: [UInt8]

  /// `writtenDigest`: `nil` where it is the same.
  package init(
    list: ListID, ownedBy owner: ListOwner? = nil, sequence: Int?, bridgesGaps: Bool = false,
    author: Author, time: Int?, digest: [UInt8], writtenDigest: [UInt8]? = nil
  ) {
    self.list = list
    self.owner = owner
    self.sequence = sequence
    self.bridgesGaps = bridgesGaps
    self.author = author
    self.time = time
    self.digest = digest
    self.writtenDigest = writtenDigest ?? digest
  }

  var mark: FeedMark {
    FeedMark(
      sequence: sequence ?? 0, isSnapshot: bridgesGaps, digest: digest,
      writtenDigest: writtenDigest)
  }
}

/// What became of a feed line.
package enum FeedOutcome: Sendable {
  case applied(Commit)
  /// It was applied before, and so were those that waited.
  case skipped
  /// The lines after it tell whether it was applied before; and whether those that waited before it
  /// were.
  case waits(settlesEarlier: Bool)
  /// The lines that waited are new: they are to be applied, and this one after them. Nothing was
  /// applied.
  case waitingAreNew
  /// Lines between the last applied and this one are missing. Nothing was applied.
  case gap(expected: Int)
}
