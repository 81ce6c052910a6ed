import Foundation
import GRDB
package import ListModel
import ListOrder
import StoreFiles
import StoreSchema

extension Repository {
  /// Deletes the oldest commits of a list's log, and then nested lists whose item can't come back.
  ///
  /// First a short write transaction notes where the log begins now; then the rows are deleted, at
  /// most 5,000 in a transaction. If the process ends in between, the next call continues.
  ///
  /// - Parameters:
  ///   - list: The list.
  ///   - retention: The limits.
  ///   - goesOn: Asked before each transaction; `false` ends the call with
  ///     ``/ListModel/StoreError/Code/suspended``.
  /// - Returns: The first revision from which the log leads on.
  /// - Throws: `StoreError` with ``/ListModel/StoreError/Code/listNotFound``.
  /// - Complexity: O(log *m* + *d*), *m* commits, *d* dropped changes; *m* where an age is given.
  @discardableResult
  package func truncateLog(
    of list: ListID, keeping retention: LogRetention, while goesOn: () -> Bool = { true }
  ) throws(StoreError) -> Int {
    let floor = try write("truncate the log of \"\(list)\"") { transaction in
      let rows = try rows(transaction, list)
      try rows.dropFeedLines(keeping: maximumFeedLineCount)
      let floor = try rows.floor(for: retention, now: Self.now)
      if floor > rows.logFloor {
        rows.floorChain = try rows.chain(at: floor)
        rows.logFloor = floor
        try rows.save()
      }
      return floor
    }
    func check() throws(StoreError) {
      if !goesOn() { throw .suspended(file.path, attempt: "truncate the log of \"\(list)\"") }
    }
    repeat { try check() } while try dropCommits(of: list)
    repeat { try check() } while try deleteOrphans(of: list)
    return floor
  }

  /// Deletes rows of the log from before its beginning.
  ///
  /// - Returns: Whether there may be more.
  private func dropCommits(of list: ListID) throws(StoreError) -> Bool {
    try write("truncate the log of \"\(list)\"") { transaction in
      try rows(transaction, list).dropCommits(atMost: Self.truncationSlice)
    }
  }

  /// The most changes that one transaction deletes.
  private static var truncationSlice: Int { 5_000 }

  /// Has the log truncated after every so many commits, on the maintenance queue.
  func scheduleTruncation(after commit: Commit) {
    guard logRetention != nil, commit.revision % 256 == 0 else { return }
    dueTruncations.withValue { _ = $0.insert(commit.list) }
    maintenance.add("truncate a log", isDeferrable: true) { [weak self] in
      try self?.truncateDueLogs()
    }
  }

  /// Truncates the logs whose time has come, until the Repository is suspended.
  func truncateDueLogs() throws(StoreError) {
    guard let logRetention else { return }
    while let list = dueTruncations.withValue({ $0.popFirst() }) {
      do throws(StoreError) {
        try truncateLog(of: list, keeping: logRetention, while: { !maintenance.isSuspended })
      } catch {
        // It was deleted meanwhile.
        if error.code == .listNotFound { continue }
        if error.code == .suspended { dueTruncations.withValue { _ = $0.insert(list) } }
        throw error
      }
    }
  }
}

extension ListRows {
  /// The chain after a revision that is in the log.
  func chain(at revision: Int) throws -> UInt64 {
    if revision == logFloor { return floorChain }
    if revision == self.revision, let chain { return chain }
    let chain = try statements("SELECT chain FROM listCommit WHERE list = ? AND revision = ?")
      .first(id, revision) { try $0.hash(0) }
    guard let chain else { throw DatabaseError.corrupt("revision \(revision) is not in the log") }
    return chain
  }

  private func commitRow(_ revision: Int) throws -> (totals: LogTotals, time: Int?) {
    if revision == 0 { return (LogTotals(), nil) }
    let found = try statements(
      "SELECT changeTotal, byteTotal, time FROM listCommit WHERE list = ? AND revision = ?"
    ).first(id, revision) { row in
      (
        LogTotals(changes: try row.integer(0), bytes: try row.integer(1)),
        try row.integerIfPresent(2)
      )
    }
    guard let found else { throw DatabaseError.corrupt("revision \(revision) is not in the log") }
    return found
  }

  /// The least revision from which the rest of the log is within bounds.
  func floor(for retention: LogRetention, now: Int) throws -> Int {
    // Totals only grow, so a later revision has fewer changes after it.
    var low = try (logFloor..<max(logFloor, revision)).partitioningIndex { revision in
      let before = try commitRow(revision).totals
      return totals.changes - before.changes <= retention.changes ?? .max
        && totals.bytes - before.bytes <= retention.bytes ?? .max
    }
    guard let age = retention.age else { return low }
    // Times need not ascend, since feeds set them: stop at the first commit that is young enough.
    while low < revision {
      guard let time = try commitRow(low + 1).time, time < now - age else { break }
      low += 1
    }
    return low
  }
}
