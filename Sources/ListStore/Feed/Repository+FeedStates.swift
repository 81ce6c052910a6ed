package import ListModel
package import ListTables

extension Repository {
  /// A list at a line of its feed, for a store that is told where lists are and not how they came
  /// there.
  package struct FeedState {
    /// The last line that the list took; it counts as a snapshot: numbers before it may be missing.
    package let line: FeedLine
    /// The changes that bring the list there, given the list as it is.
    package let changes: (_ current: () throws -> ListTree) throws -> [Change]

    package init(
      line: FeedLine, changes: @escaping (_ current: () throws -> ListTree) throws -> [Change]
    ) {
      self.line = line
      self.changes = changes
    }
  }

  /// Brings lists to later lines of their feeds, each by one commit, all in one write transaction.
  ///
  /// - Throws: ``/ListModel/StoreError`` if changes do not fit a list; nothing is written then.
  package func write(_ states: [FeedState]) throws(StoreError) {
    let commits = try write("write \(states.count) lists") { transaction in
      try states.map { state in
        let rows = try rowsToCommit(transaction, state.line.list, ownedBy: nil)
        return try commit(
          try state.changes { try rows.listTree() }, to: rows, by: state.line.author,
          time: state.line.time, feed: state.line)
      }
    }
    for commit in commits { didCommit(commit) }
  }
}
