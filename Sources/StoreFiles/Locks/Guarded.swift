import Foundation

/// A value behind a lock: one thread at a time reads or changes it.
///
/// Its signature is that of `Synchronization.Mutex`, which takes its place when iOS 16 and macOS 13
/// no longer count: `Mutex` is in iOS 18 and macOS 15. What goes in and what comes out is `sending`,
/// so that no reference to the value is left outside of the lock.
///
/// The value is never a function type: each call would wrap it once more, because the closure gets
/// it by a generic `inout`, and a chain of thousands overruns the stack when it is released. A
/// function is a member of a struct.
package final class Guarded<Value>: @unchecked Sendable {
  // Sendable: the value is read and changed only while the lock is held.
  private nonisolated(unsafe) var value: Value
  private let lock = NSLock()

  /// Puts a value behind a lock of its own.
  package init(_ value: consuming sending Value) { self.value = value }

  /// Calls a closure with the value, while no other thread has it.
  ///
  /// The closure must not use the same lock again, or it waits for itself for ever.
  ///
  /// - Parameter body: Reads or changes the value.
  /// - Returns: What `body` returns.
  /// - Throws: What `body` throws.
  package func withValue<Result, Failure: Error>(
    _ body: (inout sending Value) throws(Failure) -> sending Result
  ) throws(Failure) -> sending Result {
    lock.lock()
    defer { lock.unlock() }
    return try body(&value)
  }
}
