import Foundation
import GRDB
import StoreFiles

extension Repository {
  /// Runs a closure that makes many commits, such as those of a feed.
  ///
  /// Commits write pages that the commits before them wrote, too. So the write-ahead log is copied
  /// into the file less often meanwhile, and once afterwards. A power failure may undo more
  /// commits than usual: those since the last copy.
  ///
  /// - Parameter body: Makes the commits.
  /// - Returns: What `body` returns.
  /// - Throws: What `body` throws.
  package func withManyCommits<Value>(_ body: () throws -> Value) rethrows -> Value {
    limitLogFile(to: nil)
    writer.copying.withValue { $0.isPutOff = true }
    defer {
      writer.copying.withValue { $0.isPutOff = false }
      limitLogFile(to: Self.usualLogSize)
      let size = FileStatus(following: filePath + "-wal")?.byteCount ?? 0
      if size > Self.usualLogSize { readers.scheduleCopying() }
    }
    return try body()
  }

  /// How large the file of the log stays, in bytes: about as large as 1,000 pages make it, which are
  /// SQLite's default.
  private static let usualLogSize = 4 << 20

  /// Has SQLite truncate the file of the log where it begins that anew.
  private func limitLogFile(to bytes: Int?) {
    // Without it, all works as usual.
    do {
      try writer.withConnection("set up the log") { db in
        try db.execute(sql: "PRAGMA journal_size_limit = \(bytes ?? -1)")
      }
    } catch { events.report(error, "set up the write-ahead log") }
  }
}
