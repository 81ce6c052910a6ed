import Foundation
package import ListModel
import ListOrder
package import ListTables
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
    let (floor, derived) = try write("truncate the log of \"\(list)\"") { transaction in
      let rows = try rows(transaction, list)
      try rows.feed.forget(keeping: maximumFeedLineCount)
      let floor = try rows.floor(for: retention, now: WallClock.now)
      if floor > rows.logFloor {
        rows.floorChain = try rows.chain(at: floor)
        rows.logFloor = floor
        try rows.save()
      }
      return (floor, try rows.raiseFloorsOfDerivedLists())
    }
    func check() throws(StoreError) {
      if !goesOn() { throw .suspended(filePath, attempt: "truncate the log of \"\(list)\"") }
    }
    // Those first whose logs name contents of this one.
    for list in derived + [list] { repeat { try check() } while try dropCommits(of: list) }
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
