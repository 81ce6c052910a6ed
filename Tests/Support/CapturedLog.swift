import Foundation
package import Logging

/// Keeps the lines that a Logger gets, for a test.
package struct CapturedLog: LogHandler {
  package var metadata: Logger.Metadata = [:]
  package var metadataProvider: Logger.MetadataProvider?
  package var logLevel = Logger.Level.trace
  private let kept = Kept()

  // Sendable: the lines are read and changed only while the lock is held.
  private final class Kept: @unchecked Sendable {
    let lock = NSLock()
    var lines: [String] = []
  }

  package init() {}

  /// A Logger whose lines are kept here.
  package var logger: Logger { Logger(label: "test") { _ in self } }

  /// What was logged: of each line the message, then the metadata in the order of its keys.
  package var lines: [String] { kept.lock.withLock { kept.lines } }

  package subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  package func log(event: LogEvent) {
    let metadata = (event.metadata ?? [:]).sorted { $0.key < $1.key }.map { "\($0)=\($1)" }
    let line = (["\(event.message)"] + metadata).joined(separator: " ")
    kept.lock.withLock { kept.lines.append(line) }
  }
}
