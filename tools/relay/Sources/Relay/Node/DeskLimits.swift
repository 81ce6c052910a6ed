import Foundation

/// How much a list takes of its node.
struct DeskLimits: Sendable {
  /// The bytes of last lines that stay in memory.
  var tailBytes = 256 << 10
  /// The bytes of lines that are read at once.
  var readBytes = 4 << 20
  /// The most edits of a batch, and about their bytes.
  var mostEditsAtOnce = 512
  var mostBytesAtOnce = 4 << 20
  /// The time, in milliseconds since 1970.
  var now: @Sendable () -> Int = { Int(Date().timeIntervalSince1970 * 1_000) }
}
