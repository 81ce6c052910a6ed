import GRDB
package import ListModel
package import StoreSchema

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
  /// SHA-256 of the line.
  package let digest: [UInt8]

  package init(
    list: ListID, ownedBy owner: ListOwner? = nil, sequence: Int?, bridgesGaps: Bool = false,
    author: Author, time: Int?,
    digest: [UInt8]
  ) {
    self.list = list
    self.owner = owner
    self.sequence = sequence
    self.bridgesGaps = bridgesGaps
    self.author = author
    self.time = time
    self.digest = digest
  }

  var mark: FeedMark { FeedMark(sequence: sequence ?? 0, digest: digest) }
}

/// What became of a feed line.
package enum FeedOutcome: Sendable {
  case applied(Commit)
  /// It was applied before.
  case skipped
  /// Lines between the last applied and this one are missing. Nothing was applied.
  case gap(expected: Int)
}

extension Repository {
  /// Applies a feed line unless it was applied before; with it goes the feed's position.
  ///
  /// One write transaction.
  ///
  /// - Parameters:
  ///   - line: Where it belongs, and which line it is.
  ///   - changes: What the line changes, given the list as it is.
  /// - Returns: What became of it.
  /// - Throws: ``StoreError``; nothing of the line is then applied.
  package func apply(
    _ line: FeedLine, changes: (_ current: () throws -> ListTree) throws -> [Change]
  ) throws(StoreError) -> FeedOutcome {
    let outcome: FeedOutcome = try write("apply a feed line to \"\(line.list)\"") { transaction in
      // A line that is not applied must not make its list.
      let known = try transaction.rows(line.list)
      if let sequence = line.sequence {
        let position = known?.feedSequence ?? 0
        if sequence <= position { return .skipped }
        if sequence - position > 1, !line.bridgesGaps { return .gap(expected: position + 1) }
      }
      let rows = try rowsToCommit(transaction, line.list, ownedBy: line.owner)
      return .applied(
        try commit(
          try changes { try rows.listTree() }, to: rows, by: line.author, time: line.time,
          feed: line.mark))
    }
    if case .applied(let commit) = outcome { didCommit(commit) }
    return outcome
  }

  /// The sequence number of the last feed line that a list took; 0 if it took none.
  package func feedSequence(of list: ListID) throws(StoreError) -> Int {
    try read("read the feed position of \"\(list)\"") { db in
      try ListRows(db, list)?.feedSequence ?? 0
    }
  }

  /// The first commit of a list that this very line made.
  package func firstRevision(of line: FeedLine) throws(StoreError) -> Int? {
    try read("read the log of \"\(line.list)\"") { db in
      try ListRows(db, line.list)?.firstRevision(ofLine: line.mark)
    }
  }

  /// The next commit after a revision that a feed line made, and whether it was this very line.
  package func nextFeedRevision(
    after revision: Int, is line: FeedLine
  ) throws(StoreError) -> (revision: Int, isSame: Bool)? {
    try read("read the log of \"\(line.list)\"") { db in
      try ListRows(db, line.list)?.nextFeedRevision(after: revision, isLine: line.mark)
    }
  }
}
