import Foundation
import StoreFiles

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A response of a session's task: its head, and the parts that arrived and were not yet taken.
///
/// The session's delegate puts in, one reader takes out.
final class ResponseArrival: Sendable {
  private struct State {
    var head: HTTPURLResponse?
    var waitingForHead: CheckedContinuation<HTTPURLResponse, any Error>?
    var parts = Data()
    var waitingForPart: CheckedContinuation<Data?, any Error>?
    /// `nil` before the end of the response; an error if it was cut.
    var end: Result<Void, any Error>?
  }

  /// With how many waiting bytes the connection is broken off, because the server is faster than the
  /// store; the client goes on behind them.
  ///
  /// (A suspended task would wait, but suspending can crash Foundation on Linux.)
  private static let mostWaiting = 32 << 20

  private let task: URLSessionTask
  private let state = Guarded(State())

  init(_ task: URLSessionTask) { self.task = task }

  func cancel() {
    task.cancel()
    end(CancellationError())
  }

  // MARK: The session's side

  func receive(_ response: URLResponse) {
    guard let head = response as? HTTPURLResponse else { return }
    let waiting = state.withValue { state in
      state.head = head
      return state.waitingForHead.take()
    }
    waiting?.resume(returning: head)
  }

  func receive(_ data: Data) {
    typealias Waiting = CheckedContinuation<Data?, any Error>
    let (waiting, isTooMuch): (Waiting?, Bool) = state.withValue { state in
      guard state.end == nil else { return (nil, false) }
      if let waiting = state.waitingForPart.take() { return (waiting, false) }
      state.parts.append(data)
      return (nil, state.parts.count > Self.mostWaiting)
    }
    waiting?.resume(returning: data)
    guard isTooMuch else { return }
    end(URLError(.dataLengthExceedsMaximum))
    task.cancel()
  }

  func end(_ error: (any Error)?) {
    let result: Result<Void, any Error> = error.map { .failure($0) } ?? .success(())
    let (forHead, forPart) = state.withValue { state in
      if state.end == nil { state.end = result }
      return (state.waitingForHead.take(), state.waitingForPart.take())
    }
    forHead?.resume(throwing: error ?? URLError(.badServerResponse))
    forPart?.resume(with: result.map { nil })
  }

  // MARK: The reader's side

  /// Waits for the head.
  func head() async throws -> HTTPURLResponse {
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let known: Result<HTTPURLResponse, any Error>? = state.withValue { state in
          if let head = state.head { return .success(head) }
          if let end = state.end {
            return end.flatMap { .failure(URLError(.badServerResponse)) }
          }
          state.waitingForHead = continuation
          return nil
        }
        if let known { continuation.resume(with: known) }
      }
    } onCancel: {
      cancel()
    }
  }

  /// Waits for the next part; `nil` at the end.
  func next() async throws -> Data? {
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let known: Result<Data?, any Error>? = state.withValue { state in
          if !state.parts.isEmpty {
            defer { state.parts = Data() }
            return .success(state.parts)
          }
          if let end = state.end { return end.map { nil } }
          state.waitingForPart = continuation
          return nil
        }
        if let known { continuation.resume(with: known) }
      }
    } onCancel: {
      cancel()
    }
  }
}

extension Optional {
  /// Takes the value out.
  fileprivate mutating func take() -> Wrapped? {
    defer { self = nil }
    return self
  }
}

extension Duration {
  /// The duration in seconds.
  var seconds: Double {
    Double(components.seconds) + Double(components.attoseconds) / 1e18
  }
}
