import GRDB
import ListModel
import ListOrder

extension ListRows {
  /// The chain after a revision that is in the log.
  package func chain(at revision: Int) throws -> UInt64 {
    if revision == logFloor { return floorChain }
    if revision == self.revision { return chain }
    let chain = try statements("SELECT chain FROM listCommit WHERE list = ? AND revision = ?")
      .first(id, revision) { try $0.hash(0) }
    guard let chain else { throw DatabaseError.corrupt("revision \(revision) is not in the log") }
    return chain
  }

  /// What a commit's row says of all commits up to it; of the beginning, before the first one.
  func commitRow(_ revision: Int) throws -> (totals: LogTotals, time: Int?) {
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
  package func floor(for retention: LogRetention, now: Int) throws -> Int {
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
