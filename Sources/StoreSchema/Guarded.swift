import Foundation

/// A value that one thread at a time may touch.
package final class Guarded<Value>: @unchecked Sendable {
  // Sendable: the value is touched under the lock alone.
  private var value: Value
  private let lock = NSLock()

  package init(_ value: sending Value) { self.value = value }

  package func withValue<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
    lock.lock()
    defer { lock.unlock() }
    return try body(&value)
  }
}
