import Foundation
import GRDB

extension DatabaseQueue {
  /// Opens a store from an unknown source, and closes it when `body` has ended.
  ///
  /// It may be written ten times as long as it may be read: all of it, and perhaps to a slow disk.
  static func withStore<Value>(
    _ file: URL, busyTimeout: Double = 5, isReadOnly: Bool = false,
    _ body: (DatabaseQueue) throws -> Value
  ) throws -> Value {
    var configuration = Configuration.store(
      busyTimeout: busyTimeout, timeLimit: 10 * TimeLimit.seconds(for: file))
    configuration.readonly = isReadOnly
    let queue = try DatabaseQueue(path: file.path, configuration: configuration)
    let value = try body(queue)
    try queue.close()
    return value
  }
}
