package import DerivedLists
import Foundation
import GRDB
package import ListModel
package import ListTables
import StoreFiles

// Long derived lists are made in slices, and what they were is deleted so.
extension Repository {
  /// Defines a derived list, on the thread of edits that tasks wait for.
  ///
  /// - Parameters:
  ///   - definition: What is defined.
  ///   - closures: Those that it names.
  ///   - author: The author of the commits that make it.
  ///   - progress: Is told how much of a long list is made, from 0 to 1.
  /// - Throws: As ``define(_:from:closures:by:progress:)``; `CancellationError` if the task was cancelled
  ///   before it began.
  package func define(
    _ definition: DerivedDefinition, closures: [ComputedField: ComputedField.Closure],
    by author: Author, progress: @escaping @Sendable (Double) -> Void
  ) async throws {
    try await editQueue.value {
      try self.define([(definition, 1)], closures: closures, by: author, progress: progress)
    }
  }

  /// Makes the draft of a derived list, if its source is long.
  ///
  /// What another process has left of it is gone on with.
  ///
  /// - Parameters:
  ///   - definition: What is defined.
  ///   - source: What it is made of: its source, or the draft that is to take the source's place.
  ///   - ordinal: Its place among the definitions.
  ///   - author: The author of the commits that make it.
  ///   - progress: Is told how much of it is made, from 0 to 1.
  /// - Returns: Whether there is one now, and whole.
  /// - Throws: `StoreError` if the store can't be read or written.
  func makeDraft(
    _ definition: DerivedDefinition, of source: ListID, ordinal: Int, by author: Author,
    _ progress: (Double) -> Void
  ) throws(StoreError) -> Bool {
    let attempt = "make derived list \"\(definition.list)\""
    // With more than this many rounds it is made in one transaction: the log is cut off faster than slices
    // are made.
    for _ in 0..<Self.mostRounds {
      let isThere = try continueDraft(definition, of: source, by: author)
      let draft: DerivedDraft? = try read(attempt) { db in
        let statements = self.statements(db)
        guard statements.hasClosures(of: definition),
          try source != definition.source
            || statements.derivedList(definition.list)?.has(definition) != true,
          let rows = try statements.rows(source), isThere || rows.isLong
        else { return nil }
        return try DerivedDraft(definition, of: rows)
      }
      guard var draft else { return false }
      if try fill(&draft, ordinal: ordinal, by: author, progress) { return true }
      try write(attempt) { _ = try $0.delete([DerivedListRow.draft(of: definition.list)]) }
    }
    return false
  }

  private static let mostRounds = 3

  /// Brings the draft of a definition up to date; one of another definition or source is deleted.
  ///
  /// - Returns: Whether there is one.
  private func continueDraft(
    _ definition: DerivedDefinition, of source: ListID, by author: Author
  ) throws(StoreError) -> Bool {
    let draft = try read("read the derived lists") { db in
      let draft = DerivedListRow.draft(of: definition.list)
      return try Statements(db).derivedList(draft) == nil ? nil : draft
    }
    guard let draft else { return false }
    return try write("go on with \"\(definition.list)\"") { transaction in
      let statements = transaction.statements
      if let known = try statements.draft(of: definition), known.source == source,
        statements.hasClosures(of: definition),
        // One that is not finished catches up when it is.
        try known.isUnfinished
          || statements.catchUp(draft: known, by: author, time: WallClock.now)
      {
        return true
      }
      _ = try transaction.delete([draft])
      return false
    }
  }

  /// - Returns: `false` if the order must be found again.
  private func fill(
    _ draft: inout DerivedDraft, ordinal: Int, by author: Author, _ progress: (Double) -> Void
  ) throws(StoreError) -> Bool {
    while true {
      switch try fillSlice(of: &draft, ordinal: ordinal, by: author) {
      case .more(let part): progress(part)
      case .unknown:
        try read("make derived list \"\(draft.definition.list)\"") {
          try draft.look(Statements($0))
        }
        continue
      case .done:
        progress(1)
        return true
      case .outdated: return false
      }
      pauseAfterSlice()
    }
  }

  /// Lets those in who wait for the store: they ask again after milliseconds.
  func pauseAfterSlice() { Thread.sleep(forTimeInterval: 0.002) }

  /// Adds a slice to a draft, in one write transaction.
  package func fillSlice(
    of draft: inout DerivedDraft, ordinal: Int, by author: Author
  ) throws(StoreError) -> DerivedDraft.Outcome {
    var (filled, pace) = (draft, draft.pace)
    let attempt = "make derived list \"\(draft.definition.list)\""
    let outcome = try writeSlice(attempt, &pace) { transaction, isTime in
      try filled.fill(
        transaction.statements, ordinal: ordinal, by: author, time: WallClock.now, isTime: isTime)
    }
    filled.pace = pace
    draft = filled
    return outcome
  }

  /// Does a part of some work in one write transaction, for as long as its pace says.
  func writeSlice<Value>(
    _ attempt: String, _ pace: inout SlicePace,
    _ body: (_ transaction: WriteTransaction, _ isTime: () -> Bool) throws -> Value
  ) throws(StoreError) -> Value {
    let time = pace.time
    var taken = Duration.zero
    let value = try write(attempt) { transaction in
      let start = ContinuousClock.now
      transaction.didCommit = { taken = .now - start }
      return try body(transaction) { .now >= start + time }
    }
    pace.note(taken)
    return value
  }

  // MARK: What lists were

  /// Reports lists whose places drafts have taken, and has what they were deleted.
  func didReplace(_ lists: [ListID]) throws(StoreError) {
    for list in lists {
      let head = try read("read \"\(list)\"") { try ListHead(list, in: $0) }
      observers.notify(of: list, at: head)
    }
    if lists.isEmpty { return }
    SystemSignals.post(filePath)
    scheduleDeletionOfFormerLists()
  }

  func scheduleDeletionOfFormerLists() {
    maintenance.add("delete what derived lists were", isDeferrable: true) { [weak self] in
      try self?.deleteFormerLists()
    }
  }

  /// Deletes what derived lists were, in slices.
  package func deleteFormerLists() throws(StoreError) {
    var pace = SlicePace()
    func isDone() throws(StoreError) -> Bool {
      try writeSlice("delete what derived lists were", &pace) { transaction, isTime in
        let statements = transaction.statements
        guard let former = try statements.derivedLists().first(where: \.isFormer),
          let rows = try transaction.rows(former.list)
        else { return true }
        if try rows.takeApart(former, by: .app, time: WallClock.now, isTime: isTime) {
          _ = try transaction.delete([former.list])
        }
        return false
      }
    }
    while try !isDone() { pauseAfterSlice() }
  }
}
