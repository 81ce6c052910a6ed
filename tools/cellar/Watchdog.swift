import Foundation
import StoreFiles
import StoreSchema

/// What keeps a store from taking the command's memory, and time without end.
///
/// SQLite ends a statement that runs too long, but looks at the time only between its steps. Here a
/// thread of its own sees a step that does not end, and ends the process.
enum Watchdog {
  /// What SQLite may take: the longest row four times.
  private static let mostBytes = 1 << 30
  /// How long a step may go on after its statement's time is over, in seconds.
  private static let grace = 10

  /// Begins to watch; must come before SQLite is used.
  static func watch() {
    MemoryLimit.set(byteCount: mostBytes)
    Thread.detachNewThread {
      while TimeLimit.overdueSeconds <= grace { sleep(1) }
      OwnedPaths.removeAll {
        Output.note(
          "Error: ended, because one step of SQLite went on for \(grace) seconds after the time that "
            + "any sound store of this size takes: the store is damaged, or it or the query was made "
            + "to be slow. Each transaction was done, or nothing of it")
        _exit(1)
      }
    }
  }
}
