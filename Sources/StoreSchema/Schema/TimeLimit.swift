package import Foundation
import StoreFiles

/// The time that reading a file from an unknown source may take.
package enum TimeLimit {
  /// The seconds for one operation on a store: many times as long as a sound store of its size
  /// needs on a slow machine.
  package static func seconds(for file: URL) -> Int {
    seconds(forByteCount: FileStatus.byteCount(ofStore: file.path))
  }

  /// The seconds for a store of so many bytes: 20, and one more for each MiB.
  package static func seconds(forByteCount bytes: Int) -> Int { 20 + bytes >> 20 }
}
