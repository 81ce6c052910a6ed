package import Foundation
import SQLiteSettings
import StoreFiles

/// The time that reading a file from an unknown source may take.
package enum TimeLimit {
  /// The seconds for one operation on a store: many times as long as a sound store of its size
  /// needs on a slow machine.
  package static func seconds(for file: URL) -> Int {
    seconds(forByteCount: FileExtents.byteCount(ofStore: file.path))
  }

  /// The seconds for a store of so many bytes: 20, and one more for each MiB.
  package static func seconds(forByteCount bytes: Int) -> Int { 20 + bytes >> 20 }

  /// For how many seconds a statement has run beyond its connection's limit; 0 if none has.
  ///
  /// SQLite looks at the time between the steps of a statement. If this is more than a moment, one step
  /// does not end.
  package static var overdueSeconds: Int { Int(cellar_overdue_seconds()) }
}

/// The memory that SQLite may take in this process.
package enum MemoryLimit {
  /// Limits it; what needs more fails.
  ///
  /// Must come before SQLite is used.
  package static func set(byteCount: Int) { _ = cellar_limit_memory(Int64(byteCount)) }
}
