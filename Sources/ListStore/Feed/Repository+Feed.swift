import GRDB
package import ListModel
package import ListTables

extension Repository {
  /// Applies a feed line, unless it was applied before, and stores the feed's position with it.
  ///
  /// One write transaction.
  ///
  /// - Parameters:
  ///   - line: The line.
  ///   - source: The feed.
  ///   - position: The feed's position among the lines that the list took; it moves on.
  ///   - changes: The changes of the line, given the list as it is.
  /// - Returns: Whether it was applied. Lines that waited were applied before, unless the outcome
  ///   says otherwise.
  /// - Throws: `StoreError`, with ``/ListModel/StoreError/Code/anotherFeed`` if the list took
  ///   another line under the same number, and with
  ///   ``/ListModel/StoreError/Code/listOfAnotherFeed`` if the feed may not change the list; nothing
  ///   of the line is then applied, and the position stays.
  package func apply(
    _ line: FeedLine, from source: FeedSource, at position: inout FeedPosition,
    changes: (_ current: () throws -> ListTree) throws -> [Change]
  ) throws(StoreError) -> FeedOutcome {
    var moved = position
    var taken = Taken()
    let outcome: FeedOutcome = try write("apply a feed line to \"\(line.list)\"") { transaction in
      // A line that is not applied must not make its list.
      let rows = try transaction.rows(line.list)
      // Whatever the number of the line.
      try rows?.requireOwnChanges()
      let history = rows?.feed ?? FeedHistory(ofNewListIn: transaction.statements)
      try require(source, toChange: line.list, history)
      switch try moved.decide(line, in: history) {
      case .skip: return .skipped
      case .wait(let settlesEarlier): return .waits(settlesEarlier: settlesEarlier)
      case .waitingAreNew: return .waitingAreNew
      case .gap(let expected): return .gap(expected: expected)
      case .anotherFeed(let taken): throw StoreError.anotherFeed(line, taken: taken)
      case .apply:
        let commit: Commit
        (commit, taken) = try take(line, from: source, in: transaction, &moved, changes)
        return .applied(commit)
      }
    }
    position = moved
    taken.report(to: self)
    return outcome
  }

  /// Applies the first of the lines that waited and are new.
  ///
  /// One write transaction. The position is then at that line; the others are applied like any
  /// line.
  ///
  /// - Parameters:
  ///   - line: The line.
  ///   - source: The feed.
  ///   - position: The feed's position among the lines that the list took.
  ///   - changes: The changes of the line, given the list as it is.
  /// - Returns: The commit; `nil` if the list has taken other lines meanwhile.
  /// - Throws: ``/ListModel/StoreError``; nothing of the line is then applied.
  package func applyWaiting(
    _ line: FeedLine, from source: FeedSource, at position: inout FeedPosition,
    changes: (_ current: () throws -> ListTree) throws -> [Change]
  ) throws(StoreError) -> Commit? {
    var moved = position
    var taken = Taken()
    let commit: Commit? = try write("apply a feed line to \"\(line.list)\"") { transaction in
      let history =
        try transaction.rows(line.list)?.feed ?? FeedHistory(ofNewListIn: transaction.statements)
      guard try moved.isUnchanged(history), try history.head().isFollowed(by: line) else {
        return nil
      }
      let commit: Commit
      try require(source, toChange: line.list, history)
      (commit, taken) = try take(line, from: source, in: transaction, &moved, changes)
      return commit
    }
    position = moved
    taken.report(to: self)
    return commit
  }

  private func take(
    _ line: FeedLine, from source: FeedSource, in transaction: WriteTransaction,
    _ position: inout FeedPosition,
    _ changes: (_ current: () throws -> ListTree) throws -> [Change]
  ) throws -> (Commit, Taken) {
    let rows = try rowsToCommit(transaction, line.list, ownedBy: line.owner)
    var taken = Taken()
    let edits = try rows.outbox.contents()
    if try edits.hasWaiting || edits.hasAny && line.edit != nil || rows.hasPagesAhead() {
      taken = try rebase(
        rows, onto: line, answering: line.edit.map(EditAnswer.taken), by: line.author,
        time: line.time, changes: changes)
    } else {
      taken.commit = try commit(
        try changes { try rows.listTree() }, to: rows, by: line.author, time: line.time,
        feed: line)
    }
    guard let commit = taken.commit else {
      throw DatabaseError.corrupt("a line of a feed became no commit")
    }
    if let digest = source.digest { try rows.feed.setFeedName(digest) }
    if let head = try rows.feed.lastLine() { position.move(toHead: head) }
    return (commit, taken)
  }

  /// Whether the lines that wait at the end of a run were applied before; if not, they are new.
  package func wasAppliedBefore(
    waitingAt position: FeedPosition, of list: ListID
  ) throws(StoreError) -> Bool {
    try read("read the feed position of \"\(list)\"") { db in
      let statements = Statements(db)
      let rows = try ListRows(statements, list)
      return try position.wasTakenAtEnd(
        in: rows?.feed ?? FeedHistory(ofNewListIn: statements))
    }
  }

  /// Notes where a run of a feed ended, so that the next one can go on there.
  ///
  /// - Parameters:
  ///   - position: The run's position.
  ///   - list: The list.
  /// - Throws: ``/ListModel/StoreError``
  package func endFeedRun(at position: FeedPosition, of list: ListID) throws(StoreError) {
    guard let first = position.places.first else { return }
    let attempt = "note the feed position of \"\(list)\""
    let isNoted = try read(attempt) { db in
      guard let feed = try ListRows(db, list)?.feed, let head = try feed.lastLine() else {
        return true
      }
      let end = position.places.contains(head) ? nil : first
      guard try feed.endOfLastRun() == end else { return false }
      return try end != nil
        || feed.record(head.epoch, head.sequence)?.endsRun != false
    }
    if isNoted { return }
    try write(attempt) { transaction in
      guard let feed = try transaction.rows(list)?.feed, let head = try feed.lastLine() else {
        return
      }
      let isAtHead = position.places.contains(head)
      try feed.setEndOfRun(isAtHead ? nil : first)
      if isAtHead { try feed.markEndOfRun(head) }
    }
  }
}

extension StoreError {
  /// The beginning of a digest.
  static func shown(_ digest: [UInt8]) -> String {
    digest.prefix(4).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() + "…"
  }

  /// The error for a line whose number the list took with another line.
  fileprivate static func anotherFeed(_ line: FeedLine, taken: FeedRecord?) -> StoreError {
    let other =
      if let taken {
        "the list took another line as seq \(line.sequence)"
          + ", at its revision \(taken.revision)"
          + " (SHA-256 \(shown(taken.digest)), of this line \(shown(line.digest)))"
      } else {
        "after the line before it, the list took a reset or nothing, but not seq \(line.sequence)"
      }
    return StoreError(
      .anotherFeed,
      "list \"\(line.list)\": \(other). This is another feed than the one that was applied, or its "
        + "lines were changed; nothing of this line was applied. Apply a feed that begins with a new "
        + "reset, or use another store")
  }
}
