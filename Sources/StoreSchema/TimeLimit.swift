package import Foundation

/// How long looking at a file from anywhere may take.
package enum TimeLimit {
  /// The seconds for one thing that is asked of a store: many times what an honest one of its size
  /// takes on a slow machine.
  package static func seconds(for file: URL) -> Int {
    var bytes = 0
    for suffix in ["", "-wal"] {
      let attributes = try? FileManager.default.attributesOfItem(atPath: file.path + suffix)
      bytes += attributes?[.size] as? Int ?? 0
    }
    return seconds(forByteCount: bytes)
  }

  /// The seconds for a store of so many bytes: 20, and another for each MiB.
  package static func seconds(forByteCount bytes: Int) -> Int { 20 + bytes >> 20 }
}
