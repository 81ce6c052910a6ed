import Foundation
import ListModel

/// What came of an answer since its last whole line.
///
/// An answer must not go on for ever without saying anything: an endless comment, or a line that never
/// ends.
struct Silence {
  private var byteCount = 0
  /// When the line began that has not ended; `nil` between two lines.
  private var lineBegan: Date?

  /// Notes a part of the answer.
  ///
  /// `hasLine`: Whether it has the end of a line that says something.
  ///
  /// - Returns: Why the answer is broken off; `nil` if it goes on.
  mutating func note(_ part: Data, hasLine: Bool, _ client: FeedClient) -> StoreError? {
    let now = client.pace.now()
    let began = lineBegan ?? now
    let end = part.withUnsafeBytes { bytes in
      bytes.lastIndex { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }
    }
    lineBegan = end == nil ? began : end == part.count - 1 ? nil : now
    byteCount = hasLine ? 0 : byteCount + part.count
    if byteCount > client.mostSilentBytes {
      return StoreError(
        .feedLimit, "the server sends more than \(client.mostSilentBytes >> 10) KiB without a line",
        file: client.name)
    }
    guard end == nil, now.timeIntervalSince(began) > client.lineTimeout.seconds else { return nil }
    return StoreError(
      .feedUnavailable, "a line did not end for \(client.lineTimeout.seconds) seconds",
      file: client.name)
  }
}
