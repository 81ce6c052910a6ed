import Foundation
import StoreFiles

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A response of a session's task: its head, and the parts that arrived and were not yet taken.
///
/// The session's delegate puts in, one reader takes out. A reader whose task is cancelled cancels the
/// session's.
final class ResponseArrival: Sendable {
  private typealias Stream<Element> = AsyncThrowingStream<Element, any Error>

  /// With how many waiting bytes the connection is broken off, because the server is faster than the
  /// store; the client goes on behind them.
  ///
  /// (A suspended task would wait, but suspending can crash Foundation on Linux.)
  private static let mostWaiting = 32 << 20

  private let task: URLSessionTask
  private let heads = Stream<HTTPURLResponse>.makeStream()
  private let parts = Stream<Data>.makeStream()
  private let waitingBytes = Guarded(0)

  init(_ task: URLSessionTask) {
    self.task = task
    heads.continuation.onTermination = { if case .cancelled = $0 { task.cancel() } }
    parts.continuation.onTermination = { if case .cancelled = $0 { task.cancel() } }
  }

  func cancel() {
    end(CancellationError())
    task.cancel()
  }

  // MARK: The session's side

  func receive(_ response: URLResponse) {
    if let head = response as? HTTPURLResponse { heads.continuation.yield(head) }
  }

  func receive(_ data: Data) {
    parts.continuation.yield(data)
    let count = waitingBytes.withValue { count in
      count += data.count
      return count
    }
    guard count > Self.mostWaiting else { return }
    end(URLError(.dataLengthExceedsMaximum))
    task.cancel()
  }

  func end(_ error: (any Error)?) {
    heads.continuation.finish(throwing: error)
    parts.continuation.finish(throwing: error)
  }

  // MARK: The reader's side

  /// Waits for the head.
  func head() async throws -> HTTPURLResponse {
    for try await head in heads.stream { return head }
    try Task.checkCancellation()
    throw URLError(.badServerResponse)
  }

  /// Waits for the next part; `nil` at the end.
  func next() async throws -> Data? {
    for try await part in parts.stream {
      waitingBytes.withValue { $0 -= part.count }
      return part
    }
    // The stream of a cancelled task ends without an error, and the body must not seem whole.
    try Task.checkCancellation()
    return nil
  }
}
