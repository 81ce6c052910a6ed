import Dispatch

/// A thread for what takes long, one thing after another: the threads that all tasks share answer others
/// meanwhile.
package enum LongWork {
  private static let queue = DispatchQueue(label: "cellar-relay.long")

  /// Whether lines, bodies, or trees of so many bytes take long: some milliseconds.
  static func isLong(_ byteCount: Int) -> Bool { byteCount > 256 << 10 }

  /// Does some work, elsewhere if it takes long.
  ///
  /// `byteCount`: The bytes of what is read, or made.
  package static func run<Value: Sendable>(
    _ byteCount: Int, _ body: @escaping @Sendable () throws -> Value
  ) async throws -> Value {
    if !isLong(byteCount) { return try body() }
    return try await withCheckedThrowingContinuation { continuation in
      queue.async { continuation.resume(with: Result(catching: body)) }
    }
  }

  /// About as many bytes as a tree with so many items has.
  static func byteCount(ofTreeWith itemCount: Int) -> Int { 64 * itemCount }
}
