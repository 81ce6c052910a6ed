import Foundation
import GRDB
import StoreFiles

extension Repository {
  /// Runs a closure that makes many commits, such as those of a feed.
  ///
  /// Commits write pages that the commits before them wrote, too. So SQLite copies its write-ahead
  /// log into the file less often meanwhile, and once at the end. A power failure may undo more
  /// commits than usual: those since the last copy.
  ///
  /// - Parameter body: Makes the commits.
  /// - Returns: What `body` returns.
  /// - Throws: What `body` throws.
  package func withManyCommits<Value>(_ body: () throws -> Value) rethrows -> Value {
    setLog("PRAGMA wal_autocheckpoint = 4000; PRAGMA journal_size_limit = -1")
    defer {
      setLog("PRAGMA wal_autocheckpoint = 1000; PRAGMA journal_size_limit = \(Self.usualLogSize)")
      copyLongLog()
    }
    return try body()
  }

  /// How large the file of the log stays, in bytes: about as large as 1,000 pages make it, which are
  /// SQLite's default.
  private static let usualLogSize = 4 << 20

  private func setLog(_ settings: String) {
    // Without them, all works as usual.
    do {
      try writer.withConnection("set up the log") { db in try db.execute(sql: settings) }
    } catch { events.report(error, "set up the write-ahead log") }
  }

  private func copyLongLog() {
    let size = FileStatus(following: filePath + "-wal")?.byteCount ?? 0
    if size <= Self.usualLogSize { return }
    // If it fails now, a later commit does it.
    do {
      try writer.withConnection("copy the log") { db in _ = try db.checkpoint(.passive) }
    } catch let error as DatabaseError where error.resultCode == .SQLITE_BUSY {
      // Somebody else copies it.
    } catch {
      events.report(error, "copy the write-ahead log into the file")
    }
  }
}
