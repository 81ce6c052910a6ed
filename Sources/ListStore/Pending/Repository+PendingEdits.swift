import Foundation
package import ListModel
import ListTables
import StoreFiles

extension Repository {
  /// Edits a list, and puts the edit into its outbox, in one transaction.
  ///
  /// - Returns: What the closure returns, and the edit; `nil` if nothing changed.
  package func editPending<Value>(
    _ target: EditTarget, _ body: (ListEditor) throws -> Value
  ) throws -> (value: Value, edit: PendingEdit?) {
    let name = PendingEdit.newID()
    let (value, commit) = try edit(target, pending: name, body)
    guard commit != nil else { return (value, nil) }
    // The server may have answered already, by another process.
    return (value, try pendingEdits(of: target.list).first { $0.id == name })
  }

  /// The outbox of a list: edits that wait, that conflict and that were rejected, in the order in
  /// which they were made.
  package func pendingEdits(of list: ListID) throws(StoreError) -> [PendingEdit] {
    try read("read the pending edits of \"\(list)\"") { db in
      guard let rows = try ListRows(db, list) else { return [] }
      return try rows.outbox.edits().filter { $0.state != .local }.map {
        try $0.pendingEdit(of: list)
      }
    }
  }

  /// Notes that the server has taken an edit, so that it is not sent again.
  ///
  /// The feed will bring it, unless it has done so: by a snapshot, which does not name the edits that it
  /// has. One that the list does not show waits no more either, and none that was sent before a reset.
  ///
  /// - Parameters:
  ///   - edit: The edit's id.
  ///   - sequence: The number of the feed's line that has the edit, if the server says it.
  ///   - epoch: The list's ``feedEpoch(of:)`` when the edit was sent.
  ///   - list: The list.
  /// - Throws: ``/ListModel/StoreError``.
  package func accept(
    _ edit: String, inLine sequence: Int? = nil, sentIn epoch: Int? = nil, of list: ListID
  ) throws(StoreError) {
    let taken = try write("note the answer to an edit of \"\(list)\"") { transaction -> Taken in
      guard let rows = try transaction.rows(list), let isAside = try rows.outbox.isAside(edit)
      else { return Taken(commit: nil) }
      let isOver = try epoch.map { try $0 != rows.feed.head().epoch } ?? false
      guard isAside || isOver || sequence.map({ $0 <= rows.feed.sequence }) == true else {
        try rows.outbox.accept(edit)
        return Taken(commit: nil)
      }
      return try rebase(
        rows, onto: nil, answering: .taken(edit), by: .feed, time: WallClock.now
      ) { _ in [] }
    }
    taken.report(to: self)
    outboxSignals.noteProgress(of: list)
  }

  /// How many resets of its feed a list has taken.
  package func feedEpoch(of list: ListID) throws(StoreError) -> Int {
    try read("read the feed position of \"\(list)\"") { db in
      try ListRows(db, list)?.feed.head().epoch ?? 0
    }
  }

  /// Takes an edit out of the list that the server has refused; it stays in the outbox.
  ///
  /// An edit that is not in the outbox is ignored.
  ///
  /// `source`: The feed that says so; `nil` if the app does.
  ///
  /// - Returns: The commit; `nil` if the list stays as it is.
  @discardableResult
  package func reject(
    _ edit: String, of list: ListID, why: String?, by author: Author = .feed,
    from source: FeedSource? = nil
  ) throws(StoreError) -> Commit? {
    let taken = try write("take back an edit of \"\(list)\"") { transaction -> Taken in
      guard let rows = try transaction.rows(list), try rows.outbox.contents().hasAny else {
        return Taken(commit: nil)
      }
      if let source { try require(source, toChange: list, rows.feed) }
      return try rebase(
        rows, onto: nil, answering: .rejected(edit, why: why), by: author, time: WallClock.now
      ) { _ in [] }
    }
    taken.report(to: self)
    return taken.commit
  }

  /// Removes an edit from the outbox that conflicts or was rejected.
  ///
  /// - Returns: `false` if there is no such edit.
  package func discard(_ edit: String, of list: ListID) throws(StoreError) -> Bool {
    try write("discard an edit of \"\(list)\"") { transaction in
      try transaction.rows(list)?.outbox.discard(edit) ?? false
    }
  }

  // MARK: Rebasing

  /// What became of a line or of an answer.
  struct Taken {
    /// `nil` if the list stays as it is.
    var commit: Commit?
    var outcomes: [PendingEdit.Outcome] = []

    /// Notifies observers, after the transaction.
    func report(to repository: Repository) {
      if let commit { repository.didCommit(commit) }
      repository.notify(of: outcomes)
    }
  }

  /// Applies changes of a server, or its answer to an edit, to a list with edits that wait.
  ///
  /// - Parameters:
  ///   - rows: The list.
  ///   - line: The feed line that has the changes; `nil` if the server only answers.
  ///   - answer: The answer, if the line has one.
  ///   - author: The author of the commit.
  ///   - time: When the commit was made.
  ///   - changes: The changes of the line, given the base.
  /// - Returns: The commit, if the list gets one, and what became of the edits.
  /// - Throws: ``/ListModel/StoreError`` for a change of the line that does not fit the base.
  /// - Complexity: O(*k* log *n*), *k* changes of the line and of the edits, *n* items.
  func rebase(
    _ rows: ListRows, onto line: FeedLine?, answering answer: EditAnswer?, by author: Author,
    time: Int?, changes: (_ base: () throws -> ListTree) throws -> [Change]
  ) throws -> Taken {
    var rebase = try Rebase(rows, beforePagesAfter: line == nil ? .max : 0)
    if !rebase.isExact { note("editMismatch") }
    let changes = try changes { try rebase.tree() }
    for (index, change) in changes.enumerated() {
      if let error = try rebase.apply(change, of: line) {
        throw StoreError.rejected(
          error, change: index, of: changes.count, in: rows, file: filePath)
      }
    }
    if let answer { rebase.note(answer) }
    try rebase.reapply(after: line)
    let net = try rebase.changes()
    let isCommit = line != nil || !net.isEmpty
    return Taken(
      commit: isCommit ? try commit(net, to: rows, by: author, time: time, feed: line) : nil,
      outcomes: try rebase.save(isUnchanged: net.isEmpty).map { try $0.outcome(of: rows.list) })
  }
}

// MARK: - Outcomes

extension Repository {
  struct EditObserver {
    var list: ListID
    var continuation: AsyncStream<PendingEdit.Outcome>.Continuation
  }

  /// What becomes of a list's edits from now on, where this Repository learns of it.
  ///
  /// - Returns: A stream that ends when the Repository is deallocated.
  package func editOutcomes(of list: ListID) -> AsyncStream<PendingEdit.Outcome> {
    AsyncStream { continuation in
      let id = UUID()
      editObservers.withValue { $0[id] = EditObserver(list: list, continuation: continuation) }
      continuation.onTermination = { [weak self] _ in
        self?.editObservers.withValue { $0[id] = nil }
      }
    }
  }

  fileprivate func notify(of outcomes: [PendingEdit.Outcome]) {
    if outcomes.isEmpty { return }
    let observers = editObservers.withValue { Array($0.values) }
    for observer in observers {
      for outcome in outcomes where outcome.edit.list == observer.list {
        observer.continuation.yield(outcome)
      }
    }
  }
}
