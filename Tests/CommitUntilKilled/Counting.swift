import Foundation
import GRDB

/// Counts in a ``CountingDatabase`` for ever: "counting" once it has begun.
///
/// Where it counts alone, nobody else gets a lock in the meantime.
func count(_ file: URL, isAlone: Bool = false) throws -> Never {
  let queue = try DatabaseQueue(path: file.path, configuration: patient)
  try queue.inDatabase { db in
    if isAlone { try db.execute(sql: "PRAGMA locking_mode = EXCLUSIVE") }
    // A log that is moved into the file, and begun again, as often as can be.
    try db.execute(sql: "PRAGMA synchronous = OFF; PRAGMA wal_autocheckpoint = 20")
    try CountingDatabase.step(db)
    say("counting")
    while true { try CountingDatabase.step(db) }
  }
  fatalError("counting does not end")
}

/// Opens, counts and closes for ever: "counting" once it has begun.
func countAndClose(_ file: URL) throws -> Never {
  var isFirst = true
  while true {
    try countOnce(file)
    if isFirst { say("counting") }
    isFirst = false
  }
}

/// Opens, counts once and closes.
func countOnce(_ file: URL) throws {
  let queue = try DatabaseQueue(path: file.path, configuration: patient)
  try queue.inDatabase { db in
    try db.execute(sql: "PRAGMA synchronous = OFF")
    try CountingDatabase.step(db)
  }
  try queue.close()
}

private var patient: Configuration {
  var configuration = Configuration()
  configuration.busyMode = .timeout(30)
  return configuration
}
