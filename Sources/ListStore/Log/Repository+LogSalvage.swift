package import ListModel
import ListTables

extension Repository {
  /// Makes a list's log and digest agree with its rows.
  ///
  /// If the rows have the digest of the list, only the damaged part of the log is given up: up to
  /// the last commit that can't be read, or that is not the one its hash says. If they have that of
  /// the last commit, the list gets it. Otherwise the rows are taken as they are, if `takesRows`
  /// allows it: the list gets their digest, and its log begins anew with a commit by "unknown".
  ///
  /// One write transaction. It is for copies of damaged stores; nested lists stay.
  ///
  /// - Throws: ``/ListModel/StoreError`` if the list's rows can't be read.
  /// - Complexity: O(*n* + *k*), *n* items, *k* changes in the log.
  package func mendLog(of list: ListID, takesRows: Bool) throws(StoreError) {
    try write("mend the log of \"\(list)\"") { transaction in
      let rows = try rows(transaction, list)
      let found = try rows.uncheckedDigest()
      if found != rows.digest, try rows.loggedDigest() == found.value { rows.digest = found }
      if found != rows.digest, takesRows {
        try rows.checkAgainstLog()
      } else {
        try rows.beginLog(at: rows.lastDamagedRevision() ?? rows.logFloor)
        try rows.save()
      }
    }
  }

  /// Deletes the contents that neither an item nor a log names; none if a list can't be read.
  package func deleteUnusedContents() throws(StoreError) {
    try write("delete unused contents") { try $0.statements.deleteUnusedContents() }
  }
}
