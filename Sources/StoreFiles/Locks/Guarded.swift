import Foundation

/// A value behind a lock: one thread at a time reads or changes it.
package final class Guarded<Value>: @unchecked Sendable {
  // Sendable: the value is read and changed only while the lock is held.
  private var value: Value
  private let lock = NSLock()

  /// Puts a value behind a lock of its own.
  package init(_ value: sending Value) { self.value = value }

  /// Calls a closure with the value, while no other thread has it.
  ///
  /// The closure must not use the same lock again, or it waits for itself for ever.
  ///
  /// - Parameter body: Reads or changes the value.
  /// - Returns: What `body` returns.
  /// - Throws: What `body` throws.
  package func withValue<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
    lock.lock()
    defer { lock.unlock() }
    return try body(&value)
  }
}
