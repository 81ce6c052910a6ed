/// A file that SQLite keeps beside a database, by what its name adds to that of the database.
package enum Sidecar: String, CaseIterable {
  /// The write-ahead log.
  case log = "-wal"
  /// The rollback journal.
  case journal = "-journal"
  /// The index of the log, in shared memory.
  case logIndex = "-shm"

  /// What follows a database's path in the names of all its files, its own first.
  package static let suffixes = [""] + allCases.map(\.rawValue)
}
