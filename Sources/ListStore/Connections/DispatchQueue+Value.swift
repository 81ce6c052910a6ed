import Dispatch
import Foundation
import StoreFiles

extension DispatchQueue {
  /// Runs work that blocks its thread, for a task.
  ///
  /// The threads of tasks must not wait for locks and disks.
  ///
  /// - Returns: What the work returns.
  /// - Throws: What it throws; `CancellationError` if the task was cancelled before it began.
  func value<Value: Sendable>(
    of work: @escaping @Sendable () throws -> Value
  ) async throws -> Value {
    let isCancelled = Guarded(false)
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        async {
          continuation.resume(
            with: Result {
              if isCancelled.withValue({ $0 }) { throw CancellationError() }
              return try work()
            })
        }
      }
    } onCancel: {
      isCancelled.withValue { $0 = true }
    }
  }
}
